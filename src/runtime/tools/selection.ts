/**
 * Selection of tools: by settings, by the scopes of a caller; and the scopes that a sign-in
 * requests.
 */
import type { ApiDefinition } from "../api-definition.js";
import {
  describeScopes,
  scopeAlternatives,
  type ScopeAlternatives,
  ungrantedScopes,
} from "../auth/scopes.js";
import { joinFirst, nearestNames } from "../data/values.js";
import { deserializeTool, type StoredTool } from "./definitions.js";
import { sendsAnyRequest } from "./send-request.js";
import type { ToolRegistry } from "./tool-registry.js";

/** Settings that narrow the tools of a server. */
interface SelectionSettings {
  /** Toolsets to offer; empty offers all. */
  readonly toolsets: readonly string[];
  /** True if only read-only tools are listed. */
  readonly readOnly: boolean;
}

/** The tools that a server offers, by its settings. */
export type ToolSelection =
  | {
      readonly ok: true;
      /** Selected tools in their order. Others can neither be listed nor called. */
      readonly tools: readonly StoredTool[];
      /** Selected tools that only other tools call. */
      readonly hidden: readonly StoredTool[];
      /** Reasons, by name, why other tools are excluded, as sentences for the agent. */
      readonly excluded: ReadonlyMap<string, string>;
    }
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Selects the tools of some toolsets, or those that only read. A tool without a toolset, as custom
 * tools are, belongs to all.
 */
export function selectTools(
  tools: readonly StoredTool[],
  { toolsets, readOnly }: SelectionSettings,
  prefix: string,
): ToolSelection {
  const visible = tools.filter((tool) => !tool.hidden);
  const hidden = tools.filter((tool) => tool.hidden);
  if (toolsets.length === 0 && !readOnly)
    return { ok: true, tools: visible, hidden, excluded: new Map() };
  const problems = findUnknownToolsets(visible, toolsets, prefix);
  if (problems.length > 0) return { ok: false, problems };
  const excluded = new Map(visible.flatMap((tool) => exclusionOf(tool, toolsets, readOnly) ?? []));
  const selected = visible.filter(({ name }) => !excluded.has(name));
  const callable = hidden.filter((tool) => !readOnly || tool.annotations.readOnlyHint);
  if (selected.length > 0) return { ok: true, tools: selected, hidden: callable, excluded };
  const scope = toolsets.length > 0 ? ` of ${toolsets.join(", ")}` : "";
  const flag = `--read-only (${prefix}_READ_ONLY)`;
  return {
    ok: false,
    problems: [`${flag} leaves no tool${scope}: all of them can change something.`],
  };
}

/** The part of a selection with the tools of one API or of one toolset; undefined without any. */
export function narrowSelection(
  { tools, hidden, excluded }: SelectedTools,
  name: string,
): SelectedTools | undefined {
  const isOwn = ({ api, toolset }: StoredTool): boolean => api === name || toolset === name;
  if (!tools.some(isOwn)) return undefined;
  const others = tools.filter((tool) => tool.toolset !== undefined && !isOwn(tool));
  const reasons = others.map(
    (tool) =>
      [
        tool.name,
        `${tool.name} is not available here: this address has the tools of ${name}.`,
      ] as const,
  );
  return {
    tools: tools.filter((tool) => !others.includes(tool)),
    hidden: hidden.filter(
      ({ api }) => api === undefined || tools.some((tool) => isOwn(tool) && tool.api === api),
    ),
    excluded: new Map([...excluded, ...reasons]),
  };
}

function exclusionOf(
  { name, toolset, api, annotations }: StoredTool,
  toolsets: readonly string[],
  readOnly: boolean,
): readonly [readonly [string, string]] | undefined {
  const prefix = `${name} is not available: this server was started`;
  const isNamed = [toolset, api].some((one) => one !== undefined && toolsets.includes(one));
  if (toolsets.length > 0 && toolset !== undefined && !isNamed) {
    const reason = `with the toolsets ${toolsets.join(", ")}, and it belongs to ${toolset}`;
    return [[name, `${prefix} ${reason}.`]];
  }
  if (!readOnly || annotations.readOnlyHint) return undefined;
  return [[name, `${prefix} read-only, and it can change something.`]];
}

