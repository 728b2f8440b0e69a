/** Responses with more values, escapes or levels than a server should work on at once. */
import { expect, test } from "vitest";
import { MAX_PROPERTIES, MAX_VALUES } from "../../../src/runtime/data/limit-values.js";
import { parseErrorValue } from "../../../src/runtime/errors/api-error/json-message.js";
import { extractApiError } from "../../../src/runtime/errors/api-error/extract.js";
import { findErrorIn } from "../../../src/runtime/errors/embedded-error.js";
import { decodeInSteps, decodeResponse } from "../../../src/runtime/response/decode.js";
import { createRedactor, redactFullResult } from "../../../src/runtime/response/redact.js";
import type { Steps } from "../../../src/runtime/data/steps.js";
import { truncate } from "../../../src/runtime/response/truncate.js";
import { createToolResultInSteps } from "../../../src/runtime/response/tool-result.js";
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
const wideNote = `The API's response has an object of more than ${MAX_PROPERTIES} properties. Only the first ${MAX_PROPERTIES}, and what is before them, were read.`;

test.each([
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

test.each([
  ["the root", (object: string) => object, (value: unknown) => value],
  ["a list", (object: string) => `[${object}]`, (value: unknown) => (value as unknown[])[0]],
  [
    "a member",
    (object: string) => `{"a":${object}}`,
    (value: unknown) => (value as { a: unknown }).a,
  ],
])("an object with many properties in %s is cut, with a note", (_, write, read) => {
  const text = write(`{${many((i) => `"k${i}":1,`)}"z":1}`);
  const decoded = decodeResponse(responseOf("application/json", text), "json", "GET");
  expect(decoded).toMatchObject({ kind: "json", note: wideNote });
  const wide = decoded.kind === "json" && read(decoded.value);
  const count = Object.keys(wide as object).length;
  // Short members at the end of the root may have the position of the next page.
  expect(count - MAX_PROPERTIES).toBe(text.startsWith('{"k') ? 100 : 0);
});

test("lists and other objects have their own properties", () => {
  const items = Array.from({ length: 60_000 }, (_, i) => `{"a":${i},"b":1}`);
  const decoded = decodeResponse(
    responseOf("application/json", `[${items.join()}]`),
    "json",
    "GET",
  );
  expect(decoded).toMatchObject({ kind: "json", note: undefined });
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

const tool = { name: "get_it", inputSchema: {}, outputSchema: { type: "object" } };

/** Number of steps, between which other calls go on, of the whole processing of a response. */
function stepsOf(type: string, text: string): number {
  let count = 0;
  const run = <Result>(steps: Steps<Result>): Result => {
    for (let step = steps.next(); ; step = steps.next()) {
      count++;
      if (step.done) return step.value;
    }
  };
  const content = run(decodeInSteps(responseOf(type, text), "json", "GET"));
  if (content.kind === "malformed") throw new Error(content.reason);
  const options = { tool, mapping: {}, maxCharacters: 1_000, url: "", status: 200 };
  run(createToolResultInSteps(content, options));
  run(findErrorIn(content.kind === "json" ? content.value : undefined));
  return count;
}

/* A step has a bounded part of the work, so that twice the work are twice the steps. */
test.each([
  ["events", "text/event-stream", (n: number) => "data: {}\n\n".repeat(n)],
  ["lines of JSON", "application/x-ndjson", (n: number) => '{"a":1}\n'.repeat(n)],
  ["values in a row", "application/json", (n: number) => '{"a":1}'.repeat(n)],
  ["objects with accents", "application/json", (n: number) => `[${'{"a":"é"},'.repeat(n)}0]`],
  ["long numbers", "application/json", (n: number) => `[${"12345678901234567890,".repeat(n)}0]`],
])("a response of %s is processed in steps", (_, type, write) => {
  const [once, twice] = [stepsOf(type, write(20_000)), stepsOf(type, write(40_000))];
  expect(twice / once).toBeGreaterThan(1.6);
});

test("an object inside of many others is measured once", () => {
  let reads = 0;
  const target = { text: "x".repeat(20_000) };
  const inner = new Proxy(target, { ownKeys: () => (reads++, ["text"]) });
  const outer = Array.from({ length: 90 }).reduce<object>((member) => ({ member }), inner);
  const { omissions } = truncate(outer, 5_000);
  expect(omissions).toHaveLength(1);
  expect(reads).toBeLessThan(5);
});
