/** Lists in which the IDs of names are looked up. */
import { type JsonSchema, omitUndefined, typesOf } from "../../json.js";
import type { ItemNames, OperationBinding, PaginationMapping } from "../../runtime/types.js";
import {
  defaultedInputs,
  inputProperties,
  requestParameters,
  sourceInput,
} from "../bound-parameters.js";
import { isPlural } from "../../language/grammar.js";
import { searchInputOf } from "../configuration/plan-lookup.js";
import { detectPagination, hasNextPage, returnsItems } from "../pagination/detect.js";
import { embeddedList } from "../pagination/hints.js";
import { parsePathTemplate } from "../operations/path.js";
import { collectionAddress, type CollectionAddress } from "../producers/resources.js";
import { allFields, listItems } from "../schemas/flat-object.js";
import type { AnySchema, Schemas } from "../schemas/refs.js";
import type { PlannedTool } from "../types.js";
import { type ItemFields, nameFields } from "./item-fields.js";

/** A read-only operation that lists items with names. */
export interface NamedList {
  readonly tool: PlannedTool;
  /** Operation of the tool. */
  readonly operation: OperationBinding;
  readonly names: ItemNames;
  readonly fields: ItemFields;
  /** Collection that its path addresses. */
  readonly address: CollectionAddress;
  /** True if its path ends in a plural, as those of lists do. */
  readonly isPlural: boolean;
  /** Inputs that the operation needs besides the search text. */
  readonly requiredInputs: readonly string[];
  /** Inputs of the list that a default of the environment replaces. */
  readonly defaultedInputs: readonly string[];
}

/** Number of pages that are searched for a name, and bounds of their items. */
const MAX_PAGES = 5;
const DEFAULT_PAGE = 25;
const MAX_ITEMS = 1000;
/** Maximum page size that is requested, if the document allows it. */
const MAX_PAGE = 200;

/** Finds the operation of a tool that lists items with names. One with a search comes first. */
export function namedList(tool: PlannedTool, schemas: Schemas): NamedList | undefined {
  const { definition, output, workflow } = tool;
  if (!definition.annotations.readOnlyHint || workflow || !output) return undefined;
  const embedded = embeddedList(tool, schemas);
  const source = embedded ? embedded.tool : tool;
  const lists = embedded
    ? [embedded.request]
    : definition.operations.filter(({ response }) => returnsItems(response));
  const fields = itemFields(source, schemas);
  const names = nameFields(fields, definition.name, schemas);
  if (lists.length === 0 || names.length === 0) return undefined;
  const searched = lists.map((list) => ({ list, search: searchOf(tool, list, names) }));
  const best = searched.find(({ search }) => search !== undefined) ?? searched[0]!;
  const position = embedded ? 0 : definition.operations.indexOf(best.list);
  const pagination = paginationOf(best.list, source, schemas);
  const path = parsePathTemplate(best.list.request.path);
  const last = path.findLast((part) => part.kind === "words");
  return {
    tool,
    operation: definition.operations[position]!,
    fields,
    address: collectionAddress(path),
    isPlural: last?.kind === "words" && isPlural(last.words.at(-1) ?? ""),
    requiredInputs: requiredInputs(tool, best.list).filter((name) => name !== best.search),
    defaultedInputs: defaultedInputs({ ...tool.definition, operations: [best.list] }),
    names: omitUndefined({
      fields: names,
      searchInput: best.search,
      pageSize: pageSizeOf(pagination, definition.inputSchema),
      items: embedded?.pointer,
      pagination,
    }),
  };
}

/** Fields of the items of the list. Those that only the result by ID has show no name in a list. */
function itemFields({ output, listedFields }: PlannedTool, schemas: Schemas): ItemFields {
  const items = output && listItems(allFields(output, schemas).get("items"), schemas);
  const fields = items === undefined ? new Map<string, AnySchema>() : allFields(items, schemas);
  if (listedFields === undefined) return fields;
  return new Map([...fields].filter(([name]) => listedFields.includes(name)));
}

function searchOf(
  tool: PlannedTool,
  list: OperationBinding,
  names: readonly string[],
): string | undefined {
  return searchInputOf(tool, [list], names[0] ?? "name");
}

/** Inputs without which the operation is not called. */
function requiredInputs({ definition }: PlannedTool, list: OperationBinding): readonly string[] {
  const { required = [] } = definition.inputSchema as { readonly required?: readonly string[] };
  const used = new Set(
    requestParameters(list.request).flatMap(({ source }) => sourceInput(source) ?? []),
  );
  return [...new Set([...list.whenProvided, ...required.filter((name) => used.has(name))])];
}

/** Pagination with a bound of pages. Undefined if nothing tells the next page. */
function paginationOf(
  list: OperationBinding,
  tool: PlannedTool,
  schemas: Schemas,
): PaginationMapping | undefined {
  const pagination = detectPagination(list, tool, MAX_ITEMS, schemas);
  if (!hasNextPage(pagination)) return undefined;
  const size = pageSizeOf(pagination, tool.definition.inputSchema)?.size;
  const items = MAX_PAGES * (size ?? pagination.pageSize?.default ?? DEFAULT_PAGE);
  return { ...pagination, maxItems: Math.min(MAX_ITEMS, items) };
}

/** The largest page that the document allows. Without a documented maximum, the default. */
function pageSizeOf(
  pagination: PaginationMapping | undefined,
  inputSchema: JsonSchema,
): ItemNames["pageSize"] {
  const input = pagination?.pageSize?.input;
  if (input === undefined) return undefined;
  const schema = inputProperties({ inputSchema })[input] ?? {};
  const { maximum } = schema;
  const isNumber = typesOf(schema).some((type) => type === "integer" || type === "number");
  if (!isNumber || typeof maximum !== "number" || maximum < 1) return undefined;
  return { input, size: Math.min(MAX_PAGE, maximum) };
}
