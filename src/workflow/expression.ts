import { didYouMean } from "../diagnostics/index.js";
import { pointerTo, stepsOf } from "../json.js";
import type { Expression } from "./types.js";

/** What was read, or why it could not be: a clause that follows the quoted text. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly why: string };

const roots = [
  "url",
  "method",
  "statusCode",
  "self",
  "request",
  "response",
  "message",
  "inputs",
  "outputs",
  "steps",
  "workflows",
  "sourceDescriptions",
  "components",
];
const root = new RegExp(`^\\$(${roots.join("|")})(?![A-Za-z0-9_-])`);

/** Whether a text is meant as an expression: `$5.00` and `$faker` are texts. */
export function looksLikeExpression(text: string): boolean {
  return root.test(text);
}

/** `; did you mean $response?` of `$responses.body`, which is none; `""` of what is none by far. */
export function nearlyExpression(text: string): string {
  const name = /^\$([A-Za-z]+)(?=[.#])/.exec(text)?.[1];
  return name === undefined || roots.includes(name)
    ? ""
    : didYouMean(
        `$${name}`,
        roots.map((one) => `$${one}`),
      );
}

/**
 * Reads a whole runtime expression by the grammar of Arazzo 1.1, "Runtime Expressions", and what
 * authors write besides it: `#` without a pointer, dots that lead into a value
 * (`$response.body.count`), `$inputs` and `$steps.x.outputs` as a whole. What is misspelled and can
 * mean one thing only (`$response.headers.Location`) says what it is taken for.
 */
export function parseExpression(text: string): Parsed<Expression> {
  const name = root.exec(text)?.[1];
  if (name === undefined)
    return wrong(
      `is no runtime expression${nearlyExpression(text) || "; these start with $url, $method, $statusCode, $request, $response, $inputs, $outputs, $steps or $workflows"}`,
    );
  const hash = text.indexOf("#");
  const body = hash < 0 || hasFreeName(name, text) ? text : text.slice(0, hash);
  const pointer =
    body === text ? { ok: true as const, value: [] } : parsePointer(text.slice(hash + 1));
  if (!pointer.ok) return pointer;
  const [, head, tail] = (hasFreeName(name, text) ? undefined : indexed.exec(body)) ?? [];
  if (head === undefined || tail === undefined)
    return byRoot(name, body.slice(name.length + 1), pointer.value);
  const parsed = byRoot(name, head.slice(name.length + 1), [...stepsIn(tail), ...pointer.value]);
  return parsed.ok && "path" in parsed.value
    ? meant(
        parsed,
        `${parsed.value.kind === "body" ? `$${name}.body` : head}#${pointerTo(parsed.value.path)}`,
      )
    : parsed;
}

/**
 * `$steps.list.outputs.items[0].id`: conditions have indexes, other expressions pointers; the
 * meaning is the same.
 */
const indexed = /^([^[\]]*[^[\].])((?:\[(?:\d{1,9}|'[^'[\]]*')\](?:\.[^\s.[\]]+)*)+)$/s;

/** `[0].id` → `0`, `id`. */
const stepsIn = (tail: string): readonly string[] =>
  [...tail.matchAll(/\['?([^'[\]]*)'?\]|\.([^.[\]]+)/g)].map(
    ([, index, key]) => index ?? key ?? "",
  );

/** Names of headers and parameters may hold a `#` of their own. */
function hasFreeName(name: string, text: string): boolean {
  return (
    (name === "request" || name === "response") && /^\$\w+\.(?:header|query|path)\./.test(text)
  );
}

function byRoot(name: string, rest: string, path: readonly string[]): Parsed<Expression> {
  switch (name) {
    case "url":
    case "method":
    case "statusCode":
    case "self":
      return rest === "" && path.length === 0
        ? value({ kind: name })
        : wrong(`has something behind $${name}, which has no parts`);
    case "request":
    case "response":
      return ofMessage(name, rest, path);
    case "message":
      return value({ kind: "message" });
    case "inputs":
    case "outputs":
      return rest === "" || /^\.[^.]/.test(rest)
        ? value({ kind: name, name: rest.slice(1), path })
        : wrong(`names no ${name.slice(0, -1)}, as in $${name}.name`);
    case "steps":
      return ofStep(rest.slice(1), path);
    case "workflows":
      return ofWorkflow(rest.slice(1), path);
    default:
      return name === "sourceDescriptions" ? ofSource(rest, path) : ofComponent(rest);
  }
}

function ofMessage(
  of: "request" | "response",
  rest: string,
  path: readonly string[],
): Parsed<Expression> {
  const [, part, name = ""] = /^\.(header|query|path)\.(.+)$/s.exec(rest) ?? [];
  if (part === "header" && !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name))
    return wrong("has a header name with a character that no header has");
  if (part === "header") return value({ kind: part, of, name });
  if ((part === "query" || part === "path") && of === "request")
    return value({ kind: part, of, name });
  if (part !== undefined) return wrong(`asks a response for its ${part}; only requests have one`);
  const dots = /^\.(?:body|payload)((?:\.[^.\s()[\]=!<>&|]+)*)$/.exec(rest)?.[1];
  const headers = /^\.headers\.(.+)$/s.exec(rest)?.[1];
  if (headers !== undefined)
    return meant(ofMessage(of, `.header.${headers}`, path), `$${of}.header.${headers}`);
  if (dots === undefined && /^\.body\./.test(rest))
    return wrong(
      `has ${JSON.stringify(rest.slice(6, 66))} where the name of a field should stand; fields of any name are reached by a pointer, as in $${of}.body#/items/0/name`,
    );
  if (dots === undefined)
    return wrong(
      `must go on with ${of === "request" ? "header., query., path. or body" : "header. or body"}${/^\.body[/[]/.test(rest) ? `; into a body leads a pointer, as in $${of}.body#/items/0/id` : ""}`,
    );
  return value({ kind: "body", of, path: [...steps(dots), ...path] });
}

function ofStep(rest: string, path: readonly string[], workflow?: string): Parsed<Expression> {
  const [, step, name] = /^(.+?)\.outputs(?:\.(.+))?$/s.exec(rest) ?? [];
  const [, id, output] =
    step === undefined ? (/^([\w-]+)\.(?:output\.)?(.+)$/s.exec(rest) ?? []) : [];
  const prefix = workflow === undefined ? "$steps" : `$workflows.${workflow}.steps`;
  if (id !== undefined && output !== undefined)
    return meant(
      ofStep(`${id}.outputs.${output}`, path, workflow),
      `${prefix}.${id}.outputs.${output}`,
    );
  if (step === undefined) return wrong(`must be of the form ${prefix}.<stepId>.outputs.<name>`);
  return value({
    kind: "steps",
    step,
    name: name ?? "",
    path,
    ...(workflow !== undefined && { workflow }),
  });
}

function ofWorkflow(rest: string, path: readonly string[]): Parsed<Expression> {
  const [, inside, step] = /^([^.]+)\.steps\.(.+)$/s.exec(rest) ?? [];
  if (inside !== undefined && step !== undefined) return ofStep(step, path, inside);
  const [, workflow, field, name] = /^(.+?)\.(inputs|outputs)(?:\.(.+))?$/s.exec(rest) ?? [];
  if (workflow === undefined || (field !== "inputs" && field !== "outputs"))
    return wrong("must be of the form $workflows.<workflowId>.outputs.<name>");
  return value({ kind: "workflows", workflow, field, name: name ?? "", path });
}

function ofSource(rest: string, path: readonly string[]): Parsed<Expression> {
  const [, source, reference] = /^\.([^.#]+)\.(.+)$/s.exec(rest) ?? [];
  const [, workflow, field, name] = /^(.+?)\.(inputs|outputs)\.(.+)$/s.exec(reference ?? "") ?? [];
  if (
    source !== undefined &&
    workflow !== undefined &&
    name !== undefined &&
    (field === "inputs" || field === "outputs")
  )
    return meant(
      value({ kind: "workflows", source, workflow, field, name, path }),
      `$workflows.${workflow}.${field}.${name}`,
    );
  return source === undefined || reference === undefined
    ? wrong("must be of the form $sourceDescriptions.<name>.<operationId>")
    : value({ kind: "source", source, reference });
}

function ofComponent(rest: string): Parsed<Expression> {
  const [, type, name] =
    /^\.(parameters|successActions|failureActions|inputs)\.([A-Za-z0-9._-]+)$/.exec(rest) ?? [];
  return type === undefined || name === undefined
    ? wrong(
        "must be of the form $components.parameters.<name>, $components.successActions.<name> or $components.failureActions.<name>",
      )
    : value({ kind: "component", type, name });
}

/** The steps of a JSON pointer. RFC 6901. */
export function parsePointer(text: string): Parsed<readonly string[]> {
  if (text === "") return value([]);
  if (!text.startsWith("/")) return wrong("has a JSON pointer that does not start with /");
  if (/~(?![01])/.test(text)) return wrong("has a JSON pointer with a ~ that is neither ~0 nor ~1");
  return value(stepsOf(text));
}

const steps = (dotted: string): readonly string[] =>
  dotted === "" ? [] : dotted.slice(1).split(".");

/** Which part of a dotted name is one that was declared; the rest leads into its value. */
export function declared(
  name: string,
  names: readonly string[],
): { readonly name: string; readonly path: readonly string[]; readonly known: boolean } {
  const parts = name.split(".");
  for (let length = parts.length; length > 0; length--) {
    const head = parts.slice(0, length).join(".");
    if (names.includes(head)) return { name: head, path: parts.slice(length), known: true };
  }
  return { name: parts[0] ?? "", path: parts.slice(1), known: false };
}

/** What is not of the form that the specification asks for, but can mean one thing only. */
function meant(parsed: Parsed<Expression>, spelled: string): Parsed<Expression> {
  return parsed.ok ? value({ ...parsed.value, meant: spelled }) : parsed;
}

function value<T>(found: T): Parsed<T> {
  return { ok: true, value: found };
}

function wrong(why: string): { readonly ok: false; readonly why: string } {
  return { ok: false, why };
}
