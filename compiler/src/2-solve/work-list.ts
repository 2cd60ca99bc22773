import type { Act } from "./act.js";

/** Activations that must run again, by when they were made: callees are made after their callers. */
export class WorkList {
  private readonly heap: Act[] = [];
  private readonly sign: 1 | -1;

  constructor(order: "earliest first" | "latest first") {
    this.sign = order === "earliest first" ? 1 : -1;
  }

  add(act: Act): void {
    const { heap, sign } = this;
    let at = heap.length;
    heap.push(act);
    while (at > 0) {
      const up = (at - 1) >> 1;
      const above = heap[up];
      if (!above || sign * above.n <= sign * act.n) break;
      heap[at] = above;
      at = up;
    }
    heap[at] = act;
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
      const [child, index] = two && sign * two.n < sign * one.n ? [two, right] : [one, left];
      if (sign * child.n >= sign * last.n) break;
      heap[at] = child;
      at = index;
    }
    heap[at] = last;
    return first;
  }
}
