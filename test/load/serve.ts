import { silentLog } from "../../runtime/src/host/log.js";
import { registry } from "./registry.js";

/* A process that serves the load registry: `serve.ts FILE PORT CONNECTIONS`. Says "ready" and, on a message, its memory. */

const [file = "", port = "0", maxConnections = "10000"] = process.argv.slice(2);
await registry.start({
  file,
  port: Number(port),
  log: silentLog,
  limits: { maxConnections: Number(maxConnections) },
});
process.send?.("ready");
process.on("message", () => {
  process.send?.(process.memoryUsage().rss);
});
