import type { PlannedTool, ToolPlan } from "../../plan/types.js";
import { html, word, jsonText, markdown } from "../code.js";
import { type PlacedTool, placeTools } from "./catalogue.js";
import { header } from "./header.js";
import { type ProjectView, type ToolSummary, viewsVersion, type Wording } from "./views.js";

/** What files see that people add: the server as a whole, in forms for any language. */
export function projectView(plan: ToolPlan): ProjectView {
  const summaries = new Map(
    placeTools(plan.tools).map((placed) => [placed.tool, summaryOf(placed)]),
  );
  const toolsOf = (tools: readonly PlannedTool[]): readonly ToolSummary[] =>
    tools.map((tool) => summaries.get(tool)!);
  return {
    header: header(plan.source),
    viewsVersion: word(String(viewsVersion)),
    title: wording(plan.api.title),
    summary: wording(plan.summary),
    version: wording(plan.api.version),
    source: wording(plan.source),
    packageName: wording(plan.packageName),
    envPrefix: word(plan.api.envPrefix),
    tools: toolsOf(plan.tools),
    toolsets: plan.toolsets.map(({ name, title }) => ({
      name: word(name),
      title: wording(title),
      tools: toolsOf(plan.tools.filter(({ toolset }) => toolset === name)),
    })),
    environment: plan.environment.map(({ name, description, required, secret }) => ({
      name: word(name),
      description: wording(description),
      required,
      secret,
    })),
  };
}

function summaryOf({ tool, constant, module }: PlacedTool): ToolSummary {
  const { name, title, description, annotations } = tool.definition;
  return {
    name: word(name),
    identifier: constant,
    module,
    title: wording(title),
    description: wording(description),
    readOnly: annotations.readOnlyHint,
    destructive: annotations.destructiveHint,
    inputs: tool.inputs.map((input) => ({
      name: word(input.name),
      description: wording(input.description),
      required: input.required,
    })),
    operations: tool.operations.map(({ method, path }) => ({
      operation: wording(`${method} ${path}`),
    })),
  };
}

function wording(text: string): Wording {
  return { literal: jsonText(text), markdown: markdown(text), html: html(text) };
}
