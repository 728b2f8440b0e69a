/** Objects in forms, which an API wants with brackets against its document. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { callTool } from "../../../src/runtime/index.js";
import { createTestContext, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;
let message = "";
beforeAll(async () => {
  upstream = await startUpstream((response, request, count) => {
    const isBracketed = /schedule(?:\[|%5B)at/.test(request.body);
    const answer = isBracketed ? reply(200, { ok: true }) : reply(400, { message });
    answer(response, request, count);
  });
});
afterAll(() => upstream.close());

const update = (contentType: string) =>
  toolOf({
    name: "update_video",
    annotations: {
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    properties: { name: { type: "string" }, schedule: { type: "object" } },
    send: {
      method: "PUT",
      path: "/videos",
      body: { contentType, fields: { name: "name", schedule: "schedule" } },
    },
  });

const input = { name: "Tram", schedule: { at: "2026-12-31", privacy: 1 } };

test.each<readonly [string, string, string, boolean]>([
  ["of a multipart body", "multipart/form-data", "Schedule at is mandatory.", true],
  ["of a form", "application/x-www-form-urlencoded", "schedule.at: is required", true],
  ["that the message does not name", "multipart/form-data", "Name is taken.", false],
  ["of JSON", "application/json", "Schedule at is mandatory.", false],
])("an object %s", async (_, contentType, rejection, isRepeated) => {
  message = rejection;
  const tool = update(contentType);
  const server = createTestContext([tool], { CLINIC_BASE_URL: upstream.url });
  const before = upstream.requests.length;
  const result = await callTool(server, tool, input);
  const sent = upstream.requests.slice(before);
  expect(sent).toHaveLength(isRepeated ? 2 : 1);
  expect(result.isError ?? false).toBe(!isRepeated);
  const note = "The API rejected schedule as JSON, so the members were sent as fields";
  expect(textOf(result).includes(note)).toBe(isRepeated);
});
