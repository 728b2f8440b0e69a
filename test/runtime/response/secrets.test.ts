import type { CallToolResult } from "@modelcontextprotocol/server";
import { describe, expect, test } from "vitest";
import { authenticate } from "../../../src/runtime/auth/authenticate.js";
import type { FullResult } from "../../../src/runtime/response/redact.js";
import { fileName } from "../../../src/runtime/files/files.js";
import {
  configuredSecrets,
  createRedactor,
  redactFullResult,
  redactResult,
} from "../../../src/runtime/response/redact.js";
import type { ApiDefinition } from "../../../src/runtime/api-definition.js";
import { createLog } from "../../../src/runtime/server/telemetry.js";
import { api } from "../support/clinic.js";

/** A value with characters that every kind of escape changes. */
const VALUE = 'k3y/é+&<"=%t0ken';
const PLAIN = "k3y/+&<=%t0ken";

type Schemes = ApiDefinition["securitySchemes"];

/** Kinds of credentials: the schemes of the API, and the environment. */
const credentials: readonly {
  readonly kind: string;
  readonly schemes: Schemes;
  readonly env: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly parameters?: readonly string[];
}[] = [
  {
    kind: "a bearer token",
    schemes: { s: { kind: "bearer", env: "T" } },
    env: { T: PLAIN },
    secrets: [PLAIN],
  },
  {
    kind: "a bearer token with its scheme",
    schemes: { s: { kind: "bearer", env: "T" } },
    env: { T: `Bearer ${PLAIN}` },
    secrets: [PLAIN],
  },
  {
    kind: "a password",
    schemes: { s: { kind: "basic", usernameEnv: "U", passwordEnv: "P" } },
    env: { U: "ann", P: VALUE },
    secrets: [VALUE, Buffer.from(`ann:${VALUE}`).toString("base64")],
  },
  {
    kind: "a user name in place of a password",
    schemes: { s: { kind: "basic", usernameEnv: "U", passwordEnv: "P" } },
    env: { U: VALUE, P: "x" },
    secrets: [VALUE, Buffer.from(`${VALUE}:x`).toString("base64")],
  },
  {
    kind: "credentials of another HTTP scheme",
    schemes: { s: { kind: "http", scheme: "Token", env: "T" } },
    env: { T: PLAIN },
    secrets: [PLAIN],
  },
  ...(["header", "query", "cookie"] as const).map((location) => ({
    kind: `an API key in a ${location}`,
    schemes: { s: { kind: "apiKey" as const, in: location, name: "key", env: "K" } },
    env: { K: location === "query" ? VALUE : "k3y/+&<=t0ken" },
    secrets: [location === "query" ? VALUE : "k3y/+&<=t0ken"],
  })),
  {
    kind: "an access token of OAuth",
    schemes: {
      s: {
        kind: "oauth2",
        tokenEnv: "T",
        clientIdEnv: "I",
        clientSecretEnv: "C",
        refreshTokenEnv: "R",
        tokenUrl: "https://auth.example/token",
      } as Schemes[string],
    },
    env: { T: PLAIN, C: "cl1ent/s3cret&", R: "r3fresh/t0ken&" },
    secrets: [PLAIN, "cl1ent/s3cret&", "r3fresh/t0ken&"],
  },
  {
    kind: "a secret parameter",
    schemes: {},
    env: { S: VALUE },
    secrets: [VALUE],
    parameters: ["S"],
  },
  {
    kind: "the token of the server itself",
    schemes: {},
    env: { CLINIC_HTTP_TOKEN: "other, 1nbound/t0ken&x" },
    secrets: ["1nbound/t0ken&x"],
  },
];

const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const hex = (character: string, digits: number): string =>
  character.charCodeAt(0).toString(16).padStart(digits, "0");
const each = (text: string, write: (character: string) => string): string =>
  text.replace(/[^]/g, write);

