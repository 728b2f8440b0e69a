import { quoteText } from "../../diagnostics/clean.js";
import { didYouMean } from "../../diagnostics/index.js";
import type { JsonSchema } from "../../json.js";
import type { KeptFields } from "../../runtime/types.js";
import type { Findings } from "../findings.js";
import type { Schemas } from "../schema/refs.js";
import type { PlannedTool } from "../types.js";
import { fieldsOf, itemsOf, withFields, withItems } from "./fields.js";
import type { Rule } from "./rules.js";

/** Where the fields are that a rule picks from. */
interface Target {
  /** The list whose items are meant; absent: the result itself. */
  readonly of?: string;
  readonly fields: ReadonlyMap<string, unknown>;
}

/**
 * Keeps the fields of a result that a rule picks, or does not drop, in both its schemas and at run
 * time.
 */
export function withOutput(
  tool: PlannedTool,
  { rule, placeOf }: Rule,
  schemas: Schemas,
  findings: Findings,
): PlannedTool {
  const { pick, drop } = rule.output ?? {};
  const { output, definition } = tool;
  if (!pick && !drop) return tool;
  if (!output || !definition.outputSchema) {
    findings.add(
      "curation-field",
      `The result of ${definition.name} has no fields to choose from.`,
      placeOf("output"),
      "Remove the rule.",
    );
    return tool;
  }
  const target = targetOf(output, [...(pick ?? []), ...(drop ?? [])], schemas);
  if (!reportUnknown(tool, target, { pick, drop }, placeOf, findings)) return tool;
  const isKept = (name: string): boolean =>
    (!pick || pick.includes(name)) && drop?.includes(name) !== true;
  const project = (schema: JsonSchema, known: Schemas): JsonSchema =>
    target.of === undefined
      ? withFields(schema, isKept, known)
      : withItems(schema, target.of, (items) => withFields(items, isKept, known), known);
  const keep: KeptFields = {
    ...(target.of !== undefined && { of: target.of }),
    ...(pick && { pick }),
    ...(drop && { drop }),
  };
  return {
    ...tool,
    output: project(output, schemas),
    definition: {
      ...definition,
      outputSchema: project(
        definition.outputSchema as JsonSchema,
        (definition.outputSchema["$defs"] ?? {}) as Schemas,
      ),
      requests: definition.requests.map((request) => ({
        ...request,
        read: { ...request.read, keep: narrowed(request.read.keep, keep) },
      })),
    },
  };
}

/**
 * The items of a list that the result is made of; else the result's own fields, where one of them
 * is named; else its only list.
 */
function targetOf(output: JsonSchema, named: readonly string[], schemas: Schemas): Target {
  const own = fieldsOf(output, schemas);
  const lists = [...own].flatMap(([name, field]) => {
    const items = itemsOf(field, schemas);
    const fields = items === undefined ? new Map() : fieldsOf(items, schemas);
    return fields.size > 0 ? [{ of: name, fields }] : [];
  });
  const wrapped = lists.find(
    ({ of }) => of === "items" && (own.size === 1 || named.every((name) => !own.has(name))),
  );
  if (wrapped) return wrapped;
  const [only] = lists;
  return only && lists.length === 1 && !named.some((name) => own.has(name))
    ? only
    : { fields: own };
}

function reportUnknown(
  { definition }: PlannedTool,
  { of, fields }: Target,
  lists:
    | Pick<KeptFields, "pick" | "drop">
    | {
        readonly pick: readonly string[] | undefined;
        readonly drop: readonly string[] | undefined;
      },
  placeOf: Rule["placeOf"],
  findings: Findings,
): boolean {
  let known = true;
  for (const list of ["pick", "drop"] as const) {
    for (const [i, name] of (lists[list] ?? []).entries()) {
      if (fields.has(name)) continue;
      known = false;
      const whose =
        of === undefined
          ? `the result of ${definition.name}`
          : `the ${of} that ${definition.name} returns`;
      findings.add(
        "curation-field",
        `${quoteText(name)} is no field of ${whose}${didYouMean(name, fields.keys()) || "."}`,
        placeOf("output", list, i),
        hintFor(name, [...fields.keys()]),
      );
    }
  }
  return known;
}

/** Two rules after each other: what both keep. */
function narrowed(first: KeptFields | undefined, { of, pick, drop }: KeptFields): KeptFields {
  if (!first || first.of !== of)
    return { ...(of !== undefined && { of }), ...(pick && { pick }), ...(drop && { drop }) };
  const both =
    first.pick && pick ? first.pick.filter((name) => pick.includes(name)) : (pick ?? first.pick);
  const without = [...(first.drop ?? []), ...(drop ?? [])];
  return {
    ...(of !== undefined && { of }),
    ...(both && { pick: both }),
    ...(without.length > 0 && { drop: without }),
  };
}

function hintFor(name: string, fields: readonly string[]): string | undefined {
  const outer = /^(?:\$\.|\/)?([^./[]+)[./[]/.exec(name)?.[1];
  if (outer !== undefined && fields.includes(outer))
    return `Only whole fields can be named: ${outer}.`;
  return fields.length > 0 ? `Its fields: ${fields.slice(0, 20).join(", ")}.` : undefined;
}
