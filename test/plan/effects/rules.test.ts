import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import type { Operation } from "../../../src/model/types.js";
import { classifyOperation } from "../../../src/plan/classify.js";
import { lossRules } from "../../../src/plan/effects/loss-rules.js";
import { phraseRules } from "../../../src/plan/effects/phrase-rules.js";
import { readObjections, readRules, safeObjections } from "../../../src/plan/effects/read-rules.js";
import type { ExampleParts, Rule, RuleExample } from "../../../src/plan/effects/rule.js";
import { verbRules } from "../../../src/plan/effects/verb-rules.js";
import { content, ok, operation, parameter } from "../fixtures.js";

/** `save?` is a boolean, `ids[]` a list, `type=a|b` has these values. */
function fieldOf(text: string): readonly [name: string, schema: JsonSchema] {
  const [name = "", values] = text.split("=");
  if (values !== undefined) return [name, { type: "string", enum: values.split("|") }];
  if (name.endsWith("?")) return [name.slice(0, -1), { type: "boolean" }];
  return name.endsWith("[]")
    ? [name.slice(0, -2), { type: "array", items: { type: "string" } }]
    : [name, { type: "string" }];
}

const fieldsOf = (text: string) => text.split(" ").filter(Boolean).map(fieldOf);

function bodySchema(text: string): JsonSchema {
  if (text === "[]") return { type: "array", items: { type: "string" } };
  return { type: "object", properties: Object.fromEntries(fieldsOf(text)) };
}

function answerOf(text = "200 name size") {
  const [status, first = "", ...rest] = text.split(" ");
  if (first === "") return ok(undefined, status);
  if (first.includes("/")) return ok({ type: "string" }, status, first);
  return ok(bodySchema([first, ...rest].join(" ")), status);
}

function exampleOperation([at, text, , parts = {}]: RuleExample): Operation {
  const { operationId, body, takes, query, answer }: ExampleParts = parts;
  const [summary = "", description = ""] = text.split("\n");
  const given: Partial<Operation> = {
    ...(summary !== "" && { summary }),
    ...(description !== "" && { description }),
    ...(operationId !== undefined && { operationId }),
    ...((body ?? takes) !== undefined && {
      body: { required: true, contents: [content(bodySchema(body ?? ""), takes)] },
    }),
    responses: [answerOf(answer)],
  };
  const made = operation(at, given);
  const inputs = fieldsOf(query ?? "").map(([name, schema]) =>
    parameter(`query ${name}`, { schema }),
  );
  return { ...made, parameters: [...made.parameters, ...inputs] };
}

function marksOf(example: RuleExample): string {
  const { effects } = classifyOperation(exampleOperation(example), {});
  const marks = [effects.isReadOnly && "R", effects.isDestructive && "D"];
  const shown = [...marks, effects.isRepeatable && "I"].map((mark) => mark || "-").join("");
  return shown + (effects.replacesAll ? "A" : "");
}

/** Marks of the rule's example without the rule. */
function marksWithout(rules: readonly Rule[], rule: Rule): string {
  const list = rules as Rule[];
  const index = list.indexOf(rule);
  list.splice(index, 1);
  try {
    return marksOf(rule.example);
  } finally {
    list.splice(index, 0, rule);
  }
}

const tables: Readonly<Record<string, readonly Rule[]>> = {
  verbs: verbRules,
  reads: readRules,
  objections: readObjections,
  "safe methods": safeObjections,
  losses: lossRules,
  ...phraseRules,
};

describe.each(Object.entries(tables))("rules about %s", (_, rules) => {
  it.each(rules.map((rule) => ({ id: rule.id, rule })))(
    "$id decides about its example",
    ({ rule }) => {
      expect(marksOf(rule.example)).toBe(rule.example[2]);
      expect(marksWithout(rules, rule)).not.toBe(rule.example[2]);
    },
  );
});

it("has one rule for each name", () => {
  const ids = Object.values(tables)
    .flat()
    .map(({ id }) => id);
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
});
