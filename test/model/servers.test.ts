import { describe, expect, test } from "vitest";
import { codesOf, diagnosticsOf, toPlainJson, read } from "./documents.js";

const get = { responses: {} };
const paths = { "/x": { get } };

describe("root servers", () => {
  const url = "https://docs.e.x/specs/v1/api.yaml";
  const cases: readonly (readonly [
    servers: unknown,
    want: readonly string[],
    codes?: readonly string[],
    url?: string,
  ])[] = [
    [undefined, []],
    [[], []],
    [undefined, ["https://docs.e.x/"], [], url],
    [
      [
        { url: "https://api.e.x/v1" },
        { url: "http://127.0.0.1:18080/v1" },
        { url: "https://[::1]:8/x" },
      ],
      ["https://api.e.x/v1", "http://127.0.0.1:18080/v1", "https://[::1]:8/x"],
    ],
    [[{ url: "/v1" }], ["/v1"]],
    [[{ url: "/v1" }], ["https://docs.e.x/v1"], [], url],
    [[{ url: "../v2/" }], ["https://docs.e.x/specs/v2/"], [], url],
    [[{ url: "//cdn.e.x/v1" }], ["https://cdn.e.x/v1"]],
    [[{ url: "//cdn.e.x/v1" }], ["https://cdn.e.x/v1"], [], url],
    [[{ url: "https://münchen.example/v1" }], ["https://münchen.example/v1"]],
    ...[
      "file:///etc/passwd",
      "javascript:evil()",
      "data:text/plain,x",
      "ftp://e.x",
      "localhost:8080/v1",
      "https://",
      "https:///x",
      "https://h';evil();'/v1",
      "https://e.x /v1",
      "https:\\\\e.x",
      "https://a<b/",
    ].map((bad) => [[{ url: bad }], [], ["model-server"]] as const),
    [
      [{ url: "https://user:hunter2@api.e.x/v1" }],
      ["https://api.e.x/v1"],
      ["model-server-credentials"],
    ],
    [
      [{ url: "https://a@b:hunter2@api.e.x/v1" }],
      ["https://api.e.x/v1"],
      ["model-server-credentials"],
    ],
    [[{ url: "https://api.e.x/v1?key=hunter2#x" }], ["https://api.e.x/v1"], ["model-server"]],
    [[{ description: "d" }], [], ["model-server"]],
    [["https://e.x"], [], ["model-server"]],
    [[{ url: 5 }], [], ["model-value-type", "model-server"]],
  ];
  for (const [servers, want, codes = [], from] of cases) {
    test(`${JSON.stringify(servers)} ${from ?? ""}`, () => {
      const result = read({ paths, ...(servers !== undefined && { servers }) }, "3.1", from);
      expect(result.model.servers.map((server) => server.url)).toEqual(want);
      expect(codesOf(result)).toEqual(codes);
      expect(JSON.stringify(result)).not.toContain("hunter2");
    });
  }
});

describe("server variables", () => {
  const cases: readonly (readonly [
    server: object,
    want: object | undefined,
    codes?: readonly string[],
  ])[] = [
    [
      {
        url: "https://{r}.e.x:{port}/{base}",
        variables: {
          r: { default: "eu", enum: ["eu", "us"], description: "d" },
          port: { default: 8443 },
          base: { default: "" },
        },
      },
      {
        r: { default: "eu", enum: ["eu", "us"], description: "d" },
        port: { default: "8443" },
        base: { default: "" },
      },
    ],
    [
      {
        url: "{scheme}://e.x",
        variables: { scheme: { default: "https", enum: ["https", "http"] } },
      },
      { scheme: { default: "https", enum: ["https", "http"] } },
    ],
    [
      { url: "{server}/v1", variables: { server: { default: "https://e.x" } } },
      { server: { default: "https://e.x" } },
    ],
    [
      { url: "{host}:8080", variables: { host: { default: "https://e.x" } } },
      { host: { default: "https://e.x" } },
    ],
    [
      { url: "{scheme}://e.x", variables: { scheme: { default: "file" } } },
      undefined,
      ["model-server"],
    ],
    [{ url: "https://{u}e.x", variables: { u: { default: "a:b@" } } }, undefined, ["model-server"]],
    [
      { url: "https://{r}.e.x", variables: { r: { enum: ["eu"] } } },
      { r: { default: "eu", enum: ["eu"] } },
      ["model-server-variable"],
    ],
    [
      { url: "https://{r}.e.x", variables: { r: { default: "x", enum: ["eu"] } } },
      { r: { default: "x", enum: ["x", "eu"] } },
    ],
    [{ url: "https://{r}.e.x", variables: { r: {} } }, undefined, ["model-server-variable"]],
    [{ url: "https://{r}.e.x" }, undefined, ["model-server-variable"]],
    [{ url: "https://e.x", variables: { unused: { default: "a" } } }, {}],
  ];
  for (const [server, want, codes = []] of cases) {
    test(JSON.stringify(server), () => {
      const result = read({ paths, servers: [server] });
      expect(toPlainJson(result.model.servers[0]?.variables ?? null)).toEqual(want ?? null);
      expect(codesOf(result)).toEqual(codes);
    });
  }
});

test("an operation has its own servers, or its path's, or the root's", () => {
  const server = (name: string): object => ({
    servers: [{ url: `https://${name}.e.x`, description: name }],
  });
  const { model } = read({
    ...server("root"),
    paths: {
      "/a": { ...server("path"), get: { ...get, ...server("own") }, post: get },
      "/b": { get },
    },
  });
  expect(
    model.operations.map(({ servers }) =>
      servers?.map(({ url, description }) => [url, description]),
    ),
  ).toEqual([[["https://own.e.x", "own"]], [["https://path.e.x", "path"]], undefined]);
});

test("unusable servers of an operation are reported, and inherited ones apply", () => {
  const result = read({
    paths: {
      "/a": {
        servers: [{ url: "https://path.e.x" }],
        get: { ...get, servers: [{ url: "file:///x" }] },
      },
    },
  });
  expect(result.model.operations[0]?.servers?.map(({ url }) => url)).toEqual(["https://path.e.x"]);
  expect(diagnosticsOf(result)).toEqual(["model-server #/paths/~1a/get/servers/0/url"]);
});
