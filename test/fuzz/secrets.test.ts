import type { CallToolResult } from "@modelcontextprotocol/server";
import fc from "fast-check";
import { expect, test } from "vitest";
import { secretForms } from "../../src/runtime/response/secret-forms.js";
import { createRedactor, redactResult } from "../../src/runtime/response/redact.js";
import { bounds, minutes, report, seed } from "./duration.js";

const hex = (character: string, digits: number): string =>
  character.charCodeAt(0).toString(16).padStart(digits, "0");

/** Ways in which an API may write a text into another. They are combined in any order. */
const escapes: readonly ((text: string) => string)[] = [
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => JSON.stringify(text).slice(1, -1).replaceAll("/", "\\/"),
  (text) => text.replace(/[^]/g, (character) => `\\u${hex(character, 4)}`),
  (text) => text.replace(/[&<>"'/=+]/g, (character) => `\\u${hex(character, 4).toUpperCase()}`),
  encodeURIComponent,
  (text) => encodeURIComponent(text).replace(/%../g, (triple) => triple.toLowerCase()),
  (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
  (text) => text.replace(/[^\w]/g, (character) => `&#${character.charCodeAt(0)};`),
  (text) => text.replace(/[^\w]/g, (character) => `&#x${hex(character, 2)};`),
];

const base64: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => Buffer.from(text).toString("base64"),
  (text) => Buffer.from(`Basic ann:${text}`).toString("base64"),
  (text) => Buffer.from(`{"a":"${text}"}`).toString("base64url"),
  (text) => Buffer.from(text).toString("hex"),
];

const secret = fc
  .array(fc.constantFrom(..."abcXYZ0189/+=&<>\"'%.,:;_- @!"), { minLength: 12, maxLength: 40 })
  .map((characters) => characters.join("").trim())
  .filter((text) => text.length >= 12);

const block = (content: object): CallToolResult => ({
  content: [content as CallToolResult["content"][number]],
});
const places: readonly ((text: string) => CallToolResult)[] = [
  (text) => block({ type: "text", text: `before ${text} after` }),
  (text) => ({ content: [], structuredContent: { list: [{ [text]: text }] } }),
  (text) =>
    block({
      type: "image",
      mimeType: "image/png",
      data: Buffer.from(`\0${text}`).toString("base64"),
    }),
  (text) => block({ type: "image", mimeType: `image/${text}`, data: "" }),
  (text) =>
    block({
      type: "resource",
      resource: { uri: `x:${text}`, blob: Buffer.from(text, "utf16le").toString("base64") },
    }),
  (text) =>
    block({ type: "resource_link", uri: `x:${text}`, name: text, title: text, _meta: { a: text } }),
];

test(
  "answers with a credential in any place, behind any escapes: it does not come back",
  async () => {
    let count = 0;
    const answer = fc.record({
      secret,
      form: fc.constantFrom(...base64),
      layers: fc.array(fc.constantFrom(...escapes), { maxLength: 3 }),
      place: fc.constantFrom(...places),
    });
    const property = fc.asyncProperty(answer, async ({ secret: value, form, layers, place }) => {
      count += 1;
      const encoded = form(value);
      const written = layers.reduce((text, escape) => escape(text), encoded);
      const result = await redactResult(place(written), createRedactor(secretForms(value)));
      const texts = JSON.stringify(result, (key, part: unknown) =>
        (key === "data" || key === "blob") && typeof part === "string"
          ? Buffer.from(part, "base64").toString("latin1").replaceAll("\0", "")
          : part,
      );
      expect(texts).not.toContain(JSON.stringify(written).slice(1, -1));
    });
    await fc.assert(property, { seed, ...bounds(500) });
    report(`${count} answers with credentials: none came back`);
  },
  120_000 + minutes * 60_000,
);
