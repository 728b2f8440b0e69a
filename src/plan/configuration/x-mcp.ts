import { quoteText } from "../../diagnostics/text.js";
import {
  type DiagnosticCode,
  suggestionFor,
  type SourceLocation,
} from "../../diagnostics/index.js";
import type { ToolConfig } from "../../configuration/types.js";
import { isObject } from "../../json.js";
import type { Operation } from "../../model/types.js";
import { DiagnosticCollector } from "../diagnostics.js";
import { inputRules, keptInputs } from "./input-rules.js";
import type { Rule } from "./rules.js";
import { formatPointer } from "../../json-pointer.js";
import { removeComments } from "../text/markdown.js";

/** Longest wait for work, in seconds, as in `mcp-gen.schema.json`. */
const MAX_WAIT = 3600;

/** Expected form of a value. */
type Shape =
  | "text"
  | "flag"
  | "count"
  | "seconds"
  | "any"
  | "true"
  | "texts"
  | "list"
  | "flag or texts"
  | "text or texts"
  | { readonly keys: Readonly<Record<string, Shape>>; readonly orFalse?: true }
  | { readonly each: Shape; readonly lists?: readonly string[] };

/** Without `env`: a document must not choose which variables of a machine are sent. */
const INPUT: Shape = {
  keys: {
    name: "text",
    description: "text",
    default: "any",
    examples: "list",
    fixed: "any",
    hide: "true",
    required: "flag",
    resolve: {
      keys: { via: "text", match: "text or texts", url: "text or texts" },
      orFalse: true,
    },
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
    notFor: "text",
    examples: "list",
    keywords: "texts",
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
    inputs: { each: INPUT, lists: ["only"] },
    output: {
      keys: {
        pick: "texts",
        drop: "texts",
        rename: { each: "text" },
        fields: "flag or texts",
        allowUndocumented: "flag",
      },
    },
    pagination: { keys: { maxItems: "count" } },
    followPages: "flag",
    includeLists: "flag",
    lookUpNames: "flag",
    bulk: "flag",
    job: {
      keys: {
        state: "text",
        done: "list",
        failed: "list",
        id: "text",
        follow: "text",
        wait: "seconds",
      },
      orFalse: true,
    },
    errors: { each: "text" },
  },
};

/**
 * Reads the rule in an operation's `x-mcp` (or that of its path). Problems are warnings, and all
 * other keys apply, because the document may be a third party's.
 */
export function readXMcp(operation: Operation, diagnostics: DiagnosticCollector): Rule | undefined {
  if (!isObject(operation.xMcp)) return undefined;
  const pointer = `${operation.location.pointer}/x-mcp`;
  const report = (path: string, message: string): void =>
    diagnostics.add("config-x-mcp", `${message}; it is not used.`, {
      ...operation.location,
      pointer: pointer + path,
    });
  const {
    include: _include,
    enabled: _enabled,
    name,
    ...rule
  } = validEntries(operation.xMcp, XMCP, "", report) as XMcp;
  const isValidName = name !== undefined && /^[a-z][a-z0-9_]{0,47}$/.test(name);
  const only = keptInputs(rule);
  const inputs = inputRules(rule).filter(
    ([key, { name: to }]) =>
      to === undefined ||
      /^[a-zA-Z0-9_]{1,64}$/.test(to) ||
      report(`/inputs/${key}/name`, `The name ${quoteText(to)} is not a valid name for an input`),
  );
  if (name !== undefined && !isValidName)
    report(
      "/name",
      `The name ${quoteText(name)} is not a valid name for a tool ` +
        "(lower-case letters, digits and underscores, up to 48)",
    );
  const locationOf = (...path: readonly (string | number)[]): SourceLocation => ({
    ...operation.location,
    pointer: pointer + formatPointer(path),
  });
  if (rule.annotations?.readOnlyHint && isWriteMethod(operation.method))
    report(
      "/annotations/readOnlyHint",
      `A ${operation.method} changes something, whatever a document says. mcp-gen.yaml can say that it reads`,
    );
  return {
    ...(isValidName && { name }),
    config: {
      ...rule,
      ...(rule.annotations && { annotations: ownAnnotations(rule.annotations, operation) }),
      ...(rule.inputs && { inputs: { ...Object.fromEntries(inputs), ...(only && { only }) } }),
    },
    selector: "operation",
    operations: [operation],
    locationOf,
    source: "x-mcp",
  };
}

