import { escapeToken, isObject, type JsonSchema } from "../../json.js";
import type { PageBinding, RequestBinding } from "../../runtime/types.js";
import { ended } from "../describe/sentences.js";
import { MAX_DESCRIPTION } from "../describe/tool.js";
import type { Findings } from "../findings.js";
import { wordsOf } from "../name/words.js";
import { type AnySchema, resolve, type Schemas, typesOf } from "../schema/refs.js";
import { propertiesOf } from "../tool-inputs.js";
import type { PlannedTool } from "../types.js";
import { fieldsOf, itemsOf } from "./fields.js";
import type { Rule } from "./rules.js";
import { withNextInputs } from "../tasks/next-inputs.js";
import { inputOf, sitesOf } from "./wires.js";

/**
 * Follows the pages of a tool's lists as its rule says. The way from page to page is that which the
 * API's inputs and answers show.
 */
export function withPagination(
  tool: PlannedTool,
  { rule, placeOf }: Rule,
  schemas: Schemas,
  findings: Findings,
): PlannedTool {
  const maxItems = rule.pagination?.maxItems;
  if (maxItems === undefined) return tool;
  const { definition } = tool;
  const isList = ({ read }: RequestBinding): boolean =>
    read.items !== undefined || read.wrap === "items";
  if (!definition.requests.some(isList)) {
    // Of a single operation, the reason was said where its result was planned.
    if (tool.operations.length > 1 || tool.workflow)
      findings.add(
        "curation-pagination",
        `${definition.name} returns no list; it has no pages to follow.`,
        placeOf("pagination"),
        "Remove the rule.",
      );
    return tool;
  }
  const requests = definition.requests.map((request): RequestBinding =>
    isList(request) ? { ...request, pages: pagesOf(request, tool, maxItems, schemas) } : request,
  );
  if (!requests.some(({ pages }) => pages && leadsOn(pages)))
    findings.add(
      "curation-pagination-way",
      `The document does not say how the next page of ${definition.name} is asked for; only \`Link\` headers are followed.`,
      placeOf("pagination"),
      "Describe its page, offset or cursor parameter with an overlay.",
    );
  const sentence = `Collects up to ${maxItems} items, from several pages where needed.`;
  const description = `${ended(definition.description)} ${sentence}`;
  const inputs = [
    ...new Set(
      requests.flatMap(({ pages }) =>
        [pages?.cursor, pages?.page, pages?.offset, pages?.after].flatMap(
          (way) => way?.input ?? [],
        ),
      ),
    ),
  ];
  const told = withNextInputs(tool, inputs);
  return {
    ...told,
    definition: {
      ...told.definition,
      requests,
      ...(description.length <= MAX_DESCRIPTION && { description }),
    },
    reasons: [...tool.reasons, `Pages are followed up to ${maxItems} items, as the curation says.`],
  };
}

/** The document says how the next page is asked for. */
export function leadsOn({ header, link, cursor, page, offset, after }: PageBinding): boolean {
  return [header, link, cursor, page, offset, after].some((way) => way !== undefined);
}

/** An input by what it does for paging. */
interface PageInput {
  readonly input: string;
  readonly schema: JsonSchema;
}

const PAGE = /^(page|p|page (number|no|num|index)|current page)$/;
const OFFSET = /^(offset|skip|start|start (index|at|from|row)|from|first result|page offset)$/;
const SIZE =
  /^(limit|per page|page (size|limit)|size|count|max|max results|results per page|take|top|rows|page items)$/;
const AFTER = /^(starting after|start after|after|after id|last id|since id)$/;
const MORE =
  /^(has (more|next)|has next page|more|is truncated|truncated|has more (items|results|pages))$/;
const TOTAL = /^(total|total (count|items|results|records|size)|count|total item count)$/;

