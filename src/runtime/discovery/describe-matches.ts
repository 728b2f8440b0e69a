import type { AnyTool, ToolLookup } from "../tools/definitions.js";
import { type Identity, identityOf } from "./identity.js";
import type { DeclarationForm } from "./signature.js";

/**
 * Characters of declarations in one result, about 1,000 tokens, those that each further step of a
 * task adds, and the maximum. A description that is missing here costs the agent a call.
 */
const maxDeclarations = 2_800;
const maxPerStep = 900;
const maxOfAll = 12_000;

/** Characters of one declaration, and of that of the best match of a step. */
const maxDeclaration = 1_400;
const maxLead = 2_400;

/** Matches besides the best one of each step that have a declaration if it fits. */
const maxDeclared = 3;

/** Characters of signatures of the further matches, about 500 tokens. */
const maxSignatures = 1_800;

interface DescribedMatch extends Identity {
  /** Description and every input, as `describe_tools` has them. */
  readonly typescript?: string;
  /** Signature of the call, where the declaration is too long. */
  readonly call?: string;
  /** One line, in place of the declaration. */
  readonly description?: string;
  /** Producers of required inputs, by input, where the declaration names none. */
  readonly lookups?: Readonly<Record<string, readonly string[]>>;
}

type SignatureWriter = Pick<typeof import("./signature.js"), "callSignature" | "toolDeclaration">;

/**
 * Describes matches so that the best one of each step can be called at once.
 * @param leads names of the best matches of the steps
 */
export function describeMatches(
  tools: readonly AnyTool[],
  leads: ReadonlySet<string>,
  lookup: ToolLookup,
  writer: SignatureWriter,
): readonly DescribedMatch[] {
  const declared = chooseDeclarations(tools, leads, writer);
  let remaining = maxSignatures;
  return tools.map((tool, i): DescribedMatch => {
    const identity = identityOf(tool);
    const typescript = declared.get(tool.name);
    const lookups = lookupsOf(tool, lookup, typescript ?? "");
    if (typescript !== undefined) return { ...identity, typescript, ...lookups };
    const isNeeded = leads.has(tool.name) || i < maxDeclared;
    const call = remaining > 0 || isNeeded ? writer.callSignature(tool, isNeeded) : "";
    const description = firstLine(tool.description, call === "" ? maxShortLine : maxLine);
    if (!isNeeded) remaining -= call.length;
    return { ...identity, ...(call !== "" && { call }), description, ...lookups };
  });
}

/** Declarations by name: of the best match of each step, and of the first matches, if they fit. */
function chooseDeclarations(
  tools: readonly AnyTool[],
  leads: ReadonlySet<string>,
  { toolDeclaration }: SignatureWriter,
): ReadonlyMap<string, string> {
  const declared = new Map<string, string>();
  let remaining = Math.min(maxDeclarations + maxPerStep * Math.max(0, leads.size - 1), maxOfAll);
  const declare = (tool: AnyTool, forms: readonly DeclarationForm[], max: number): void => {
    const text = forms
      .map((form) => toolDeclaration(tool, false, form))
      .find(({ length }) => length <= Math.min(max, remaining));
    if (text === undefined || declared.has(tool.name)) return;
    declared.set(tool.name, text);
    remaining -= text.length;
  };
  const first = tools.filter(({ name }) => leads.has(name));
  for (const [i, tool] of first.entries())
    declare(tool, ["brief", "compact"], Math.min(maxLead, remaining / (first.length - i)));
  for (const tool of tools.slice(0, maxDeclared)) declare(tool, ["brief"], maxDeclaration);
  return declared;
}

/** Producers that this server has, by required input, unless the text of the match names one. */
function lookupsOf(
  { inputSchema, producers = {} }: AnyTool,
  lookup: ToolLookup,
  text: string,
): Pick<DescribedMatch, "lookups"> {
  const required = (inputSchema["required"] ?? []) as readonly string[];
  const words = new Set(text.split(/\W+/));
  const lookups = required.flatMap((input) => {
    const names = (producers[input] ?? []).filter((name) => lookup.find(name) !== undefined);
    const isStated = names.length === 0 || names.some((name) => words.has(name));
    return isStated ? [] : [[input, names.slice(0, maxLookups)] as const];
  });
  return lookups.length === 0 ? {} : { lookups: Object.fromEntries(lookups) };
}

/** Producers of one input. */
const maxLookups = 3;
const maxLine = 120;
const maxShortLine = 80;

/** The leading sentences of a text that fit into one line. A longer first sentence is cut. */
function firstLine(text: string, maxLength: number): string {
  const start = text.slice(0, maxLength + 1);
  const sentenceEnds = [...start.matchAll(/[.!?](?=\s)|[.!?]$|\u3002/g)]
    .map(({ index }) => index + 1)
    .filter((end) => end <= maxLength);
  const end = sentenceEnds[0];
  if (end !== undefined) return start.slice(0, end);
  if (text.length <= maxLength) return text;
  return `${start.slice(0, maxLength - 1).trimEnd()}\u2026`;
}