/** Forms in which an API may write a text. */
const forms: Readonly<Record<string, (secret: string) => string>> = {
  plain: (text) => text,
  JSON: json,
  "JSON in JSON": (text) => json(json(text)),
  "JSON in JSON in JSON": (text) => json(json(json(text))),
  "escaped slashes": (text) => json(text).replaceAll("/", "\\/"),
  "escaped slashes in JSON": (text) => json(json(text).replaceAll("/", "\\/")),
  "\\u escapes": (text) => each(text, (c) => `\\u${hex(c, 4)}`),
  "\\U escapes in JSON": (text) => json(each(text, (c) => `\\u${hex(c, 4).toUpperCase()}`)),
  "\\u escapes of HTML": (text) => text.replace(/[&<>"']/g, (c) => `\\u${hex(c, 4)}`),
  "\\x escapes": (text) => text.replace(/[^\w\u0080-\uffff]/g, (c) => `\\x${hex(c, 2)}`),
  "percent-encoding": encodeURIComponent,
  "percent-encoding in lower case": (text) =>
    encodeURIComponent(text).replace(/%../g, (triple) => triple.toLowerCase()),
  "percent-encoding twice": (text) => encodeURIComponent(encodeURIComponent(text)),
  "percent-encoding of everything": (text) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  entities: (text) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
  "entities twice": (text) =>
    text.replaceAll("&", "&amp;amp;").replaceAll("<", "&amp;lt;").replaceAll('"', "&amp;quot;"),
  "decimal entities": (text) => each(text, (c) => `&#${c.charCodeAt(0)};`),
  "hexadecimal entities": (text) => each(text, (c) => `&#x${hex(c, 2)};`),
  "named entities": (text) =>
    text
      .replaceAll("&", "&amp;")
      .replaceAll("/", "&sol;")
      .replaceAll("+", "&plus;")
      .replaceAll("=", "&equals;"),
  "entities in JSON": (text) => json(text.replaceAll("&", "&amp;").replaceAll('"', "&#34;")),
  "percent-encoding in JSON in entities": (text) =>
    json(`"${encodeURIComponent(text)}"`).replaceAll("%", "&#37;"),
  base64: (text) => Buffer.from(text).toString("base64"),
  "base64 without padding": (text) => Buffer.from(text).toString("base64").replace(/=+$/, ""),
  "URL-safe base64": (text) => Buffer.from(text).toString("base64url"),
  "base64 with escaped slashes": (text) =>
    Buffer.from(text).toString("base64").replaceAll("/", "\\/"),
  "percent-encoded base64": (text) => encodeURIComponent(Buffer.from(text).toString("base64")),
  "base64 of a text around it": (text) => Buffer.from(`{"a":"${text}"}`).toString("base64"),
  "base64 at another offset": (text) => Buffer.from(`ab${text}!`).toString("base64"),
  "base64 at a third offset": (text) => Buffer.from(`a${text}??`).toString("base64url"),
  "base64 of a percent-encoded text": (text) =>
    Buffer.from(`?key=${encodeURIComponent(text)}&x`).toString("base64"),
  "base64 of JSON": (text) => Buffer.from(JSON.stringify({ a: text })).toString("base64url"),
  "base64 of JSON with escaped slashes": (text) =>
    Buffer.from(json(text).replaceAll("/", "\\/")).toString("base64"),
  "hexadecimal of JSON": (text) => Buffer.from(json(text)).toString("hex"),
  "\\u{} escapes": (text) => each(text, (c) => `\\u{${hex(c, 1)}}`),
  "%u escapes": (text) => each(text, (c) => `%u${hex(c, 4)}`),
  "entities with leading zeros": (text) => each(text, (c) => `&#x${hex(c, 8)};`),
  "decimal entities with leading zeros": (text) =>
    each(text, (c) => `&#${String(c.charCodeAt(0)).padStart(9, "0")};`),
  hexadecimal: (text) => Buffer.from(text).toString("hex"),
  "hexadecimal in upper case": (text) => Buffer.from(text).toString("hex").toUpperCase(),
};

/** Everything of an answer in which a text comes back: how it is put there. */
const bytesOf = (text: string, encoding: BufferEncoding = "utf8"): string =>
  Buffer.concat([
    Buffer.from([0, 255, 137]),
    Buffer.from(text, encoding),
    Buffer.from([0]),
  ]).toString("base64");
const block = (content: object): CallToolResult => ({
  content: [content as CallToolResult["content"][number]],
});
const places: Readonly<Record<string, (text: string) => CallToolResult>> = {
  "a text": (text) => block({ type: "text", text: `said ${text}.` }),
  "a text of an error": (text) => ({ ...block({ type: "text", text }), isError: true }),
  "the second of two texts": (text) => ({
    content: [
      { type: "text", text: "ok" },
      { type: "text", text },
    ],
  }),
  "a structured value": (text) => ({ content: [], structuredContent: { a: [{ b: text }] } }),
  "a structured name": (text) => ({ content: [], structuredContent: { a: { [text]: 1 } } }),
  "an image": (text) => block({ type: "image", data: bytesOf(text), mimeType: "image/png" }),
  "an image in UTF-16": (text) =>
    block({ type: "image", data: bytesOf(text, "utf16le"), mimeType: "image/png" }),
  "the type of an image": (text) =>
    block({ type: "image", data: "AAAA", mimeType: `image/${text}` }),
  audio: (text) => block({ type: "audio", data: bytesOf(text), mimeType: "audio/wav" }),
  "a blob": (text) =>
    block({
      type: "resource",
      resource: { uri: "https://a.example/x", mimeType: "application/pdf", blob: bytesOf(text) },
    }),
  "the type of a blob": (text) =>
    block({ type: "resource", resource: { uri: "x:y", mimeType: `a/${text}`, blob: "AAAA" } }),
  "the address of a blob": (text) =>
    block({ type: "resource", resource: { uri: `https://a.example/?k=${text}`, blob: "AAAA" } }),
  "a text resource": (text) => block({ type: "resource", resource: { uri: "x:y", text } }),
  "a link": (text) => block({ type: "resource_link", uri: `https://a.example/${text}`, name: "n" }),
  "the name of a link": (text) => block({ type: "resource_link", uri: "x:y", name: text }),
  "the title of a link": (text) =>
    block({ type: "resource_link", uri: "x:y", name: "n", title: text, description: text }),
  metadata: (text) => ({ content: [], _meta: { "a/b": text } }),
  "metadata of a block": (text) => block({ type: "text", text: "ok", _meta: { a: text } }),
};

/** Everything that a reader of a result can find: texts, and the bytes of contents. */
function readable(result: unknown): string {
  const bytes: string[] = [];
  const text = JSON.stringify(result, (key, value: unknown) => {
    if ((key === "data" || key === "blob") && typeof value === "string")
      bytes.push(Buffer.from(value, "base64").toString("latin1"));
    return value;
  });
  const binary = bytes.join("\n");
  return [
    text,
    binary,
    Buffer.from(binary, "latin1").toString("utf8"),
    binary.replaceAll("\0", ""),
  ].join("\n");
}

async function redactorOf({ schemes, env, parameters = [] }: (typeof credentials)[number]) {
  const definition: ApiDefinition = {
    ...api,
    servers: [{ url: "https://api.example" }],
    securitySchemes: schemes,
    secretParameters: parameters,
    security: Object.keys(schemes).map((name) => ({ [name]: [] })),
  };
  const request = { method: "GET", url: "https://api.example/x", headers: [] };
  const sent = await authenticate(request, {}, { api: definition, env });
  if (!sent.ok) throw new Error(sent.message);
  return createRedactor([...configuredSecrets(definition, env), ...sent.secrets]);
}

describe.each(credentials)("$kind", (credential) => {
  const { secrets } = credential;

  test.each(Object.keys(places))("does not come back in %s, in any form", async (place) => {
    const redact = await redactorOf(credential);
    for (const secret of secrets)
      for (const [form, write] of Object.entries(forms)) {
        const given = places[place]!(write(secret));
        const result = await redactResult(given, redact);
        expect(readable(result), form).not.toContain(write(secret));
        expect(readable(result), form).not.toContain(json(write(secret)));
      }
  });

  test("does not come back in a full result, a file name or the log", async () => {
    const redact = await redactorOf(credential);
    for (const secret of secrets)
      for (const [form, write] of Object.entries(forms)) {
        const text = write(secret);
        const full: readonly FullResult[] = [
          { mimeType: "text/plain", text },
          { mimeType: `a/${text}`, bytes: new Uint8Array(Buffer.from(`x${text}`)) },
        ];
        for (const result of full) {
          const safe = await redactFullResult(result, redact);
          const shown = "text" in safe ? safe.text : Buffer.from(safe.bytes).toString("utf8");
          expect(`${safe.mimeType} ${shown}`, form).not.toContain(text);
        }
        const written: string[] = [];
        createLog("debug", redact, (lines) => void written.push(lines)).error("a", new Error(text));
        expect(written.join(""), form).not.toContain(json(text));
      }
  });
});

test("a file is not named after a secret", () => {
  const redact = createRedactor(["s3cret-t0ken"]);
  const disposition = 'attachment; filename="a s3cret-t0ken.pdf"';
  const name = fileName({
    headers: { get: () => redact(disposition) },
    url: "https://a.example/x",
    mimeType: "application/pdf",
    tool: "get_it",
  });
  expect(name).not.toContain("s3cret");
});

test("digits that are a secret do not come back as a number", async () => {
  const redact = createRedactor(["73016592"]);
  const result = { content: [], structuredContent: { pin: 73016592, other: 7301659 } };
  const { structuredContent } = await redactResult(result, redact);
  expect(structuredContent).toEqual({ pin: 0, other: 7301659 });
});

test("contents without secrets keep every byte", async () => {
  const redact = createRedactor(["hunter2-hunter2"]);
  const data = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 31) % 256)).toString(
    "base64",
  );
  const given = block({ type: "image", data, mimeType: "image/png" });
  expect(await redactResult(given, redact)).toBe(given);
  const changed = block({ type: "image", data: bytesOf("hunter2-hunter2"), mimeType: "image/png" });
  const [image] = (await redactResult(changed, redact)).content;
  const length = (text: unknown): number => Buffer.from(String(text), "base64").byteLength;
  expect(image?.type === "image" && length(image.data)).toBe(length(bytesOf("hunter2-hunter2")));
});

test.each([
  ["no secret", 'He said "100 %" &amp; left \\u0041 a%20b', undefined],
  ["a neighbor", "a\\nhunter2\\tb", "a\\n[redacted]\\tb"],
  ["two in a row", "hunter2hunter2", "[redacted][redacted]"],
  ["an escape on each side", "%20hunter2%20", "%20[redacted]%20"],
  ["a row of escapes is one", "x%2Fhunter%32%2Fy", "x%2F[redacted]y"],
])("text around is kept: %s", (_, given, want) => {
  expect(createRedactor(["hunter2"])(given)).toBe(want ?? given);
});
