import { expect, test } from "vitest";
import { parseCondition } from "../../src/workflow/condition.js";
import type { Condition, Expression } from "../../src/workflow/types.js";

/** Formats a condition on one line, with parentheses around every operation. */
function formatCondition(condition: Condition): string {
  switch (condition.kind) {
    case "literal":
      return JSON.stringify(condition.value);
    case "value":
      return name(condition.expression);
    case "not":
      return `(! ${formatCondition(condition.of)})`;
    case "compare":
      return `(${formatCondition(condition.left)} ${condition.operator} ${formatCondition(condition.right)})`;
    default:
      return `(${formatCondition(condition.left)} ${condition.kind} ${formatCondition(condition.right)})`;
  }
}

function name(expression: Expression): string {
  const path = "path" in expression ? expression.path.map((step) => `/${step}`).join("") : "";
  return `${expression.kind}${"name" in expression ? `:${expression.name}` : ""}${path}`;
}

/** Arazzo 1.1.0, "Criterion Object": literals, operators, and the conditions of its examples. */
test.each([
  { given: "$statusCode == 200", want: "(statusCode == 200)" },
  { given: "$statusCode==200", want: "(statusCode == 200)" },
  { given: "  $statusCode   !=\t404 ", want: "(statusCode != 404)" },
  { given: "$response.body.count > $inputs.threshold", want: "(body/count > inputs:threshold)" },
  {
    given: "$statusCode == 200 && $response.body.data != null",
    want: "((statusCode == 200) and (body/data != null))",
  },
  { given: "$response.body#/0 == null", want: "(body/0 == null)" },
  { given: "$workflows.child.outputs.userId > 0", want: "(workflows:userId > 0)" },
  { given: "$inputs.a < 1", want: "(inputs:a < 1)" },
  { given: "$inputs.a <= 1.5", want: "(inputs:a <= 1.5)" },
  { given: "$inputs.a >= -1e3", want: "(inputs:a >= -1000)" },
  { given: "$inputs.ok == true", want: "(inputs:ok == true)" },
  { given: "$inputs.ok == false", want: "(inputs:ok == false)" },
  { given: "true", want: "true" },
  { given: "null == null", want: "(null == null)" },
  { given: "$inputs.name == 'it''s'", want: '(inputs:name == "it\'s")' },
  { given: "$inputs.name == ''", want: '(inputs:name == "")' },
  { given: "$inputs.name == '$inputs.x && 1'", want: '(inputs:name == "$inputs.x && 1")' },
  { given: "!$inputs.ok", want: "(! inputs:ok)" },
  { given: "!!$inputs.ok", want: "(! (! inputs:ok))" },
  { given: "!($inputs.a == 1)", want: "(! (inputs:a == 1))" },
  {
    given: "$inputs.a == 1 || $inputs.b == 2 && $inputs.c == 3",
    want: "((inputs:a == 1) or ((inputs:b == 2) and (inputs:c == 3)))",
  },
  {
    given: "($inputs.a == 1 || $inputs.b == 2) && $inputs.c == 3",
    want: "(((inputs:a == 1) or (inputs:b == 2)) and (inputs:c == 3))",
  },
  { given: "$inputs.a || $inputs.b || $inputs.c", want: "((inputs:a or inputs:b) or inputs:c)" },
  { given: "$inputs.a < $inputs.b == true", want: "((inputs:a < inputs:b) == true)" },
  { given: "!$inputs.a && $inputs.b", want: "((! inputs:a) and inputs:b)" },
  { given: "$response.body[0]", want: "body/0" },
  { given: "$response.body#/items[2].name == 'x'", want: '(body/items/2/name == "x")' },
  { given: "$response.body.items[0][1].a.b == 1", want: "(body/items/0/1/a/b == 1)" },
  {
    given: "$response.header.X-Powered-By == 'Express'",
    want: '(header:X-Powered-By == "Express")',
  },
  { given: "($statusCode)", want: "statusCode" },
  {
    given: "($statusCode == 200)&&($statusCode<300)",
    want: "((statusCode == 200) and (statusCode < 300))",
  },
  { given: "200 == $statusCode", want: "(200 == statusCode)" },
])("$given", ({ given, want }) => {
  const parsed = parseCondition(given);
  expect(parsed.ok ? formatCondition(parsed.value) : parsed.problem).toBe(want);
});

test.each([
  { given: "", why: /is empty/ },
  { given: "   ", why: /is empty/ },
  { given: "$statusCode =", why: /write equality as ==/ },
  { given: "$statusCode = 200", why: /write equality as ==/ },
  { given: "$statusCode == ", why: /ends where a value/ },
  { given: "== 200", why: /where a value is expected/ },
  { given: "$statusCode 200", why: /an operator or the end is expected/ },
  { given: "($statusCode == 200", why: /not closed/ },
  { given: "$statusCode == 200)", why: /the end is expected/ },
  { given: '$inputs.a == "x"', why: /single quotes/ },
  { given: "$inputs.a == 'x", why: /quote is not closed/ },
  { given: "$inputs.a == x", why: /syntax error/ },
  { given: "$inputs.a === 1", why: /write equality as ==/ },
  { given: "$inputs.a & $inputs.b", why: /syntax error/ },
  { given: "$status == 1", why: /not a runtime expression/ },
  { given: "$statusCode[0] == 1", why: /is not an array/ },
  { given: "01 == 1", why: /syntax error/ },
  { given: "!", why: /ends where a value/ },
  { given: `${"(".repeat(80)}1${")".repeat(80)}`, why: /nested more than/ },
  { given: "!".repeat(4001), why: /longer than/ },
])("$given is refused", ({ given, why }) => {
  const parsed = parseCondition(given);
  expect(parsed.ok ? "" : parsed.problem).toMatch(why);
});
