/** The tools that the scopes of a caller permit. */
import type { ApiDefinition } from "../api-definition.js";
import {
  describeScopes,
  type ScopeAlternatives,
  scopeAlternatives,
  ungrantedScopes,
} from "../auth/required-scopes.js";
import type { ToolSelection } from "../tools/selection.js";
import { deserializeTool, type StoredTool } from "../tools/serialized-tools.js";
import type { ToolRegistry } from "../tools/tool-registry.js";

type SelectedTools = Omit<Extract<ToolSelection, { ok: true }>, "ok">;

/** A tool list with its instructions. */
interface ToolListing {
  readonly tools: ToolRegistry;
  readonly instructions?: string;
}

/** The tools for callers with some scopes. */
export interface PermittedTools extends ToolListing {
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
  createListing: (selection: SelectedTools) => ToolListing,
): SelectPermittedTools {
  const listings = new Map<string, PermittedTools>();
  let requirements: ReadonlyMap<string, ScopeAlternatives> | undefined;
  let knownScopes: ReadonlySet<string> | undefined;
  return (scopes, isStrict) => {
    requirements ??= new Map(selection.tools.map((tool) => [tool.name, toolScopes(tool, api)]));
    knownScopes ??= collectScopes(requirements, api);
    const known = knownScopes;
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

/** Scopes of a tool: those of any of its operations. Custom tools and workflows need none. */
function toolScopes(stored: StoredTool, api: ApiDefinition): ScopeAlternatives {
  const tool = deserializeTool(stored);
  if (!("operations" in tool)) return [[]];
  return tool.operations.flatMap(({ request }) => scopeAlternatives(request, api));
}

/** Scopes that the API declares or requires. */
function collectScopes(
  requirements: ReadonlyMap<string, ScopeAlternatives>,
  { securitySchemes }: ApiDefinition,
): ReadonlySet<string> {
  const declared = Object.values(securitySchemes).flatMap((scheme) =>
    scheme.kind === "oauth2" ? (scheme.scopes ?? []) : [],
  );
  return new Set([...declared, ...[...requirements.values()].flat(2)]);
}

function permit(
  { tools, excluded }: SelectedTools,
  requirements: ReadonlyMap<string, ScopeAlternatives>,
  granted: ReadonlySet<string>,
): SelectedTools {
  const reasons = new Map(excluded);
  for (const { name } of tools) {
    const scopes = ungrantedScopes(requirements.get(name) ?? [], granted);
    if (scopes) reasons.set(name, describeLackingScopes(name, scopes, granted));
  }
  return { tools: tools.filter(({ name }) => !reasons.has(name)), excluded: reasons };
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
