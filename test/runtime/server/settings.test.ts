import { describe, expect, test } from "vitest";
import { parseFlags } from "../../../src/runtime/server/flags.js";
import { readSettings } from "../../../src/runtime/server/settings.js";

describe("settings", () => {
  test("have defaults", () => {
    expect(readSettings("CLINIC", {})).toEqual({
      ok: true,
      settings: {
        timeoutMs: 30_000,
        maxResponseBytes: 10_000_000,
        maxRetryWaitMs: 5_000,
        strictInputs: false,
        approvals: "off",
        dryRun: false,
        dryRunReads: false,
        rawRequests: false,
        runSteps: undefined,
        readBack: "noContent",
        jobWaitMs: 45_000,
        followPages: true,
        lookUpNames: true,
        readResults: true,
        maxResultCharacters: 32_000,
        maxConcurrency: 32,
        maxConcurrencyPerCaller: 0,
        maxQueue: 10_000,
        callsPerMinute: 0,
        callsPerMinutePerCaller: 0,
        resultStoreBytes: 50_000_000,
        logLevel: "info",
        logCallers: "hash",
        metricsHost: "127.0.0.1",
        readyNeedsStore: false,
        toolsets: [],
        readOnly: false,
        listMode: undefined,
      },
    });
  });

  test.each<readonly [Record<string, string>, object]>([
    [{ CLINIC_TIMEOUT_MS: " 500 " }, { timeoutMs: 500 }],
    [{ CLINIC_TIMEOUT_MS: "" }, { timeoutMs: 30_000 }],
    [{ OTHER_TIMEOUT_MS: "500" }, { timeoutMs: 30_000 }],
    [{ LOG_LEVEL: "ERROR" }, { logLevel: "error" }],
    [{ CLINIC_MAX_QUEUE: "0" }, { maxQueue: 0 }],
    [{ CLINIC_MAX_RETRY_WAIT_MS: "0" }, { maxRetryWaitMs: 0 }],
    [{ CLINIC_STRICT_INPUTS: "1" }, { strictInputs: true }],
    [{ CLINIC_RAW_REQUESTS: "yes" }, { rawRequests: true }],
    [{ CLINIC_RUN_STEPS: "yes" }, { runSteps: "all" }],
    [{ CLINIC_RUN_STEPS: "Reads" }, { runSteps: "reads" }],
    [{ CLINIC_APPROVALS: "Refuse" }, { approvals: "refuse" }],
    [{ CLINIC_DRY_RUN: "on" }, { dryRun: true }],
    [{ CLINIC_READ_RESULTS: "0" }, { readResults: false }],
    [{ CLINIC_TOOLSETS: "pets, owners," }, { toolsets: ["pets", "owners"] }],
    [{ CLINIC_READ_ONLY: "Yes" }, { readOnly: true }],
    [{ CLINIC_READ_ONLY: "0" }, { readOnly: false }],
    [{ CLINIC_MODE: "Discovery" }, { listMode: "discovery" }],
    [{ CLINIC_LISTED: "get_pet, list_pets" }, { listed: ["get_pet", "list_pets"] }],
  ])("%j", (env, want) =>
    expect(readSettings("CLINIC", env)).toMatchObject({ ok: true, settings: want }),
  );

  test.each<readonly [Record<string, string>, string]>([
    [{ CLINIC_TIMEOUT_MS: "soon" }, "CLINIC_TIMEOUT_MS must be an integer from 1 to 3600000."],
    [{ CLINIC_TIMEOUT_MS: "-1" }, "CLINIC_TIMEOUT_MS must be an integer from 1 to 3600000."],
    [{ CLINIC_TIMEOUT_MS: "1.5" }, "CLINIC_TIMEOUT_MS must be an integer from 1 to 3600000."],
    [{ CLINIC_MAX_CONCURRENCY: "0" }, "CLINIC_MAX_CONCURRENCY must be an integer from 1 to 10000."],
    [
      { CLINIC_READ_ONLY: "maybe" },
      '--read-only (CLINIC_READ_ONLY) must be true or false, not "maybe".',
    ],
    [
      { CLINIC_MODE: "discover" },
      '--mode (CLINIC_MODE) must be tools, hybrid or discovery, not "discover"; did you mean discovery?',
    ],
    [{ CLINIC_MODE: "all" }, '--mode (CLINIC_MODE) must be tools, hybrid or discovery, not "all".'],
    [{ LOG_LEVEL: "loud" }, "LOG_LEVEL must be one of debug, info, warn, error, silent."],
  ])("%j", (env, problem) =>
    expect(readSettings("CLINIC", env)).toEqual({ ok: false, problems: [problem] }),
  );
});

test("an environment variable overrides the configured result limit", () => {
  const limit = (env: Record<string, string>): unknown =>
    readSettings("CLINIC", env, { maxResultTokens: 500 });
  expect(limit({})).toMatchObject({ settings: { maxResultCharacters: 2000 } });
  expect(limit({ CLINIC_MAX_RESULT_TOKENS: "1000" })).toMatchObject({
    settings: { maxResultCharacters: 4000 },
  });
});

describe("flags", () => {
  const http = {
    kind: "http",
    host: "127.0.0.1",
    port: 3000,
    workers: 1,
    allowUnauthenticated: false,
    overrides: {},
  };

  test.each<readonly [readonly string[], object]>([
    [[], { kind: "stdio", overrides: {} }],
    [
      ["--base-url", "https://x.test"],
      { kind: "stdio", overrides: { BASE_URL: "https://x.test" } },
    ],
    [
      ["--toolsets", "pets", "--toolsets=owners,visits"],
      { kind: "stdio", overrides: { TOOLSETS: "pets,owners,visits" } },
    ],
    [
      ["--read-only", "--mode", "tools", "--http"],
      { ...http, overrides: { READ_ONLY: "true", MODE: "tools" } },
    ],
    [["--http"], http],
    [
      ["--http", "--port=8080", "--host", "0.0.0.0", "--allow-unauthenticated"],
      { ...http, port: 8080, host: "0.0.0.0", allowUnauthenticated: true },
    ],
    [["--help", "--http"], { kind: "help" }],
    [["-h"], { kind: "help" }],
    [["--version"], { kind: "version" }],
    [["--nonsense"], { kind: "invalid", problem: "Unknown option '--nonsense'; see --help." }],
    [
      ["extra"],
      {
        kind: "invalid",
        problem: expect.stringMatching(/^Unexpected argument 'extra'.*; see --help\.$/) as string,
      },
    ],
    [["--port", "80"], { kind: "invalid", problem: "--port needs --http; see --help." }],
    [
      ["--http", "--port", "70000"],
      { kind: "invalid", problem: "--port must be a number from 0 to 65535; see --help." },
    ],
    ...["x", "", " ", "0x50"].map(
      (port) =>
        [
          ["--http", `--port=${port}`],
          { kind: "invalid", problem: "--port must be a number from 0 to 65535; see --help." },
        ] as const,
    ),
  ])("%j", (argv, want) => expect(parseFlags(argv)).toEqual(want));
});
