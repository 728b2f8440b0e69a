import { quoteText } from "../../diagnostics/clean.js";
import { type DiagnosticCode, didYouMean, type Place } from "../../diagnostics/index.js";
import type { ToolRule } from "../../curation/types.js";
import { isObject, pointerTo } from "../../json.js";
import type { Operation } from "../../model/types.js";
import { Findings } from "../findings.js";
import type { Rule } from "./rules.js";

/** What a value must be. */
type Shape =
  | "text"
  | "flag"
  | "count"
  | "any"
  | "true"
  | "texts"
  | "list"
  | { readonly keys: Readonly<Record<string, Shape>> }
  | { readonly each: Shape };

/** Not `env`: a document must not choose which variables of a machine are sent. */
const INPUT: Shape = {
  keys: {
    name: "text",
    description: "text",
    default: "any",
    examples: "list",
    fixed: "any",
    hide: "true",
    required: "flag",
    resolve: { keys: { via: "text", match: "text" } },
  },
};
const XMCP: Shape = {
  keys: {
    include: "flag",
    enabled: "flag",
    name: "text",
    title: "text",
    description: "text",
    useWhen: "text",
    toolset: "text",
    timeoutMs: "count",
    annotations: {
      keys: {
        readOnlyHint: "flag",
        destructiveHint: "flag",
        idempotentHint: "flag",
        openWorldHint: "flag",
      },
    },
    inputs: { each: INPUT },
    output: { keys: { pick: "texts", drop: "texts" } },
    pagination: { keys: { maxItems: "count" } },
    errors: { each: "text" },
  },
};

/**
 * The rule in an operation's `x-mcp` (or that of its path). The document is not ours: what is not
 * understood is a warning, and the rest counts.
 */
export function readXMcp(operation: Operation, findings: Findings): Rule | undefined {
  if (!isObject(operation.xMcp)) return undefined;
  const pointer = `${operation.place.pointer}/x-mcp`;
  const complain = (path: string, message: string): void =>
    findings.add("curation-x-mcp", `${message}; it is not used.`, {
      ...operation.place,
      pointer: pointer + path,
    });
  const {
    include: _include,
    enabled: _enabled,
    name,
    ...rule
  } = usable(operation.xMcp, XMCP, "", complain) as Usable;
  const legal = name !== undefined && /^[a-z][a-z0-9_]{0,47}$/.test(name);
  const inputs = Object.entries(rule.inputs ?? {}).filter(
    ([key, { name: to }]) =>
      to === undefined ||
      /^[a-zA-Z0-9_]{1,64}$/.test(to) ||
      complain(`/inputs/${key}/name`, `The name ${quoteText(to)} is no name for an input`),
  );
  if (name !== undefined && !legal)
    complain(
      "/name",
      `The name ${quoteText(name)} is no name for a tool (lower-case letters, digits and underscores, up to 48)`,
    );
  const placeOf = (...path: readonly (string | number)[]): Place => ({
    ...operation.place,
    pointer: pointer + pointerTo(path),
  });
  return {
    ...(legal && { name }),
    rule: { ...rule, ...(rule.inputs && { inputs: Object.fromEntries(inputs) }) },
    by: "operation",
    operations: [operation],
    placeOf,
    source: "x-mcp",
  };
}

/**
 * Takes what rules of a document get wrong as warnings: its reader can hardly mend it, and the rest
 * of it is good.
 */
export class DocumentFindings extends Findings {
  constructor(private readonly all: Findings) {
    super();
  }

  override add(_code: DiagnosticCode, message: string, place?: Place, hint?: string): void {
    this.all.add("curation-x-mcp", message, place, hint);
  }
}

/** What is left of `x-mcp` when it has the right shape. */
type Usable = ToolRule & { readonly name?: string; readonly enabled?: boolean };

type Complain = (path: string, message: string) => void;

/** The parts of a value that have the right shape. */
function usable(value: unknown, shape: Shape, path: string, complain: Complain): unknown {
  if (typeof shape === "string") {
    if (fitsShape(value, shape)) return value;
    complain(path, `${quoteText(path.slice(1))} of \`x-mcp\` must be ${WANTED[shape]}`);
    return undefined;
  }
  if (!isObject(value))
    return complain(path, `${quoteText(path.slice(1))} of \`x-mcp\` must be an object`);
  const entries = Object.entries(value).flatMap(([key, one]) => {
    const inner =
      "each" in shape ? shape.each : Object.hasOwn(shape.keys, key) ? shape.keys[key] : undefined;
    if (inner === undefined)
      complain(
        `${path}/${key}`,
        `${quoteText(key)} is no key of \`x-mcp\`${"keys" in shape ? didYouMean(key, Object.keys(shape.keys)).replace("?", "") : ""}`,
      );
    const read =
      inner === undefined || key === "__proto__"
        ? undefined
        : usable(one, inner, `${path}/${key}`, complain);
    return read === undefined ? [] : [[key, read] as const];
  });
  return Object.fromEntries(entries);
}

const WANTED: Readonly<Record<Extract<Shape, string>, string>> = {
  text: "a text",
  flag: "true or false",
  count: "a whole number above 0",
  any: "a value",
  true: "true",
  texts: "a list of texts",
  list: "a list",
};

function fitsShape(value: unknown, shape: Extract<Shape, string>): boolean {
  switch (shape) {
    case "text":
      return typeof value === "string" && value.trim() !== "";
    case "flag":
      return typeof value === "boolean";
    case "count":
      return Number.isInteger(value) && (value as number) > 0;
    case "any":
      return value !== undefined;
    case "true":
      return value === true;
    case "texts":
      return Array.isArray(value) && value.every((one) => typeof one === "string");
    case "list":
      return Array.isArray(value);
  }
}
