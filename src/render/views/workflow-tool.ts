import type { Wire } from "../../runtime/types.js";
import { type Code, identifier, literal, stringLiteral, ts } from "../code.js";
import type { LockedTool } from "../lock/index.js";
import { member, objectCode } from "../workflows/value.js";
import type { PlacedTool } from "./catalogue.js";
import { header } from "./header.js";
import { toolView } from "./tool.js";
import type { WorkflowToolView } from "./workflow-views.js";

/**
 * `src/tools/[toolset]/[workflow].ts`: the tool of a workflow, which says what the workflow gets of
 * its input.
 */
export function workflowToolView(
  placed: PlacedTool,
  locked: Pick<LockedTool, "fingerprint">,
  source: string,
  types: ReadonlyMap<string, Code>,
): WorkflowToolView {
  const { requests: _, ...view } = toolView(placed, locked, source, types);
  const { tool } = placed;
  const {
    id,
    name,
    identifier: exported,
    source: file,
  } = tool.workflow as NonNullable<typeof tool.workflow>;
  const [request] = tool.definition.requests;
  const [read, resolve] = [request?.read.keep, request?.resolve];
  return {
    ...view,
    header: header(`the workflow ${id} of ${file}`),
    outputType: tool.output ? view.outputType : ts`unknown`,
    workflow: ts`{ ${identifier(exported)} as run }`,
    module: stringLiteral(`../../workflows/${name}.js`),
    given: givenCode(request?.send.body),
    read: read && literal({ keep: read }, 2, 8),
    resolve: resolve && literal(resolve, 2, 11),
  };
}

function givenCode(
  body: { readonly from?: string; readonly fields?: Readonly<Record<string, Wire>> } | undefined,
): Code {
  if (body?.from !== undefined)
    return ts`${member(ts`input`, body.from, false)} as unknown as Record<string, unknown>`;
  return objectCode(
    Object.entries(body?.fields ?? {}).map(([name, wire]) => [name, wireCode(wire)] as const),
    2,
    60,
  );
}

function wireCode(wire: Wire): Code {
  if (typeof wire === "string") return member(ts`input`, wire, false);
  if ("value" in wire) return literal(wire.value, 4);
  if ("env" in wire) return ts`flow.env(${stringLiteral(wire.env)})`;
  if ("generate" in wire) return ts`flow.uuid()`;
  const given = member(ts`input`, wire.from, false);
  return wire.default === undefined ? given : ts`${given} ?? ${literal(wire.default, 4)}`;
}
