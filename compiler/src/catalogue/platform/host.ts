import { pure, rows, type RowGroup } from "../rows.js";

const ENV = "the environment differs between machines and deploys";
const HOST = "it tells of this process or machine";
const READ = { when: { form: "read" } } as const;
const WRITE = { when: { form: "write" } } as const;
const CONSOLE = "it prints again on every replay";
const HEARD = "whoever listens hears it again on every replay";
const CONTEXT = "it holds what this process put there";

const EMITTER =
  "on once off emit addListener removeListener removeAllListeners prependListener prependOnceListener";

/** Environment, host facts, console, emitters, memory. */
export const HOST_ROWS: readonly RowGroup[] = [
  ...rows("process.", "environment", ENV, "env env.* argv argv.* argv0 execArgv execPath title", READ),
  ...rows(
    "process.",
    "environment",
    "the environment of the whole process is changed",
    "env.* title exitCode",
    WRITE,
  ),
  ...rows("process.", "environment", ENV, "cwd loadEnvFile env.hasOwnProperty"),
  ...rows(
    "process.",
    "process",
    "it acts on the whole process",
    "chdir exit abort kill umask setuid setgid send disconnect reallyExit dlopen ref unref setUncaughtExceptionCaptureCallback",
  ),
  ...rows(
    "process.",
    "host",
    HOST,
    "pid ppid platform arch version versions versions.* release release.* config config.* features features.* report connected debugPort exitCode allowedNodeEnvironmentFlags",
    READ,
  ),
  ...rows(
    "process.",
    "host",
    HOST,
    "memoryUsage memoryUsage.rss cpuUsage threadCpuUsage resourceUsage constrainedMemory availableMemory getActiveResourcesInfo getuid getgid geteuid getegid getgroups getBuiltinModule binding",
  ),
  ...rows("process.", "emitter", HEARD, EMITTER),
  ...rows("process.", "console", CONSOLE, "emitWarning stdout.* stderr.*"),
  ...rows("process.", "host", "it talks to the terminal of this process", "stdin.*"),
  ...rows(
    "",
    "environment",
    ENV,
    "import.meta.env import.meta.env.* Bun.env Bun.env.* Bun.argv Deno.args Deno.mainModule",
    READ,
  ),
  ...rows(
    "",
    "environment",
    ENV,
    "Deno.env.get Deno.env.has Deno.env.toObject Deno.cwd Deno.env.set Deno.env.delete Deno.chdir",
  ),
  ...rows(
    "",
    "host",
    HOST,
    "Bun.version Bun.revision Bun.main Deno.pid Deno.ppid Deno.build Deno.build.* Deno.version Deno.version.* Deno.noColor",
    READ,
  ),
  ...rows(
    "",
    "host",
    HOST,
    "Deno.hostname Deno.osRelease Deno.osUptime Deno.loadavg Deno.networkInterfaces Deno.systemMemoryInfo Deno.memoryUsage Deno.uid Deno.gid Bun.gc Bun.generateHeapSnapshot Bun.shrink",
  ),
  ...rows("cloudflare:workers#", "environment", ENV, "env env.*", READ),
  ...rows(
    "cloudflare:workers#",
    "network",
    "it talks to the outside again on every replay",
    "env.* waitUntil",
    { async: true },
  ),
  ...rows(
    "navigator.",
    "host",
    HOST,
    "userAgent userAgentData platform hardwareConcurrency deviceMemory onLine connection vendor maxTouchPoints storage",
    READ,
  ),
  ...rows("navigator.", "host", HOST, "*"),
  ...rows(
    "",
    "host",
    HOST,
    "location location.* history.length document.referrer document.title document.visibilityState screen screen.* innerWidth innerHeight devicePixelRatio",
    READ,
  ),
  ...rows(
    "",
    "host",
    HOST,
    "document.* history.* matchMedia alert confirm prompt print open getComputedStyle getSelection",
  ),

  ...rows("node:os#", "host", HOST, "*"),
  ...rows("node:os#", "host", HOST, "EOL devNull constants constants.*", READ),
  ...rows(
    "node:path#",
    "environment",
    "relative paths start from the working directory of this process",
    "resolve posix.resolve win32.resolve",
  ),
  ...rows("node:path#", "host", HOST, "sep delimiter", READ),
  ...rows(
    "node:path/posix#",
    "environment",
    "relative paths start from the working directory of this process",
    "resolve",
  ),
  ...pure("node:path#", "*"),
  ...[
    "node:v8",
    "node:inspector",
    "node:inspector/promises",
    "node:module",
    "node:trace_events",
    "node:wasi",
    "node:vm",
    "node:sea",
    "node:domain",
    "node:test",
  ].flatMap((module) => rows(`${module}#`, "host", HOST, "*")),
  ...pure("node:v8#", "serialize deserialize"),
  ...rows("node:util#", "environment", ENV, "parseArgs", { when: { lacks: [0, "args"] } }),
  ...pure("node:util#", "parseArgs"),
  ...rows("node:util#", "console", CONSOLE, "debuglog debug log"),

  ...rows("console.", "console", CONSOLE, "*"),
  ...["EventEmitter", "EventEmitterAsyncResource"].flatMap((type) =>
    rows(`node:events#${type}.`, "emitter", HEARD, EMITTER),
  ),
  ...rows("node:events#", "emitter", HEARD, "once on addAbortListener setMaxListeners getEventListeners", {
    async: true,
  }),
  ...pure(
    "node:events#",
    "EventEmitter default EventEmitter.listenerCount EventEmitter.eventNames EventEmitter.listeners EventEmitter.setEncoding EventEmitter.pause EventEmitter.resume",
  ),
  ...rows("node:events#", "pure", "it hands the data on to where it is read", "EventEmitter.pipe", {
    returns: "node:events#EventEmitter",
  }),
  ...rows("EventEmitter.prototype.", "emitter", HEARD, EMITTER),
  ...rows("node:diagnostics_channel#", "emitter", HEARD, "*"),
  ...rows("", "emitter", HEARD, "reportError"),

  ...rows("node:async_hooks#", "memory", CONTEXT, "*"),
  ...rows("node:async_hooks#AsyncLocalStorage.", "memory", CONTEXT, "getStore enterWith disable"),
  ...rows("node:async_hooks#AsyncLocalStorage.", "pure", "it runs its callback in place", "run", {
    calls: [1],
  }),
  ...rows("node:async_hooks#AsyncLocalStorage.", "pure", "it runs its callback in place", "exit", {
    calls: [0],
  }),
  ...pure("node:async_hooks#", "AsyncLocalStorage AsyncResource"),
  ...rows(
    "",
    "memory",
    "when the collector runs is not recorded",
    "WeakRef.prototype.deref FinalizationRegistry FinalizationRegistry.prototype.* gc",
  ),
  ...pure("", "WeakRef"),
  ...rows("Atomics.", "memory", "other threads write the same memory", "*"),
  ...rows("", "memory", "other threads write the same memory", "SharedArrayBuffer"),
  ...rows("Buffer.", "memory", "its bytes are whatever was in memory", "allocUnsafe allocUnsafeSlow"),

  ...[
    "Error",
    "TypeError",
    "RangeError",
    "SyntaxError",
    "ReferenceError",
    "EvalError",
    "URIError",
    "AggregateError",
  ].flatMap((type) =>
    rows(
      `${type}.prototype.`,
      "stack",
      "a stack tells where this process came from; it changes with every deploy and replay",
      "stack",
      READ,
    ),
  ),
  ...rows(
    "node:util#",
    "stack",
    "a stack tells where this process came from; it changes with every deploy and replay",
    "getCallSite getCallSites",
  ),
];
