import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ConfigError, parseConfig } from "./config.js";
import { loadConfig, loadConfigNow } from "./load-config.js";

const parse = (raw: unknown) => parseConfig(raw, "/p/stepproof.config.json");

describe("a config", () => {
  it("may be empty, and keeps what it says", () => {
    expect(parse({})).toMatchObject({ rules: {}, engine: null, baseline: null });
    expect(
      parse({ $schema: "x", rules: { "no-console": "off" }, engine: "stepproof", pure: ["@acme/*#*"] }),
    ).toMatchObject({
      path: "/p/stepproof.config.json",
      rules: { "no-console": "off" },
      engine: "stepproof",
      pure: ["@acme/*#*"],
    });
  });

  it.each([
    [{ rule: {} }, `there is no key "rule"; did you mean "rules"?`],
    [{ zzz: 1 }, `there is no key "zzz".`],
    [{ rules: { "no-consol": "off" } }, `"rules": "no-consol" is not a rule; did you mean "no-console"?`],
    [{ rules: { zzzzzzzzzzzzzz: "off" } }, `"zzzzzzzzzzzzzz" is not a rule (known: `],
    [{ rules: { "no-console": "warn" } }, `"rules"."no-console": "warn" is not a severity`],
    [{ rules: [] }, "expected an object, found a list"],
    [{ engine: "rivetkit" }, `"engine": "rivetkit" is not an engine; did you mean "rivetkit-2"?`],
    [{ pure: ["uuid"] }, `"pure": "uuid" is not of the form "package#export"`],
    [{ effectful: "a#b" }, `"effectful" must be a list of texts, not "a#b"`],
    [{ factories: { "@acme/x#durable": "workfow" } }, `did you mean "workflow"?`],
    [{ contextTypes: { "@acme/x#Ctx": "flow" } }, `"flow" is not a kind of context`],
    [{ include: [3] }, `"include" must be a list of texts, but holds 3`],
    [{ baseline: 3 }, `"baseline" must be a path`],
    [[], "the config must be an object, not a list"],
    [null, "the config must be an object, not null"],
    [{ constructor: 1 }, `there is no key "constructor"`],
  ])("with a fault is refused: %j", (raw, message) => {
    expect(() => parse(raw)).toThrow(ConfigError);
    expect(() => parse(raw)).toThrow(message);
  });

  it("lists some of many words, and none where one is near", () => {
    expect(() => parse({ rules: { zzzzzzzzzzzzzz: "off" } })).toThrow(/\(known: [^)]* …\)\.$/);
    expect(() => parse({ rules: { "no-consol": "off" } })).toThrow(/did you mean "no-console"\?$/);
  });
});

describe("the config file", () => {
  const folder = (): string => realpathSync(mkdtempSync(join(tmpdir(), "stepproof-config-")));

  it.each([
    ["stepproof.config.ts", `const off: string = "off";\nexport default { rules: { "no-console": off } };`],
    ["stepproof.config.mjs", `export default { rules: { "no-console": "off" } };`],
    ["stepproof.config.json", `{ "rules": { "no-console": "off" } }`],
  ])("is read from %s, also from a folder below", async (name, text) => {
    const at = folder();
    writeFileSync(join(at, name), text);
    mkdirSync(join(at, "src/deep"), { recursive: true });
    const config = await loadConfig(join(at, "src/deep"));
    expect(config.rules).toEqual({ "no-console": "off" });
    // Tools that load their plugins at once get the same.
    expect(loadConfigNow(join(at, "src/deep"))).toEqual(config);
  });

  it("is not looked for above the repository's root", async () => {
    const at = folder();
    writeFileSync(join(at, "stepproof.config.json"), "{}");
    mkdirSync(join(at, "repo/.git"), { recursive: true });
    expect((await loadConfig(join(at, "repo"))).path).toBeNull();
  });

  it("is refused with one message when it is missing, broken or doubled", async () => {
    const at = folder();
    await expect(loadConfig(at, join(at, "no.json"))).rejects.toThrow(/There is no config file/);
    expect(() => loadConfigNow(at, join(at, "no.json"))).toThrow(/There is no config file/);
    writeFileSync(join(at, "stepproof.config.json"), "{");
    await expect(loadConfig(at)).rejects.toThrow(/can't be read: /);
    expect(() => loadConfigNow(at)).toThrow(/can't be read: /);
    writeFileSync(join(at, "stepproof.config.ts"), "export default {}");
    await expect(loadConfig(at)).rejects.toThrow(/two configs/);
    expect(() => loadConfigNow(at)).toThrow(/two configs/);
    writeFileSync(join(at, "b.mjs"), "export const x = 1");
    await expect(loadConfig(at, join(at, "b.mjs"))).rejects.toThrow(/no default export/);
    expect(() => loadConfigNow(at, join(at, "b.mjs"))).toThrow(/no default export/);
    writeFileSync(join(at, "d.ts"), "export const rules = {}");
    await expect(loadConfig(at, join(at, "d.ts"))).rejects.toThrow(/no default export/);
    expect(() => loadConfigNow(at, join(at, "d.ts"))).toThrow(/no default export/);
    writeFileSync(join(at, "c.ts"), "throw new Error('boom')");
    await expect(loadConfig(at, join(at, "c.ts"))).rejects.toThrow(/boom/);
    expect(() => loadConfigNow(at, join(at, "c.ts"))).toThrow(/boom/);
  });
});
