import { expect, test } from "vitest";
import { bindRequest } from "../../../src/runtime/request/bind-request.js";
import { compile } from "../../../src/runtime/schema/compile.js";
import { api, content, operation, parameter } from "../fixtures.js";
import { plan } from "../../../src/plan/index.js";

const other = operation("GET /others", { operationId: "listOthers" });

function constant(at: string, value: unknown, rest: object = {}): ReturnType<typeof operation> {
  const path = at.startsWith("path") ? "/pets/{pin}" : "/pets";
  const only = parameter(at, { required: true, schema: { const: value as string }, ...rest });
  return operation(`GET ${path}`, { operationId: "listPets", parameters: [only] });
}

const form = (value: string): ReturnType<typeof operation> =>
  operation("POST /pets", {
    operationId: "listPets",
    body: {
      required: true,
      contents: [
        content(
          { type: "object", properties: { pin: { const: value } }, required: ["pin"] },
          "application/x-www-form-urlencoded",
        ),
      ],
    },
  });

/** Constants in each place of a request: those that cannot be sent cost their tool. */
test.each([
  ["a header with a line break", constant("header pin", "a\r\nX: 1"), false],
  ["a header with a null byte", constant("header pin", "a\u0000"), false],
  ["a header beyond Latin-1", constant("header pin", "日本"), false],
  ["a header that starts with a blank", constant("header pin", " a"), false],
  ["a header that ends with a tab", constant("header pin", "a\t"), false],
  ["a header with a list", constant("header pin", ["a", "b\n"]), false],
  ["a header with half a surrogate pair", constant("header pin", "\ud800"), false],
  ["a header in Latin-1", constant("header pin", "é"), true],
  ["a header with a blank inside", constant("header pin", "a b"), true],
  ["a cookie with a semicolon", constant("cookie pin", "a;b"), true],
  [
    "an unencoded cookie with a semicolon",
    constant("cookie pin", "a;b", { style: "cookie" }),
    false,
  ],
  ["an unencoded cookie beyond ASCII", constant("cookie pin", "é", { style: "cookie" }), false],
  ["a path of dots", constant("path pin", ".."), false],
  ["a path of one dot", constant("path pin", "."), false],
  ["an empty path", constant("path pin", ""), false],
  ["a path with a slash", constant("path pin", "a/b"), true],
  ["a query with half a surrogate pair", constant("query pin", "a\udfff"), false],
  ["a query with a line break", constant("query pin", "a\nb"), true],
  ["a form field with half a surrogate pair", form("\ud800"), false],
  ["a form field with a line break", form("a\nb"), true],
])("%s", (_, given, isSent) => {
  const { tools, omitted, diagnostics } = plan(api([given, other]));
  const tool = tools.find(({ definition }) => definition.name !== "list_others");
  const findings = diagnostics.filter(({ code }) => code === "plan-constant-unsendable");
  expect([tools.length, findings.length, omitted.length]).toEqual(isSent ? [2, 0, 0] : [1, 1, 1]);
  if (!isSent) expect(findings[0]?.message).toMatch(/^The fixed value of "pin" .*is left out\.$/);
  if (!tool) return;
  const { api: definition } = plan(api([given, other]));
  const [mapping] = tool.definition.operations;
  expect(bindRequest(mapping!.request, {}, { api: definition, env: {} }).ok).toBe(true);
});

const choice = (values: readonly unknown[]): object => ({
  schema: { type: "string", enum: values },
});
const choices = (values: readonly unknown[]): object => ({
  schema: { type: "array", items: { type: "string", enum: values } },
});
const alternatives = (values: readonly unknown[]): object => ({
  schema: { oneOf: values.map((value) => ({ const: value })) },
});
const named = (values: readonly unknown[]): object => ({
  schema: { allOf: [{ $ref: "#/$defs/Choice" }], default: values.at(-1) },
});

/** Enums in each place of a request: values that cannot be sent are left out, each with a warning. */
test.each([
  ["header pin", choice, ["a", " b", "c\t"], ["a"]],
  ["header pin", choice, ["a b", "é", "日", "x\r\ny", "\u0000"], ["a b", "é"]],
  ["header pin", choices, ["a", " b"], ["a"]],
  ["header pin", alternatives, ["a", "b ", "\ud800"], ["a"]],
  ["header pin", named, ["a", "c", "b "], ["a", "c"]],
  ["cookie pin", choice, ["a;b", "c d", "\ud800"], ["a;b", "c d"]],
  ["path pin", choice, ["a/b", ".", "..", "", "c"], ["a/b", "c"]],
  ["query pin", choice, ["a&b", " ", "\udfff", "日"], ["a&b", " ", "日"]],
])("%s, %o of %j", (at, create, values, want) => {
  for (const required of [true, false]) {
    const schemas = { Choice: { type: "string", enum: values } };
    const only = parameter(at, { required: required || at.startsWith("path"), ...create(values) });
    const path = at.startsWith("path") ? "/pets/{pin}" : "/pets";
    const given = operation(`GET ${path}`, { operationId: "listPets", parameters: [only] });
    const { tools, diagnostics, api: definition } = plan(api([given], { schemas }));
    const found = diagnostics.filter(({ code }) => code === "plan-value-unsendable");
    expect(found.map(({ location }) => location?.pointer)).toEqual(
      values.filter((value) => !want.includes(value)).map(() => "#/parameters/pin"),
    );
    const [tool] = tools;
    const { inputSchema, operations } = tool!.definition;
    const { request } = operations[0]!;
    const isAccepted = (value: string): boolean => {
      const input = { pin: create === choices ? [value] : value };
      const isValid = compile(inputSchema)(input).length === 0;
      if (isValid) expect(bindRequest(request, input, { api: definition, env: {} }).ok).toBe(true);
      return isValid;
    };
    if (request.headers?.["pin"] instanceof Object && "value" in request.headers["pin"])
      expect([request.headers["pin"].value]).toEqual(want);
    else expect(values.filter(isAccepted)).toEqual(want);
  }
});

/** Without a value that can be sent, an optional parameter is left out, and a required one costs its tool. */
test.each([
  [false, 1],
  [true, 0],
])("an enum of which nothing can be sent, required: %j", (required, count) => {
  const only = parameter("header pin", { required, ...choice([" b"]) });
  const given = operation("GET /pets", { operationId: "listPets", parameters: [only] });
  const { tools } = plan(api([given, other]));
  const found = tools.filter(({ definition }) => definition.name !== "list_others");
  expect(found.length).toBe(count);
  for (const { definition } of found) expect(definition.inputSchema["properties"]).toEqual({});
});
