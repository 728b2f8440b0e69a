import { expect, test } from "vitest";
import { unusedProxy } from "../../../../src/runtime/node/http/unused-proxy.js";

const proxy = "http://proxy.test:3128";

test.each<readonly [string, string, string, Readonly<Record<string, string>>, string | undefined]>([
  [
    "a name that cannot be resolved",
    "ENOTFOUND",
    "https://api.test",
    { HTTPS_PROXY: proxy },
    "HTTPS_PROXY",
  ],
  ["small letters", "ETIMEDOUT", "http://api.test", { http_proxy: proxy }, "http_proxy"],
  [
    "a proxy for another protocol",
    "ENOTFOUND",
    "https://api.test",
    { HTTP_PROXY: proxy },
    undefined,
  ],
  ["a proxy that is empty", "ENOTFOUND", "https://api.test", { HTTPS_PROXY: "" }, undefined],
  ["none", "ENOTFOUND", "https://api.test", {}, undefined],
  ["another error", "CERT_HAS_EXPIRED", "https://api.test", { HTTPS_PROXY: proxy }, undefined],
  ["this machine", "ECONNREFUSED", "https://127.0.0.1:8443", { HTTPS_PROXY: proxy }, undefined],
  ["this machine, by name", "ECONNREFUSED", "http://localhost", { HTTP_PROXY: proxy }, undefined],
  [
    "a host that needs none",
    "ENOTFOUND",
    "https://api.corp.test",
    { HTTPS_PROXY: proxy, NO_PROXY: "x.test, api.corp.test" },
    undefined,
  ],
  [
    "a domain that needs none",
    "ENOTFOUND",
    "https://api.corp.test",
    { HTTPS_PROXY: proxy, no_proxy: ".corp.test" },
    undefined,
  ],
  [
    "a domain with a star",
    "ENOTFOUND",
    "https://api.corp.test",
    { HTTPS_PROXY: proxy, NO_PROXY: "*.Corp.test:443" },
    undefined,
  ],
  [
    "nobody needs one",
    "ENOTFOUND",
    "https://api.test",
    { HTTPS_PROXY: proxy, NO_PROXY: "*" },
    undefined,
  ],
  [
    "a name that only ends alike",
    "ENOTFOUND",
    "https://mycorp.test",
    { HTTPS_PROXY: proxy, NO_PROXY: "corp.test" },
    "HTTPS_PROXY",
  ],
])("%s", (_, code, url, env, want) =>
  expect(unusedProxy(Object.assign(new Error(), { code }), new URL(url), env)).toBe(want),
);
