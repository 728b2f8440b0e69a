import type { AnyTool, ToolLookup } from "../tools/definitions.js";
import { type Identity, identityOf } from "./identity.js";
import type { DeclarationForm } from "./signature.js";

/**
 * Characters of declarations in one result, about 1,000 tokens, those that each further step of a
 * task adds, and the maximum. A description that is missing here costs the agent a call.
 */
const maxDeclarations = 2_800;
const maxPerStep = 900;
const maxOfAll = 8_000;

/** Characters of one declaration, and of that of the best match of a step. */
const maxDeclaration = 1_400;
const maxLead = 2_400;

/** Matches besides the best one of each step that have a declaration if it fits. */
const maxDeclared = 3;

/** Characters of signatures of the further matches, about 500 tokens. */
const maxSignatures = 1_800;

/** A match as the model reads it. */
interface DescribedMatch extends Identity {
  /** Description and every input, as `describe_tools` has them. */
  readonly typescript?: string;
  /** Signature of the call, where the declaration is too long. */
  readonly call?: string;
  /** One line, in place of the declaration. */
  readonly description?: string;
}

interface DescribedMatches {
  readonly tools: readonly DescribedMatch[];
  /** Producers of required inputs of the tools that can be called at once, by input. */
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
): DescribedMatches {
  const declared = chooseDeclarations(tools, leads, writer);
  const callable = tools.filter(({ name }, i) => declared.has(name) || i < maxDeclared);
  const lookups = lookupsOf(callable, lookup);
  let remaining = maxSignatures;
  const described = tools.map((tool, i): DescribedMatch => {
    const identity = identityOf(tool);
    const typescript = declared.get(tool.name);
    if (typescript !== undefined) return { ...identity, typescript };
    const isNeeded = leads.has(tool.name) || i < maxDeclared;
    const call = remaining > 0 || isNeeded ? writer.callSignature(tool) : "";
    if (call === "") return { ...identity, description: firstLine(tool.description, maxShortLine) };
    if (!isNeeded) remaining -= call.length;
    return { ...identity, call, description: firstLine(tool.description, maxLine) };
  });
  return { tools: described, ...(lookups.size > 0 && { lookups: Object.fromEntries(lookups) }) };
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

/** Producers that this server has, by required input. */
function lookupsOf(
  tools: readonly AnyTool[],
  lookup: ToolLookup,
): ReadonlyMap<string, readonly string[]> {
  const lookups = new Map<string, readonly string[]>();
  for (const { inputSchema, producers = {} } of tools) {
    const required = (inputSchema["required"] ?? []) as readonly string[];
    for (const [input, names] of Object.entries(producers)) {
      if (!required.includes(input)) continue;
      const available = names.filter((name) => lookup.find(name) !== undefined);
      const all = [...new Set([...(lookups.get(input) ?? []), ...available])];
      if (all.length > 0) lookups.set(input, all.slice(0, maxLookups));
    }
  }
  return lookups;
}

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
