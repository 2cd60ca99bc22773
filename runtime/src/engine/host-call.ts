import type { WorkflowHost } from "./seam.js";

/** Calls a hook of the host. What it throws, now or later, goes to `onInternalError` and no further. */
export function callHost(host: WorkflowHost, hook: () => unknown): void {
  const failed = (error: unknown): void => host.onInternalError?.(error);
  try {
    const result = hook();
    if (result instanceof Promise) result.catch(failed);
  } catch (error) {
    failed(error);
  }
}
