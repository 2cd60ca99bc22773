import { expect, test } from "vitest";
import { Overlay } from "./overlay.js";

test("changes are seen through the overlay only, until they are applied", () => {
  const base = new Map([
    ["a", 1],
    ["b", 2],
  ]);
  const overlay = new Overlay(base);
  overlay.set("c", 3);
  expect(overlay.delete("a")).toBe(true);
  expect(overlay.delete("a")).toBe(false);
  expect(overlay.entries()).toEqual([
    ["b", 2],
    ["c", 3],
  ]);
  expect([...base.keys()]).toEqual(["a", "b"]);
  const told: [string, number | null][] = [];
  overlay.apply((key, value) => told.push([key, value]));
  expect([...base]).toEqual([
    ["b", 2],
    ["c", 3],
  ]);
  expect(told).toEqual([
    ["c", 3],
    ["a", null],
  ]);
});
