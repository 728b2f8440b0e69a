import { describe, expect, test } from "vitest";
import { createLog } from "../../../src/runtime/server/telemetry.js";
import {
  configuredSecrets,
  createRedactor,
  redactResult,
} from "../../../src/runtime/response/redact.js";
import type { NotedResult } from "../../../src/runtime/response/result-facts.js";
import { redactWithNote } from "../../../src/runtime/response/redaction-note.js";
import { createResultStore, linkFullResult } from "../../../src/runtime/response/result-store.js";
import { api } from "../support/clinic.js";

describe("secrets in text", () => {
  test.each<readonly [readonly string[], string, string]>([
    [["hunter2"], "the token hunter2 is bad, hunter2!", "the token [redacted] is bad, [redacted]!"],
    [["hunt", "hunter2"], "hunter2", "[redacted]"],
    [['say "hi"'], '{"error":"say \\"hi\\""}', '{"error":"[redacted]"}'],
    [["abc"], "abc", "abc"],
    [[], "abc", "abc"],
    [["$&$1"], "cost $&$1", "cost [redacted]"],
    [["hunter2"], "GET /a?key=hunte… said: hunt…", "GET /a?key=[redacted]… said: [redacted]…"],
    [["hunter2"], "a hunt, hun…, unter… and hunters…", "a hunt, hun…, unter… and hunters…"],
    [["hunthunter2", "hunter2"], "hunthunt…", "[redacted]…"],
  ])("%j", (secrets, text, want) => expect(createRedactor(secrets)(text)).toBe(want));
});

test("secrets of the environment, in all encoded forms", () => {
  const secrets = configuredSecrets(api, {
    CLINIC_TOKEN: "t/ken+1",
    CLINIC_API_KEY: "",
    CLINIC_HTTP_TOKEN: "inbound",
    OTHER: "x",
  });
  expect(secrets).toContain("t/ken+1");
  expect(createRedactor(secrets)("a=t%2Fken%2B1")).toBe("a=[redacted]");
  expect(secrets).toContain("inbound");
  expect(secrets).not.toContain("");
});

test("secrets that are sent as parameters", () => {
  const secrets = configuredSecrets(
    { ...api, secretParameters: ["CLINIC_PARTNER_KEY"] },
    { CLINIC_PARTNER_KEY: "k/ey+1" },
  );
  expect(createRedactor(secrets)("a=k%2Fey%2B1")).toBe("a=[redacted]");
});

describe("secrets in results", () => {
  const redact = createRedactor(["hunter2"]);

  test("are redacted; other text and the structure are kept", async () => {
    const result = {
      content: [{ type: "text" as const, text: '{"echo":["hunter2"]}' }],
      structuredContent: { echo: ["hunter2"] },
    };
    expect(await redactResult(result, redact)).toEqual({
      content: [{ type: "text", text: '{"echo":["[redacted]"]}' }],
      structuredContent: { echo: ["[redacted]"] },
    });
  });

  test("a result without secrets is not copied", async () => {
    const result = { content: [{ type: "text" as const, text: "nothing" }] };
    expect(await redactResult(result, redact)).toBe(result);
  });
});

describe("the note about what was hidden", () => {
  const redact = createRedactor(["hunter2", "73016592"]);
  const textBlock = (text: string) => ({ type: "text" as const, text });

  test.each<readonly [string, unknown, string]>([
    [
      "all items",
      { items: [{ key: "hunter2" }, { key: "a hunter2" }] },
      "2 values with its credentials (items[].key). They are shown as [redacted].",
    ],
    [
      "some items",
      { items: [{ key: "hunter2" }, { key: "b" }] },
      "1 value with its credentials (items[0].key). It is shown as [redacted].",
    ],
    [
      "a number",
      { pin: 73016592 },
      "1 value with its credentials (pin). It is shown as [redacted], a number as 0.",
    ],
    [
      "a name",
      { hunter2: 1 },
      "1 value with its credentials ([redacted]). It is shown as [redacted].",
    ],
  ])("names %s in the text and in the structure", async (_, value, want) => {
    const result = {
      content: [textBlock(JSON.stringify(value))],
      structuredContent: value as Record<string, unknown>,
    };
    const noted: NotedResult = { result };
    const { result: safe, notesKey } = await redactWithNote(noted, redact, undefined);
    const note = `Hidden by this server: ${want}`;
    const structured = safe.structuredContent as Readonly<Record<string, unknown>>;
    expect(structured[notesKey ?? ""]).toEqual([note]);
    expect(safe.content.at(-1)).toEqual(textBlock(`Note: ${note}`));
  });

  test("counts places of a text without structure, and is absent without secrets", async () => {
    const textResult = async (text: string) => {
      const { result } = await redactWithNote(
        { result: { content: [textBlock(text)] } },
        redact,
        undefined,
      );
      return result.content.slice(1);
    };
    expect(await textResult("nothing")).toEqual([]);
    expect(await textResult("hunter2 and hunter2")).toEqual([
      textBlock(
        "Note: Hidden by this server: its credentials, in 2 places. They are shown as [redacted].",
      ),
    ]);
  });

  test("is about the full result if only that has secrets", async () => {
    const noted = { result: { content: [textBlock("[1]")] } };
    const options = {
      tool: { name: "get_it" },
      call: { tool: { annotations: { readOnlyHint: true } }, input: {} },
      isWrite: false,
      resultStore: createResultStore(1_000),
      redact,
      fileName: () => "x",
    };
    const { result } = await linkFullResult(
      noted,
      { mimeType: "text/plain", text: "hunter2" },
      options,
    );
    expect(JSON.stringify(result.content)).toContain(
      "Note: Hidden by this server in the full result: its credentials. They are shown as [redacted].",
    );
  });
});

describe("the log", () => {
  function lines(level: Parameters<typeof createLog>[0]): readonly unknown[] {
    const written: string[] = [];
    const log = createLog(level, createRedactor(["hunter2"]), (line) => written.push(line));
    log.call({ tool: "get_pet", outcome: "ok", ms: 12, status: 200, bytes: 8 });
    log.call({ tool: "get_pet", outcome: "internal", ms: 1 });
    log.debug("noise");
    log.error("broke with hunter2", "no error object");
    return written.map((line) => JSON.parse(line) as unknown);
  }

  test.each<readonly [Parameters<typeof createLog>[0], readonly object[]]>([
    [
      "debug",
      [
        { level: "info", outcome: "ok" },
        { level: "error", outcome: "internal" },
        { level: "debug" },
        { level: "error", message: "broke with [redacted]" },
      ],
    ],
    [
      "info",
      [
        { level: "info", tool: "get_pet", outcome: "ok", ms: 12, status: 200, bytes: 8 },
        { level: "error" },
        { level: "error" },
      ],
    ],
    ["error", [{ level: "error" }, { level: "error" }]],
    ["silent", []],
  ])("at level %s", (level, want) => expect(lines(level)).toMatchObject(want));
});
