import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { InstanceCommit, Store } from "../engine/ports.js";

/** A commit from its parts. */
export function commitOf(
  instance: string,
  parts: Partial<Omit<InstanceCommit, "puts" | "deletes">> & {
    puts?: Record<string, string>;
    deletes?: string[];
  } = {},
): InstanceCommit {
  return {
    instance,
    puts: new Map(Object.entries(parts.puts ?? {})),
    deletes: new Set(parts.deletes ?? []),
    deleteRanges: parts.deleteRanges ?? [],
    due: parts.due,
    removeInstance: parts.removeInstance ?? false,
  };
}

const keysOf = async (store: Store, instance: string): Promise<string[]> =>
  (await store.read(instance)).records.map(({ key }) => key);

/** The laws of the port `Store`; every implementation is held to them. */
export function storeContract(
  name: string,
  open: () => Promise<{ store: Store; end(): Promise<void> }>,
): void {
  describe(`the store contract: ${name}`, () => {
    let store: Store;
    let end: () => Promise<void>;
    beforeEach(async () => ({ store, end } = await open()));
    afterEach(() => end());

    test("an instance that was never committed reads as nothing", async () => {
      expect(await store.read("none")).toEqual({ records: [], due: null });
    });

    test("what was put is read back, ordered by the bytes of the key", async () => {
      const keys = ["b", "a", "é", "a/b", "a-b", "\u{1F600}", "\uFFFD", "Z"];
      await store.commit(
        commitOf("i", { puts: Object.fromEntries(keys.map((key) => [key, `value of ${key}`])) }),
      );
      const expected = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(await store.read("i")).toEqual({
        records: expected.map((key) => ({ key, value: `value of ${key}` })),
        due: null,
      });
    });

    test("values keep every character but U+0000, which none has", async () => {
      const value = `a\u0001b\r\n\u2028 "\\ \u{1F600} é`;
      await store.commit(commitOf("i", { puts: { k: value } }));
      expect((await store.read("i")).records).toEqual([{ key: "k", value }]);
    });

    test("instances do not see each other", async () => {
      await store.commit(commitOf("a", { puts: { k: "1" } }));
      await store.commit(commitOf("b", { puts: { k: "2" } }));
      await store.commit(commitOf("a", { deletes: ["k"] }));
      expect(await keysOf(store, "a")).toEqual([]);
      expect(await keysOf(store, "b")).toEqual(["k"]);
    });

    test("in one commit ranges go first, then deletes, then puts", async () => {
      await store.commit(commitOf("i", { puts: { a1: "x", a2: "x", b: "x", c: "x" } }));
      await store.commit(
        commitOf("i", {
          deleteRanges: [{ from: "a", to: "b" }],
          deletes: ["c"],
          puts: { a2: "new", c: "new" },
        }),
      );
      expect((await store.read("i")).records).toEqual([
        { key: "a2", value: "new" },
        { key: "b", value: "x" },
        { key: "c", value: "new" },
      ]);
    });

    test("a range holds its start and not its end, also when read", async () => {
      await store.commit(
        commitOf("i", { puts: { "h/~10": "0", "h/~10/x": "1", "h/~11": "2", "h/~210": "3", q: "4" } }),
      );
      expect((await store.read("i", { from: "h/", to: "h0" })).records.length).toBe(4);
      await store.commit(commitOf("i", { deleteRanges: [{ from: "h/~10", to: "h/~11" }] }));
      expect(await keysOf(store, "i")).toEqual(["h/~11", "h/~210", "q"]);
    });

    test("a read gives the first records of a range, a span their number and the last", async () => {
      expect(await store.span("i", { from: "", to: "z" })).toEqual({ count: 0, last: undefined });
      await store.commit(commitOf("i", { puts: { a: "0", "q/1": "1", "q/2": "2", "q/3": "3", w: "4" } }));
      const messages = { from: "q/", to: "q0" };
      expect((await store.read("i", messages, 2)).records.map(({ key }) => key)).toEqual(["q/1", "q/2"]);
      expect((await store.read("i", messages, 9)).records).toHaveLength(3);
      await store.commit(commitOf("i", { deletes: ["q/3"], puts: { "q/20": "5" } }));
      expect(await store.span("i", messages)).toEqual({ count: 3, last: { key: "q/20", value: "5" } });
      expect(await store.span("none", messages)).toEqual({ count: 0, last: undefined });
    });

    test("a read sees commits that were made before it and are not durable yet", async () => {
      const first = store.commit(commitOf("i", { puts: { k: "1" } }));
      const second = store.commit(commitOf("i", { puts: { k: "2" }, due: 5 }));
      expect(await store.read("i")).toEqual({ records: [{ key: "k", value: "2" }], due: 5 });
      await Promise.all([first, second]);
    });

    test("due times: unchanged by undefined, cleared by null, listed in order between the bounds", async () => {
      await store.commit(commitOf("c", { due: 30 }));
      await store.commit(commitOf("b", { due: 20 }));
      await store.commit(commitOf("a", { due: 20 }));
      await store.commit(commitOf("z", { due: 0 }));
      await store.commit(commitOf("gone", { due: 10 }));
      await store.commit(commitOf("gone", { due: null }));
      await store.commit(commitOf("c", { puts: { k: "1" } }));
      expect(await store.due({ after: -1, upTo: 30, limit: 10 })).toEqual([
        { instance: "z", due: 0 },
        { instance: "a", due: 20 },
        { instance: "b", due: 20 },
        { instance: "c", due: 30 },
      ]);
      expect(await store.due({ after: 0, upTo: 29, limit: 10 })).toEqual([
        { instance: "a", due: 20 },
        { instance: "b", due: 20 },
      ]);
    });

    test("due instances are paged with a cursor, none twice, none left out", async () => {
      for (let i = 0; i < 25; i++)
        await store.commit(commitOf(`i${String(i).padStart(2, "0")}`, { due: 100 + Math.floor(i / 10) }));
      const seen: string[] = [];
      for (let last: { instance: string; due: number } | undefined; ;) {
        const page = await store.due({
          after: last?.due ?? 0,
          upTo: 1000,
          limit: 4,
          ...(last && { afterInstance: last.instance }),
        });
        seen.push(...page.map(({ instance }) => instance));
        last = page.at(-1);
        if (page.length < 4) break;
      }
      expect(seen).toEqual(Array.from({ length: 25 }, (_, i) => `i${String(i).padStart(2, "0")}`));
    });

    test("instances are listed by prefix, after a name, with a limit", async () => {
      for (const name of ["order/1", "order/2", "order/3", "orders/1", "other/1"])
        await store.commit(commitOf(name, { puts: { k: "1" } }));
      const names = async (query: Parameters<Store["instances"]>[0]): Promise<string[]> =>
        (await store.instances(query)).map(({ instance }) => instance);
      expect(await names({ prefix: "order/", limit: 10 })).toEqual(["order/1", "order/2", "order/3"]);
      expect(await names({ prefix: "order/", after: "order/1", limit: 1 })).toEqual(["order/2"]);
      expect(await names({ limit: 10 })).toHaveLength(5);
    });

    test("a removed instance is gone; what is put in the same commit starts it anew", async () => {
      await store.commit(commitOf("i", { puts: { a: "1", b: "2" }, due: 5 }));
      await store.commit(commitOf("j", { puts: { a: "1" } }));
      await store.commit(commitOf("i", { removeInstance: true, due: null }));
      expect(await store.read("i")).toEqual({ records: [], due: null });
      expect((await store.instances({ limit: 10 })).map(({ instance }) => instance)).toEqual(["j"]);
      await store.commit(commitOf("j", { removeInstance: true, puts: { c: "3" }, due: 7 }));
      expect(await store.read("j")).toEqual({ records: [{ key: "c", value: "3" }], due: 7 });
    });

    test("many commits of one turn are all kept, in the order of the calls", async () => {
      await Promise.all(
        Array.from({ length: 500 }, (_, i) =>
          store.commit(commitOf(`i${i % 7}`, { puts: { last: String(i), [`k${i}`]: "x" } })),
        ),
      );
      for (let i = 0; i < 7; i++) {
        const { records } = await store.read(`i${i}`);
        expect(records.find(({ key }) => key === "last")?.value).toBe(String(499 - ((499 - i) % 7)));
      }
    });

    test("a closed store rejects", async () => {
      await store.close();
      await expect(store.commit(commitOf("i"))).rejects.toThrow();
      await expect(store.read("i")).rejects.toThrow();
    });
  });
}
