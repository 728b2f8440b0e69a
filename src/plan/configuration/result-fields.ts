/** Fields of results that a rule picks, drops or renames. */
import { suggestionFor } from "../../diagnostics/index.js";
import { quoteText } from "../../diagnostics/text.js";
import { type JsonSchema, omitUndefined } from "../../json.js";
import type { FieldPath } from "../../runtime/data/field-paths.js";
import type { FieldProjection } from "../../runtime/types.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { fieldAt, parseFieldPath } from "../schemas/field-path.js";
import { allFields, listItems, replaceItems } from "../schemas/flat-object.js";
import { projectFields } from "../schemas/project-fields.js";
import type { AnySchema, Schemas } from "../schemas/refs.js";
import type { PlannedTool } from "../types.js";
import type { Rule } from "./rules.js";

/** Objects whose fields a rule names. */
export interface FieldSource {
  /** List whose items have the fields. Absent for fields of the result itself. */
  readonly list?: string;
  /** Schema of the objects. */
  readonly schema: AnySchema;
  readonly fields: ReadonlyMap<string, AnySchema>;
}

/** Applies `output` to both schemas of the result and to its projection at run time. */
export function applyOutput(
  tool: PlannedTool,
  { config, locationOf }: Rule,
  schemas: Schemas,
  diagnostics: DiagnosticCollector,
): PlannedTool {
  const { pick, drop, rename = {}, fields, allowUndocumented = false } = config.output ?? {};
  const { output, definition } = tool;
  const chosen = typeof fields === "object" ? fields : undefined;
  const named = [pick, drop, Object.keys(rename), chosen].flatMap((list) => list ?? []);
  if (config.output === undefined) return tool;
  if (named.length === 0 && fields === undefined)
    return rejectEmptyOutput(tool, locationOf, diagnostics);
  const source = fieldSource(output ?? {}, named, schemas);
  if (!output || !definition.outputSchema || (source.fields.size === 0 && !allowUndocumented))
    return rejectOutput(tool, locationOf, diagnostics);
  const names = new FieldNames(tool, source, schemas, allowUndocumented, diagnostics);
  const pathsOf = (key: "pick" | "drop" | "fields", list: readonly string[] | undefined) =>
    list
      ?.map((name, i) => names.find(name, locationOf("output", key, i)))
      .filter((path) => path !== undefined);
  const moved = Object.entries(rename).map(
    ([name, to]) => [to, names.find(name, locationOf("output", "rename", name)) ?? name] as const,
  );
  const [picked, dropped, selected] = [
    pathsOf("pick", pick),
    pathsOf("drop", drop),
    pathsOf("fields", chosen),
  ];
  reportSameNames(rename, locationOf, diagnostics);
  if (picked && dropped) reportUnpicked(picked, dropped, locationOf, diagnostics);
  if (names.hasUnknown || !reportTakenNames(tool, source, rename, locationOf, diagnostics))
    return tool;
  const projection: FieldProjection = omitUndefined({
    list: source.list,
    pick: picked && [...picked, ...moved.map(([, path]) => path)],
    drop: dropped,
    rename: moved.length > 0 ? Object.fromEntries(moved) : undefined,
  });
  const selectable = fields === undefined ? {} : { fields: selected ?? fields === true };
  const open = allowUndocumented ? { hasUndocumentedFields: true as const } : {};
  return { ...withProjection(tool, projection, schemas), ...selectable, ...open };
}

/** The tool with the fields that a projection keeps. */
function withProjection(
  tool: PlannedTool,
  projection: FieldProjection,
  schemas: Schemas,
): PlannedTool {
  const { output, definition } = tool;
  const { pick, drop, rename } = projection;
  if (!output || !definition.outputSchema || !(pick ?? drop ?? rename)) return tool;
  return {
    ...tool,
    ...renamedListedFields(tool, rename),
    output: projectSchema(output, projection, schemas),
    definition: {
      ...definition,
      outputSchema: projectSchema(
        definition.outputSchema as JsonSchema,
        projection,
        (definition.outputSchema["$defs"] ?? {}) as Schemas,
      ),
      operations: definition.operations.map((operation) => ({
        ...operation,
        response: {
          ...operation.response,
          projection: combineProjections(operation.response.projection, projection),
        },
      })),
    },
  };
}

