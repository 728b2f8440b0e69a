import type { PlannedTool, ToolPlan } from "../../plan/types.js";
import {
  type Code,
  fileName,
  type FilePath,
  uniqueIdentifier,
  memberKey,
  filePath,
  stringLiteral,
  ts,
} from "../code/index.js";
import { fileHeader } from "./module.js";
import type { ToolIndexView } from "./views.js";

/** A tool and its module. */
export interface ToolModule {
  readonly tool: PlannedTool;
  /** Constant of the tool. */
  readonly identifier: Code;
  readonly path: FilePath;
  /** String literal of the module, as `src/tools/index.ts` imports it. */
  readonly module: Code;
}

/** Names that generated modules declare or import. */
const reservedNames = [
  "defineTool",
  "tools",
  "Tools",
  "ToolDefinition",
  "ToolTypes",
  "AnyTool",
  "defineWorkflowTool",
  "run",
];

/**
 * Assigns each tool a file below `src/tools` and a constant. Both are unique, also without regard
 * to case.
 */
export function assignToolModules(tools: readonly PlannedTool[]): readonly ToolModule[] {
  const constants = new Set(reservedNames);
  const files = new Set<string>();
  return tools.map((tool) => {
    const identifier = uniqueIdentifier(tool.identifier, constants);
    constants.add(identifier);
    const folder = fileName(tool.toolset);
    const name = uniqueFilePath(
      (n) => filePath`${folder}/${fileName(n)}`,
      tool.definition.name,
      files,
    );
    return {
      tool,
      identifier,
      path: filePath`src/tools/${name}.ts`,
      module: stringLiteral(`./${name}.js`),
    };
  });
}

function uniqueFilePath(
  at: (name: string) => FilePath,
  wanted: string,
  files: Set<string>,
): FilePath {
  for (let i = 1; ; i++) {
    const name = at(i === 1 ? wanted : `${wanted}_${i}`);
    if (!files.has(name)) return (files.add(name), name);
  }
}

/** `src/tools/index.ts` */
export function toolIndexView(plan: ToolPlan, tools: readonly ToolModule[]): ToolIndexView {
  return {
    header: fileHeader(plan.source),
    type: plan.workflows ? ts`AnyTool` : ts`ToolDefinition`,
    tools: tools.map(({ tool, identifier: constant, module }) => ({
      name: memberKey(tool.definition.name),
      identifier: constant,
      module,
    })),
  };
}
