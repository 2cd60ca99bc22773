/** How a part of the picture stands to the older manifest; `same` too when there is none. */
export type Mark = "same" | "added" | "removed";

/** One box of the picture: an entry, or something that holds entries. */
export interface GraphItem {
  /** Unique in the picture: `n1`, `n2` … in reading order. */
  readonly id: string;
  readonly shape: "entry" | "scope" | "choice" | "repeat" | "exit" | "call";
  /** `step charge`, `loop poll`, `if amount > 500`. */
  readonly title: string;
  /** `timeout 5000 ms`, or null. */
  readonly note: string | null;
  readonly mark: Mark;
  /** What it holds, side by side: arms, branches, the body. Empty for a plain entry. */
  readonly lanes: readonly GraphLane[];
}

export interface GraphLane {
  /** `yes`, `users`; null where there is one lane only. */
  readonly label: string | null;
  readonly items: readonly GraphItem[];
}

/** One workflow (and the functions that call themselves, as further pictures of their own). */
export interface WorkflowGraph {
  readonly name: string;
  readonly file: string;
  readonly mark: Mark;
  readonly items: readonly GraphItem[];
}
