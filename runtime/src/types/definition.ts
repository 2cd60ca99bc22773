import type { ActionContext, ActorContext } from "./actor-context.js";
import type { ActorShape } from "./shape.js";
import type { WorkflowStepContext } from "./step-context.js";
import type { WorkflowContext } from "./workflow-context.js";

/** Any actor or workflow definition. */
export interface AnyActorDefinition {
  readonly kind: "actor";
}

/** An actor or workflow definition; `D` are its types, `A` its actions. Made by `actor` and `workflow`. */
export interface ActorDefinition<D extends ActorShape, A> extends AnyActorDefinition {
  /** Never present; carries the types. */
  readonly "~types"?: { readonly shape: D; readonly actions: A };
}

/** The types of a definition. */
export type ShapeOf<AD extends AnyActorDefinition> =
  AD extends ActorDefinition<infer D, infer _Actions> ? D : never;

/** The actions of a definition. */
export type ActionsOf<AD extends AnyActorDefinition> =
  AD extends ActorDefinition<infer _Shape, infer A> ? A : never;

/** The context that the `run` of a definition gets: `WorkflowContextOf<typeof myWorkflow>`. */
export type WorkflowContextOf<AD extends AnyActorDefinition> = WorkflowContext<ShapeOf<AD>>;
/** The context of a loop body. */
export type WorkflowLoopContextOf<AD extends AnyActorDefinition> = WorkflowContext<ShapeOf<AD>>;
/** The context of a join or race branch. */
export type WorkflowBranchContextOf<AD extends AnyActorDefinition> = WorkflowContext<ShapeOf<AD>>;
/** The context of a step's body. */
export type WorkflowStepContextOf<AD extends AnyActorDefinition> = WorkflowStepContext<ShapeOf<AD>>;
/** The context of an action. */
export type ActionContextOf<AD extends AnyActorDefinition> = ActionContext<ShapeOf<AD>>;
/** The context of lifecycle hooks. */
export type ActorContextOf<AD extends AnyActorDefinition> = ActorContext<ShapeOf<AD>>;
