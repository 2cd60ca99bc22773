import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { cacheFolder } from "./cache-folder.js";

describe("results are kept", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "stepproof-cache-"));
    mkdirSync(join(folder, "app/src"), { recursive: true });
    writeFileSync(join(folder, "app/package.json"), "{}");
    vi.stubEnv("CACHE_DIR", "");
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });

  it("beside the modules of the nearest package, whether it has any or not", () => {
    const expected = join(folder, "app/node_modules/.cache/stepproof");
    expect(cacheFolder(join(folder, "app/src"))).toBe(expected);
    mkdirSync(join(folder, "app/node_modules"));
    expect(cacheFolder(join(folder, "app"))).toBe(expected);
  });

  it("where CACHE_DIR says, unless that only says that there is a cache", () => {
    vi.stubEnv("CACHE_DIR", "/somewhere");
    expect(cacheFolder(folder)).toBe(join("/somewhere", "stepproof"));
    vi.stubEnv("CACHE_DIR", "true");
    expect(cacheFolder(join(folder, "app"))).toBe(join(folder, "app/node_modules/.cache/stepproof"));
  });

  it("nowhere without a package", () => {
    expect(cacheFolder(folder)).toBeNull();
  });

  it.skipIf(process.getuid?.() === 0)("nowhere in a package that can't be written to", () => {
    chmodSync(join(folder, "app"), 0o555);
    expect(cacheFolder(join(folder, "app"))).toBeNull();
    chmodSync(join(folder, "app"), 0o755);
  });
});
