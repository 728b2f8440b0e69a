import { describe, expect, test } from "vitest";
import { createLog } from "../../../src/runtime/server/telemetry.js";
import {
  configuredSecrets,
  createRedactor,
  redactResult,
} from "../../../src/runtime/response/redact.js";
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

  test("are redacted; other text and the structure are kept", () => {
    const result = {
      content: [{ type: "text" as const, text: '{"echo":["hunter2"]}' }],
      structuredContent: { echo: ["hunter2"] },
    };
    expect(redactResult(result, redact)).toEqual({
      content: [{ type: "text", text: '{"echo":["[redacted]"]}' }],
      structuredContent: { echo: ["[redacted]"] },
    });
  });

  test("a result without secrets is not copied", () => {
    const result = { content: [{ type: "text" as const, text: "nothing" }] };
    expect(redactResult(result, redact)).toBe(result);
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
