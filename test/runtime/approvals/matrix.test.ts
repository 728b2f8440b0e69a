import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";
import { connect, optionsOf, type Person } from "./asking.js";
import { input, ways } from "./ways.js";

/** No write is sent without a yes: revisions × transports × capabilities × answers × ways to call. */
let upstream: Upstream;
beforeAll(async () => {
  // A report is queued when it is started, and done when it is read.
  upstream = await startUpstream((response, request, count) =>
    reply(200, {
      id: "p1",
      name: "Rex",
      species: "dog",
      status: request.method === "GET" ? "done" : "queued",
    })(response, request, count),
  );
});
afterAll(() => upstream.close());

const revisions = ["2025-11-25", "2026-07-28"];
const transports = ["stdio", "http", "worker"] as const;
const capabilities: readonly (readonly [string, object])[] = [
  ["none", {}],
  ["URLs only", { elicitation: { url: {} } }],
  ["no mode", { elicitation: {} }],
  ["forms", { elicitation: { form: {}, url: {} } }],
];
const yes = { action: "accept", content: { confirm: true } };
const answers: readonly (readonly [string, Person, boolean])[] = [
  ["yes", () => yes, true],
  ["no", () => ({ action: "accept", content: { confirm: false } }), false],
  ["text for yes", () => ({ action: "accept", content: { confirm: "true" } }), false],
  ["accept without content", () => ({ action: "accept" }), false],
  ["decline", () => ({ action: "decline" }), false],
  ["cancel", () => ({ action: "cancel" }), false],
  [
    "a client that breaks",
    () => {
      throw new Error("closed");
    },
    false,
  ],
];
describe.each(revisions)("%s", (revision) => {
  describe.each(transports)("over %s", (transport) => {
    describe.each(capabilities)("a client with elicitation: %s", (name, declared) => {
      const canAsk =
        (name === "forms" || name === "no mode") &&
        (transport !== "worker" || revision === "2026-07-28");
      // A client that is never asked gives no other answers.
      const given = canAsk ? answers : answers.slice(0, 1);
      test.each(given)("answers %s", async (_, person, isYes) => {
        let asked = 0;
        const client = await connect(
          optionsOf(upstream.url, { CLINIC_MODE: "hybrid", CLINIC_RUN_STEPS: "true" }),
          transport,
          revision,
          declared,
          (question) => {
            asked++;
            return person(question);
          },
        );
        for (const [tool, args, wanted] of ways) {
          const before = upstream.requests.length;
          asked = 0;
          const result = await client
            .callTool({ name: tool, arguments: args as Record<string, unknown> })
            .catch((error: unknown) => ({ isError: true, content: [], error }));
          const sent = upstream.requests.slice(before).filter(({ method }) => method !== "GET");
          const want = canAsk && isYes ? wanted : [];
          expect(
            sent.map(({ method, url }) => `${method} ${url}`),
            tool,
          ).toEqual(want);
          expect(asked, tool).toBe(canAsk ? 1 : 0);
          if (!canAsk && tool === "delete_pet") expect(upstream.requests.length).toBe(before);
          expect(result.isError ?? false, tool).toBe(want.length === 0);
          if (want.length === 0 && !("error" in result))
            expect(textOf(result as never)).toMatch(/^Not sent: /);
        }
        const before = upstream.requests.length;
        asked = 0;
        const steps = [{ tool: "delete_pet", arguments: input }];
        const refused = await client.callTool({ name: "run_steps", arguments: { steps } });
        expect(upstream.requests.length).toBe(before);
        expect(asked).toBe(0);
        expect(textOf(refused as never)).toMatch(
          /^Nothing was called\. Step 1: delete_pet may destroy/,
        );
        await client.close();
      });
    });
  });
});
