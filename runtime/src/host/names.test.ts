import fc from "fast-check";
import { expect, test } from "vitest";
import { instanceAddress, instanceName, instanceOfId, newActorId } from "./names.js";

const address = fc.record({
  name: fc.string({ minLength: 1, unit: "grapheme" }),
  key: fc.array(fc.string({ unit: "grapheme" })),
});

test("an instance's name tells its definition and key", () => {
  fc.assert(
    fc.property(address, (given) => {
      expect(instanceAddress(instanceName(given))).toEqual(given);
    }),
  );
});

test("two addresses never share a name", () => {
  fc.assert(
    fc.property(address, address, (a, b) => {
      const same = JSON.stringify(a) === JSON.stringify(b);
      expect(instanceName(a) === instanceName(b)).toBe(same);
    }),
  );
});

test("an id leads to its instance, and two ids of one instance differ", () => {
  const id = newActorId("orders/eu");
  expect(instanceOfId(id)).toBe("orders/eu");
  expect(newActorId("orders/eu")).not.toBe(id);
  expect(instanceOfId("nonsense")).toBeNull();
});
