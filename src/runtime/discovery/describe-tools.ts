import {
  type AnyTool,
  type BuiltInTool,
  type CallOutcome,
  type ToolListing,
  type ToolLookup,
  errorResult,
} from "../tools/definitions.js";
import { fullDescriptionOf, fullInputSchemaOf } from "../tools/full-description.js";
import { type Identity, identityOf, identityProperties } from "./identity.js";
import { readOnlyAnnotations } from "./names.js";
import type { JsonSchema, ToolInput } from "../types.js";

const maxNames = 20;

/** Texts of the tool. */
interface DescribeTexts {
  readonly name: string;
  readonly description: string;
  /** The tools that take the described inputs as arguments, as a phrase. */
  readonly callers: string;
}

/**
 * `describe_tools`: describes tools as TypeScript, or with the JSON Schemas that `tools/list` has.
 */
export function createDescribeTools(
  lookup: ToolLookup,
  texts: DescribeTexts,
  maxCharacters: number,
): BuiltInTool {
  return {
    ...describeToolsDefinition(texts),
    async handle(input) {
      const requested = [...new Set(input["names"] as readonly string[])];
      const tools = requested.flatMap((name) => lookup.find(name) ?? []);
      const unknown = requested.filter((name) => lookup.find(name) === undefined);
      const definitions = await describe(tools, input);
      const described = fitDefinitions(definitions, maxCharacters, texts.name);
      return unknown.length === 0
        ? describedResult(described)
        : unknownNamesResult(unknown.map(lookup.explainMissing), described);
    },
  };
}

/** Definitions in the requested format, each with its shorter forms. */
async function describe(
  tools: readonly AnyTool[],
  { format, result }: ToolInput,
): Promise<readonly Described[]> {
  if (format === "json_schema") return tools.map((tool) => describeAsSchema(tool));
  const { toolDeclaration } = await import("./signature.js");
  return tools.map((tool) => {
    const form = (withResult: boolean, texts: "whole" | "concise"): Definition =>
      Object.assign(identityOf(tool), { typescript: toolDeclaration(tool, withResult, texts) });
    return formsOf(
      form(result === true, "whole"),
      ["the result", form(false, "whole")],
      ["the ends of long texts", form(false, "concise")],
    );
  });
}

function describeAsSchema(tool: AnyTool): Described {
  const { outputSchema, annotations } = tool;
  const form = (description: string, inputSchema: JsonSchema): Definition =>
    Object.assign(identityOf(tool), { description, inputSchema, annotations });
  const whole = form(fullDescriptionOf(tool), fullInputSchemaOf(tool));
  const full = { ...whole, ...(outputSchema && { outputSchema }) };
  const concise = form(tool.description, tool.inputSchema);
  return formsOf(full, ["the result", whole], ["the ends of long texts", concise]);
}

function describeToolsDefinition({ name, description, callers }: DescribeTexts): ToolListing {
  return {
    name,
    title: "Describe tools",
    description,
    annotations: readOnlyAnnotations,
    inputSchema: {
      type: "object",
      properties: {
        names: {
          type: "array",
          items: { type: "string", minLength: 1, maxLength: 200 },
          minItems: 1,
          maxItems: maxNames,
          description: `Names of tools, up to ${maxNames}.`,
        },
        result: { type: "boolean", description: "Describe the result, too. Default: false." },
        format: {
          type: "string",
          enum: ["typescript", "json_schema"],
          description:
            "typescript is short; json_schema has every keyword, and the result. Default: typescript.",
        },
      },
      required: ["names"],
      additionalProperties: false,
    },
    outputSchema: describeToolsOutputSchema(callers),
  };
}

function describeToolsOutputSchema(callers: string): NonNullable<ToolListing["outputSchema"]> {
  const properties = {
    ...identityProperties,
    typescript: { type: "string", description: "Description, inputs and result as TypeScript." },
    description: { type: "string" },
    inputSchema: {
      type: "object",
      description: `JSON Schema of the arguments of ${callers}.`,
    },
    outputSchema: { type: "object", description: "JSON Schema of the result." },
    annotations: {
      type: "object",
      description: "Hints: read-only, destructive, idempotent.",
    },
  };
  return {
    type: "object",
    properties: {
      tools: {
        type: "array",
        description: "In the order of the names, in the requested format.",
        items: { type: "object", properties, required: ["name"] },
      },
      note: { type: "string", description: "Omitted parts." },
    },
    required: ["tools"],
  };
}

