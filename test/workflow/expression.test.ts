import { describe, expect, test } from "vitest";
import {
  isExpression,
  matchDeclaredName,
  parseExpression,
  parseTemplate,
} from "../../src/workflow/expression.js";

const body = (of: "request" | "response", ...path: string[]): object => ({
  kind: "body",
  of,
  path,
});

/**
 * Arazzo 1.1.0, "Runtime Expressions": every production of the grammar, and the examples of the
 * following table.
 */
test.each([
  { given: "$url", want: { kind: "url" } },
  { given: "$method", want: { kind: "method" } },
  { given: "$statusCode", want: { kind: "statusCode" } },
  { given: "$self", want: { kind: "self" } },
  { given: "$request.header.accept", want: { kind: "header", of: "request", name: "accept" } },
  { given: "$request.path.id", want: { kind: "path", of: "request", name: "id" } },
  {
    given: "$request.query.filter[x].y",
    want: { kind: "query", of: "request", name: "filter[x].y" },
  },
  { given: "$request.body", want: body("request") },
  { given: "$request.body#/user/uuid", want: body("request", "user", "uuid") },
  { given: "$response.body#/status", want: body("response", "status") },
  { given: "$response.body#/items/0/id", want: body("response", "items", "0", "id") },
  { given: "$response.body#", want: body("response") },
  { given: "$response.body#/a~1b/c~0d", want: body("response", "a/b", "c~d") },
  { given: "$response.body#/a b/", want: body("response", "a b", "") },
  { given: "$response.body.count", want: body("response", "count") },
  { given: "$response.header.Server", want: { kind: "header", of: "response", name: "Server" } },
  {
    given: "$response.header.X-Rate#Limit",
    want: { kind: "header", of: "response", name: "X-Rate#Limit" },
  },
  { given: "$message.header.Server", want: { kind: "message" } },
  { given: "$message.payload#/status", want: { kind: "message" } },
  { given: "$inputs.username", want: { kind: "inputs", name: "username", path: [] } },
  { given: "$inputs.x-api-key", want: { kind: "inputs", name: "x-api-key", path: [] } },
  { given: "$inputs.customer#/uri", want: { kind: "inputs", name: "customer", path: ["uri"] } },
  { given: "$inputs", want: { kind: "inputs", name: "", path: [] } },
  { given: "$outputs.bar", want: { kind: "outputs", name: "bar", path: [] } },
  {
    given: "$steps.someStepId.outputs.pets",
    want: { kind: "steps", step: "someStepId", name: "pets", path: [] },
  },
  {
    given: "$steps.someStepId.outputs.pets#/0/id",
    want: { kind: "steps", step: "someStepId", name: "pets", path: ["0", "id"] },
  },
  { given: "$steps.some.outputs", want: { kind: "steps", step: "some", name: "", path: [] } },
  {
    given: "$workflows.foo.inputs.username",
    want: { kind: "workflows", workflow: "foo", field: "inputs", name: "username", path: [] },
  },
  {
    given: "$workflows.foo.outputs.mappedResponse#/name",
    want: {
      kind: "workflows",
      workflow: "foo",
      field: "outputs",
      name: "mappedResponse",
      path: ["name"],
    },
  },
  {
    given: "$workflows.foo.steps.bar.outputs.baz",
    want: { kind: "steps", workflow: "foo", step: "bar", name: "baz", path: [] },
  },
  {
    given: "$sourceDescriptions.petstore.getPetById",
    want: { kind: "source", source: "petstore", reference: "getPetById" },
  },
  {
    given: "$sourceDescriptions.petstore.url",
    want: { kind: "source", source: "petstore", reference: "url" },
  },
  {
    given: "$components.parameters.foo",
    want: { kind: "component", type: "parameters", name: "foo" },
  },
  {
    given: "$components.successActions.bar",
    want: { kind: "component", type: "successActions", name: "bar" },
  },
  {
    given: "$components.failureActions.my.org.baz",
    want: { kind: "component", type: "failureActions", name: "my.org.baz" },
  },
])("$given", ({ given, want }) => {
  expect(parseExpression(given)).toEqual({ ok: true, value: want });
});

test.each([
  { given: "statusCode", why: /not a runtime expression/ },
  { given: "$status", why: /not a runtime expression/ },
  { given: "$statusCode.x", why: /no parts/ },
  { given: "$url#/x", why: /no parts/ },
  { given: "$response", why: /header\. or body/ },
  { given: "$response.cookies.x", why: /header\. or body/ },
  { given: "$response.query.x", why: /only requests have one/ },
  { given: "$response.header.", why: /header\. or body/ },
  { given: "$response.header.a b", why: /invalid header name/ },
  { given: "$response.body#id", why: /start with/ },
  { given: "$response.body#/a~2", why: /only ~0 and ~1/ },
  { given: "$steps.foo", why: /\$steps\.<stepId>\.outputs/ },
  { given: "$workflows.foo.steps", why: /\$workflows/ },
  { given: "$inputs.", why: /has no name/ },
  { given: "$sourceDescriptions.petstore", why: /\$sourceDescriptions\.<name>/ },
  { given: "$components.schemas.Pet", why: /\$components\.parameters/ },
])("$given is refused", ({ given, why }) => {
  expect(parseExpression(given)).toEqual({
    ok: false,
    problem: expect.stringMatching(why) as string,
  });
});

