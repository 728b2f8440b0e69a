import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ASKED_INPUT } from "../../../src/runtime/approvals/asked-inputs.js";
import type { AnyTool } from "../../../src/runtime/index.js";
import { textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";
import { type Asked, connect, optionsOf } from "./asking.js";

/** Inputs that the user is asked for (`ask: true`), where a call lacks them. */
let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream(reply(200, { id: "v1" }));
});
afterAll(() => upstream.close());

const book = toolOf({
  name: "book_visit",
  title: "Book a visit",
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
  asks: ["seats", "kind"],
  properties: {
    petId: { type: "string" },
    seats: { type: "integer", minimum: 1, description: `Number of seats. ${ASKED_INPUT}` },
    kind: { type: "string", enum: ["check-up", "vaccination"], description: ASKED_INPUT },
  },
  required: ["petId"],
  send: {
    method: "POST",
    path: "/visits",
    body: {
      contentType: "application/json",
      fields: { petId: "petId", seats: "seats", kind: "kind" },
    },
  },
}) as AnyTool;

const forms = { elicitation: { form: {} } };
const given = { action: "accept", content: { seats: 2, kind: "check-up", petId: "other" } };

async function call(
  args: object,
  answers: readonly object[],
  { revision = "2026-07-28", capabilities = forms as object, env = {}, tool = "book_visit" } = {},
) {
  const asked: Asked[] = [];
  const options = optionsOf(upstream.url, { CLINIC_APPROVALS: "off", ...env }, { tools: [book] });
  const client = await connect(options, "stdio", revision, capabilities, (one) => {
    asked.push(one);
    return answers[asked.length - 1] ?? { action: "decline" };
  });
  const before = upstream.requests.length;
  const result = await client.callTool({ name: tool, arguments: args as Record<string, unknown> });
  await client.close();
  return {
    asked,
    text: textOf(result as never),
    isError: result.isError ?? false,
    sent: upstream.requests.slice(before).map(({ body }) => JSON.parse(body || "{}") as object),
  };
}

describe.each(["2025-11-25", "2026-07-28"])("%s", (revision) => {
  test("a missing value is asked for, and sent", async () => {
    const { asked, sent } = await call({ petId: "p1" }, [given], { revision });
    expect(asked).toHaveLength(1);
    expect(asked[0]?.message).toBe(
      "Book a visit needs seats, kind.\nValues of the call: petId: p1",
    );
    expect(asked[0]?.requestedSchema).toEqual({
      type: "object",
      properties: {
        seats: { type: "integer", title: "seats", description: "Number of seats.", minimum: 1 },
        kind: { type: "string", title: "kind", enum: ["check-up", "vaccination"] },
      },
      required: ["seats", "kind"],
    });
    // Only what was asked for is taken from the answer.
    expect(sent).toEqual([{ petId: "p1", seats: 2, kind: "check-up" }]);
  });

  test("a value of the call is not asked for", async () => {
    const { asked, sent } = await call({ petId: "p1", seats: 3, kind: "vaccination" }, [], {
      revision,
    });
    expect(asked).toEqual([]);
    expect(sent).toEqual([{ petId: "p1", seats: 3, kind: "vaccination" }]);
  });

  test("an approval follows the values", async () => {
    const yes = { action: "accept", content: { confirm: true } };
    const env = { CLINIC_APPROVALS: "ask" };
    const { asked, sent } = await call({ petId: "p1" }, [given, yes], { revision, env });
    expect(asked[1]?.message).toContain("Values: petId: p1, seats: 2, kind: check-up");
    expect(sent).toEqual([{ petId: "p1", seats: 2, kind: "check-up" }]);
    const refused = await call({ petId: "p1" }, [given], { revision, env });
    expect(refused.sent).toEqual([]);
  });

  test.each<[string, object, string]>([
    ["declined", { action: "decline" }, "gave no value"],
    ["closed", { action: "cancel" }, "gave no value"],
    [
      "not of the schema",
      { action: "accept", content: { seats: 0, kind: "check-up" } },
      "Not sent",
    ],
    ["empty", { action: "accept", content: {} }, "Not sent"],
  ])("an answer that is %s", async (_, answer, want) => {
    const { sent, text, isError } = await call({ petId: "p1" }, [answer, answer], { revision });
    expect(sent).toEqual([]);
    expect(isError).toBe(true);
    expect(text).toContain(want);
  });

  test("without forms, the error is the usual one", async () => {
    const { sent, text } = await call({ petId: "p1", seats: 1 }, [], {
      revision,
      capabilities: {},
    });
    expect(sent).toEqual([]);
    expect(text).toBe(
      "Not sent: 1 problem with the input of book_visit.\n- kind: is required\nCorrect it and call book_visit again.",
    );
  });

  test.each<[string, object, readonly string[]]>([
    ["who can be asked for the rest", forms, ["petId: is required"]],
    ["whom nobody can ask", {}, ["petId: is required", "seats: is required", "kind: is required"]],
  ])("other problems come first, for a client %s", async (_, capabilities, want) => {
    const { asked, text } = await call({}, [given], { revision, capabilities });
    expect(asked).toEqual([]);
    expect(text.match(/(?<=^- ).*/gm)).toEqual(want);
  });
});
