/** Toolsets of an API in a server of several APIs. */
import { serverToolset } from "../../runtime/tools/bind-tools.js";
import type { ToolPlan, Toolset } from "../types.js";
import type { MemberPlan } from "./types.js";

/** Name of a toolset in the server: `<api>_<toolset>`, or `<api>` if the API has only one. */
export function joinToolset(
  api: string,
  toolset: string,
  { toolsets }: Pick<ToolPlan, "toolsets">,
): string {
  return serverToolset(api, toolset, toolsets.length === 1);
}

/** Toolsets of an API, in its order. A title names the API that it belongs to. */
export function joinToolsets({ name, plan }: MemberPlan): readonly Toolset[] {
  const { title } = plan.api;
  const isOnly = plan.toolsets.length === 1;
  return plan.toolsets.map((toolset) => ({
    ...toolset,
    name: joinToolset(name, toolset.name, plan),
    title: isOnly ? title : `${title}: ${toolset.title}`,
  }));
}
