/** Responses with more values, escapes or levels than a server should work on at once. */
import { expect, test } from "vitest";
import { MAX_VALUES } from "../../../src/runtime/data/limit-values.js";
import { parseErrorValue } from "../../../src/runtime/errors/api-error/json-message.js";
import { extractApiError } from "../../../src/runtime/errors/api-error/extract.js";
import { decodeResponse } from "../../../src/runtime/response/decode.js";
import { createRedactor, redactFullResult } from "../../../src/runtime/response/redact.js";
import { secretForms } from "../../../src/runtime/response/secret-forms.js";

const SIZE = 400_000;

function responseOf(type: string, text: string, status = 200) {
  const body = new TextEncoder().encode(text);
  const headers = new Headers({ "content-type": type });
  return { status, statusText: "", headers, body, size: body.byteLength };
}

const many = (part: (i: number) => string): string =>
  Array.from({ length: SIZE }, (_, i) => part(i)).join("");
const note = `The API's response has more than ${MAX_VALUES} values. Only the first ${MAX_VALUES} were read.`;

test.each([
  ["keys of an object", "application/json", `{${many((i) => `"k${i}":1,`)}"z":1}`],
  ["items of a list", "application/json", `[${many(() => "0,")}0]`],
  ["lists in lists", "application/json", "[".repeat(SIZE) + "]".repeat(SIZE)],
  ["events", "text/event-stream", many(() => "data: {}\n\n")],
  ["lines of JSON", "application/x-ndjson", many(() => "{}\n")],
  ["values in a row", "application/json", many(() => "{}")],
  ["one long line of JSON", "application/x-ndjson", `[${many(() => "0,")}0]`],
  ["records of a sequence", "application/json-seq", many(() => "\u001e1\n")],
])("%s are cut, with a note", (_, type, text) => {
  expect(decodeResponse(responseOf(type, text), "json", "GET")).toMatchObject({
    kind: "json",
    note,
  });
});

test("the cursor after a cut list stays", () => {
  const text = `{"items":[${many(() => "0,")}0],"next":"abc"}`;
  const decoded = decodeResponse(responseOf("application/json", text), "json", "GET");
  expect(decoded).toMatchObject({ value: { next: "abc" }, note });
});

test.each([
  ["lists of errors in lists of errors", '{"errors":{"a":', '"x"', "}}"],
  ["messages in messages", '{"message":{"b":1,"error":', '"x"', "}}"],
  ["lists", "[", '"x"', "]"],
])("an error with thousands of %s", (_, open, inner, close) => {
  const text = open.repeat(3_000) + inner + close.repeat(3_000);
  expect(() => extractApiError(responseOf("application/json", text, 400))).not.toThrow();
  expect(() => parseErrorValue(JSON.parse(text))).not.toThrow();
});

test("the redaction of a long text lets other work go on", async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const redact = createRedactor(secretForms("hunter2-token"));
  const text = `${"%41\\u0042&#67;".repeat(200_000)}%68unter2-token`;
  const safe = await redactFullResult({ mimeType: "text/plain", text }, redact);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
  expect("text" in safe && safe.text.slice(-14)).toBe("&#67;[redacted]".slice(-14));
});

test("a character whose bytes are at the end of a long row is decoded", async () => {
  const redact = createRedactor(secretForms("hünter2-€"));
  for (const length of [997, 998, 999, 1000, 1001])
    expect(redact(`${"%41".repeat(length)}h%C3%BCnter2-%E2%82%AC.`)).toContain("[redacted].");
});