/**
 * Names of `--listed` that no tool has, as sentences.
 * @param tools all tools, also those that other settings exclude
 */
export function findUnknownTools(
  tools: readonly StoredTool[],
  listed: readonly string[] = [],
  prefix: string,
): readonly string[] {
  const names = new Set(tools.map(({ name }) => name));
  return listed
    .filter((name) => !names.has(name))
    .map((name) => {
      const suggestions = nearestNames(name, names);
      const hint = suggestions.length > 0 ? `; did you mean ${suggestions.join(" or ")}?` : ".";
      return `--listed (${prefix}_LISTED) names no tool: ${JSON.stringify(name)}${hint}`;
    });
}

/** Maximum number of toolsets in a message. */
const maxShown = 30;

function findUnknownToolsets(
  tools: readonly StoredTool[],
  requested: readonly string[],
  prefix: string,
): readonly string[] {
  const toolsets = listViews(tools);
  const knownSentence = `The toolsets: ${joinFirst(toolsets, maxShown)}.`;
  const flag = `--toolsets (${prefix}_TOOLSETS)`;
  return requested
    .filter((toolset) => !toolsets.includes(toolset))
    .map((toolset) => {
      const suggestions = nearestNames(toolset, toolsets);
      const hint = suggestions.length > 0 ? `; did you mean ${suggestions.join(" or ")}?` : ".";
      const problem = `${flag} names no toolset of this server: ${JSON.stringify(toolset)}`;
      return `${problem}${hint} ${knownSentence}`;
    });
}

/** Names of the APIs and toolsets of tools, each of which has an address of its own. */
export function listViews(tools: readonly StoredTool[]): readonly string[] {
  return [...new Set([...listApis(tools), ...listToolsets(tools)])];
}

/** APIs of tools, in their order; none in a server of one API. */
export function listApis(tools: readonly StoredTool[]): readonly string[] {
  return [...new Set(tools.flatMap(({ api }) => api ?? []))];
}

/** Toolsets of tools, in their order. */
export function listToolsets(tools: readonly StoredTool[]): readonly string[] {
  return [...new Set(tools.flatMap(({ toolset }) => toolset ?? []))];
}

/**
 * Collects only the scopes of a scheme that the listed tools need. Workflows and custom tools can
 * send any request, so they need the scopes of the whole API.
 */
export function neededScopes(
  tools: readonly StoredTool[],
  { security = [], securitySchemes }: ApiDefinition,
  schemeName: string,
): readonly string[] {
  const scopes = new Set<string>();
  for (const tool of tools) {
    const complete = deserializeTool(tool);
    const operations = "operations" in complete ? complete.operations : undefined;
    if (!operations || sendsAnyRequest(complete)) return allScopes(securitySchemes[schemeName]);
    for (const { request } of operations)
      for (const requirement of request.security ?? security)
        for (const scope of requirement[schemeName] ?? []) scopes.add(scope);
  }
  return [...scopes].sort();
}

function allScopes(scheme: ApiDefinition["securitySchemes"][string] | undefined) {
  return scheme?.kind === "oauth2" ? (scheme.scopes ?? []) : [];
}

/** The selected tools, and the reasons for the exclusion of others. */
export type SelectedTools = Omit<Extract<ToolSelection, { ok: true }>, "ok">;

/** The registry of some tools, and the instructions for it. */
interface ListedTools {
  readonly tools: ToolRegistry;
  readonly instructions?: string;
}

/** The tools for callers with some scopes. */
export interface PermittedTools extends ListedTools {
  /** Scopes of the caller that the API knows. */
  readonly grantedScopes: ReadonlySet<string>;
}