/** Every way from one page of a list to the next that its inputs and answers show. */
export function pagesOf(
  { send, read, pages }: RequestBinding,
  tool: PlannedTool,
  maxItems: number | undefined,
  schemas: Schemas,
): PageBinding {
  const properties = propertiesOf(tool.definition);
  const inputs = sitesOf(send).flatMap(({ place, wireName, wire }) => {
    const input = inputOf(wire);
    return input === undefined || wireName === undefined || place === "path"
      ? []
      : [{ input, schema: properties[input] ?? {}, words: wordsOf(wireName).join(" ") }];
  });
  const find = (words: RegExp, type?: "integer"): PageInput | undefined =>
    inputs.find(
      (one) =>
        words.test(one.words) &&
        (type === undefined ||
          typesOf(one.schema).some((own) => own === "integer" || own === "number")),
    );
  const next = Object.entries(read.next ?? {});
  const cursor = next.find(([name]) => inputs.some(({ input }) => input === name));
  const link = next.find(([name]) => name !== cursor?.[0] && !Object.hasOwn(properties, name))?.[1];
  const flags = flagsOf(read, tool.output, schemas);
  const [page, offset, size] = [
    find(PAGE, "integer"),
    find(OFFSET, "integer"),
    find(SIZE, "integer"),
  ];
  const after =
    flags.more !== undefined && !cursor && itemFields(tool, schemas).has("id")
      ? find(AFTER)
      : undefined;
  return {
    ...(maxItems !== undefined && { maxItems }),
    ...(pages?.header && { header: true }),
    ...(link !== undefined && { link }),
    ...(cursor && { cursor: { input: cursor[0], at: cursor[1] } }),
    ...(page && { page: { input: page.input, first: firstOf(page.schema, 1) } }),
    ...(offset && !page && { offset: { input: offset.input, first: firstOf(offset.schema, 0) } }),
    ...(after && { after: { input: after.input, at: "/id" } }),
    ...(size &&
      (page ?? offset) && {
        size: {
          input: size.input,
          ...(typeof size.schema.default === "number" && { usual: size.schema.default }),
        },
      }),
    ...flags,
  };
}

/** The first page is 0 where the document says so; most count from 1. */
function firstOf({ default: usual, minimum }: JsonSchema, otherwise: number): number {
  return typeof usual === "number"
    ? usual
    : typeof minimum === "number" && minimum > otherwise
      ? minimum
      : minimum === 0 && otherwise === 1
        ? 0
        : otherwise;
}

/**
 * Where an answer says whether there is more, and how much there is: beside its list, or in an
 * object there.
 */
function flagsOf(
  { rest = {} }: RequestBinding["read"],
  output: JsonSchema | undefined,
  schemas: Schemas,
): Pick<PageBinding, "more" | "total"> {
  const own = output ? fieldsOf(output, schemas) : new Map<string, AnySchema>();
  const found = Object.entries(rest).flatMap(([name, pointer]) => {
    const schema = own.get(name);
    const inner = isObject(schema)
      ? [...fieldsOf(schema as JsonSchema, schemas)].map(([key, field]) => ({
          name: key,
          pointer: `${pointer}/${escapeToken(key)}`,
          field,
        }))
      : [];
    return [{ name, pointer, field: schema }, ...inner];
  });
  const at = (words: RegExp, types: readonly string[]): string | undefined =>
    found.find(
      ({ name, field }) =>
        words.test(wordsOf(name).join(" ")) &&
        isObject(field) &&
        typesOf(resolve(schemas, field as JsonSchema)).some((type) => types.includes(type)),
    )?.pointer;
  const [more, total] = [at(MORE, ["boolean"]), at(TOTAL, ["integer", "number"])];
  return { ...(more !== undefined && { more }), ...(total !== undefined && { total }) };
}

function itemFields({ output }: PlannedTool, schemas: Schemas): ReadonlyMap<string, AnySchema> {
  const items = output && itemsOf(fieldsOf(output, schemas).get("items"), schemas);
  return items === undefined ? new Map() : fieldsOf(items, schemas);
}
