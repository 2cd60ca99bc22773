import { apiText, entryText } from "./entries/entry-text.js";
import type { ChainLink, Place, Span } from "../types.js";
import type { Act, CallEdge } from "./act.js";
import type { Operation, Route, WorkflowAnalysis } from "./types.js";

interface Step {
  readonly from: Act;
  readonly edge: CallEdge;
}
interface Reached {
  readonly workflow: WorkflowAnalysis | null;
  /** The call by which it is reached first; `null` for a root. */
  readonly by: Step | null;
  readonly distance: number;
}

/** Ways of a non-own activation that are looked at; beyond it only the nearest are told. */
const MOST_VISITED = 2000;

/**
 * The ways from workflows to operations.
 *
 * Shortest first, ties by the order of calls in the text, so that the answer does not depend on the order
 * in which things were found.
 */
export class Routes {
  private readonly reached = new Map<Act, Reached>();
  private readonly callers = new Map<Act, Step[]>();

  constructor(workflows: readonly WorkflowAnalysis[], free: readonly Act[], acts: readonly Act[]) {
    for (const act of acts)
      for (const edge of act.calls) {
        const step: Step = { from: act, edge };
        const known = this.callers.get(edge.to);
        if (known) known.push(step);
        else this.callers.set(edge.to, [step]);
      }
    const work: Act[] = [];
    const root = (act: Act, workflow: WorkflowAnalysis | null): void => {
      if (this.reached.has(act)) return;
      this.reached.set(act, { workflow, by: null, distance: 0 });
      work.push(act);
    };
    for (const workflow of workflows) for (const act of workflow.run) root(act as Act, workflow);
    for (const act of free) root(act, null);
    for (let index = 0; index < work.length; index += 1) {
      const from = work[index];
      const at = from && this.reached.get(from);
      if (!from || !at) continue;
      for (const edge of from.calls)
        if (!this.reached.has(edge.to)) {
          this.reached.set(edge.to, { workflow: at.workflow, by: { from, edge }, distance: at.distance + 1 });
          work.push(edge.to);
        }
    }
  }

  /** True when some workflow leads to it. */
  reaches(act: Act): boolean {
    return this.reached.has(act);
  }

  /** @param isOwn whether findings may be placed in an activation. */
  to(op: Operation, isOwn: (act: Act) => boolean = (each) => each.own): readonly Route[] {
    const act = op.activation as Act;
    const last: ChainLink = { place: op.place, label: labelOf(op) };
    if (isOwn(act)) {
      const at = this.reached.get(act);
      if (!at) return [];
      const ways = at.by === null ? 0 : (this.callers.get(act)?.length ?? 1) - 1;
      return [
        {
          workflow: at.workflow,
          place: op.place,
          chain: [...this.wayTo(act), last],
          through: [],
          otherWays: ways,
        },
      ];
    }
    return this.throughHelpers(act, last, isOwn);
  }

  /** Walks back from a helper to the author's own code. */
  private throughHelpers(start: Act, last: ChainLink, isOwn: (act: Act) => boolean): readonly Route[] {
    const back = new Map<Act, Step | null>([[start, null]]);
    const work = [start];
    const found = new Map<string, { step: Step; place: Place; ways: number }>();
    for (let index = 0; index < work.length && index < MOST_VISITED; index += 1) {
      const act = work[index];
      if (!act) continue;
      for (const step of this.callers.get(act) ?? []) {
        const { from } = step;
        if (!this.reached.has(from) || from.zone !== start.zone) continue;
        if (isOwn(from)) {
          // A function written in the call itself runs where it stands: its own line is the author's.
          const place = inside(start.function.file, start.function.span, step.edge.within)
            ? last.place
            : step.edge.place;
          const key = `${place.file}:${place.span[0]}`;
          const known = found.get(key);
          if (known) known.ways += 1;
          else found.set(key, { step, place, ways: 0 });
        } else if (!back.has(from)) {
          back.set(from, step);
          work.push(from);
        }
      }
    }
    return [...found.values()].map(({ step, place, ways }) => {
      const edges: CallEdge[] = [];
      for (let at: Step | null = step; at; at = back.get(at.edge.to) ?? null) edges.push(at.edge);
      return {
        workflow: this.reached.get(step.from)?.workflow ?? null,
        place,
        chain: [...this.wayTo(step.from), ...edges.map(linkOf), last],
        through: place === last.place ? [] : edges.map((edge) => edge.to.function.name),
        otherWays: ways,
      };
    });
  }

  /** From the workflow to an activation, the calls in between included. */
  private wayTo(act: Act): readonly ChainLink[] {
    const links: ChainLink[] = [];
    let at = this.reached.get(act);
    while (at?.by) {
      links.unshift(linkOf(at.by.edge));
      at = this.reached.get(at.by.from);
    }
    const { workflow } = at ?? {};
    const first: ChainLink = workflow
      ? { place: workflow.place, label: `workflow "${workflow.name}"` }
      : { place: placeOf(act), label: `\`${act.function.name}\` takes a context` };
    return [first, ...links];
  }
}

const inside = (file: string, span: Span, within: Place): boolean =>
  file === within.file && span[0] >= within.span[0] && span[1] <= within.span[1];

const linkOf = (edge: CallEdge): ChainLink => ({ place: edge.place, label: edge.label });
const placeOf = (act: Act): Place => ({ file: act.function.file, span: act.function.nameSpan });

/** An operation in a chain. */
function labelOf(op: Operation): string {
  switch (op.kind) {
    case "entry":
      return `${entryText(op)}(…)`;
    case "effect":
      return op.what;
    case "access":
      return apiText(op);
    case "call":
      return `${op.text}()`;
    case "await":
      return `await ${op.text}`;
    case "shared":
      return `${op.mode === "read" ? "reads" : "writes"} ${op.name}`;
    case "write":
      return `writes ${op.name}`;
    case "escape":
      return `keeps ${op.context.text}`;
    case "recorded-read":
      return `reads ${op.entry.path.join(".")}`;
    case "recorded-write":
      return `changes ${op.text}`;
    case "complete":
      return "completes the message";
  }
}
