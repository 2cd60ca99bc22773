import type { Act } from "./act.js";

/** Activations that must run again, by their rank. */
export class WorkList {
  private readonly heap: Act[] = [];
  private readonly sign: 1 | -1;

  constructor(order: "callers first" | "callees first") {
    this.sign = order === "callers first" ? 1 : -1;
  }

  add(act: Act): void {
    const { heap, sign } = this;
    let at = heap.length;
    heap.push(act);
    while (at > 0) {
      const up = (at - 1) >> 1;
      const above = heap[up];
      if (!above || sign * above.rank <= sign * act.rank) break;
      heap[at] = above;
      at = up;
    }
    heap[at] = act;
  }

  /** To be called when ranks have changed. */
  sort(): void {
    for (const act of this.heap.splice(0)) this.add(act);
  }

  next(): Act | undefined {
    const { heap, sign } = this;
    const first = heap[0];
    const last = heap.pop();
    if (!first || !last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      const one = heap[left];
      const two = heap[right];
      if (!one) break;
      const [child, index] = two && sign * two.rank < sign * one.rank ? [two, right] : [one, left];
      if (sign * child.rank >= sign * last.rank) break;
      heap[at] = child;
      at = index;
    }
    heap[at] = last;
    return first;
  }
}
