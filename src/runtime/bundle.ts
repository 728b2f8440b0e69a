/** Functions with which `bundle.mjs` prepares the tools of a bundle. */
import { searchIndexOf } from "./discovery/store-index.js";
import { jsonEquals } from "./schema/scalar-keywords.js";
import {
  type CompressedTexts,
  compressText,
  TextCompressor,
  type TextReader,
  textReader,
} from "./tools/compressed-tools.js";
import { type AnyTool, deserializeTool, type SerializedTool } from "./tools/definitions.js";
import { fingerprintOf } from "./tools/fingerprint.js";

export { compressedTools, decompressText } from "./tools/compressed-tools.js";

/** Characters of the texts of all tools above which a bundle has them compressed. */
const maxCharacters = 16_000_000;

/** A tool as `readTools` returns it, by the name of its constant. */
interface ReadTool {
  readonly constant: string;
  /** The tool without its text. Absent for one with functions or other values that JSON lacks. */
  readonly head?: Omit<SerializedTool, "json">;
  /** The text of a serialized tool; for another, that of all fields that JSON has. */
  readonly json: string;
}

/** Reads tools by the names of their constants. */
export function readTools(tools: Readonly<Record<string, AnyTool>>): Promise<readonly ReadTool[]> {
  return Promise.all(
    Object.entries(tools).map(async ([constant, tool]) => {
      const { json, ...head } = (await serializeTool(tool)) ?? { json: undefined };
      if (json === undefined) return { constant, json: JSON.stringify(tool) };
      return { constant, head: head as Omit<SerializedTool, "json">, json };
    }),
  );
}

/** Serializes a tool; undefined for a tool with functions or other values that JSON does not have. */
export async function serializeTool(tool: AnyTool): Promise<SerializedTool | undefined> {
  const { name, toolset, api, annotations, hidden, ...rest } = tool;
  const json = JSON.stringify(rest);
  if (!jsonEquals(JSON.parse(json), rest)) return undefined;
  return {
    ...{ name, annotations, fingerprint: await fingerprintOf(tool), json },
    ...(toolset !== undefined && { toolset }),
    ...(api !== undefined && { api }),
    ...(hidden && { hidden }),
  };
}

/** Code of two modules of a bundle. */
interface BundleModules {
  /** Exports `tools`. It expects the constants of tools that are not serialized. */
  readonly tools: string;
  /** Exports `readStoredIndex`. */
  readonly index: string;
}

/** A tool by its position among the texts. */
type CollectedTool = Omit<ReadTool, "json"> & { readonly position: number };

/** The tools of a bundle in the order of the list, and their texts. */
interface CollectedTools {
  readonly tools: readonly CollectedTool[];
  readonly texts: CompressedTexts;
}

/** Makes the text of the search index. */
export function readIndex({ tools, texts }: CollectedTools): string {
  return JSON.stringify(searchIndexOf(definitionsOf(tools, textReader(texts))));
}

/** Collects the tools of a bundle, compressed, so that those of large APIs need little memory. */
export class ToolBundle {
  readonly #texts = new TextCompressor();
  readonly #tools = new Map<string, CollectedTool>();
  #characters = 0;

  add(tools: readonly ReadTool[]): void {
    for (const { json, ...tool } of tools) {
      this.#tools.set(tool.constant, { ...tool, position: this.#tools.size });
      this.#texts.add(json);
      this.#characters += json.length;
    }
  }

  isSerialized(constant: string): boolean {
    return this.#tools.get(constant)?.head !== undefined;
  }

  /**
   * The tools as data, from which a thread can make the index.
   * @param order constants of the tools in the order of the list
   */
  finish(order: readonly string[]): CollectedTools {
    return {
      tools: order.map((constant) => this.#tools.get(constant)!),
      texts: this.#texts.finish(),
    };
  }

  /**
   * @param index text of the search index
   * @param canCompress false for workers, which lack the compression of Node
   */
  modules({ tools, texts }: CollectedTools, index: string, canCompress: boolean): BundleModules {
    return canCompress && this.#characters > maxCharacters
      ? this.#compressedModules(tools, texts, index)
      : plainModules(tools, textReader(texts), index);
  }

  #compressedModules(
    tools: readonly CollectedTool[],
    texts: CompressedTexts,
    index: string,
  ): BundleModules {
    const heads = [...this.#tools.values()].map(({ head = null }) => head);
    return {
      tools: [
        importing("compressedTools"),
        `const toolAt = compressedTools(JSON.parse(${quote(JSON.stringify(heads))}), ${JSON.stringify(texts)});`,
        listOf(tools, ({ position }) => `toolAt(${position})`),
      ].join("\n"),
      index: `${importing("decompressText")}
${indexModule(`decompressText("${compressText(index)}")`)}`,
    };
  }
}

function plainModules(
  tools: readonly CollectedTool[],
  readText: TextReader,
  index: string,
): BundleModules {
  const codeOf = ({ head, position }: CollectedTool): string =>
    JSON.stringify({ ...head, json: readText(position) });
  return { tools: listOf(tools, codeOf), index: indexModule(quote(index)) };
}

/** Import of a function of this module, into `src/tools`. */
const importing = (name: string): string =>
  `import { ${name} } from ${quote("../runtime/bundle.js")};`;

/** A text as a literal. */
const quote = (text: string): string => JSON.stringify(text);

/** The tools that can be found, complete, one at a time. */
function* definitionsOf(tools: readonly CollectedTool[], readText: TextReader): Generator<AnyTool> {
  for (const { head, position } of tools) {
    const json = readText(position);
    const tool = head ? deserializeTool({ ...head, json }) : (JSON.parse(json) as AnyTool);
    if (!tool.hidden) yield tool;
  }
}

function listOf(tools: readonly CollectedTool[], codeOf: (tool: CollectedTool) => string): string {
  const items = tools.map((tool) => (tool.head ? codeOf(tool) : tool.constant));
  return `export const tools = [\n${items.join(",\n")}\n];`;
}

function indexModule(text: string): string {
  return `export const readStoredIndex = () => JSON.parse(${text});`;
}
