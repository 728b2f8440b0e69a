import type { JsonSchema } from "../../json.js";
import type { PageBinding, ReadBinding } from "../../runtime/types.js";
import type { PlannedOutput } from "../schema/output.js";
import type { ToolContext } from "../tool.js";
import type { Field } from "./envelope.js";
import type { Find } from "./find.js";
import { hasLinkHeader, pageInputs } from "./link-pages.js";
import { inputNames, type Member } from "./member.js";
import { pagingOf } from "./paging.js";

/** What a `find_…` tool returns, and how each of its operations' answers becomes that. */
export interface FindResult {
  readonly output: PlannedOutput;
  readonly reads: ReadonlyMap<Member, ReadBinding>;
  /** For those whose answers have a link to the next page that inputs can follow. */
  readonly pages: ReadonlyMap<Member, PageBinding>;
  /** Names under `next` that are names of inputs. */
  readonly passedOn: ReadonlySet<string>;
}

/**
 * Plans the result of a `find_…` tool: `{items, next}`, whatever the envelope of each operation,
 * and beside these whatever else an envelope holds, under its own name.
 */
export function planFindResult(find: Find, context: ToolContext): FindResult | string {
  const next = new Map<string, JsonSchema>();
  const rest = new Map<string, JsonSchema>();
  const reads = new Map<Member, ReadBinding>();
  const pages = new Map<Member, PageBinding>();
  for (const member of find.members) {
    const paging = pagingOf(member.envelope.rest, inputNames(member), context.schemas);
    for (const field of paging.next)
      next.set(field.name, either(next.get(field.name), field.schema));
    for (const field of paging.rest) {
      if (field.name === "items" || field.name === "next")
        return `its answer has a field ${field.name} of its own`;
      rest.set(field.name, either(rest.get(field.name), field.schema));
    }
    reads.set(member, readOf(member, paging.next, paging.rest));
    const binding = linkOf(member, paging.next);
    if (!binding) continue;
    pages.set(member, binding);
    for (const { name, type } of pageInputs(member.request))
      if (!next.has(name)) next.set(name, type);
  }
  const inputs = new Set(find.inputs.inputs.map(({ input }) => input.name));
  return {
    output: outputOf(find, next, rest, context),
    reads,
    pages,
    passedOn: new Set([...next.keys()].filter((name) => inputs.has(name))),
  };
}

/**
 * A link leads on where the answer, or its `Link` header, has one and there are inputs that can say
 * the same.
 */
function linkOf(member: Member, next: readonly Field[]): PageBinding | undefined {
  if (member.role === "get" || pageInputs(member.request).length === 0) return undefined;
  const inputs = new Set(inputNames(member));
  const link = next.find(({ name }) => !inputs.has(name));
  const header = hasLinkHeader(member.request.subject);
  return header || link
    ? { ...(header && { header: true as const }), ...(link && { link: link.pointer }) }
    : undefined;
}

function readOf(
  { role, envelope }: Member,
  next: readonly Field[],
  rest: readonly Field[],
): ReadBinding {
  const pointers = (fields: readonly Field[]): Record<string, string> =>
    Object.fromEntries(fields.map(({ name, pointer }) => [name, pointer]));
  return {
    ...(role === "get" ? { item: envelope.pointer } : { items: envelope.pointer }),
    ...(next.length > 0 && { next: pointers(next) }),
    ...(rest.length > 0 && { rest: pointers(rest) }),
  };
}

function either(known: JsonSchema | undefined, schema: JsonSchema): JsonSchema {
  return known === undefined || JSON.stringify(known) === JSON.stringify(schema)
    ? schema
    : { anyOf: [known, schema] };
}

function outputOf(
  { item, members }: Find,
  next: ReadonlyMap<string, JsonSchema>,
  rest: ReadonlyMap<string, JsonSchema>,
  context: ToolContext,
): PlannedOutput {
  const items: JsonSchema = { type: "array", items: item };
  const sent: JsonSchema = {
    type: "object",
    properties: {
      items,
      ...(next.size > 0 && { next: { type: "object", properties: Object.fromEntries(next) } }),
      ...Object.fromEntries(rest),
    },
    required: ["items"],
  };
  const { subject } = (members[0] as Member).request;
  const content = { mediaType: "application/json", schema: sent, place: subject.operation.place };
  const planned = context.output({
    ...subject,
    success: [{ status: "200", contents: [content], headers: [] }],
    json: [content],
  }) as PlannedOutput;
  return { ...planned, sent: items, wrap: "items", schema: withItems(planned.schema) };
}

/** The list itself is always there, whatever its items are. */
function withItems(schema: JsonSchema): JsonSchema {
  const { items = {}, ...others } = schema.properties ?? {};
  return {
    ...schema,
    properties: { items: { ...(items as JsonSchema), type: "array" }, ...others },
    required: ["items"],
  };
}
