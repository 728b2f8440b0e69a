import { describe, expect, test } from "vitest";
import { documentOf, linkOf } from "./documents.js";

const step = (rest: object): object =>
  documentOf([{ workflowId: "w", steps: [{ stepId: "a", operationId: "getA", ...rest }] }]);
const old = { type: "jsonpath", version: "draft-goessner-dispatch-jsonpath-00" };
const body = (contentType: string, payload: unknown, ...replacements: readonly object[]): object =>
  step({ requestBody: { contentType, payload, replacements } });

/** Rejected documents, and deviations that are accepted with a warning. */
test.each([
  {
    what: "xpath of a condition",
    given: step({
      successCriteria: [{ context: "$response.body", condition: "/a", type: "xpath" }],
    }),
    want: [/^workflow-xpath .*\/successCriteria\/0\/type XPath is not supported/],
  },
  {
    what: "xpath of a version",
    given: step({
      successCriteria: [
        {
          context: "$response.body",
          condition: "/a",
          type: { type: "xpath", version: "xpath-10" },
        },
      ],
    }),
    want: [/^workflow-xpath .*\/successCriteria\/0\/type\/type /],
  },
  {
    what: "xpath of an action",
    given: step({
      onSuccess: [
        {
          name: "x",
          type: "end",
          criteria: [{ context: "$response.body", condition: "/a", type: "xpath" }],
        },
      ],
    }),
    want: [/^workflow-xpath .*\/onSuccess\/0\/criteria\/0\/type /],
  },
  {
    what: "xpath of an output",
    given: step({ outputs: { x: { context: "$response.body", selector: "/a", type: "xpath" } } }),
    want: [/^workflow-xpath .*\/outputs\/x\/type /],
  },
  {
    what: "xpath in a payload",
    given: body("application/json", {
      x: { context: "$inputs.q", selector: "//a", type: { type: "xpath", version: "xpath-30" } },
    }),
    want: [/^workflow-xpath .*\/payload\/x\/type\/type /],
  },
  {
    what: "xpath of a replacement",
    given: body("application/json", {}, { target: "/a", targetSelectorType: "xpath", value: 1 }),
    want: [/^workflow-xpath .*\/replacements\/0\/targetSelectorType /],
  },
  {
    what: "a replacement in XML, whose target is an XPath",
    given: body("application/soap+xml", "<a/>", { target: "/a", value: 1 }),
    want: [/^workflow-xpath .*\/replacements\/0\/target /],
  },
  {
    what: "a JSONPath of the draft",
    given: step({
      successCriteria: [{ context: "$response.body", condition: "$[?(@.name == 'x')]", type: old }],
    }),
    want: [
      /^workflow-jsonpath-version .*\/type\/version Queries of this draft are evaluated by RFC 9535/,
    ],
  },
  {
    what: "a JSONPath of the draft that is JavaScript",
    given: step({
      outputs: { x: { context: "$response.body", selector: "$.items[(@.length*2)]", type: old } },
    }),
    want: [
      /^workflow-jsonpath-version /,
      /^workflow-condition .*\/selector .* is not a JSONPath query/,
    ],
  },
  {
    what: "an expression inside a text",
    given: step({ parameters: [{ name: "A", in: "header", value: "Bearer $inputs.token" }] }),
    want: [
      /^workflow-expression-spelling .*\/parameters\/0\/value "\$inputs\.token" is inside a text without braces/,
    ],
  },
  {
    what: "an expression inside a JSON text",
    given: body("application/json", '{"a": "$steps.b.outputs.c", "d": "$5.00"}'),
    want: [/^workflow-expression-spelling .*\/payload "\$steps\.b\.outputs\.c" is inside/],
  },
  {
    what: "a string in double quotes",
    given: step({
      successCriteria: [{ condition: '$statusCode == 200 && $response.body.name == "it\'s"' }],
    }),
    want: [
      /^workflow-expression-spelling .*\/successCriteria\/0\/condition The condition is read as "\$statusCode == 200 && \$response\.body\.name == 'it''s'"\./,
    ],
  },
  {
    what: "expressions in braces in a condition",
    given: step({
      successCriteria: [{ condition: "{$statusCode} == 200 && $response.body.name == '{$url}'" }],
    }),
    want: [
      /^workflow-expression-spelling .* The condition is read as "\$statusCode == 200 && \$response\.body\.name == \$url"/,
    ],
  },
  {
    what: "a string without quotes",
    given: step({ successCriteria: [{ condition: "$response.body.name == Dogs" }] }),
    want: [/^workflow-expression-spelling .*is read as "\$response.body.name == 'Dogs'"/],
  },
  {
    what: "constants as outputs",
    given: step({ outputs: { a: 2, b: "Done", c: null } }),
    want: [
      /^workflow-expression-spelling .*\/a .* is 2, .* The output is always this value\./,
      /^workflow-expression-spelling .*\/b .* is "Done", .* The output is always this value\./,
      /^workflow-expression-spelling .*\/c .* is null, .* The output is always this value\./,
    ],
  },
  {
    what: "an output name with blanks",
    given: step({ outputs: { "pet name": "$response.body" } }),
    want: [/^workflow-expression-spelling .*"pet name" has blanks; it is read as "pet_name"/],
  },
  {
    what: "an unknown operator",
    given: step({ successCriteria: [{ condition: '$response.body.name contains "a"' }] }),
    want: [/^workflow-condition .*; write patterns as conditions of type regex, with a context/],
  },
  {
    what: "a filter in a simple condition",
    given: step({ successCriteria: [{ condition: "$response.body.a[?(@.b=='c')].d == null" }] }),
    want: [/^workflow-condition .*; write filters as conditions of type jsonpath, with a context/],
  },
  {
    what: "inline flags in a pattern",
    given: step({
      successCriteria: [{ context: "$response.body", condition: "(?i)ok", type: "regex" }],
    }),
    want: [/^workflow-condition .*is not a regular expression\./],
  },
  {
    what: "a condition instead of a value",
    given: step({ outputs: { x: "$response.body.count > 0" } }),
    want: [/^workflow-expression .*has "count > 0" where a field name is expected/],
  },
  {
    what: "a pointer without `#`",
    given: step({ outputs: { x: "$response.body/token" } }),
    want: [
      /^workflow-expression .*must continue with header\. or body; write a pointer, as in \$response\.body#\/items\/0\/id/,
    ],
  },
  {
    what: "a misspelled root of an expression",
    given: step({ outputs: { x: "$responses.body" } }),
    want: [
      /^workflow-expression .*"\$responses\.body", which is not a runtime expression; did you mean \$response\?/,
    ],
  },
  {
    what: "a value that resembles an expression",
    given: step({ parameters: [{ name: "q", in: "query", value: "$input.name" }] }),
    want: [
      /^workflow-expression-spelling .*"\$input\.name" is not a runtime expression and is sent as plain text; did you mean \$inputs\?/,
    ],
  },
  {
    what: "values with a dollar sign",
    given: step({
      parameters: [
        { name: "q", in: "query", value: "$5.00" },
        { name: "r", in: "query", value: "$faker.name" },
        { name: "s", in: "query", value: "$filter" },
      ],
    }),
    want: [],
  },
  {
    what: "a body as a parameter",
    given: step({ parameters: [{ name: "x", in: "body", value: {} }] }),
    want: [/^workflow-structure .*\/parameters\/0\/in A body is not a parameter\./],
  },
  {
    what: "a $schema key",
    given: { $schema: "https://spec.openapis.org/arazzo/1.0/schema/2025-10-15", ...step({}) },
    want: [],
  },
  {
    what: "an unknown JSONPath version",
    given: step({
      outputs: {
        x: { context: "$response.body", selector: "$.a", type: { type: "jsonpath", version: "2" } },
      },
    }),
    want: [/^workflow-structure .*\/type\/version "2" is not a version of jsonpath/],
  },
])("$what", ({ given, want }) => {
  expect(linkOf(given).found).toEqual(
    want.map((pattern) => expect.stringMatching(pattern) as string),
  );
});

describe("draft queries", () => {
  test.each([
    { given: "$.items[(@.length-1)].id", want: "$.items[-1].id" },
    { given: "$.a[(@.length - 2)].b[(@.length-1)]", want: "$.a[-2].b[-1]" },
    { given: "$..a", want: "$..a" },
  ])("$given", ({ given, want }) => {
    const { linking } = linkOf(
      step({ outputs: { x: { context: "$response.body", selector: given, type: old } } }),
    );
    expect(linking?.workflows[0]?.steps[0]?.outputs[0]?.value).toMatchObject({
      kind: "selector",
      selector: want,
    });
  });
});
