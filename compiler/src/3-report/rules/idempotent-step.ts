import { apiText } from "../../2-solve/entries/entry-text.js";
import type { AccessOperation, Operation, Rule } from "../../2-solve/types.js";
import type { Expr } from "../../types.js";
import { exprsIn, exprsOfBody, dotted, statementsIn, within } from "../facts-walk.js";
import { followPaths } from "../paths.js";
import { reportAt } from "../report-at.js";
import { stepSites } from "../step-sites.js";

/** Effects that fail now and then. */
const FALLIBLE = new Set(["network", "database", "queue", "process", "file"]);

/** A retried step that changes state, relative to what it was, before work that can fail. */
export const idempotentStep: Rule = (analysis, report) => {
  for (const site of stepSites(analysis)) {
    if (!site.retried) continue;
    const found = new Map<AccessOperation, string>();
    const fails = (pending: ReadonlySet<AccessOperation>, how: string): ReadonlySet<AccessOperation> => {
      for (const mutation of pending) if (!found.has(mutation)) found.set(mutation, how);
      return new Set();
    };
    for (const body of site.bodies) {
      followPaths<ReadonlySet<AccessOperation>>(body, new Set(), {
        join: (left, right) => new Set([...left, ...right]),
        operation: (operation, pending, spot) => {
          if (isRelative(operation)) return new Set([...pending, operation]);
          if (spot.caught || !canFail(operation)) return pending;
          return fails(pending, `\`${nameOf(operation)}\` fails`);
        },
        thrown: (exit, pending, spot) => {
          const ends = exit.value?.instances.some((name) =>
            /(?:^|#)(?:CriticalError|RollbackError)$/.test(name),
          );
          if (!spot.caught && !ends) fails(pending, "the error behind it is thrown");
        },
      });
    }
    for (const [mutation, how] of found) {
      const name = apiText(mutation, mutation.path);
      reportAt(analysis, mutation, report, () => ({
        rule: "idempotent-step",
        message: `\`${name}\` is changed before work that can fail: if ${how}, the retry of ${site.label} changes it again`,
        help: "Change state at the end of the step, after the work that can fail; or set it to a value instead of adding to it.",
      }));
    }
  }
};

function canFail(operation: Operation): boolean {
  if (operation.kind === "effect") return FALLIBLE.has(operation.effect);
  return operation.kind === "access" && operation.api === "client" && operation.mode === "call";
}

function nameOf(operation: Operation): string {
  return operation.kind === "effect" ? operation.what : "the call to the other actor";
}

const ADDS = new Set(["push", "unshift", "pop", "shift", "splice", "reverse"]);

/** `state.n += 1`, `state.list.push(x)`, `state.list = [...state.list, x]`: a second time gives something else. */
function isRelative(operation: Operation): operation is AccessOperation {
  if (operation.kind !== "access" || (operation.api !== "state" && operation.api !== "vars")) return false;
  if (operation.mode === "read") return false;
  // A counter of attempts is meant to count them.
  if (operation.path.some((name) => /attempt|tries|retry|retries/i.test(name))) return false;
  if (isGuarded(operation)) return false;
  if (ADDS.has(operation.path[operation.path.length - 1] ?? "")) return true;
  return relativeAssignment(operation);
}

/** State is looked at first: `if (!state.ids.includes(id)) state.ids.push(id)`, `if (state.counted) return`. */
function isGuarded(operation: AccessOperation): boolean {
  const { span } = operation.place;
  const { activation } = operation;
  const reads = activation.operations.filter(
    (one): one is AccessOperation =>
      one.kind === "access" && one.mode !== "write" && (one.api === "state" || one.api === "vars"),
  );
  const looksAtState = (test: Expr): boolean => reads.some((read) => within(read.place.span, test.span));
  for (const stmt of statementsIn(activation.function.body))
    if (stmt.s === "if" && stmt.test.span[1] <= span[0] && looksAtState(stmt.test)) return true;
  for (const expr of exprsOfBody(activation.function.body)) {
    const test = expr.k === "logical" ? expr.left : expr.k === "conditional" ? expr.test : null;
    if (test && within(span, expr.span) && test.span[1] <= span[0] && looksAtState(test)) return true;
  }
  return false;
}

function relativeAssignment(operation: AccessOperation): boolean {
  const { span } = operation.place;
  for (const expr of exprsOfBody(operation.activation.function.body)) {
    if (expr.k !== "assign" || expr.target.p !== "target") continue;
    if (!within(expr.target.expr.span, span) && !within(span, expr.span)) continue;
    if (!within(span, expr.target.expr.span) && !sameSpan(span, expr.span)) continue;
    if (expr.op !== "=") return !["??=", "||=", "&&="].includes(expr.op);
    const target = dotted(expr.target.expr)?.join(".");
    return target !== undefined && exprsIn(expr.value).some((part) => dotted(part)?.join(".") === target);
  }
  return false;
}

const sameSpan = (left: readonly [number, number], right: readonly [number, number]): boolean =>
  left[0] === right[0] && left[1] === right[1];
