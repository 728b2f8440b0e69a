import type { InputProblem } from "./bind/types.js";
import type { RequestBinding, SendBinding, ToolDefinition, Wire } from "./types.js";
import type { Input } from "./validate.js";

export type Chosen =
  | { readonly ok: true; readonly request: RequestBinding }
  | { readonly ok: false; readonly problems: readonly InputProblem[] };

/**
 * Picks the request that serves this input: the first whose `given` inputs are all there and which
 * has a use for everything else that was given. Inputs that do not go together are an error that
 * says which do.
 */
export function chooseRequest(tool: ToolDefinition, input: Input): Chosen {
  const [only, ...others] = tool.requests;
  if (only && others.length === 0 && only.given.length === 0) return { ok: true, request: only };
  const present = new Set(
    Object.keys(input).filter((name) => input[name] !== undefined && input[name] !== null),
  );
  const possible = tool.requests.filter(({ given }) => given.every((name) => present.has(name)));
  const [first] = possible;
  if (!first)
    return { ok: false, problems: [{ input: "", problem: `give one of: ${ways(tool.requests)}` }] };
  const complete = possible.find((request) => unused(request, present).length === 0);
  return complete
    ? { ok: true, request: complete }
    : { ok: false, problems: contradictions(first, present) };
}

function contradictions(
  request: RequestBinding,
  present: ReadonlySet<string>,
): readonly InputProblem[] {
  const chosen = request.given.join(" and ");
  return unused(request, present).map((input) => ({
    input,
    problem: `does not go together with ${chosen || "the other inputs"}; leave one of them out`,
  }));
}

function unused(request: RequestBinding, present: ReadonlySet<string>): readonly string[] {
  const used = inputsOf(request);
  return [...present].filter((name) => !used.has(name));
}

function ways(requests: readonly RequestBinding[]): string {
  return requests.map(({ given }) => given.join(" and ")).join("; or ");
}

const known = new WeakMap<RequestBinding, ReadonlySet<string>>();

/** Every input that a request makes use of. */
export function inputsOf(request: RequestBinding): ReadonlySet<string> {
  let inputs = known.get(request);
  if (!inputs) known.set(request, (inputs = new Set([...request.given, ...sources(request.send)])));
  return inputs;
}

function sources(send: SendBinding): readonly string[] {
  const wires: Wire[] = [
    send.pathParams,
    send.query,
    send.headers,
    send.cookies,
    send.body?.fields,
  ].flatMap((place) => Object.values(place ?? {}));
  const files = Object.values(send.body?.encoding ?? {}).flatMap(({ filename }) => filename ?? []);
  return [
    ...wires,
    ...(send.querystring ? [send.querystring] : []),
    ...(send.body?.from === undefined ? [] : [send.body.from]),
  ]
    .flatMap((wire) => (typeof wire === "string" ? wire : "from" in wire ? wire.from : []))
    .concat(files);
}