/** The fields of the list with those that have new names. */
function renamedListedFields(
  { listedFields }: PlannedTool,
  rename: FieldProjection["rename"] = {},
): Pick<PlannedTool, "listedFields"> {
  if (listedFields === undefined) return {};
  const renamed = Object.entries(rename).filter(([, path]) =>
    listedFields.includes([path].flat()[0] ?? ""),
  );
  return { listedFields: [...listedFields, ...renamed.map(([to]) => to)] };
}

/** Schema with the fields that a projection keeps. */
function projectSchema(
  schema: JsonSchema,
  { list, ...fields }: FieldProjection,
  schemas: Schemas,
): JsonSchema {
  return list === undefined
    ? projectFields(schema, fields, schemas)
    : replaceItems(schema, list, (items) => projectFields(items, fields, schemas), schemas);
}

/**
 * Finds the fields that names refer to: those of the items of a wrapped list, else the result's own
 * if one is named, else those of its only list.
 */
export function fieldSource(
  output: JsonSchema,
  named: readonly string[],
  schemas: Schemas,
): FieldSource {
  const own = allFields(output, schemas);
  const hasPath = (schema: AnySchema, name: string): boolean =>
    fieldAt(schema, parseFieldPath(name), schemas) !== undefined;
  // A list and its items may both have `metadata`; the whole path tells whose it is.
  const isOwn = (name: string, items: AnySchema): boolean =>
    own.has(name) ||
    hasPath(output, name) ||
    (own.has(parseFieldPath(name)[0] as string) && !hasPath(items, name));
  const lists = [...own].flatMap(([name, field]) => {
    const items = listItems(field, schemas);
    const fields = items === undefined ? new Map<string, AnySchema>() : allFields(items, schemas);
    return items !== undefined && (fields.size > 0 || name === "items")
      ? [{ list: name, schema: items, fields }]
      : [];
  });
  const itemList = lists.find(
    ({ list, schema }) =>
      list === "items" && (own.size === 1 || named.every((name) => !isOwn(name, schema))),
  );
  if (itemList) return itemList;
  const [only] = lists;
  return only && lists.length === 1 && !named.some((name) => isOwn(name, only.schema))
    ? only
    : { schema: output, fields: own };
}

/** Names of fields in a rule. Unknown ones are errors with the nearest name. */
class FieldNames {
  hasUnknown = false;

  constructor(
    private readonly tool: PlannedTool,
    private readonly source: FieldSource,
    private readonly schemas: Schemas,
    private readonly allowUndocumented: boolean,
    private readonly diagnostics: DiagnosticCollector,
  ) {}

  /** The path of a field; undefined for an unknown one. */
  find(text: string, location: ReturnType<Rule["locationOf"]>): FieldPath | undefined {
    const { schema, fields } = this.source;
    if (fields.has(text)) return text;
    const path = parseFieldPath(text);
    const known = fieldAt(schema, path, this.schemas) !== undefined;
    if (known || this.allowUndocumented) return path.length === 1 ? (path[0] as string) : path;
    this.hasUnknown = true;
    this.report(text, location);
    return undefined;
  }

  private report(text: string, location: ReturnType<Rule["locationOf"]>): void {
    const { list, fields } = this.source;
    const name = this.tool.definition.name;
    const owner = list === undefined ? `the result of ${name}` : `the ${list} that ${name} returns`;
    const known = [...fields.keys(), ...innerFieldPaths(this.source, this.schemas)];
    this.diagnostics.add(
      "config-unknown-field",
      `${quoteText(text)} is not a field of ${owner}${suggestionFor(text, known) || "."}`,
      location,
      this.hintFor(text),
    );
  }

  /** Lists the fields at the last object of the path that exists. */
  private hintFor(text: string): string {
    const path = parseFieldPath(text);
    const parents = path.slice(0, -1).map((_, i) => path.slice(0, i + 1));
    const parent = parents.findLast((one) => fieldAt(this.source.schema, one, this.schemas));
    const inner = parent && fieldAt(this.source.schema, parent, this.schemas);
    const fields = inner === undefined ? this.source.fields : fieldsOf(inner, this.schemas);
    const owner = parent === undefined ? "Its fields" : `The fields of ${parent.join(".")}`;
    const names = [...fields.keys()].slice(0, 20).join(", ");
    return `${owner}: ${names || "none"}. allowUndocumented: true accepts fields that the document lacks.`;
  }
}

