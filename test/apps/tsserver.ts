import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";

/** A message of tsserver's protocol, as far as the tests read it. */
interface Message {
  readonly type: string;
  readonly event?: string;
  readonly request_seq?: number;
  readonly success?: boolean;
  readonly message?: string;
  readonly body?: unknown;
}

/** A diagnostic as editors get it; lines and columns from 1. */
export interface EditorDiagnostic {
  readonly start: { readonly line: number; readonly offset: number };
  readonly end: { readonly line: number; readonly offset: number };
  readonly text: string;
  readonly code: number;
  readonly category: string;
  readonly source?: string;
  readonly relatedInformation?: readonly { readonly message: string }[];
}

/** A session of a real tsserver, over its protocol. */
export class TsServer {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly waiting = new Map<number, (message: Message) => void>();
  private seq = 0;
  private buffer = Buffer.alloc(0);

  /** @param typescript folder of the TypeScript package that the editor uses. */
  constructor(typescript: string, cwd: string) {
    this.child = spawn(
      process.execPath,
      [`${typescript}/lib/tsserver.js`, "--disableAutomaticTypingAcquisition", "--suppressDiagnosticEvents"],
      { cwd },
    );
    this.child.stdout.on("data", (chunk: Buffer) => {
      this.buffer = Buffer.concat([this.buffer, chunk]);
      this.read();
    });
  }

  /** Of the server's process. */
  get pid(): number {
    const { pid } = this.child;
    if (pid === undefined) throw new Error("The server did not start.");
    return pid;
  }

  /** Sends a request without waiting for an answer (`open`, `change` have none). */
  tell(command: string, args: object): number {
    this.seq += 1;
    this.child.stdin.write(
      `${JSON.stringify({ seq: this.seq, type: "request", command, arguments: args })}\n`,
    );
    return this.seq;
  }

  /** Sends a request and gives the body of its answer. */
  async ask<T>(command: string, args: object): Promise<T> {
    const seq = this.tell(command, args);
    const answer = await new Promise<Message>((resolve) => this.waiting.set(seq, resolve));
    if (answer.success !== true) throw new Error(`${command}: ${answer.message ?? "no answer"}`);
    return answer.body as T;
  }

  /** Opens a file, with unsaved text if given. */
  open(file: string, text?: string): void {
    this.tell("open", { file, ...(text === undefined ? {} : { fileContent: text }) });
  }

  diagnostics(file: string): Promise<readonly EditorDiagnostic[]> {
    return this.ask("semanticDiagnosticsSync", { file });
  }

  stop(): void {
    this.child.kill();
  }

  private read(): void {
    for (;;) {
      const head = /^Content-Length: (\d+)\r\n\r\n/.exec(this.buffer.subarray(0, 60).toString("latin1"));
      if (head === null) return;
      const start = head[0].length;
      const end = start + Number(head[1]);
      if (this.buffer.length < end) return;
      const message = JSON.parse(this.buffer.subarray(start, end).toString("utf8")) as Message;
      this.buffer = this.buffer.subarray(end).toString("latin1").startsWith("\n")
        ? this.buffer.subarray(end + 1)
        : this.buffer.subarray(end);
      if (message.request_seq === undefined) continue;
      this.waiting.get(message.request_seq)?.(message);
      this.waiting.delete(message.request_seq);
    }
  }
}
