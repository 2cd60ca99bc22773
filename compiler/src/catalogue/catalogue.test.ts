import { describe, expect, it } from "vitest";
import type { CatalogueRow, CatalogueUse } from "../types.js";
import { BUILT_IN_ROWS, CatalogueDeclarationError, createCatalogue, type RowGroup } from "./index.js";
import { normalModule } from "./modules.js";

const CALL: CatalogueUse = { form: "call", args: [] };
const row = (of: string, effect: CatalogueRow["effect"], further: Partial<CatalogueRow> = {}): RowGroup => ({
  names: [of],
  row: { effect, why: `a row for ${of}`, ...further },
});

describe("createCatalogue", () => {
  it("prefers the exact name, then the nearest star", () => {
    const catalogue = createCatalogue([
      row("shop#*", "network"),
      row("shop#Cart.*", "database"),
      row("shop#Cart.total", "pure"),
      row("shop#*.list", "file"),
    ]);
    expect(catalogue.lookupMember("shop", "Cart", "total", CALL)?.effect).toBe("pure");
    expect(catalogue.lookupMember("shop", "Cart", "save", CALL)?.effect).toBe("database");
    expect(catalogue.lookupMember("shop", "Stock", "list", CALL)?.effect).toBe("file");
    expect(catalogue.lookupMember("shop", "Stock", "items.list", CALL)?.effect).toBe("file");
    expect(catalogue.lookupExternal("shop", "open", CALL)?.effect).toBe("network");
  });

  it("answers the same whatever the order of the rows", () => {
    const probes = ["Date", "Math.random", "process.env.A", "fetch"] as const;
    const forwards = createCatalogue(BUILT_IN_ROWS);
    const backwards = createCatalogue([...BUILT_IN_ROWS].reverse());
    for (const probe of probes) {
      for (const form of ["call", "new", "read"] as const) {
        for (const args of [
          [],
          [{ is: "other" }, { is: "object", props: { method: "POST" }, open: false }],
        ] as const) {
          expect(forwards.lookupGlobal(probe, { form, args })).toEqual(
            backwards.lookupGlobal(probe, { form, args }),
          );
        }
      }
    }
  });

  it("takes a row without a form for calls only, never for reads", () => {
    const catalogue = createCatalogue([row("shop#open", "network")]);
    expect(catalogue.lookupExternal("shop", "open", { form: "read" })).toBeNull();
    expect(catalogue.lookupExternal("shop", "open", { form: "tag", args: [] })?.effect).toBe("network");
  });

  it("does not take an unknown argument for a missing one", () => {
    const catalogue = createCatalogue([row("shop#at", "clock", { when: { lacks: [0] } })]);
    expect(catalogue.lookupExternal("shop", "at", { form: "call", args: [] })?.effect).toBe("clock");
    expect(catalogue.lookupExternal("shop", "at", { form: "call", args: [{ is: "other" }] })).toBeNull();
    expect(catalogue.lookupExternal("shop", "at", { form: "call", args: null })).toBeNull();
  });

  it("knows a scope's packages by one row, and no other scope by it", () => {
    const catalogue = createCatalogue([row("@cloud/*#*", "network")]);
    expect(catalogue.lookupExternal("@cloud/store", "put", CALL)?.effect).toBe("network");
    expect(catalogue.lookupExternal("@cloud/store/deep", "put", CALL)?.effect).toBe("network");
    expect(catalogue.lookupExternal("@clouds/store", "put", CALL)).toBeNull();
    expect(catalogue.covers("@cloud/store")).toBe(true);
    expect(catalogue.covers("@clouds/store")).toBe(false);
  });

  it("lets the configuration speak first, the longer pattern before the shorter", () => {
    const catalogue = createCatalogue(BUILT_IN_ROWS, {
      pure: ["uuid#v4", "@acme/*#*", "performance.now", "process.env.REGION"],
      effectful: ["@acme/store#load*", { of: "lodash#groupBy", effect: "clock", why: "we patched it" }],
    });
    expect(catalogue.lookupExternal("uuid", "v4", CALL)?.effect).toBe("pure");
    expect(catalogue.lookupExternal("uuid", "v1", CALL)?.effect).toBe("id");
    expect(catalogue.lookupExternal("@acme/store", "size", CALL)?.effect).toBe("pure");
    expect(catalogue.lookupExternal("@acme/store", "loadAll", CALL)?.effect).toBe("declared");
    expect(catalogue.lookupExternal("lodash", "groupBy", CALL)?.why).toBe("we patched it");
    expect(catalogue.lookupGlobal("performance.now", CALL)?.effect).toBe("pure");
    expect(catalogue.lookupGlobal("process.env.REGION", { form: "read" })?.effect).toBe("pure");
    expect(catalogue.lookupGlobal("process.env.OTHER", { form: "read" })?.effect).toBe("environment");
  });

  it("refuses a declaration that can't be read, and says how to write one", () => {
    expect(() => createCatalogue([], { pure: ["uuid v4"] })).toThrow(CatalogueDeclarationError);
    expect(() => createCatalogue([], { pure: ["uuid v4"] })).toThrow(/package#export/);
  });
});

describe("normalModule", () => {
  it.each([
    ["fs", "node:fs"],
    ["node:fs/promises", "node:fs/promises"],
    ["fs/promises", "node:fs/promises"],
    ["npm:uuid@9", "uuid"],
    ["npm:@acme/store@1.2.3/deep", "@acme/store/deep"],
    ["https://esm.sh/dayjs@1.11", "dayjs"],
    ["@types/pg", "pg"],
    ["@types/acme__store", "@acme/store"],
    ["lodash-es", "lodash"],
    ["lodash/random.js", "lodash/random"],
    ["bignumber.js", "bignumber.js"],
    ["@acme/fs", "@acme/fs"],
  ])("%s is %s", (given, expected) => {
    expect(normalModule(given)).toBe(expected);
  });
});
