/** Code of values. */
import {
  toJsonPointer,
  isSingularQuery,
  type Expression,
  type TextTemplate,
  type Value,
} from "../../workflow/index.js";
import {
  type Code,
  joinCode,
  literal,
  newline,
  propertyKey,
  stringLiteral,
  ts,
} from "../code/index.js";
import type { RuntimeName } from "./scope.js";
import { splitPointer } from "../../json-pointer.js";
import { type EvaluationContext, expressionCode } from "./expression.js";

const LINE = 100;

/** The code of a value. */
export function valueCode(
  value: Value,
  context: EvaluationContext,
  indent: number,
  wrap?: RuntimeName,
): Code {
  switch (value.kind) {
    case "literal":
      return literal(value.value, indent);
    case "expression":
      return expressionCode(value.expression, context);
    case "template":
      return templateCode(value, context, wrap);
    case "list":
      return listCode(
        value.items.map((item) => valueCode(item, context, indent + 2, wrap)),
        indent,
      );
    case "record":
      return objectCode(
        value.entries.map(
          ([key, part]) => [key, valueCode(part, context, indent + 2, wrap)] as const,
        ),
        indent,
      );
    case "selector":
      return selectorCode(value, context);
    case "replaced":
      return replacedCode(value, context, indent);
  }
}

/**
 * The code of a template. A single value keeps its type where the text was part of a JSON document.
 */
export function templateCode(
  { parts, inJson }: TextTemplate,
  context: EvaluationContext,
  wrap?: RuntimeName,
): Code {
  const [only, ...more] = parts;
  if (inJson && more.length === 0 && only !== undefined && typeof only !== "string")
    return ts`${context.scope.runtime("embedInJson")}(${expressionCode(only, context)})`;
  const codes = parts.map((part) =>
    typeof part === "string"
      ? stringLiteral(part)
      : wrap === undefined
        ? expressionCode(part, context)
        : ts`${context.scope.runtime(wrap)}(${expressionCode(part, context)})`,
  );
  return ts`${context.scope.runtime("concatText")}(${joinCode(codes, ts`, `)})`;
}

function listCode(items: readonly Code[], indent: number): Code {
  const flat = ts`[${joinCode(items, ts`, `)}]`;
  if (flat.length + indent <= LINE && !flat.includes("\n")) return flat;
  const line = newline(indent + 2);
  return ts`[${line}${joinCode(items, ts`,${line}`)},${newline(indent)}]`;
}

/** An object literal, on one line when it is short. */
export function objectCode(
  entries: readonly (readonly [string, Code])[],
  indent: number,
  room = LINE - indent,
): Code {
  if (entries.length === 0) return ts`{}`;
  const members = entries.map(([key, code]) => ts`${propertyKey(key)}: ${code}`);
  const flat = ts`{ ${joinCode(members, ts`, `)} }`;
  if (flat.length <= room && !flat.includes("\n")) return flat;
  const line = newline(indent + 2);
  return ts`{${line}${joinCode(members, ts`,${line}`)},${newline(indent)}}`;
}

function selectorCode(
  { context: root, language, selector }: Extract<Value, { kind: "selector" }>,
  context: EvaluationContext,
): Code {
  const pointer = language === "jsonpointer" ? selector : toJsonPointer(selector);
  if (pointer !== undefined) return expressionCode(extendPath(root, pointer), context);
  const select = context.scope.runtime(isSingularQuery(selector) ? "selectOne" : "selectAll");
  return ts`${select}(${expressionCode(root, context)}, ${stringLiteral(selector)})`;
}

function replacedCode(
  { payload, replacements }: Extract<Value, { kind: "replaced" }>,
  context: EvaluationContext,
  indent: number,
): Code {
  return replacements.reduce(
    (document, { target, language, value }) => {
      const pointer = language === "jsonpointer" ? target : toJsonPointer(target);
      const code = valueCode(value, context, indent + 2);
      if (pointer !== undefined)
        return ts`${context.scope.runtime("applyReplacements")}(${document}, { ${stringLiteral(pointer)}: ${code} })`;
      const replace = context.scope.runtime("replaceSelected");
      return ts`${replace}(${document}, ${stringLiteral(target)}, ${code})`;
    },
    valueCode(payload, context, indent),
  );
}

/** Appends a pointer to the path of an expression. */
function extendPath(root: Expression, pointer: string): Expression {
  const steps = splitPointer(pointer);
  return "path" in root ? { ...root, path: [...root.path, ...steps] } : root;
}