/**
 * Returns the tools for a caller; undefined if its scopes do not limit them, because the API knows
 * none of them.
 * @param isStrict true if such a caller has no permissions at all
 */
export type SelectPermittedTools = (
  scopes: readonly string[],
  isStrict: boolean,
) => PermittedTools | undefined;

/** Maximum number of lists in memory. A list belongs to a combination of scopes. */
const maxListings = 20;

/** Creates the selection. Nothing is computed before its first use. */
export function createPermittedTools(
  selection: SelectedTools,
  api: ApiDefinition,
  createListing: (selection: SelectedTools) => ListedTools,
): SelectPermittedTools {
  const listings = new Map<string, PermittedTools>();
  let requirements: Map<string, ScopeAlternatives> | undefined;
  let knownScopes: ReadonlySet<string> | undefined;
  return (scopes, isStrict) => {
    requirements ??= new Map(selection.tools.map((tool) => [tool.name, toolScopes(tool, api)]));
    knownScopes ??= collectScopes(requirements, [api, ...Object.values(api.apis ?? {})]);
    const known = knownScopes;
    requireAll(requirements, selection.tools, known);
    const granted = scopes.filter((scope) => known.has(scope)).sort();
    if (granted.length === 0 && !isStrict) return undefined;
    const key = JSON.stringify(granted);
    const created = listings.get(key) ?? {
      ...createListing(permit(selection, requirements, new Set(granted))),
      grantedScopes: new Set(granted),
    };
    // The most recently used list is the last one.
    listings.delete(key);
    listings.set(key, created);
    if (listings.size > maxListings) listings.delete([...listings.keys()][0]!);
    return created;
  };
}

/** Requires all scopes for `send_request`, which can send what any other tool sends. */
function requireAll(
  requirements: Map<string, ScopeAlternatives>,
  tools: readonly StoredTool[],
  known: ReadonlySet<string>,
): void {
  for (const tool of tools)
    if (sendsAnyRequest(deserializeTool(tool))) requirements.set(tool.name, [[...known]]);
}

/** Scopes of a tool: those of any of its operations. Custom tools and workflows need none. */
function toolScopes(stored: StoredTool, server: ApiDefinition): ScopeAlternatives {
  const tool = deserializeTool(stored);
  const api = server.apis?.[tool.api ?? ""] ?? server;
  if (!("operations" in tool)) return [[]];
  return tool.operations.flatMap(({ request }) => scopeAlternatives(request, api));
}

/** Scopes that the API declares or requires. */
function collectScopes(
  requirements: ReadonlyMap<string, ScopeAlternatives>,
  apis: readonly ApiDefinition[],
): ReadonlySet<string> {
  const declared = apis
    .flatMap(({ securitySchemes }) => Object.values(securitySchemes))
    .flatMap((scheme) => (scheme.kind === "oauth2" ? (scheme.scopes ?? []) : []));
  return new Set([...declared, ...[...requirements.values()].flat(2)]);
}

function permit(
  { tools, hidden, excluded }: SelectedTools,
  requirements: ReadonlyMap<string, ScopeAlternatives>,
  granted: ReadonlySet<string>,
): SelectedTools {
  const reasons = new Map(excluded);
  for (const { name } of tools) {
    const scopes = ungrantedScopes(requirements.get(name) ?? [], granted);
    if (scopes) reasons.set(name, describeLackingScopes(name, scopes, granted));
  }
  return { tools: tools.filter(({ name }) => !reasons.has(name)), hidden, excluded: reasons };
}

/** Tells an agent why a caller may not use a tool. */
export function describeLackingScopes(
  tool: string,
  scopes: readonly string[],
  granted: ReadonlySet<string>,
): string {
  const names = describeScopes(scopes.filter((scope) => !granted.has(scope)));
  return (
    `${tool} needs ${names}, which this client's access token for this server lacks. ` +
    "Tell the user to authorize the client again with more permissions; do not retry."
  );
}
