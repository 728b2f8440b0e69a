import type { JsonSchema } from "../../../json.js";
import type { ResolveBinding } from "../../../runtime/types.js";
import type { Schemas } from "../../schema/refs.js";
import { leadsOn, pagesOf } from "../pagination.js";
import { isList, type LookUp } from "./look-up.js";

/** Items that are looked through for a name where the list cannot be searched. */
const MOST_ITEMS = 1000;

/**
 * A look-up as the runtime does it.
 * @param schema of the input that takes the ID
 * @param items where the list stands in the answer, when the result is not `{items}`
 */
export function bindingOf(
  { via, match, id, text, pass }: LookUp,
  schema: JsonSchema,
  items: string | undefined,
  schemas: Schemas,
): ResolveBinding {
  const { requests } = via.definition;
  const get = requests.find(({ read, given }) => read.item !== undefined && given.length === 1)
    ?.given[0];
  const ids = tellingSchema(schema);
  const list = requests.find(
    ({ read, given }) => isList(read) && given.every((name) => pass.includes(name)),
  );
  const pages = text === undefined && list && pagesOf(list, via, MOST_ITEMS, schemas);
  return {
    via: via.definition.name,
    match,
    id,
    ...(text !== undefined && { text }),
    ...(get !== undefined && { get }),
    ...(pass.length > 0 && { pass }),
    ...(ids && { ids }),
    ...(items !== undefined && { items }),
    ...(pages && leadsOn(pages) && { pages }),
  };
}

/** Names as people give them: a pattern that allows one of them does not tell an ID. */
const NAMES = ["Red shoes", "rex", "Alice", "ACME", "main-warehouse", "Müller & Sons"];
const TELLING_FORMATS = new Set(["uuid", "date", "date-time", "uri", "email", "ipv4", "ipv6"]);

/** The part of an ID's schema that no name satisfies. */
function tellingSchema({
  type,
  format,
  pattern,
  enum: values,
}: JsonSchema): JsonSchema | undefined {
  if (type === "integer" || type === "number") return { type };
  if (Array.isArray(values)) return { type: "string", enum: values };
  if (format !== undefined && TELLING_FORMATS.has(format)) return { type: "string", format };
  if (pattern === undefined) return undefined;
  const test = new RegExp(pattern, "u");
  return NAMES.some((name) => test.test(name)) ? undefined : { type: "string", pattern };
}