function fieldsOf(schema: AnySchema, schemas: Schemas): ReadonlyMap<string, AnySchema> {
  return allFields(listItems(schema, schemas) ?? schema, schemas);
}

/** Paths of the fields inside fields, for suggestions. */
export function innerFieldPaths({ fields }: FieldSource, schemas: Schemas): readonly string[] {
  return [...fields].flatMap(([name, field]) =>
    [...fieldsOf(field, schemas).keys()].map((inner) => `${name}.${inner}`),
  );
}

function rejectOutput(
  tool: PlannedTool,
  locationOf: Rule["locationOf"],
  diagnostics: DiagnosticCollector,
): PlannedTool {
  diagnostics.add(
    "config-unknown-field",
    `The result of ${tool.definition.name} has no fields to pick or drop.`,
    locationOf("output"),
    tool.definition.outputSchema
      ? "Remove the rule, or add allowUndocumented: true to name fields that the document lacks."
      : "Remove the rule.",
  );
  return tool;
}

/** Reports a rule that names no field. */
function rejectEmptyOutput(
  tool: PlannedTool,
  locationOf: Rule["locationOf"],
  diagnostics: DiagnosticCollector,
): PlannedTool {
  diagnostics.add(
    "config-no-effect",
    "`output` changes nothing, because it names no field.",
    locationOf("output"),
    "Add pick, drop, rename or fields, or remove it.",
  );
  return tool;
}

/** Reports dropped fields that are not among the picked ones. */
function reportUnpicked(
  picked: readonly FieldPath[],
  dropped: readonly FieldPath[],
  locationOf: Rule["locationOf"],
  diagnostics: DiagnosticCollector,
): void {
  const isWithin = (path: readonly string[], other: readonly string[]): boolean =>
    other.every((step, i) => step === path[i]);
  for (const [i, path] of dropped.entries()) {
    const steps = [path].flat();
    const names = steps.join(".");
    if (picked.some((one) => isWithin(steps, [one].flat()) || isWithin([one].flat(), steps)))
      continue;
    diagnostics.add(
      "config-no-effect",
      `\`drop\` of ${quoteText(names)} changes nothing, because \`pick\` does not keep it.`,
      locationOf("output", "drop", i),
      "Remove it.",
    );
  }
}

/** Reports fields that are given the name that they have. */
function reportSameNames(
  rename: Readonly<Record<string, string>>,
  locationOf: Rule["locationOf"],
  diagnostics: DiagnosticCollector,
): void {
  for (const [from, to] of Object.entries(rename))
    if (from === to)
      diagnostics.add(
        "config-no-effect",
        `\`rename\` of ${quoteText(from)} changes nothing, because the field has this name.`,
        locationOf("output", "rename", from),
        "Remove it, or name the field in pick.",
      );
}

/** Reports new names that other fields have. */
function reportTakenNames(
  { definition }: PlannedTool,
  { fields }: FieldSource,
  rename: Readonly<Record<string, string>>,
  locationOf: Rule["locationOf"],
  diagnostics: DiagnosticCollector,
): boolean {
  const targets = Object.values(rename);
  const taken = Object.entries(rename).filter(
    ([from, to], i) =>
      targets.indexOf(to) !== i ||
      (fields.has(to) && parseFieldPath(from)[0] !== to && !Object.hasOwn(rename, to)),
  );
  for (const [from, to] of taken)
    diagnostics.add(
      "config-unknown-field",
      `The result of ${definition.name} already has a field ${quoteText(to)}.`,
      locationOf("output", "rename", from),
      "Choose another name.",
    );
  return taken.length === 0;
}

/** Combines two rules: fields that both keep. */
function combineProjections(
  first: FieldProjection | undefined,
  second: FieldProjection,
): FieldProjection {
  if (!first || first.list !== second.list) return second;
  const both = first.pick && second.pick;
  const names = (paths: readonly FieldPath[]): ReadonlySet<string> =>
    new Set(paths.map((path) => String(path)));
  const picked = both
    ? first.pick.filter((path) => names(second.pick ?? []).has(String(path)))
    : (second.pick ?? first.pick);
  const dropped = [...(first.drop ?? []), ...(second.drop ?? [])];
  const renamed = { ...first.rename, ...second.rename };
  return omitUndefined({
    list: second.list,
    pick: picked,
    drop: dropped.length > 0 ? dropped : undefined,
    rename: Object.keys(renamed).length > 0 ? renamed : undefined,
  });
}
