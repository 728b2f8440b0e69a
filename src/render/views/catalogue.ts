import type { PlannedTool, ToolPlan } from "../../plan/types.js";
import {
  type Code,
  fileName,
  type FilePath,
  freeIdentifier,
  memberKey,
  path,
  stringLiteral,
  ts,
} from "../code.js";
import { header } from "./header.js";
import type { CatalogueView } from "./views.js";

/** A tool and where it goes. */
export interface PlacedTool {
  readonly tool: PlannedTool;
  /** The constant that holds it. */
  readonly constant: Code;
  readonly path: FilePath;
  /** String literal of its module, as `src/tools/index.ts` imports it. */
  readonly module: Code;
}

/** Names that the modules with the tools use themselves. */
const ours = [
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
 * Gives each tool a file below `src/tools` and a constant. No two are alike, also where case does
 * not count.
 */
export function placeTools(tools: readonly PlannedTool[]): readonly PlacedTool[] {
  const constants = new Set(ours);
  const files = new Set<string>();
  return tools.map((tool) => {
    const constant = freeIdentifier(tool.identifier, constants);
    constants.add(constant);
    const folder = fileName(tool.toolset);
    const name = freeFile((n) => path`${folder}/${fileName(n)}`, tool.definition.name, files);
    return {
      tool,
      constant,
      path: path`src/tools/${name}.ts`,
      module: stringLiteral(`./${name}.js`),
    };
  });
}

function freeFile(at: (name: string) => FilePath, wanted: string, files: Set<string>): FilePath {
  for (let i = 1; ; i++) {
    const name = at(i === 1 ? wanted : `${wanted}_${i}`);
    if (!files.has(name)) return (files.add(name), name);
  }
}

/** `src/tools/index.ts` */
export function catalogueView(plan: ToolPlan, tools: readonly PlacedTool[]): CatalogueView {
  return {
    header: header(plan.source),
    type: plan.workflows ? ts`AnyTool` : ts`ToolDefinition`,
    tools: tools.map(({ tool, constant, module }) => ({
      name: memberKey(tool.definition.name),
      identifier: constant,
      module,
    })),
  };
}
