/** The tool list of servers whose tools are found with the discovery tools. */
import type { ApiDefinition } from "../api-definition.js";
import { deserializeTool, type StoredTool, type ToolLookup } from "../tools/definitions.js";
import { joinInstructions } from "../tools/describe-toolsets.js";
import { configuredListed, type ListMode, type ListSettings, nameTest } from "../tools/listing.js";
import type { SelectedTools } from "../tools/selection.js";
import { sendsAnyRequest } from "../tools/send-request.js";
import { createToolRegistry, type OwnTool, type ToolRegistry } from "../tools/tool-registry.js";
import { chooseFrequentReads } from "./frequent-reads.js";
import { createDiscoveryTools, discoveryNames, hasBothEffects } from "./index.js";
import { discoveryInstructions } from "./instructions.js";

/** Sentence for the user who asks for the tool search in a project without it. */
export const discoveryProblem: string | undefined = undefined;

interface DiscoveryListingOptions {
  readonly api: ApiDefinition;
  readonly selected: SelectedTools;
  readonly settings: ListSettings & { readonly maxResultCharacters: number };
  readonly mode: ListMode;
  readonly own: OwnTools;
}

/** The tools of the server itself. */
interface OwnTools {
  create(lookup: ToolLookup): readonly OwnTool[];
  /** Names of those that hosts should always show. */
  readonly names: readonly string[];
  /** Sentences for the instructions. */
  readonly texts: readonly string[];
}

interface Listing {
  readonly tools: ToolRegistry;
  readonly instructions?: string;
}

/** Returns the function that creates registries of the selected tools or of some of them. */
export function createDiscoveryListing({
  api,
  selected,
  settings,
  mode,
  own,
}: DiscoveryListingOptions): (selection: SelectedTools) => Listing {
  const listed = [
    ...listedNames(api, selected.tools, settings, mode),
    ...namesOfAnyRequest(selected.tools),
  ];
  // The same for all callers, whose scopes permit some of the tools.
  const names = discoveryNames(api.namespace, nameTest(selected), hasBothEffects(selected.tools));
  return ({ tools, hidden, excluded }) => {
    const shown = tools.filter(({ name }) => listed.includes(name)).length;
    return {
      tools: createToolRegistry(tools, {
        excluded,
        hidden,
        builtIn: own.create,
        listed: [...listed, ...own.names],
        discovery: (registered) =>
          createDiscoveryTools(registered, names, settings.maxResultCharacters),
        namesHint: `Find tools with ${names.search}.`,
      }),
      instructions: joinInstructions(
        api,
        tools,
        discoveryInstructions(names, tools.length, shown),
        ...own.texts,
      ),
    };
  };
}

/**
 * Names of the tools that are listed beside the discovery tools: by setting, else as generated,
 * else, in the mode `hybrid`, those whose results most other tools need.
 */
function listedNames(
  api: ApiDefinition,
  tools: readonly StoredTool[],
  settings: ListSettings,
  mode: ListMode,
): readonly string[] {
  if (mode === "discovery") return [];
  const configured = configuredListed(api, tools, settings);
  if (configured.length > 0 || settings.listed) return configured;
  return chooseFrequentReads(tools.map((tool) => deserializeTool(tool)));
}

/** Maximum number of tools that send any request: one for each API. */
const MAX_RAW_TOOLS = 30;

/** Names of `send_request`, which are the last tools: to find them costs a search, and to list them little. */
function namesOfAnyRequest(tools: readonly StoredTool[]): readonly string[] {
  return tools
    .slice(-MAX_RAW_TOOLS)
    .filter((tool) => sendsAnyRequest(deserializeTool(tool)))
    .map(({ name }) => name);
}
