/**
 * Generates a TypeScript project for the checker's benchmarks: modules of domain types, services and helpers that
 * import one another, and workflows that use them. The same numbers give the same files.
 *
 *   npx tsx bench/checker/generate.ts <folder> [files=500] [workflows=30]
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface GeneratedProject {
  readonly folder: string;
  readonly files: number;
  readonly workflows: number;
  /** Of all source files. */
  readonly bytes: number;
}

/** Writes the project to `folder`, which is emptied first. `files` counts the workflow files as well. */
export function generateProject(folder: string, files = 500, workflows = 30): GeneratedProject {
  rmSync(folder, { recursive: true, force: true });
  let bytes = 0;
  const write = (path: string, text: string): void => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (path.startsWith("src/")) bytes += text.length;
  };
  const modules = files - workflows;
  for (let at = 0; at < modules; at++) write(`src/modules/m${at.toString()}.ts`, moduleText(at, modules));
  for (let at = 0; at < workflows; at++)
    write(`src/workflows/w${at.toString()}.ts`, workflowText(at, modules));
  write("tsconfig.json", JSON.stringify(CONFIG, null, 2));
  write("package.json", JSON.stringify({ name: "generated", private: true, type: "module" }));
  write(
    "node_modules/@rivet-dev/workflows/package.json",
    JSON.stringify({ name: "@rivet-dev/workflows", version: "1.0.0", types: "index.d.ts" }),
  );
  write("node_modules/@rivet-dev/workflows/index.d.ts", ENGINE);
  return { folder, files, workflows, bytes };
}

const CONFIG = {
  compilerOptions: {
    target: "ES2023",
    module: "NodeNext",
    moduleResolution: "NodeNext",
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  },
  include: ["src"],
};

/** A pseudo-random number that only depends on its arguments. */
function pick(seed: number, salt: number, below: number): number {
  let hash = Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(salt + 7, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) % below;
}

/** Modules stand in features of this many. */
const FEATURE = 16;

/** A module imports a few of its feature that come after it, so that there are chains and no circles. */
function importsOf(at: number, modules: number): number[] {
  const end = Math.min(modules, (Math.floor(at / FEATURE) + 1) * FEATURE);
  const after = end - at - 1;
  return after <= 0 ? [] : [...new Set([1, 2, 3].map((salt) => at + 1 + pick(at, salt, Math.min(after, 6))))];
}

/** A workflow uses modules of the second half of a feature, so that not every file of the project is reached. */
function usedBy(at: number, modules: number): number[] {
  const start = (at % Math.max(1, Math.floor(modules / FEATURE))) * FEATURE + FEATURE / 2;
  return [...new Set([1, 2, 3, 4].map((salt) => Math.min(modules - 1, start + pick(at, salt, FEATURE / 2))))];
}

function moduleText(at: number, modules: number): string {
  const n = at.toString();
  const others = importsOf(at, modules).map((other) => other.toString());
  const imports = others.map(
    (o) => `import { type Order${o}, price${o}, Store${o}, normalise${o} } from "./m${o}.js";`,
  );
  const calls = others.map((o) => `price${o}({ ...order, lines: order.lines } as unknown as Order${o})`);
  return `${imports.join("\n")}

export interface Line${n} { readonly sku: string; readonly quantity: number; readonly price: number; readonly tags?: readonly string[] }
export interface Order${n} { readonly id: string; readonly lines: readonly Line${n}[]; readonly status: Status${n}; readonly meta: Record<string, string | number> }
export type Status${n} = "open" | "paid" | "shipped" | "cancelled";
export type Patch${n}<T> = { readonly [K in keyof T]?: T[K] extends readonly (infer U)[] ? readonly Patch${n}<U>[] : T[K] };
export type Event${n} =
  | { readonly kind: "created"; readonly order: Order${n} }
  | { readonly kind: "changed"; readonly id: string; readonly patch: Patch${n}<Order${n}> }
  | { readonly kind: "removed"; readonly id: string };
export interface Repository${n}<T extends { readonly id: string }> {
  find(id: string): Promise<T | undefined>;
  save(value: T): Promise<void>;
  all(filter?: (value: T) => boolean): Promise<readonly T[]>;
}

export function total${n}(order: Order${n}): number {
  return order.lines.filter((line) => line.quantity > 0).map((line) => line.quantity * line.price).reduce((sum, value) => sum + value, 0);
}

export function price${n}(order: Order${n}): number {
  const discount = order.lines.length > 10 ? 0.9 : 1;
  return Math.round(total${n}(order) * discount${calls.length === 0 ? "" : ` + ${calls.join(" + ")}`});
}

export function normalise${n}(input: Partial<Order${n}> & { id: string }): Order${n} {
  const { id, lines = [], status = "open", meta = {} } = input;
  const seen = new Map<string, Line${n}>();
  for (const line of lines) {
    const known = seen.get(line.sku);
    seen.set(line.sku, known === undefined ? line : { ...known, quantity: known.quantity + line.quantity });
  }
  return { id, lines: [...seen.values()].sort((a, b) => (a.sku < b.sku ? -1 : 1)), status, meta };
}

export function apply${n}(orders: ReadonlyMap<string, Order${n}>, event: Event${n}): ReadonlyMap<string, Order${n}> {
  const next = new Map(orders);
  switch (event.kind) {
    case "created":
      next.set(event.order.id, event.order);
      break;
    case "changed": {
      const before = next.get(event.id);
      if (before !== undefined) next.set(event.id, { ...before, ...event.patch, lines: before.lines } as Order${n});
      break;
    }
    case "removed":
      next.delete(event.id);
  }
  return next;
}

export class Store${n} implements Repository${n}<Order${n}> {
  readonly #orders = new Map<string, Order${n}>();
  #writes = 0;
  constructor(private readonly prefix: string, readonly limit = ${(at + 10).toString()}) {}
  get size(): number { return this.#orders.size; }
  async find(id: string): Promise<Order${n} | undefined> { return this.#orders.get(this.prefix + id); }
  async save(value: Order${n}): Promise<void> {
    if (this.#orders.size >= this.limit) throw new Error(\`store \${this.prefix} is full\`);
    this.#writes += 1;
    this.#orders.set(this.prefix + value.id, normalise${n}(value));
  }
  async all(filter: (value: Order${n}) => boolean = () => true): Promise<readonly Order${n}[]> {
    return [...this.#orders.values()].filter(filter);
  }
  report(): { readonly size: number; readonly writes: number; readonly open: number } {
    return { size: this.size, writes: this.#writes, open: [...this.#orders.values()].filter(({ status }) => status === "open").length };
  }
}

export const group${n} = <T, K extends string>(values: readonly T[], key: (value: T) => K): Partial<Record<K, T[]>> => {
  const groups: Partial<Record<K, T[]>> = {};
  for (const value of values) (groups[key(value)] ??= []).push(value);
  return groups;
};

export async function summary${n}(store: Repository${n}<Order${n}>): Promise<string> {
  const orders = await store.all((order) => order.status !== "cancelled");
  const groups = group${n}(orders, (order) => order.status);
  return Object.entries(groups).map(([status, found]) => \`\${status}: \${String(found?.length ?? 0)}\`).join(", ");
}
${others.map((o) => `export const make${n}With${o} = (): Store${o} => new Store${o}("${n}", price${o}(normalise${o}({ id: "x" })));`).join("\n")}
`;
}

