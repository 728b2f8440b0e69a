import { afterAll, beforeAll, expect, test } from "vitest";
import { call, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;
let error = "";
let status = 422;
beforeAll(async () => {
  upstream = await startUpstream((response, request, count) =>
    reply(status, { error })(response, request, count),
  );
});
afterAll(() => upstream.close());

const createMetadata = toolOf({
  name: "create_metadata",
  properties: { kind: { type: "string" }, metadata: { type: "array", items: {} } },
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  send: {
    method: "POST",
    path: "/metadata",
    body: { contentType: "application/json", fields: { kind: "kind", metadata: "metadata" } },
  },
});

test.each([
  [
    "Unsupported metadata kind 'LUA-AXFR'",
    'the API refuses this for kind "LUA-AXFR". Correct what its message names, or tell the user; the same input may fail again.',
  ],
  [
    "Invalid metadata kind 'LUA-AXFR'",
    "correct kind, then call create_metadata again; the same input fails again.",
  ],
  [
    "Unsupported metadata for kind 'LUA-AXFR'",
    "correct kind or metadata, then call create_metadata again; the same input fails again.",
  ],
])("%s", async (message, want) => {
  error = message;
  const input = { kind: "LUA-AXFR", metadata: ["/x.lua"] };
  const env = { CLINIC_BASE_URL: upstream.url };
  const result = await call(createMetadata, input, { env });
  expect(textOf(result).split("\nNext: ")[1]).toBe(want);
});

test.each([
  [
    "Tag limit exceeded for image 7: attempted 9, maximum 8",
    "the API refuses this. Correct what its message names, or tell the user; the same input may fail again.",
  ],
  [
    "The body exceeds the limit of 1 MB",
    "the request is too large for the API: pass less or shorter input, then call create_metadata again.",
  ],
])("a 413 about %s", async (message, want) => {
  [status, error] = [413, message];
  const env = { CLINIC_BASE_URL: upstream.url };
  const result = await call(createMetadata, { kind: "tag" }, { env });
  status = 422;
  expect(textOf(result).split("\nNext: ")[1]).toBe(want);
});
