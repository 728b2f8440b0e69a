/** Reads the definitions of custom tools, and of generated tools marked `@keep`. */
import { join } from "node:path";
import { ts } from "ts-morph";
import { type Diagnostic, diagnostic, formatCount } from "../diagnostics/index.js";
import { isObject, omitUndefined } from "../json.js";
import { type KeptDefinition, keptKey, type ProjectCode, UNKNOWN } from "../plan/project-code.js";
import type { CustomTool, ToolListing } from "../plan/types.js";
import { interfaceMembers, readToolStatement } from "../write/keep/tool-statement.js";
import { type CodeModule, evaluate, evaluateDefault } from "./evaluate.js";
import { ModuleReader } from "./modules.js";

/** A folder or module of generated tools, with its API in a server of several. */
export interface ToolPath {
  readonly path: string;
  readonly api?: string;
}

/** @param custom path of `src/custom/index.ts`; undefined if it is as generated */
export function readDefinitions(
  folder: string,
  custom: string | undefined,
  kept: readonly ToolPath[],
): ProjectCode {
  const reader = new ModuleReader(join(folder, "src"));
  const module = custom === undefined ? undefined : reader.read(custom);
  const hooks = module ? evaluateDefault(module) : {};
  const listed = isObject(hooks) ? (hooks["tools"] ?? []) : UNKNOWN;
  const tools = Array.isArray(listed) ? listed.flatMap((tool) => readTool(tool) ?? []) : [];
  const unread = Array.isArray(listed) ? listed.length - tools.length : undefined;
  return {
    tools,
    hasContent: hasContent(hooks),
    kept: new Map(kept.flatMap((file) => readKept(file, reader))),
    diagnostics: custom !== undefined && unread !== 0 ? [unreadDiagnostic(custom, unread)] : [],
  };
}

/** True for hooks that have prompts or resources. Computed hooks may have some. */
const hasContent = (hooks: unknown): boolean =>
  !isObject(hooks) || ["prompts", "resources"].some((part) => Object.hasOwn(hooks, part));

/** Parts of a custom tool that a lock records. */
const RECORDED = ["title", "description", "inputSchema", "outputSchema"] as const;

/** Annotations of a tool that states none, as `defineCustomTool` has them. */
function completeAnnotations(stated: Record<string, unknown>): ToolListing["annotations"] {
  return {
    readOnlyHint: false,
    destructiveHint: stated["readOnlyHint"] !== true,
    idempotentHint: false,
    openWorldHint: true,
    ...stated,
  };
}

function readTool(tool: unknown): CustomTool | undefined {
  if (!isObject(tool) || typeof tool["name"] !== "string") return undefined;
  const { annotations = {}, toolset } = tool;
  const computed = [...RECORDED, "annotations"].filter((field) => hasUnknown(tool[field]));
  const part = (field: string): unknown => (computed.includes(field) ? undefined : tool[field]);
  const listing = omitUndefined({
    name: tool["name"],
    title: part("title"),
    description: part("description") ?? "",
    annotations: completeAnnotations(
      isObject(annotations) && !computed.includes("annotations") ? annotations : {},
    ),
    inputSchema: part("inputSchema") ?? { type: "object" },
    outputSchema: part("outputSchema"),
  }) as unknown as ToolListing;
  return {
    listing,
    ...(typeof toolset === "string" && { toolset }),
    ...(computed.length > 0 && { computed }),
  };
}

function hasUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasUnknown);
}

function unreadDiagnostic(file: string, unread: number | undefined): Diagnostic {
  const what = unread === undefined ? "The custom tools" : formatCount(unread, "custom tool");
  const state =
    unread === 1
      ? "is not in the lock and the budget: its name is computed"
      : "are not in the lock and the budget: their names are computed";
  return diagnostic(
    "project-code-unread",
    `${what} of src/custom ${state}`,
    { file, pointer: "" },
    "Write `tools` as a list of constants, and the name of each tool as a text.",
  );
}

/** The kept definitions of a module, by key. */
function readKept(
  { path, api }: ToolPath,
  reader: ModuleReader,
): readonly [string, KeptDefinition][] {
  const module = reader.read(path);
  if (!module) return [];
  return module.file.statements.filter(hasKeepTag).flatMap((statement) =>
    ts.isVariableStatement(statement)
      ? statement.declarationList.declarations.flatMap(
          (declaration): [string, KeptDefinition][] => {
            const { name, initializer } = declaration;
            if (!ts.isIdentifier(name) || !initializer) return [];
            const definition = evaluateOwn(initializer, module);
            return [
              [keptKey(name.text, api), { definition, ...generatedInputs(statement, module) }],
            ];
          },
        )
      : [],
  );
}

/** Names in the generated type of a tool's input; none if that is marked `@keep`, too. */
function generatedInputs(
  statement: ts.Statement,
  { file }: CodeModule,
): Pick<KeptDefinition, "inputs"> {
  const type = readToolStatement(statement)?.inputType;
  const declaration = file.statements.find(
    (one) => ts.isInterfaceDeclaration(one) && one.name.text === type,
  );
  return type === undefined || !declaration || hasKeepTag(declaration)
    ? {}
    : { inputs: interfaceMembers(file, type) };
}

/** Evaluates a definition without the modules that a run may change. */
function evaluateOwn(node: ts.Expression, { file, budget }: CodeModule): unknown {
  return evaluate(node, { file, budget, resolve: () => undefined });
}

function hasKeepTag(statement: ts.Statement): boolean {
  return ts.getJSDocTags(statement).some(({ tagName }) => tagName.text === "keep");
}
