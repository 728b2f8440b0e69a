import { quoteText } from "../../diagnostics/text.js";
import { suggestionFor } from "../../diagnostics/index.js";
import { type JsonSchema, omitUndefined } from "../../json.js";
import type { FieldProjection } from "../../runtime/types.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { Schemas } from "../schemas/refs.js";
import type { PlannedTool } from "../types.js";
import { allFields, listItems, replaceItems, selectFields } from "../schemas/flat-object.js";
import type { Rule } from "./rules.js";

/** Fields that a rule may pick from. */
interface FieldSource {
  /** List whose items have the fields. Absent for fields of the result itself. */
  readonly of?: string;
  readonly fields: ReadonlyMap<string, unknown>;
}

/** Applies `pick` and `drop` to both schemas of the result and to its projection at run time. */
export function applyOutput(
  tool: PlannedTool,
  { config, locationOf }: Rule,
  schemas: Schemas,
  diagnostics: DiagnosticCollector,
): PlannedTool {
  const { pick, drop } = config.output ?? {};
  const { output, definition } = tool;
  if (!pick && !drop) return tool;
  if (!output || !definition.outputSchema) {
    diagnostics.add(
      "config-unknown-field",
      `The result of ${definition.name} has no fields to pick or drop.`,
      locationOf("output"),
      "Remove the rule.",
    );
    return tool;
  }
  const source = fieldSource(output, [...(pick ?? []), ...(drop ?? [])], schemas);
  if (!reportUnknownFields(tool, source, { pick, drop }, locationOf, diagnostics)) return tool;
  const projection: FieldProjection = omitUndefined({ list: source.of, pick, drop });
  return {
    ...tool,
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
          projection: combineFieldFilters(operation.response.projection, projection),
        },
      })),
    },
  };
}

/** Schema with the fields that a projection keeps. */
function projectSchema(
  schema: JsonSchema,
  { list, pick, drop }: FieldProjection,
  schemas: Schemas,
): JsonSchema {
  const isIncluded = (name: string): boolean =>
    (!pick || pick.includes(name)) && drop?.includes(name) !== true;
  return list === undefined
    ? selectFields(schema, isIncluded, schemas)
    : replaceItems(schema, list, (items) => selectFields(items, isIncluded, schemas), schemas);
}

/**
 * Finds the fields that names refer to: those of the items of a wrapped list, else the result's own
 * if one is named, else those of its only list.
 */
function fieldSource(output: JsonSchema, named: readonly string[], schemas: Schemas): FieldSource {
  const outputFields = allFields(output, schemas);
  const lists = [...outputFields].flatMap(([name, field]) => {
    const items = listItems(field, schemas);
    const fields = items === undefined ? new Map() : allFields(items, schemas);
    return fields.size > 0 ? [{ of: name, fields }] : [];
  });
  const itemList = lists.find(
    ({ of }) =>
      of === "items" && (outputFields.size === 1 || named.every((name) => !outputFields.has(name))),
  );
  if (itemList) return itemList;
  const [only] = lists;
  return only && lists.length === 1 && !named.some((name) => outputFields.has(name))
    ? only
    : { fields: outputFields };
}

function reportUnknownFields(
  { definition }: PlannedTool,
  { of, fields }: FieldSource,
  lists:
    | Pick<FieldProjection, "pick" | "drop">
    | {
        readonly pick: readonly string[] | undefined;
        readonly drop: readonly string[] | undefined;
      },
  locationOf: Rule["locationOf"],
  diagnostics: DiagnosticCollector,
): boolean {
  let isKnown = true;
  for (const list of ["pick", "drop"] as const) {
    for (const [i, name] of (lists[list] ?? []).entries()) {
      if (fields.has(name)) continue;
      isKnown = false;
      const owner =
        of === undefined
          ? `the result of ${definition.name}`
          : `the ${of} that ${definition.name} returns`;
      diagnostics.add(
        "config-unknown-field",
        `${quoteText(name)} is not a field of ${owner}${suggestionFor(name, fields.keys()) || "."}`,
        locationOf("output", list, i),
        fieldHint(name, [...fields.keys()]),
      );
    }
  }
  return isKnown;
}

/** Combines two rules: fields that both keep. */
function combineFieldFilters(
  first: FieldProjection | undefined,
  { list, pick, drop }: FieldProjection,
): FieldProjection {
  if (!first || first.list !== list) return omitUndefined({ list, pick, drop });
  const picked =
    first.pick && pick ? first.pick.filter((name) => pick.includes(name)) : (pick ?? first.pick);
  const dropped = [...(first.drop ?? []), ...(drop ?? [])];
  return omitUndefined({
    list,
    pick: picked,
    drop: dropped.length > 0 ? dropped : undefined,
  });
}

function fieldHint(name: string, fields: readonly string[]): string | undefined {
  const outer = /^(?:\$\.|\/)?([^./[]+)[./[]/.exec(name)?.[1];
  if (outer !== undefined && fields.includes(outer))
    return `Only whole fields can be named: ${outer}.`;
  return fields.length > 0 ? `Its fields: ${fields.slice(0, 20).join(", ")}.` : undefined;
}
