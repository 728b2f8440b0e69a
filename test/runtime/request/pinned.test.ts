import { describe, expect, test } from "vitest";
import { bindRequest } from "../../../src/runtime/request/bind-request.js";
import type { ApiDefinition } from "../../../src/runtime/api-definition.js";
import type { ParameterSource, RequestMapping } from "../../../src/runtime/types.js";
import { contextOf } from "./sent.js";

/** Kinds of pinned values: a constant, a variable, a generated value and a credential. */
const sources: Readonly<Record<string, ParameterSource>> = {
  constant: { value: "fixed" },
  variable: { env: "TENANT" },
  generated: { generate: "uuid" },
};

type Scheme = ApiDefinition["securitySchemes"][string];
const keyIn = (location: "query" | "header" | "cookie"): Scheme => ({
  kind: "apiKey",
  in: location,
  name: "pin",
  env: "KEY",
});

function problemsOf(
  mapping: Partial<RequestMapping>,
  given: unknown,
  schemes: Readonly<Record<string, Scheme>> = {},
): readonly string[] {
  const context = contextOf({ TENANT: "t1", KEY: "k" });
  const api: ApiDefinition = {
    ...context.api,
    securitySchemes: schemes,
    security: Object.keys(schemes).map((name) => ({ [name]: [] })),
  };
  const full = { method: "POST", path: "/", ...mapping };
  const result = bindRequest(full, { given }, { ...context, api });
  return result.ok ? [] : result.problems.map(({ input, problem }) => `${input} ${problem}`);
}

const REFUSED = /^given would send "[^"]+" again, which this server sets; leave it out$/;

/** Ways in which an input writes names of its own: the mapping beside a pinned source, the value. */
const form = "application/x-www-form-urlencoded";
const places: readonly {
  readonly place: string;
  readonly location: "query" | "cookie" | "field" | "header";
  readonly mapping: (pinned: Readonly<Record<string, ParameterSource>>) => Partial<RequestMapping>;
  readonly value: (name: string) => unknown;
}[] = [
  {
    place: "an exploded object in the query",
    location: "query",
    mapping: (pinned) => ({ query: { ...pinned, given: "given" } }),
    value: (name) => ({ other: 1, [name]: "mine" }),
  },
  {
    place: "an exploded object of another style",
    location: "query",
    mapping: (pinned) => ({
      query: { ...pinned, given: { from: "given", style: "pipeDelimited", explode: true } },
    }),
    value: (name) => ({ [name]: "mine" }),
  },
  {
    place: "a reserved character in a query value",
    location: "query",
    mapping: (pinned) => ({ query: { ...pinned, given: { from: "given", allowReserved: true } } }),
    value: (name) => `x;${name}%3Dmine;${name}`,
  },
  {
    place: "a whole query as text",
    location: "query",
    mapping: (pinned) => ({ query: pinned, querystring: { from: "given" } }),
    value: (name) => `a=1&${encodeURIComponent(name)}=mine`,
  },
  {
    place: "a whole query by fields",
    location: "query",
    mapping: (pinned) => ({ query: pinned, querystring: { from: "given" } }),
    value: (name) => ({ [name]: "mine" }),
  },
  {
    place: "an exploded object in cookies",
    location: "cookie",
    mapping: (pinned) => ({ cookies: { ...pinned, given: "given" } }),
    value: (name) => ({ [name]: "mine" }),
  },
  {
    place: "an exploded field of a form",
    location: "field",
    mapping: (pinned) => ({
      body: {
        contentType: form,
        fields: { ...pinned, given: "given" },
        encoding: { given: { explode: true } },
      },
    }),
    value: (name) => ({ [name]: "mine" }),
  },
  {
    place: "an exploded field of a multipart form",
    location: "field",
    mapping: (pinned) => ({
      body: {
        contentType: "multipart/form-data",
        fields: { ...pinned, given: "given" },
        encoding: { given: { style: "form" } },
      },
    }),
    value: (name) => ({ [name]: "mine" }),
  },
];

/** Spellings that some receiver takes for the same name. */
const spellings = ["pin", "PIN", "pin[]", "pin[0]", "pin[a][b]", " pin", "pin\u0000x"];

