import { clients, pure, purePackages, rows, type RowGroup } from "../rows.js";

const MODEL = "a model answers differently on every replay, and is paid again";
const ID = "it makes another id on every replay";

/** Language models and what is built on them. */
export const AI: readonly RowGroup[] = [
  ...clients(
    "network",
    MODEL,
    "openai @anthropic-ai/sdk @anthropic-ai/bedrock-sdk @anthropic-ai/vertex-sdk @google/genai @google/generative-ai cohere-ai replicate @mistralai/mistralai groq-sdk together-ai ollama ollama-ai-provider @huggingface/inference voyageai exa-js @tavily/core @mendable/firecrawl-js @browserbasehq/sdk @browserbasehq/stagehand elevenlabs @elevenlabs/elevenlabs-js @deepgram/sdk assemblyai @fal-ai/client @fal-ai/serverless-client portkey-ai @cerebras/cerebras_cloud_sdk @openrouter/sdk mem0ai @letta-ai/letta-client @e2b/code-interpreter e2b",
    "createClient tavily default",
  ),
  ...pure("openai#", "toFile APIError *.APIError"),
  ...pure("@anthropic-ai/sdk#", "toFile APIError *.APIError"),
  ...clients(
    "network",
    MODEL,
    "@anthropic-ai/claude-agent-sdk @anthropic-ai/claude-code @openai/agents @openai/codex-sdk @mastra/core @voltagent/core",
    "",
  ),
  ...pure("@openai/agents#", "tool"),

  ...rows(
    "ai#",
    "network",
    MODEL,
    "generateText streamText generateObject streamObject embed embedMany rerank generateImage experimental_generateImage experimental_generateSpeech experimental_transcribe generateSpeech transcribe",
    { async: true },
  ),
  ...rows("ai#", "network", MODEL, "Agent.* ToolLoopAgent.* createMCPClient experimental_createMCPClient", {
    async: true,
  }),
  ...rows("ai#", "id", ID, "generateId createIdGenerator"),
  ...pure("ai#", "*"),
  ...pure("@ai-sdk/*#", "*"),
  ...rows("@ai-sdk/*#", "id", ID, "generateId createIdGenerator"),
  ...pure("@openrouter/ai-sdk-provider#", "*"),

  ...clients("network", MODEL, "langchain @langchain/* llamaindex @llamaindex/* langsmith langfuse", "tool"),
  ...pure("@langchain/core#", "tool"),
  ...rows("@langchain/core/messages#", "pure", "it only holds what it is given", "*"),
  ...rows("@langchain/core/prompts#", "pure", "it only fills in a text", "*"),
  ...rows("@langchain/core/output_parsers#", "pure", "it only reads a text", "*"),
  ...rows("@langchain/textsplitters#", "pure", "it only cuts a text", "*"),
  ...clients(
    "network",
    "the tool server is called again on every replay",
    "@modelcontextprotocol/sdk mcp-use",
    "",
  ),
  ...clients(
    "host",
    "a model runs on this machine",
    "@huggingface/transformers @xenova/transformers node-llama-cpp @tensorflow/tfjs @tensorflow/tfjs-node onnxruntime-node tesseract.js",
    "",
  ),
  ...purePackages(
    "tiktoken js-tiktoken gpt-tokenizer gpt-3-encoder @dqbd/tiktoken @anthropic-ai/tokenizer zod-to-json-schema json-schema-to-zod",
  ),
];