/** Methods whose requests change something. RFC 9110, section 9.2.1, and RFC 5789. */
const isWriteMethod = (method: string): boolean => /^(?:PUT|PATCH|DELETE)$/i.test(method);

/**
 * Annotations that a document may give an operation: it must not say that a write only reads,
 * because approvals, dry runs and read-only servers concern writes.
 */
function ownAnnotations(
  { readOnlyHint, ...others }: NonNullable<ToolConfig["annotations"]>,
  { method }: Operation,
): NonNullable<ToolConfig["annotations"]> {
  const isRefused = readOnlyHint === undefined || (readOnlyHint && isWriteMethod(method));
  return isRefused ? others : { ...others, readOnlyHint };
}

/**
 * Collector that turns errors in rules of a document into warnings, because users can rarely fix a
 * third party's document.
 */
export class DocumentDiagnostics extends DiagnosticCollector {
  constructor(private readonly all: DiagnosticCollector) {
    super();
  }

  override add(
    _code: DiagnosticCode,
    message: string,
    location?: SourceLocation,
    hint?: string,
  ): void {
    this.all.add("config-x-mcp", message, location, hint);
  }
}

/** Valid part of `x-mcp`. */
type XMcp = ToolConfig & { readonly name?: string; readonly enabled?: boolean };

type ReportProblem = (path: string, message: string) => void;

/** Keeps the entries of a value that have the expected form. */
function validEntries(given: unknown, shape: Shape, path: string, report: ReportProblem): unknown {
  const value = shape === "text" || shape === "texts" ? withoutComments(given) : given;
  if (typeof shape === "string") {
    if (matchesShape(value, shape)) return value;
    report(path, `${quoteText(path.slice(1))} of \`x-mcp\` must be ${EXPECTED[shape]}`);
    return undefined;
  }
  if (value === false && "orFalse" in shape) return value;
  if (!isObject(value))
    return report(path, `${quoteText(path.slice(1))} of \`x-mcp\` must be an object`);
  const entries = Object.entries(value).flatMap(([key, one]) => {
    const inner = innerShape(shape, key, one);
    if (inner === undefined) {
      const suggestion = "keys" in shape ? suggestionFor(key, Object.keys(shape.keys)) : "";
      report(
        `${path}/${key}`,
        `${quoteText(key)} is not a key of \`x-mcp\`${suggestion.replace("?", "")}`,
      );
    }
    const entry =
      inner === undefined || key === "__proto__"
        ? undefined
        : validEntries(one, inner, `${path}/${key}`, report);
    return entry === undefined ? [] : [[key, entry] as const];
  });
  return Object.fromEntries(entries);
}

/** Expected form of a member; undefined for an unknown key. */
function innerShape(shape: Exclude<Shape, string>, key: string, value: unknown): Shape | undefined {
  if ("keys" in shape) return Object.hasOwn(shape.keys, key) ? shape.keys[key] : undefined;
  return shape.lists?.includes(key) && Array.isArray(value) ? "texts" : shape.each;
}

/** Removes HTML comments from a text, or from the texts of a list. */
function withoutComments(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutComments);
  return typeof value === "string" ? removeComments(value) : value;
}

const EXPECTED: Readonly<Record<Extract<Shape, string>, string>> = {
  text: "a string",
  flag: "true or false",
  count: "an integer above 0",
  seconds: `an integer from 0 to ${MAX_WAIT}`,
  any: "a value",
  true: "true",
  texts: "a list of strings",
  list: "a list",
  "text or texts": "a string or a list of strings",
  "flag or texts": "true, false or a list of strings",
};

function matchesShape(value: unknown, shape: Extract<Shape, string>): boolean {
  switch (shape) {
    case "text":
      return typeof value === "string" && value.trim() !== "";
    case "flag":
      return typeof value === "boolean";
    case "count":
      return Number.isInteger(value) && (value as number) > 0;
    case "seconds":
      return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_WAIT;
    case "any":
      return value !== undefined;
    case "true":
      return value === true;
    case "texts":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    case "text or texts":
      return matchesShape(value, "text") || matchesShape(value, "texts");
    case "flag or texts":
      return typeof value === "boolean" || matchesShape(value, "texts");
    case "list":
      return Array.isArray(value);
  }
}
