import { suggestionFor } from "../diagnostics/index.js";
import { formatPointer, splitPointer } from "../json-pointer.js";
import type { Expression } from "./types.js";

/** A parsed value, or a clause that describes the error and follows the quoted text. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

const roots = (
  "url method statusCode self request response message inputs outputs steps workflows " +
  "sourceDescriptions components"
).split(" ");
const commonRoots =
  "$url, $method, $statusCode, $request, $response, $inputs, $outputs, $steps or $workflows";
const root = new RegExp(`^\\$(${roots.join("|")})(?![A-Za-z0-9_-])`);

/** True for a text that starts like an expression. `$5.00` and `$faker` are plain text. */
export function isExpression(text: string): boolean {
  return root.test(text);
}

/**
 * Suggests a root for an almost correct expression: `; did you mean $response?` for
 * `$responses.body`. Empty without a close match.
 */
export function suggestExpression(text: string): string {
  const name = /^\$([A-Za-z]+)(?=[.#])/.exec(text)?.[1];
  return name === undefined || roots.includes(name)
    ? ""
    : suggestionFor(
        `$${name}`,
        roots.map((rootName) => `$${rootName}`),
      );
}

/**
 * Parses a runtime expression by the grammar of Arazzo 1.1, "Runtime Expressions".
 *
 * Common deviations are accepted: `#` without a pointer, dots that lead into a value
 * (`$response.body.count`), `$inputs` and `$steps.x.outputs` as a whole. An unambiguous misspelling
 * (`$response.headers.Location`) is parsed with a `correction`.
 */
export function parseExpression(text: string): Parsed<Expression> {
  const name = root.exec(text)?.[1];
  if (name === undefined)
    return failure(
      `is not a runtime expression${suggestExpression(text) || `; those start with ${commonRoots}`}`,
    );
  const hash = text.indexOf("#");
  const body = hash < 0 || hasFreeName(name, text) ? text : text.slice(0, hash);
  const pointer =
    body === text ? { ok: true as const, value: [] } : parseJsonPointer(text.slice(hash + 1));
  if (!pointer.ok) return pointer;
  const [, head, tail] = (hasFreeName(name, text) ? undefined : indexed.exec(body)) ?? [];
  if (head === undefined || tail === undefined)
    return parseByRoot(name, body.slice(name.length + 1), pointer.value);
  const parsed = parseByRoot(name, head.slice(name.length + 1), [
    ...indexSteps(tail),
    ...pointer.value,
  ]);
  return parsed.ok && "path" in parsed.value
    ? withCorrection(
        parsed,
        `${parsed.value.kind === "body" ? `$${name}.body` : head}#${formatPointer(parsed.value.path)}`,
      )
    : parsed;
}

/** `$steps.list.outputs.items[0].id`: index syntax of conditions, equivalent to a pointer. */
const indexed = /^([^[\]]*[^[\].])((?:\[(?:\d{1,9}|'[^'[\]]*')\](?:\.[^\s.[\]]+)*)+)$/s;

/** `[0].id` → `0`, `id`. */
const indexSteps = (tail: string): readonly string[] =>
  [...tail.matchAll(/\['?([^'[\]]*)'?\]|\.([^.[\]]+)/g)].map(
    ([, index, key]) => index ?? key ?? "",
  );

/** True for names of headers and parameters, which may contain `#`. */
function hasFreeName(name: string, text: string): boolean {
  return (
    (name === "request" || name === "response") && /^\$\w+\.(?:header|query|path)\./.test(text)
  );
}

function parseByRoot(name: string, rest: string, path: readonly string[]): Parsed<Expression> {
  switch (name) {
    case "url":
    case "method":
    case "statusCode":
    case "self":
      return rest === "" && path.length === 0
        ? success({ kind: name })
        : failure(`has characters after $${name}, which has no parts`);
    case "request":
    case "response":
      return parseMessage(name, rest, path);
    case "message":
      return success({ kind: "message" });
    case "inputs":
    case "outputs":
      return rest === "" || /^\.[^.]/.test(rest)
        ? success({ kind: name, name: rest.slice(1), path })
        : failure(`has no name; write $${name}.name`);
    case "steps":
      return parseStep(rest.slice(1), path);
    case "workflows":
      return parseWorkflow(rest.slice(1), path);
    default:
      return name === "sourceDescriptions" ? parseSource(rest, path) : parseComponent(rest);
  }
}

function parseMessage(
  of: "request" | "response",
  rest: string,
  path: readonly string[],
): Parsed<Expression> {
  const [, part, name = ""] = /^\.(header|query|path)\.(.+)$/s.exec(rest) ?? [];
  if (part === "header" && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
    return failure("has an invalid header name");
  if (part === "header") return success({ kind: part, of, name });
  if ((part === "query" || part === "path") && of === "request")
    return success({ kind: part, of, name });
  if (part !== undefined) return failure(`uses the ${part} of a response; only requests have one`);
  const dots = /^\.(?:body|payload)((?:\.[^.\s()[\]=!<>&|]+)*)$/.exec(rest)?.[1];
  const headers = /^\.headers\.(.+)$/s.exec(rest)?.[1];
  if (headers !== undefined)
    return withCorrection(parseMessage(of, `.header.${headers}`, path), `$${of}.header.${headers}`);
  if (dots === undefined && /^\.body\./.test(rest))
    return failure(
      `has ${JSON.stringify(rest.slice(6, 66))} where a field name is expected; write a ` +
        `pointer, as in $${of}.body#/items/0/name`,
    );
  if (dots === undefined) {
    const parts = of === "request" ? "header., query., path. or body" : "header. or body";
    const isPath = /^\.body[/[]/.test(rest);
    const hint = isPath ? `; write a pointer, as in $${of}.body#/items/0/id` : "";
    return failure(`must continue with ${parts}${hint}`);
  }
  return success({ kind: "body", of, path: [...dottedSteps(dots), ...path] });
}

function parseStep(rest: string, path: readonly string[], workflow?: string): Parsed<Expression> {
  const [, step, name] = /^(.+?)\.outputs(?:\.(.+))?$/s.exec(rest) ?? [];
  const [, id, output] =
    step === undefined ? (/^([\w-]+)\.(?:output\.)?(.+)$/s.exec(rest) ?? []) : [];
  const prefix = workflow === undefined ? "$steps" : `$workflows.${workflow}.steps`;
  if (id !== undefined && output !== undefined)
    return withCorrection(
      parseStep(`${id}.outputs.${output}`, path, workflow),
      `${prefix}.${id}.outputs.${output}`,
    );
  if (step === undefined) return failure(`must have the form ${prefix}.<stepId>.outputs.<name>`);
  return success({
    kind: "steps",
    step,
    name: name ?? "",
    path,
    ...(workflow !== undefined && { workflow }),
  });
}

function parseWorkflow(rest: string, path: readonly string[]): Parsed<Expression> {
  const [, inside, step] = /^([^.]+)\.steps\.(.+)$/s.exec(rest) ?? [];
  if (inside !== undefined && step !== undefined) return parseStep(step, path, inside);
  const [, workflow, field, name] = /^(.+?)\.(inputs|outputs)(?:\.(.+))?$/s.exec(rest) ?? [];
  if (workflow === undefined || (field !== "inputs" && field !== "outputs"))
    return failure("must have the form $workflows.<workflowId>.outputs.<name>");
  return success({ kind: "workflows", workflow, field, name: name ?? "", path });
}

function parseSource(rest: string, path: readonly string[]): Parsed<Expression> {
  const [, source, reference] = /^\.([^.#]+)\.(.+)$/s.exec(rest) ?? [];
  const [, workflow, field, name] = /^(.+?)\.(inputs|outputs)\.(.+)$/s.exec(reference ?? "") ?? [];
  if (
    source !== undefined &&
    workflow !== undefined &&
    name !== undefined &&
    (field === "inputs" || field === "outputs")
  )
    return withCorrection(
      success({ kind: "workflows", source, workflow, field, name, path }),
      `$workflows.${workflow}.${field}.${name}`,
    );
  return source === undefined || reference === undefined
    ? failure("must have the form $sourceDescriptions.<name>.<operationId>")
    : success({ kind: "source", source, reference });
}

function parseComponent(rest: string): Parsed<Expression> {
  const [, type, name] =
    /^\.(parameters|successActions|failureActions|inputs)\.([A-Za-z0-9._-]+)$/.exec(rest) ?? [];
  return type === undefined || name === undefined
    ? failure(
        "must have the form $components.parameters.<name>, $components.successActions.<name> " +
          "or $components.failureActions.<name>",
      )
    : success({ kind: "component", type, name });
}

/** The steps of a JSON pointer. RFC 6901. */
export function parseJsonPointer(text: string): Parsed<readonly string[]> {
  if (text === "") return success([]);
  if (!text.startsWith("/")) return failure("has a JSON pointer that does not start with /");
  if (/~(?![01])/.test(text))
    return failure("has a JSON pointer with an invalid escape; only ~0 and ~1 are valid");
  return success(splitPointer(text));
}

const dottedSteps = (dotted: string): readonly string[] =>
  dotted === "" ? [] : dotted.slice(1).split(".");

/**
 * Splits a dotted name into a declared name and a path into its value. Blanks in the names of
 * outputs have been replaced by underscores.
 */
export function matchDeclaredName(
  name: string,
  names: readonly string[],
): { readonly name: string; readonly path: readonly string[]; readonly known: boolean } {
  const parts = name.split(".");
  for (let length = parts.length; length > 0; length--) {
    const head = parts.slice(0, length).join(".");
    const declared = [head, head.trim().replaceAll(/\s+/g, "_")].find((one) => names.includes(one));
    if (declared !== undefined) return { name: declared, path: parts.slice(length), known: true };
  }
  return { name: parts[0] ?? "", path: parts.slice(1), known: false };
}

/** Adds the correct spelling of an unambiguous misspelling. */
function withCorrection(parsed: Parsed<Expression>, correction: string): Parsed<Expression> {
  return parsed.ok ? success({ ...parsed.value, correction }) : parsed;
}

function success<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

function failure(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}

/**
 * Parses a text with expressions in braces. Braces without a following `$` are text, as in JSON and
 * regular expressions. Arazzo 1.1, "Runtime Expressions", `expression-string`.
 */
export function parseTemplate(text: string): Parsed<readonly (string | Expression)[]> {
  const parts: (string | Expression)[] = [];
  let start = 0;
  for (let opening = text.indexOf("{$"); opening >= 0; opening = text.indexOf("{$", start)) {
    const closing = text.indexOf("}", opening);
    const source = text.slice(opening + 1, closing < 0 ? undefined : closing);
    const parsed =
      closing < 0
        ? ({ ok: false, problem: "has no closing brace" } as const)
        : parseExpression(source);
    if (!parsed.ok)
      return {
        ok: false,
        problem: `has ${JSON.stringify(source.slice(0, 60))}, which ${parsed.problem}`,
      };
    if (opening > start) parts.push(text.slice(start, opening));
    parts.push(parsed.value);
    start = closing + 1;
  }
  if (start < text.length) parts.push(text.slice(start));
  return { ok: true, value: parts };
}
