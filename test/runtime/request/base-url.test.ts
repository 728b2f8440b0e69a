import { describe, expect, test } from "vitest";
import type { ServerDefinition } from "../../../src/runtime/api-definition.js";
import { resolveBaseUrl } from "../../../src/runtime/request/base-url.js";
import { bindRequest } from "../../../src/runtime/request/bind-request.js";
import { contextOf } from "./sent.js";

const regional: ServerDefinition = {
  url: "https://{region}.example.com/{version}",
  variables: {
    region: { env: "CLINIC_REGION", default: "eu", enum: ["eu", "us"] },
    version: { env: "CLINIC_VERSION", default: "v1" },
  },
};
const one = (url: string): readonly ServerDefinition[] => [{ url }];

describe("a base URL", () => {
  test.each<readonly [string, readonly ServerDefinition[], Record<string, string>, string]>([
    ["of the document", one("https://api.example.com/v1"), {}, "https://api.example.com/v1"],
    [
      "the first of several",
      [...one("https://a.test"), ...one("https://b.test")],
      {},
      "https://a.test",
    ],
    [
      "without its trailing slash",
      one("https://api.example.com/v1/"),
      {},
      "https://api.example.com/v1",
    ],
    ["without a path", one("https://api.example.com/"), {}, "https://api.example.com"],
    [
      "in normal form",
      one("HTTPS://API.example.com:443/a/../v1"),
      {},
      "https://api.example.com/v1",
    ],
    ["over http", one("http://127.0.0.1:8080"), {}, "http://127.0.0.1:8080"],
    ["with default variables", [regional], {}, "https://eu.example.com/v1"],
    [
      "with variables from the environment",
      [regional],
      { CLINIC_REGION: "us", CLINIC_VERSION: "v2/beta" },
      "https://us.example.com/v2/beta",
    ],
    ["with an empty variable", [regional], { CLINIC_REGION: "" }, "https://eu.example.com/v1"],
    [
      "of the owner",
      one("https://api.example.com/v1"),
      { CLINIC_BASE_URL: "http://localhost:3000/api/" },
      "http://localhost:3000/api",
    ],
    [
      "of the owner, where there is none",
      [],
      { CLINIC_BASE_URL: "https://x.test" },
      "https://x.test",
    ],
    [
      "of the owner, before bad variables",
      [regional],
      { CLINIC_BASE_URL: "https://x.test", CLINIC_REGION: "mars" },
      "https://x.test",
    ],
  ])("%s", (_, servers, env, url) =>
    expect(resolveBaseUrl(servers, contextOf(env))).toEqual({ ok: true, url }),
  );

  test.each<readonly [string, readonly ServerDefinition[], Record<string, string>, string]>([
    ["none", [], {}, "CLINIC_BASE_URL"],
    ["relative", one("/v1"), {}, "CLINIC_BASE_URL"],
    ["without a scheme", one("//api.example.com/v1"), {}, "CLINIC_BASE_URL"],
    ["empty", one(""), {}, "CLINIC_BASE_URL"],
    ["a file", one("file:///etc/passwd"), {}, "CLINIC_BASE_URL"],
    ["a script", one("javascript:alert(1)"), {}, "CLINIC_BASE_URL"],
    ["with credentials", one("https://user:hunter2@api.example.com"), {}, "CLINIC_BASE_URL"],
    ["with a query", one("https://api.example.com?hunter2"), {}, "CLINIC_BASE_URL"],
    [
      "with a variable that is not defined",
      one("https://{constructor}.example.com"),
      {},
      "CLINIC_BASE_URL",
    ],
    [
      "with a value that is not allowed",
      [regional],
      { CLINIC_REGION: "hunter2" },
      'CLINIC_REGION must be one of "eu", "us"',
    ],
    ["of the owner, relative", [], { CLINIC_BASE_URL: "/hunter2" }, "CLINIC_BASE_URL is not"],
    [
      "of the owner, another scheme",
      [],
      { CLINIC_BASE_URL: "ftp://hunter2" },
      "CLINIC_BASE_URL is not",
    ],
    [
      "of the owner, with credentials",
      [],
      { CLINIC_BASE_URL: "https://hunter2@x.test" },
      "CLINIC_BASE_URL is not",
    ],
    [
      "of the owner, with a query",
      [],
      { CLINIC_BASE_URL: "https://x.test/?hunter2" },
      "CLINIC_BASE_URL is not",
    ],
    [
      "of the owner, with a fragment",
      [],
      { CLINIC_BASE_URL: "https://x.test/#" },
      "CLINIC_BASE_URL is not",
    ],
    ["of the owner, no host", [], { CLINIC_BASE_URL: "https://" }, "CLINIC_BASE_URL is not"],
  ])("%s: says what to set, without values", (_, servers, env, words) => {
    const result = resolveBaseUrl(servers, contextOf(env));
    expect(result).toMatchObject({ ok: false, problem: expect.stringContaining(words) });
    expect(JSON.stringify(result)).not.toContain("hunter2");
  });
});

describe("binding", () => {
  const url = (path: string, base: string): string => {
    const result = bindRequest({ method: "GET", path }, {}, contextOf({ CLINIC_BASE_URL: base }));
    return result.ok ? result.request.url : JSON.stringify(result.problems);
  };
  test.each([
    ["/pets", "https://x.test", "https://x.test/pets"],
    ["/pets", "https://x.test/v1/", "https://x.test/v1/pets"],
    ["/", "https://x.test/v1", "https://x.test/v1/"],
    ["pets", "https://x.test/v1", "https://x.test/v1/pets"],
    ["//evil.test", "https://x.test", "https://x.test//evil.test"],
    ["@evil.test", "https://x.test", "https://x.test/@evil.test"],
    ["/a", "https://münchen.example/ü", "https://xn--mnchen-3ya.example/%C3%BC/a"],
  ])("%s on %s", (path, base, want) => expect(url(path, base)).toBe(want));

  test("servers of the operation take precedence over those of the API", () => {
    const result = bindRequest(
      { method: "GET", path: "/a", servers: one("https://files.example.com") },
      {},
      contextOf(),
    );
    expect(result).toMatchObject({ ok: true, request: { url: "https://files.example.com/a" } });
  });
  test("a missing base URL is one problem without an input", () => {
    const result = bindRequest({ method: "GET", path: "/{id}" }, {}, contextOf({}, []));
    expect(result).toMatchObject({
      ok: false,
      problems: [
        { input: "id" },
        { input: "", problem: expect.stringContaining("Set CLINIC_BASE_URL") },
      ],
    });
  });
});
