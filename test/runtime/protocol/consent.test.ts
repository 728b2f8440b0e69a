import type { ServerContext as RequestContext } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import type { UserConsent } from "../../../src/runtime/auth/consent-types.js";
import { awaitConsent, prepareConsent } from "../../../src/runtime/protocol/consent.js";
import { createTestContext, toolOf } from "../support/clinic.js";

const user: UserConsent = {
  replacesSharedTokens: true,
  token: async () => undefined,
  request: async () => undefined,
  settled: () => new Promise(() => {}),
};

test("the wait for a user ends when the client cancels its request", async () => {
  const consent = prepareConsent(createTestContext([toolOf({})]), user, { name: "get_pet" });
  const client = new AbortController();
  const inputResponses = { sign_in: { action: "accept" } };
  const request = { mcpReq: { signal: client.signal, inputResponses } };
  const waiting = awaitConsent(consent, request as unknown as RequestContext);
  client.abort();
  expect(await waiting).toBeUndefined();
}, 10_000);