describe.each(places)("$place", ({ location, mapping, value }) => {
  test.each(Object.keys(sources))("does not send a %s again", (kind) => {
    for (const name of spellings) {
      const given = mapping({ pin: sources[kind] as ParameterSource });
      expect(problemsOf(given, value(name)), name).toEqual([expect.stringMatching(REFUSED)]);
    }
  });

  test.runIf(location !== "field")("does not send a credential again", () => {
    const schemes = { key: keyIn(location as "query") };
    for (const name of spellings)
      expect(problemsOf(mapping({}), value(name), schemes), name).toEqual([
        expect.stringMatching(REFUSED),
      ]);
  });

  test("sends other names", () => {
    for (const name of ["pins", "spin", "other", "p"])
      expect(problemsOf(mapping({ pin: { value: 1 } }), value(name)), name).toEqual([]);
  });
});

test("a constant object is pinned with its members", () => {
  const query = { all: { value: { pin: 1 } }, given: "given" };
  expect(problemsOf({ query }, { pin: 2 })).toEqual([expect.stringMatching(REFUSED)]);
});

test("nested names of deep objects are compared as they are sent", () => {
  const given = { from: "given", style: "deepObject" as const };
  const query = { "filter[kind]": { value: "dog" }, filter: given };
  expect(problemsOf({ query }, { kind: "cat" })).toEqual([expect.stringMatching(REFUSED)]);
  expect(problemsOf({ query }, { name: "Rex" })).toEqual([]);
});

describe("an undocumented field under the name of", () => {
  const bindWith = (pin: ParameterSource, value: unknown) => {
    const body = { contentType: "application/json", fields: { pin }, isOpen: true as const };
    const mapping = { method: "POST", path: "/", body };
    return bindRequest(mapping, { pin: value }, contextOf({ TENANT: "t1" }), ["pin"]);
  };
  test.each([["fixed"], [{ a: [1] }], [null]])("a constant is sent once if it is %j", (value) => {
    expect(bindWith({ value }, value)).toMatchObject({
      ok: true,
      request: { body: JSON.stringify({ pin: value }) },
    });
  });
  test.each<[string, ParameterSource, unknown]>([
    ["a constant of another value", { value: "fixed" }, "mine"],
    ["a constant of another type", { value: 1 }, "1"],
    ["a variable, even with its value,", { env: "TENANT" }, "t1"],
  ])("%s is refused", (_, source, value) => {
    const result = bindWith(source, value);
    expect(result.ok || result.problems[0]?.problem).toMatch(/^would send "pin" again/);
  });
});

describe("a declared input under the name of", () => {
  test.each([
    ["a credential in a header", { headers: { Pin: "given" } }, { key: keyIn("header") }],
    ["a credential in the query", { query: { pin: "given" } }, { key: keyIn("query") }],
    ["a credential in a cookie", { cookies: { pin: "given" } }, { key: keyIn("cookie") }],
    ["a fixed header in other case", { headers: { PIN: { value: 1 }, pin: "given" } }, {}],
    ["a variable in other case", { headers: { Pin: { env: "TENANT" }, pin: "given" } }, {}],
  ] as const)("%s is refused", (_, mapping, schemes) => {
    expect(problemsOf(mapping, "mine", schemes)).toEqual([expect.stringMatching(REFUSED)]);
  });

  test.each([
    ["a text", "fixed"],
    ["a variable", { env: "TENANT" }],
  ] as const)("a header of every request, %s, is refused", (_, value) => {
    const context = contextOf({ TENANT: "t1" });
    const mapping = { method: "POST", path: "/", headers: { "x-pin": "given" } };
    const api = { ...context.api, headers: { "X-Pin": value } };
    const result = bindRequest(mapping, { given: "mine" }, { ...context, api });
    expect(result.ok || result.problems[0]?.problem).toMatch(/^would send "x-pin" again/);
  });

  test.each([
    ["a credential of another location", { query: { pin: "given" } }, { key: keyIn("header") }],
    [
      "a credential of another operation",
      { query: { pin: "given" }, security: [] },
      { key: keyIn("query") },
    ],
    ["no other parameter", { query: { pin: "given" } }, {}],
  ] as const)("%s is sent", (_, mapping, schemes) => {
    expect(problemsOf(mapping, "mine", schemes)).toEqual([]);
  });
});