function workflowText(at: number, modules: number): string {
  const n = at.toString();
  const used = usedBy(at, modules).map(String);
  const effect = at % 3 === 0;
  return `import { workflow, Loop } from "@rivet-dev/workflows";
${used.map((m) => `import { normalise${m}, price${m}, summary${m}, Store${m}, type Order${m} } from "../modules/m${m}.js";`).join("\n")}

export const flow${n} = workflow({
  state: { total: 0, seen: [] as string[] },
  run: async (ctx) => {
${used
  .map(
    (m) => `    const order${m} = await ctx.step("load-${m}", async () => normalise${m}({ id: "${m}" }));
    const price${m}Value = price${m}(order${m});
    if (price${m}Value > 100) {
      await ctx.step("review-${m}", async (step) => { step.state.total += price${m}Value; step.state.seen.push(describe${m}(order${m})); });
    } else {
      await ctx.sleep("wait-${m}", 1000);
    }`,
  )
  .join("\n")}
    await ctx.loop("drain", async (loop) => {
      const [message] = await loop.queue.nextBatch("next", { timeout: 1000 });
      if (message === undefined) return Loop.break(undefined);
      await loop.step("apply", async (step) => { step.state.seen.push(String(message.body)); });
      return Loop.continue(undefined);
    });
    await ctx.step("summary", async () => { ${used.map((m) => `await summary${m}(new Store${m}("${n}"));`).join(" ")} });
${effect ? `    if (jitter${n}() > 0.5) await ctx.sleep("late", 10);` : ""}
  },
});

${used.map((m) => `function describe${m}(order: Order${m}): string { return [order.id, order.status, ...order.lines.map(({ sku }) => sku)].join("/"); }`).join("\n")}
${effect ? `function jitter${n}(): number { return Math.random() * price${used[0] ?? "0"}(normalise${used[0] ?? "0"}({ id: "j" })); }` : ""}
`;
}

const ENGINE = `
export interface StepContext<S> { state: S }
export interface Queue { nextBatch(name: string, options?: { timeout?: number }): Promise<{ id: string; body: unknown }[]> }
export interface WorkflowContext<S> {
  step<T>(name: string, run: (step: StepContext<S>) => Promise<T>): Promise<T>;
  sleep(name: string, ms: number): Promise<void>;
  loop<T>(name: string, run: (loop: WorkflowContext<S>) => Promise<T>): Promise<T>;
  readonly queue: Queue;
}
export declare function workflow<S>(definition: { state: S; run: (ctx: WorkflowContext<S>) => Promise<void> }): { readonly state: S };
export declare const Loop: { break<T>(value: T): { break: T }; continue<T>(state: T): { continue: T } };
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, files, workflows] = process.argv.slice(2);
  if (folder === undefined)
    throw new Error("Usage: npx tsx bench/checker/generate.ts <folder> [files] [workflows]");
  const made = generateProject(
    folder,
    files === undefined ? undefined : Number(files),
    workflows === undefined ? undefined : Number(workflows),
  );
  process.stdout.write(
    `${made.files.toString()} files, ${(made.bytes / 1e6).toFixed(1)} MB in ${made.folder}\n`,
  );
}