/** A tool as it is described. */
type Definition = Identity;

/** Forms of a description, the fullest first, without equal ones. */
interface Described {
  readonly name: string;
  readonly forms: readonly Form[];
}

interface Form {
  readonly definition: Definition;
  readonly size: number;
  /** Parts of the definition that this form leaves out. */
  readonly omits: readonly Omission[];
}

type Omission = "the result" | "the ends of long texts";

/**
 * The forms of a description.
 * @param shorter further ones, each with what it lacks besides what the ones before it lack
 */
function formsOf(
  full: Definition,
  ...shorter: readonly (readonly [Omission, Definition])[]
): Described {
  const forms: Form[] = [{ definition: full, size: JSON.stringify(full).length, omits: [] }];
  for (const [omission, definition] of shorter) {
    const { size: previous, omits } = forms.at(-1)!;
    const size = JSON.stringify(definition).length;
    if (size < previous) forms.push({ definition, size, omits: [...omits, omission] });
  }
  return { name: full.name, forms };
}

interface DescribedTools {
  readonly tools: readonly Definition[];
  readonly note?: string;
}

/**
 * As many definitions as fit into the result, each in the fullest form that leaves room for the
 * shortest forms of the others. Schemas are never truncated.
 */
function fitDefinitions(
  described: readonly Described[],
  maxCharacters: number,
  describe: string,
): DescribedTools {
  const tools: Definition[] = [];
  const omitted = new Map<Omission | "", string[]>();
  const omit = (what: Omission | "", name: string): unknown =>
    omitted.set(what, [...(omitted.get(what) ?? []), name]);
  let remaining = maxCharacters;
  for (const [i, { name, forms }] of described.entries()) {
    const reserved = described.slice(i + 1).reduce((sum, one) => sum + shortestOf(one).size, 0);
    const shown = chooseForm(
      forms,
      remaining - reserved,
      tools.length === 0 ? Infinity : remaining,
    );
    if (!shown) omit("", name);
    else {
      tools.push(shown.definition);
      remaining -= shown.size;
      for (const what of shown.omits) omit(what, name);
    }
  }
  const note = omissionNote(omitted, tools.length, describe);
  return { tools, ...(note !== "" && { note }) };
}

/**
 * The fullest form that fits, else the shortest one.
 * @param largest maximum size of the shortest form
 */
function chooseForm(forms: readonly Form[], room: number, largest: number): Form | undefined {
  const shortest = shortestOf({ forms });
  return (
    forms.find(({ size }) => size <= room) ?? (shortest.size <= largest ? shortest : undefined)
  );
}

const shortestOf = ({ forms }: Pick<Described, "forms">): Form => forms.at(-1)!;

function omissionNote(
  omitted: ReadonlyMap<Omission | "", readonly string[]>,
  shown: number,
  describe: string,
): string {
  if (omitted.size === 0) return "";
  const parts = [...omitted].map(([what, names]) =>
    what === "" ? names.join(", ") : `${what} of ${names.join(", ")}`,
  );
  const advice =
    shown + (omitted.get("")?.length ?? 0) > 1 ? ` Call ${describe} again with fewer names.` : "";
  return `Left out for size: ${parts.join("; ")}.${advice}`;
}

function describedResult(described: DescribedTools): CallOutcome {
  return {
    outcome: "ok",
    result: {
      content: [{ type: "text", text: JSON.stringify(described) }],
      structuredContent: { ...described },
    },
  };
}

/** An error for unknown names. It includes the definitions of the known ones. */
function unknownNamesResult(
  explanations: readonly string[],
  described: DescribedTools,
): CallOutcome {
  if (described.tools.length === 0) return errorResult("invalid", explanations.join("\n"), []);
  const text = [...explanations, "The definitions of the other tools follow."].join("\n");
  return errorResult("invalid", text, [{ type: "text", text: JSON.stringify(described) }]);
}
