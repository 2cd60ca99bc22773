import { pure, rows, type RowGroup } from "../rows.js";

const NET = "it talks to the outside again on every replay";
const FILE = "the file system is neither recorded nor the same on every machine";
const WRITE = "the file system is changed again on every replay";
const CHILD = "another process or thread is started or told again on every replay";
const DB = "the database answers differently on every replay";
const STREAM = "a stream moves data in its own time, outside the history";

const FS_WRITES =
  "appendFile chmod chown copyFile cp lchmod lchown lutimes link mkdir mkdtemp mkdtempDisposable rename rm rmdir " +
  "symlink truncate unlink utimes writeFile";
const FS_SYNC_WRITES = FS_WRITES.split(" ")
  .map((name) => `${name}Sync`)
  .join(" ");

/** Network, files, processes, databases, streams. */
export const IO: readonly RowGroup[] = [
  ...rows("", "network", NET, "fetch", { async: true, returns: "Response" }),
  ...["POST", "PATCH"].flatMap((method) =>
    rows("", "network", NET, "fetch", {
      async: true,
      writes: true,
      returns: "Response",
      when: { has: [1, "method", method] },
    }),
  ),
  ...rows(
    "",
    "network",
    NET,
    "XMLHttpRequest WebSocket WebSocketStream EventSource WebTransport RTCPeerConnection WebSocketPair",
  ),
  ...rows(
    "",
    "network",
    NET,
    "XMLHttpRequest.prototype.* WebSocket.prototype.* EventSource.prototype.* caches.* Cache.prototype.*",
  ),
  ...rows("", "network", NET, "navigator.sendBeacon", { writes: true }),
  // The request is the effect; reading what came back would only be told a second time.
  ...["Response", "Request"].flatMap((type) =>
    rows(
      `${type}.prototype.`,
      "pure",
      "what was received is only read",
      "json text arrayBuffer blob formData bytes",
      {
        async: true,
      },
    ),
  ),
  ...pure(
    "",
    "Response Request Headers FormData Response.json Response.error Response.redirect Response.prototype.clone Request.prototype.clone",
  ),
  ...pure("Headers.prototype.", "get has entries keys values getSetCookie"),
  ...pure("Headers.prototype.", "forEach", { calls: [0] }),
  ...pure("Headers.prototype.", "set append delete", { mutates: "this" }),
  ...pure("FormData.prototype.", "get getAll has entries keys values"),
  ...pure("FormData.prototype.", "set append delete", { mutates: "this" }),

  ...rows(
    "",
    "file",
    "browser storage is local to one machine",
    "localStorage.* sessionStorage.* Storage.prototype.* cookieStore.* showOpenFilePicker showSaveFilePicker",
  ),
  ...rows(
    "",
    "file",
    "browser storage is local to one machine",
    "localStorage.* sessionStorage.* document.cookie",
    { when: { form: "read" } },
  ),
  ...rows("", "database", DB, "indexedDB.* IDBDatabase.prototype.* IDBObjectStore.prototype.* openDatabase"),
  ...rows(
    "",
    "process",
    CHILD,
    "Worker SharedWorker Worker.prototype.* SharedWorker.prototype.* importScripts",
  ),
  ...rows(
    "",
    "emitter",
    "whoever listens hears it again on every replay",
    "BroadcastChannel BroadcastChannel.prototype.* MessageChannel MessagePort.prototype.* postMessage dispatchEvent addEventListener removeEventListener",
  ),
  ...rows(
    "EventTarget.prototype.",
    "emitter",
    "whoever listens hears it again on every replay",
    "dispatchEvent addEventListener removeEventListener",
  ),

  ...rows("node:fs#", "file", FILE, "*"),
  ...rows("node:fs#", "file", FILE, "createReadStream createWriteStream", {
    returns: "node:events#EventEmitter",
  }),
  ...rows("node:fs#", "file", FILE, "promises.*", { async: true }),
  ...rows("node:fs#", "file", WRITE, FS_WRITES),
  ...rows("node:fs#", "file", WRITE, FS_SYNC_WRITES),
  ...rows("node:fs#promises.", "file", WRITE, FS_WRITES, { async: true }),
  ...rows("node:fs/promises#", "file", FILE, "*", { async: true }),
  ...rows("node:fs/promises#", "file", WRITE, FS_WRITES, { async: true }),
  ...pure(
    "node:fs#Stats.",
    "isFile isDirectory isSymbolicLink isFIFO isSocket isBlockDevice isCharacterDevice",
  ),
  ...pure(
    "node:fs#Dirent.",
    "isFile isDirectory isSymbolicLink isFIFO isSocket isBlockDevice isCharacterDevice",
  ),
  ...["node:net", "node:tls", "node:http", "node:https", "node:http2", "node:dgram"].flatMap((module) =>
    rows(`${module}#`, "network", NET, "*"),
  ),
  ...["node:dns", "node:dns/promises"].flatMap((module) =>
    rows(`${module}#`, "network", "names resolve to other addresses over time", "*", { async: true }),
  ),
  ...pure("node:net#", "isIP isIPv4 isIPv6 BlockList SocketAddress"),
  ...pure("node:http#", "Agent validateHeaderName validateHeaderValue"),
  ...pure("node:https#", "Agent"),
  ...["node:child_process", "node:cluster", "node:worker_threads"].flatMap((module) =>
    rows(`${module}#`, "process", CHILD, "*"),
  ),
  ...rows(
    "node:worker_threads#",
    "host",
    "it tells which thread this is",
    "threadId isMainThread workerData parentPort resourceLimits",
    { when: { form: "read" } },
  ),
  ...rows("node:sqlite#", "database", DB, "*"),
  ...["node:stream", "node:stream/promises", "node:stream/consumers", "node:stream/web"].flatMap((module) =>
    rows(`${module}#`, "file", STREAM, "*", { async: true }),
  ),
  ...pure("node:stream#", "Readable.from"),
  ...rows(
    "",
    "file",
    STREAM,
    "ReadableStream.prototype.* WritableStream.prototype.* ReadableStreamDefaultReader.prototype.* WritableStreamDefaultWriter.prototype.* TransformStream CompressionStream DecompressionStream",
    { async: true },
  ),
  ...rows("Blob.prototype.", "file", "it reads the blob in its own time", "text arrayBuffer bytes stream", {
    async: true,
  }),
  ...pure("", "Blob File Blob.prototype.slice"),
  ...["node:readline", "node:readline/promises", "node:repl", "node:tty"].flatMap((module) =>
    rows(`${module}#`, "host", "it talks to the terminal of this process", "*"),
  ),

  ...rows(
    "Bun.",
    "file",
    FILE,
    "file stdin stdout stderr Glob mmap openInEditor resolve resolveSync which FileSystemRouter embeddedFiles",
  ),
  ...rows("Bun.", "file", WRITE, "write", { async: true }),
  ...rows("Bun.", "network", NET, "serve connect listen udpSocket dns.* s3.* S3Client fetch", {
    async: true,
  }),
  ...rows("Bun.", "process", CHILD, "spawn spawnSync $"),
  ...rows("Bun.", "database", DB, "sql SQL sql.* redis.* RedisClient", { async: true }),
  ...rows("bun:sqlite#", "database", DB, "*"),
  ...rows("bun#", "process", CHILD, "$ spawn spawnSync"),
  ...rows("bun#", "database", DB, "sql SQL redis", { async: true }),
  ...rows("bun#", "file", FILE, "*"),
  ...pure(
    "Bun.",
    "hash hash.* escapeHTML deepEquals stringWidth inspect color stripANSI gzipSync gunzipSync deflateSync inflateSync TOML.parse YAML.parse semver.* indexOfLine CryptoHasher SHA1 SHA256 SHA512 MD5 concatArrayBuffers readableStreamToText password.verifySync",
  ),

  ...rows("Deno.", "host", "it asks this process or machine", "*"),
  ...rows(
    "Deno.",
    "file",
    FILE,
    "open openSync readFile readFileSync readTextFile readTextFileSync readDir readDirSync readLink readLinkSync stat statSync lstat lstatSync realPath realPathSync watchFs makeTempDir makeTempDirSync makeTempFile makeTempFileSync",
  ),
  ...rows(
    "Deno.",
    "file",
    WRITE,
    "writeFile writeFileSync writeTextFile writeTextFileSync create createSync copyFile copyFileSync mkdir mkdirSync remove removeSync rename renameSync symlink symlinkSync truncate truncateSync link chmod chown utime",
  ),
  ...rows(
    "Deno.",
    "network",
    NET,
    "connect connectTls listen listenTls serve resolveDns createHttpClient upgradeWebSocket startTls",
    { async: true },
  ),
  ...rows("Deno.", "database", DB, "openKv", { async: true }),
  ...rows("Deno.", "process", CHILD, "Command run exit kill"),
  ...pure("Deno.", "inspect errors.*"),
];
