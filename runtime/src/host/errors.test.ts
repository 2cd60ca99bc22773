import { expect, test } from "vitest";
import { ActionNotFoundError, fromErrorData, InternalError, toErrorData, UserError } from "./errors.js";

test("our errors cross the wire whole and come back as the same class", () => {
  const sent = new UserError("Too poor", { code: "no_funds", metadata: { missing: 3 } });
  const back = fromErrorData(toErrorData(sent, false));
  expect(back).toBeInstanceOf(UserError);
  expect(back).toMatchObject({
    code: "no_funds",
    message: "Too poor",
    metadata: { missing: 3 },
    status: 400,
  });
  expect(fromErrorData(toErrorData(new ActionNotFoundError("a", "b", []), false))).toBeInstanceOf(
    ActionNotFoundError,
  );
});

test("others' errors stay inside unless details are on", () => {
  const secret = new TypeError("password is hunter2");
  expect(toErrorData(secret, false).message).not.toContain("hunter2");
  expect(toErrorData(secret, true).message).toBe("TypeError: password is hunter2");
  expect(fromErrorData(toErrorData(secret, false))).toBeInstanceOf(InternalError);
});
