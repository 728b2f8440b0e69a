/** Links of the configuration: an ID that one API takes is one that another API has. */
import type { Configuration } from "../../configuration/types.js";
import { type DiagnosticCode, joinFirst, suggestionFor } from "../../diagnostics/index.js";
import { quoteText } from "../../diagnostics/text.js";
import { isObject } from "../../json.js";
import { describeInputs } from "../bound-parameters.js";
import { resolveInput } from "../configuration/name-resolution.js";
import { describeRenamed } from "../renamed-tools.js";
import type { Schemas } from "../schemas/refs.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { changeSingleId } from "../several-ids.js";
import { appendSentences } from "../text/sentences.js";
import type { PlannedTool } from "../types.js";
import type { MemberPlan } from "./types.js";

/** A link whose tools exist. */
interface Link {
  readonly consumer: string;
  readonly input: string;
  readonly producer: string;
  readonly field: string | undefined;
  /** Makes the input accept a name, too. */
  readonly addLookUp: (tool: PlannedTool) => PlannedTool;
}

/** Names the tools of other APIs that return the IDs which inputs take, as `links` says. */
export function linkApis(
  members: readonly MemberPlan[],
  configuration: Pick<Configuration, "content" | "locationOf"> | undefined,
  diagnostics: DiagnosticCollector,
): readonly MemberPlan[] {
  const links = readLinks(members, configuration, diagnostics);
  if (links.length === 0) return members;
  const link = (tool: PlannedTool): PlannedTool =>
    links.filter(({ consumer }) => consumer === tool.definition.name).reduce(addLink, tool);
  return members.map(({ name, plan }) => ({
    name,
    plan: { ...plan, tools: plan.tools.map(link) },
  }));
}

function readLinks(
  members: readonly MemberPlan[],
  configuration: Pick<Configuration, "content" | "locationOf"> | undefined,
  diagnostics: DiagnosticCollector,
): readonly Link[] {
  const tools = new Map(
    members.flatMap(({ plan }) => plan.tools.map((tool) => [tool.definition.name, tool] as const)),
  );
  const namedTools = members.flatMap(({ name: api, plan }) =>
    plan.tools.map(({ definition: { name } }) => ({ name, api })),
  );
  const references = { find: (name: string) => name, known: [...tools.keys()] };
  const schemasOf = (name: string): Schemas =>
    members.find(({ plan }) => plan.tools.includes(tools.get(name)!))?.plan.mock.schemas ?? {};
  return (configuration?.content.links ?? []).flatMap(({ input: target, from, match }, i) => {
    const report = (key: string, code: DiagnosticCode, message: string): readonly Link[] => {
      diagnostics.add(code, message, configuration?.locationOf(["links", i, key]));
      return [];
    };
    const [consumer = "", input = ""] = splitFirst(target);
    const [producer = "", field] = splitFirst(from);
    for (const [key, name] of [["input", consumer] as const, ["from", producer] as const])
      if (!tools.has(name))
        return report(
          key,
          "config-unknown-tool",
          `There is no tool ${quoteText(name)}` +
            (describeRenamed(name, namedTools) ??
              (suggestionFor(name, [...tools.keys()]) || ". `mcp-gen plan` lists the tools.")),
        );
    const { api } = namedTools.find(({ name }) => name === consumer)!;
    if (namedTools.some((tool) => tool.name === producer && tool.api === api))
      return report(
        "from",
        "config-no-effect",
        `${consumer} and ${producer} are tools of one API, ${api}, and links connect two. Use ` +
          `\`resolve\` or \`description\` of the input below apis.${api}.tools.${consumer}.`,
      );
    const inputs = tools.get(consumer)!.inputs.map((one) => one.name);
    if (!inputs.includes(input))
      return report(
        "input",
        "config-unknown-input",
        input === ""
          ? `${quoteText(target)} names no input. ${listOf("inputs", inputs)}`
          : `${consumer} has no input ${quoteText(input)}` +
              (suggestionFor(input, inputs) || `. ${listOf("inputs", inputs)}`),
      );
    const fields = fieldNames(tools.get(producer)!.definition.outputSchema);
    if (field !== undefined && fields.size > 0 && !fields.has(field))
      return report(
        "from",
        "config-unknown-field",
        `The result of ${producer} has no field ${quoteText(field)}` +
          (suggestionFor(field, [...fields]) || `. ${listOf("fields", [...fields])}`),
      );
    const addLookUp = (tool: PlannedTool): PlannedTool => {
      const found = tool.inputs.find((one) => one.name === input);
      return match === undefined || !found
        ? tool
        : resolveInput(
            tool,
            found,
            { via: producer, match },
            () => configuration!.locationOf(["links", i, "match"]),
            tools,
            { schemas: schemasOf(producer), references, diagnostics },
          );
    };
    return [{ consumer, input, producer, field, addLookUp }];
  });
}

/** Names that a message lists. */
const maxListed = 20;

const listOf = (kind: "inputs" | "fields", names: readonly string[]): string =>
  names.length === 0 ? `It has no ${kind}.` : `Its ${kind}: ${joinFirst(names, maxListed)}.`;

/** `get_parcel.trackingNumber` → `get_parcel`, `trackingNumber`. Names of tools have no dots. */
function splitFirst(text: string): readonly [string, string | undefined] {
  const [tool = "", ...rest] = text.split(".");
  return [tool, rest.length === 0 ? undefined : rest.join(".")];
}

/** Names of the fields of a result, at any depth. */
function fieldNames(schema: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(schema)) for (const part of schema) fieldNames(part, found);
  if (!isObject(schema)) return found;
  for (const [key, part] of Object.entries(schema)) {
    if (key === "properties" && isObject(part))
      for (const name of Object.keys(part)) found.add(name);
    fieldNames(part, found);
  }
  return found;
}

function addLink(tool: PlannedTool, link: Link): PlannedTool {
  return changeSingleId(addProducer(tool, link), link.input, link.addLookUp);
}

function addProducer(tool: PlannedTool, { input: name, producer, field }: Link): PlannedTool {
  const known = tool.definition.producers?.[name] ?? [];
  const source = field === undefined || field === name ? producer : `${field} of ${producer}`;
  const input = tool.inputs.find((one) => one.name === name);
  const described = describeInputs(
    tool,
    new Map([[name, appendSentences(input?.description ?? "", `Get it from ${source}.`)]]),
  );
  const { definition } = described;
  const producers = { ...definition.producers, [name]: [...new Set([...known, producer])] };
  return {
    ...described,
    inputs: described.inputs.map((one) =>
      one.name === name
        ? {
            ...one,
            producers: producers[name]!,
            ...(field !== undefined && {
              producerFields: { ...one.producerFields, [producer]: field },
            }),
          }
        : one,
    ),
    definition: { ...definition, producers },
  };
}