/** Unambiguous deviations of official examples. */
test.each([
  {
    given: "$response.headers.Location",
    want: {
      kind: "header",
      of: "response",
      name: "Location",
      correction: "$response.header.Location",
    },
  },
  {
    given: "$request.headers.X-Id",
    want: { kind: "header", of: "request", name: "X-Id", correction: "$request.header.X-Id" },
  },
  {
    given: "$response.body[0].tags[1].id",
    want: {
      kind: "body",
      of: "response",
      path: ["0", "tags", "1", "id"],
      correction: "$response.body#/0/tags/1/id",
    },
  },
  {
    given: "$response.body.items[0].id",
    want: {
      kind: "body",
      of: "response",
      path: ["items", "0", "id"],
      correction: "$response.body#/items/0/id",
    },
  },
  {
    given: "$steps.foo.outputs.bar[0].a/b['c d']#/e",
    want: {
      kind: "steps",
      step: "foo",
      name: "bar",
      path: ["0", "a/b", "c d", "e"],
      correction: "$steps.foo.outputs.bar#/0/a~1b/c d/e",
    },
  },
  {
    given: "$inputs.items[10]",
    want: { kind: "inputs", name: "items", path: ["10"], correction: "$inputs.items#/10" },
  },
  { given: "$request.query.filter[0]", want: { kind: "query", of: "request", name: "filter[0]" } },
  {
    given: "$steps.foo.bar",
    want: {
      kind: "steps",
      step: "foo",
      name: "bar",
      path: [],
      correction: "$steps.foo.outputs.bar",
    },
  },
  {
    given: "$steps.foo.output.bar#/id",
    want: {
      kind: "steps",
      step: "foo",
      name: "bar",
      path: ["id"],
      correction: "$steps.foo.outputs.bar",
    },
  },
  {
    given: "$workflows.w.steps.foo.bar",
    want: {
      kind: "steps",
      workflow: "w",
      step: "foo",
      name: "bar",
      path: [],
      correction: "$workflows.w.steps.foo.outputs.bar",
    },
  },
])("$given is parsed with a correction", ({ given, want }) => {
  expect(parseExpression(given)).toEqual({ ok: true, value: want });
});

test.each([
  ["$inputs.a", true],
  ["$statusCode", true],
  ["$5.00", false],
  ["$faker.number", false],
  ["$statusCodes", false],
  ["a $inputs.b", false],
  ["$", false],
])("%s starts like an expression: %s", (given, want) => {
  expect(isExpression(given)).toBe(want);
});

const inputs = (name: string): object => ({ kind: "inputs", name, path: [] });

describe("texts with expressions in braces", () => {
  test.each([
    {
      given: "https://{$inputs.host}/api/{$steps.create.outputs.id}/status",
      want: [
        "https://",
        inputs("host"),
        "/api/",
        { kind: "steps", step: "create", name: "id", path: [] },
        "/status",
      ],
    },
    { given: "{$inputs.a}{$inputs.b}", want: [inputs("a"), inputs("b")] },
    { given: '{"a": {"b": 1}}', want: ['{"a": {"b": 1}}'] },
    { given: "^\\d{2}$", want: ["^\\d{2}$"] },
    { given: "", want: [] },
  ])("$given", ({ given, want }) => {
    expect(parseTemplate(given)).toEqual({ ok: true, value: want });
  });

  test.each([
    ["{$inputs.a", /no closing brace/],
    ["{$response.bodyy}", /must continue/],
  ])("%s is refused", (given, why) => {
    expect(parseTemplate(given)).toEqual({
      ok: false,
      problem: expect.stringMatching(why) as string,
    });
  });
});

test.each([
  { given: "env.token", names: ["env"], want: { name: "env", path: ["token"], known: true } },
  {
    given: "env.token",
    names: ["env", "env.token"],
    want: { name: "env.token", path: [], known: true },
  },
  { given: "a.0.b", names: ["a"], want: { name: "a", path: ["0", "b"], known: true } },
  { given: "a.b", names: [], want: { name: "a", path: ["b"], known: false } },
])("$given of $names", ({ given, names, want }) => {
  expect(matchDeclaredName(given, names)).toEqual(want);
});
