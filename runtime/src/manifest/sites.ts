import type { Block, Guard, ManifestNode, WorkflowManifest } from "./format.js";
import { isScopeNode, scopesOf, type ScopeNode } from "./scope-nodes.js";
import { isLiteralKey, keysOf, patternText } from "./names.js";
import { GOES_WELL, type EntryNode } from "./walk.js";

/** An entry where it is written. */
export interface Site {
  readonly node: EntryNode;
  /** Equal in two versions = the same name. */
  readonly key: string;
  readonly name: string;
  readonly scope: ScopeSites;
  /** Position among the sites of the scope. */
  readonly order: number;
  /** The conditions under which it is reached, outermost first. */
  readonly conditions: readonly SiteCondition[];
  /** True when a gate's version decides whether it is reached. */
  readonly gated: boolean;
}

export interface SiteCondition {
  /** `amount > 500`, `not amount > 500`. */
  readonly text: string;
  readonly guard: Guard;
}

/** One scope with what is written directly in it. */
export interface ScopeSites {
  /** Path of names from the root, branch names included. */
  readonly path: readonly string[];
  readonly opener: ScopeNode | null;
  readonly sites: readonly Site[];
}

/** The sites of a block, in program order, without those of inner scopes. */
export function sitesOf(block: Block, path: readonly string[], opener: ScopeNode | null): ScopeSites {
  const sites: Site[] = [];
  const scope: ScopeSites = { path, opener, sites };
  const add = (node: EntryNode, conditions: readonly SiteCondition[], gated: boolean): void => {
    // A native loop whose names the code says makes one entry per name.
    for (const key of keysOf(node.name)) {
      const name = isLiteralKey(key) ? key : patternText(node.name);
      sites.push({ node, key, name, scope, order: sites.length, conditions, gated });
    }
  };
  collect(block, [], false, add);
  return scope;
}

function collect(
  block: Block,
  outer: readonly SiteCondition[],
  gated: boolean,
  add: (node: EntryNode, conditions: readonly SiteCondition[], gated: boolean) => void,
): void {
  let conditions = outer;
  for (const node of block) {
    switch (node.kind) {
      case "choice": {
        const { guard } = node;
        const gate = guard.gate !== null;
        node.arms.forEach((arm, index) => {
          const always = gate || (node.caught === true && index === 0);
          const text = node.caught === true ? guard.text : armText(guard.text, index, node.arms.length);
          collect(arm, always ? conditions : [...conditions, { text, guard }], gated || gate, add);
        });
        const leaving = node.arms.findIndex((arm) => arm.at(-1)?.kind === "exit");
        if (leaving >= 0 && !gate && node.caught !== true)
          conditions = [
            ...conditions,
            { text: `unless ${armText(guard.text, leaving, node.arms.length)}`, guard },
          ];
        break;
      }
      case "repeat":
        collect(
          node.body,
          [...conditions, { text: `each turn of ${node.guard.text}`, guard: node.guard }],
          gated,
          add,
        );
        break;
      case "inline":
        collect(node.body, conditions, gated, add);
        break;
      case "exit":
      case "call":
        break;
      default:
        add(node, conditions, gated);
    }
  }
}

/** `amount > 500`, `not (amount > 500)`, `mode: case 2`. */
export function armText(guard: string, arm: number, arms: number): string {
  if (arms > 2) return `${guard}: case ${arm + 1}`;
  return arm === 0 ? guard : `not (${guard})`;
}

/** An answer of a guard, for people: `amount > 500`, `not (amount > 500)`, `step "charge" fails`. */
export function answerText(guard: string, answer: number): string {
  if (answer === 1 && guard.endsWith(GOES_WELL)) return `${guard.slice(0, -GOES_WELL.length)} fails`;
  return armText(guard, answer, 2);
}

/** Every scope of a workflow, outer before inner. */
export function allScopes(workflow: WorkflowManifest): ScopeSites[] {
  const scopes: ScopeSites[] = [];
  const visit = (scope: ScopeSites): void => {
    scopes.push(scope);
    for (const site of scope.sites) innerScopes(site).forEach(visit);
  };
  visit(sitesOf(workflow.body, [], null));
  for (const body of Object.values(workflow.functions)) visit(sitesOf(body, [], null));
  return scopes;
}

/** The scopes that a site's entry opens. */
export function innerScopes(site: Site): ScopeSites[] {
  const { node } = site;
  if (!isScopeNode(node)) return [];
  return scopesOf(node).map((inner) =>
    sitesOf(inner.body, [...site.scope.path, site.name, ...(inner.name === "" ? [] : [inner.name])], node),
  );
}

/** True for nodes that record or open something. */
export function isEntry(node: ManifestNode): node is EntryNode {
  return (
    node.kind !== "choice" &&
    node.kind !== "repeat" &&
    node.kind !== "exit" &&
    node.kind !== "inline" &&
    node.kind !== "call"
  );
}
