import { describe, expect, test } from "vitest";
import {
  DefaultJsonSchemaValidator,
  process as theirs,
} from "../../../src/runtime/server/sdk-shims.js";

const form = {
  type: "object",
  properties: { name: { type: "string", minLength: 2 }, age: { type: "integer" } },
  required: ["name"],
} as const;

describe("the SDK's validator of elicitation forms", () => {
  test.each<readonly [string, unknown, string | undefined]>([
    ["what fits", { name: "Ada", age: 36 }, undefined],
    ["what is missing", {}, "name: is required"],
    [
      "everything that is wrong",
      { name: "A", age: "x" },
      'name: "A" is shorter than 2 characters; age: expected an integer, got "x"',
    ],
    ["what is no object", 5, "expected an object, got 5"],
  ])("%s", (_, answer, errorMessage) => {
    const result = new DefaultJsonSchemaValidator().getValidator(form)(answer);
    expect(result).toEqual(
      errorMessage === undefined
        ? { valid: true, data: answer, errorMessage }
        : { valid: false, data: undefined, errorMessage },
    );
  });
});

test("the SDK reads and writes the streams of this process", () => {
  expect(theirs.stdin).toBe(process.stdin);
});
