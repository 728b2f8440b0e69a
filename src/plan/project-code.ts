/** Definitions that the owner of a project wrote or edited, applied to a plan. */
import type { Diagnostic } from "../diagnostics/index.js";
import { isObject, type JsonSchema } from "../json.js";
import type { CustomTool, PlannedTool, ToolListing, ToolPlan } from "./types.js";

/** A value that only the running code knows. */
export const UNKNOWN: unique symbol = Symbol("unknown");

/** Definitions in the code of a project. */
export interface ProjectCode {
  readonly tools: readonly CustomTool[];
  /** True if the code has prompts or resources, or may have some. */
  readonly hasContent: boolean;
  /** Edited definitions of generated tools, by `keptKey`. */
  readonly kept: ReadonlyMap<string, KeptDefinition>;
  readonly diagnostics: readonly Diagnostic[];
}

/** An edited definition of a generated tool. */
export interface KeptDefinition {
  /** It may contain `UNKNOWN`. */
  readonly definition: unknown;
  /** Inputs of its generated type. Those that the API no longer has are removed, new ones added. */
  readonly inputs?: readonly string[];
}

/** Parts of a plan that come from a project's code, beside edited definitions. */
export function customParts(
  code: ProjectCode | undefined,
): Pick<ToolPlan, "customTools" | "hasCustomContent"> {
  return {
    ...(code && code.tools.length > 0 && { customTools: code.tools }),
    ...(code?.hasContent && { hasCustomContent: true }),
  };
}

/** Key of an edited definition: the identifier of the tool, in a server of several APIs below its API. */
export function keptKey(identifier: string, api?: string): string {
  return api === undefined ? identifier : `${api}/${identifier}`;
}

/** Adds edited definitions to the tools that they belong to. */
export function withEditedListings(
  tools: readonly PlannedTool[],
  { kept }: ProjectCode,
): readonly PlannedTool[] {
  if (kept.size === 0) return tools;
  return tools.map((tool) => {
    const { definition, inputs } = kept.get(keptKey(tool.identifier, tool.definition.api)) ?? {};
    if (!isObject(definition)) return tool;
    const listing = editedListing(definition, tool.definition);
    return { ...tool, edited: inputs ? withPlannedInputs(listing, tool, inputs) : listing };
  });
}

/** A listing with the inputs that the API has now, as `src/write/keep` adapts its code. */
function withPlannedInputs(
  listing: ToolListing,
  { inputs, definition }: PlannedTool,
  before: readonly string[],
): ToolListing {
  const names = inputs.map(({ name }) => name);
  const isRemoved = (name: string): boolean => before.includes(name) && !names.includes(name);
  const added = names.filter((name) => !before.includes(name));
  if (added.length === 0 && !before.some(isRemoved)) return listing;
  const { properties = {}, required } = listing.inputSchema as JsonSchema;
  const planned = definition.inputSchema as JsonSchema;
  const entries = [
    ...Object.entries(properties).filter(([name]) => !isRemoved(name)),
    ...added
      .filter((name) => !Object.hasOwn(properties, name))
      .map((name) => [name, planned.properties?.[name]] as const),
  ];
  const schema = {
    ...listing.inputSchema,
    properties: Object.fromEntries(entries),
    ...(required && {
      required: [
        ...required.filter((name) => !isRemoved(name)),
        ...added.filter((name) => planned.required?.includes(name)),
      ],
    }),
  };
  return { ...listing, inputSchema: schema };
}

const FIELDS = [
  "name",
  "title",
  "description",
  "annotations",
  "inputSchema",
  "outputSchema",
] as const satisfies readonly (keyof ToolListing)[];

function editedListing(edited: Record<string, unknown>, planned: ToolListing): ToolListing {
  const members = FIELDS.map((field) => [
    field,
    field in edited ? completed(edited[field], planned[field]) : undefined,
  ]);
  return Object.fromEntries(members) as unknown as ToolListing;
}

/** An edited value, in which the planned one stands for everything that is not a constant. */
function completed(edited: unknown, planned: unknown): unknown {
  if (edited === UNKNOWN) return planned;
  if (Array.isArray(edited)) {
    const items = Array.isArray(planned) ? (planned as readonly unknown[]) : [];
    return edited.map((item, i) => completed(item, items[i]));
  }
  if (!isObject(edited)) return edited;
  const before = isObject(planned) ? planned : {};
  const members = Object.entries(edited).map(([name, value]) => [
    name,
    completed(value, Object.hasOwn(before, name) ? before[name] : undefined),
  ]);
  const value: unknown = Object.fromEntries(members);
  // The same object, so that a shared schema stays one.
  return JSON.stringify(value) === JSON.stringify(planned) ? planned : value;
}

/** The definition of a tool that clients see. */
export function listingOf({ edited, definition }: PlannedTool): ToolListing {
  return edited ?? definition;
}
