import { describe, expect, test } from "vitest";
import { createTestContext } from "../../support/clinic.js";
import { createPolicy, guard } from "../../../../src/runtime/transport/http/guard.js";
import { OpenExchanges } from "../../../../src/runtime/transport/http/open-exchanges.js";

const created = createPolicy(createTestContext([]), {
  isLocal: true,
  allowUnauthenticated: false,
  optIn: "",
});
if (!created.ok) throw new Error(created.problems.join(" "));
const { policy } = created;
const exchanges = new OpenExchanges();

/** Headers of a response to a page of this machine. */
async function headersFor(changes: object, more: Readonly<Record<string, string>> = {}) {
  const headers: Readonly<Record<string, string>> = {
    host: "localhost:3000",
    origin: "http://localhost:8080",
    ...more,
  };
  const head = { method: "POST", path: "/mcp", query: "", header: (name: string) => headers[name] };
  const { reply, ...served } = await guard(head, { ...policy, ...changes });
  return reply ? reply.headers : "headers" in served ? served.headers : {};
}

test.each([
  ["without sessions", {}, "www-authenticate"],
  ["with sessions", { exchanges }, "www-authenticate, mcp-session-id"],
])("pages can read these headers: %s", async (_, changes, exposed) => {
  expect((await headersFor(changes))["access-control-expose-headers"]).toBe(exposed);
});

test("pages can send a session ID", async () => {
  expect((await headersFor({}))["access-control-allow-headers"]).toContain("mcp-session-id");
});

test("a rejected content coding names the accepted one", async () => {
  expect(await headersFor({}, { "content-encoding": "gzip" })).toMatchObject({
    "accept-encoding": "identity",
  });
});

test("rejected hosts and origins are reported once each, with the variable that allows them", async () => {
  const warnings: string[] = [];
  const { log, ...context } = createTestContext([]);
  const reporting = createPolicy(
    { ...context, log: { ...log, warn: (message) => void warnings.push(message) } },
    { isLocal: true, allowUnauthenticated: false, optIn: "" },
  );
  if (!reporting.ok) throw new Error(reporting.problems.join(" "));
  const host = { host: "mcp.example.com" };
  for (const headers of [host, host, { origin: "https://app.example.com" }])
    await headersFor(reporting.policy, headers);
  expect(warnings).toEqual([
    "Rejected requests with Host: mcp.example.com. If they are legitimate, add the host to CLINIC_ALLOWED_HOSTS.",
    "Rejected requests with Origin: https://app.example.com. If they are legitimate, add the origin to CLINIC_ALLOWED_ORIGINS.",
  ]);
  for (let i = 0; i < 100; i++) await headersFor(reporting.policy, { host: `h${i}.example.com` });
  expect(warnings).toHaveLength(20);
});

test.each([
  ["an empty one", "", 403],
  ["an opaque one", "null", 403],
  ["that of a page of this machine", "http://localhost:8080", undefined],
])("an origin: %s", async (_, origin, status) => {
  const headers: Readonly<Record<string, string>> = { host: "localhost:3000", origin };
  const head = { method: "POST", path: "/mcp", query: "", header: (name: string) => headers[name] };
  expect((await guard(head, policy)).reply?.status).toBe(status);
});

describe("a token that can be guessed", () => {
  const policyOf = (token: string, isLocal: boolean) => {
    const warnings: string[] = [];
    const { log, ...context } = createTestContext([], { CLINIC_HTTP_TOKEN: token });
    const result = createPolicy(
      { ...context, log: { ...log, warn: (message) => void warnings.push(message) } },
      { isLocal, allowUnauthenticated: false, optIn: "" },
    );
    return { warnings, problems: result.ok ? [] : result.problems };
  };
  const advice =
    "CLINIC_HTTP_TOKEN has a token that can be guessed. Use at least 16 random characters, " +
    "such as the output of `openssl rand -hex 32`.";

  test.each([
    ["one character", "x", true],
    ["fifteen characters", "0123456789abcde", true],
    ["the same character", "x".repeat(40), true],
    ["one of several", "0123456789abcdef,x", true],
    ["sixteen characters", "0123456789abcdef", false],
  ])("%s", (_, token, isWeak) => {
    expect(policyOf(token, false)).toEqual({
      warnings: [],
      problems: isWeak ? [`Refusing to serve other machines: ${advice}`] : [],
    });
    expect(policyOf(token, true)).toEqual({ warnings: isWeak ? [advice] : [], problems: [] });
  });
});
