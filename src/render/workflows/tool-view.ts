import type { ParameterSource } from "../../runtime/types.js";
import { identifier } from "../code/identifiers.js";
import { literal, stringLiteral } from "../code/literal.js";
import { type Code, ts } from "../code/safe.js";
import type { LockEntry } from "../lock/index.js";
import { fileHeader, type SchemaNames } from "../views/module.js";
import type { ToolModule } from "../views/tool-index.js";
import { toolView } from "../views/tool.js";
import type { WorkflowToolView } from "../views/views.js";
import { memberAccess, objectCode } from "./value.js";

/**
 * `src/tools/[toolset]/[workflow].ts`: the tool of a workflow, with the mapping from its inputs to
 * those of the workflow.
 */
export function workflowToolView(
  module: ToolModule,
  lockEntry: Pick<LockEntry, "fingerprint">,
  source: string,
  names: SchemaNames,
): WorkflowToolView {
  const { operations: _, ...view } = toolView(module, lockEntry, source, names);
  const { tool } = module;
  const {
    id,
    name,
    identifier: exported,
    source: file,
  } = tool.workflow as NonNullable<typeof tool.workflow>;
  const [request] = tool.definition.operations;
  const [read, resolve] = [request?.response.projection, request?.resolve];
  return {
    ...view,
    header: fileHeader(`the workflow ${id} of ${file}`),
    outputType: tool.output ? view.outputType : ts`unknown`,
    workflowImport: ts`{ ${identifier(exported)} as workflow }`,
    workflowModule: stringLiteral(`../../workflows/${name}.js`),
    workflowInputs: workflowInputsCode(request?.request.body),
    response: read && literal({ projection: read }, 2, 12),
    resolve: resolve && literal(resolve, 2, 11),
  };
}

function workflowInputsCode(
  body:
    | { readonly from?: string; readonly fields?: Readonly<Record<string, ParameterSource>> }
    | undefined,
): Code {
  if (body?.from !== undefined)
    return ts`${memberAccess(ts`input`, body.from, false)} as unknown as Record<string, unknown>`;
  return objectCode(
    Object.entries(body?.fields ?? {}).map(([name, wire]) => [name, sourceCode(wire)] as const),
    2,
    60,
  );
}

function sourceCode(wire: ParameterSource): Code {
  if (typeof wire === "string") return memberAccess(ts`input`, wire, false);
  if ("value" in wire) return literal(wire.value, 4);
  if ("env" in wire) return ts`run.env(${stringLiteral(wire.env)})`;
  if ("generate" in wire) return ts`run.randomUuid()`;
  const value = memberAccess(ts`input`, wire.from, false);
  return wire.default === undefined ? value : ts`${value} ?? ${literal(wire.default, 4)}`;
}
