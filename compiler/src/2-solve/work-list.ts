import type { Act } from "./act.js";

/**
 * Activations that must run again, the latest made first: callees are made after their callers, so results
 * flow up in few rounds.
 */
export class WorkList {
  private readonly heap: Act[] = [];

  add(act: Act): void {
    const { heap } = this;
    let at = heap.length;
    heap.push(act);
    while (at > 0) {
      const up = (at - 1) >> 1;
      const above = heap[up];
      if (!above || above.n >= act.n) break;
      heap[at] = above;
      at = up;
    }
    heap[at] = act;
  }

  next(): Act | undefined {
    const { heap } = this;
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
      const [child, index] = two && two.n > one.n ? [two, right] : [one, left];
      if (child.n <= last.n) break;
      heap[at] = child;
      at = index;
    }
    heap[at] = last;
    return first;
  }
}
