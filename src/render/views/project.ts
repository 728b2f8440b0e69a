import type { PlannedTool, ToolPlan } from "../../plan/types.js";
import {
  type Code,
  html,
  type Html,
  type Json,
  jsonString,
  markdown,
  type Markdown,
  plainWord,
} from "../code/index.js";
import { fileHeader } from "./module.js";
import { assignToolModules, type ToolModule } from "./tool-index.js";
import { type HeaderView, viewsVersion } from "./views.js";

/** What files see that people add: the server as a whole, in forms for any language. */
export function projectView(plan: ToolPlan): ProjectView {
  const summaries = new Map(
    assignToolModules(plan.tools).map((placed) => [placed.tool, toolSummary(placed)]),
  );
  const toolsOf = (tools: readonly PlannedTool[]): readonly ToolSummary[] =>
    tools.map((tool) => summaries.get(tool)!);
  return {
    header: fileHeader(plan.source),
    viewsVersion: plainWord(String(viewsVersion)),
    title: escapedText(plan.api.title),
    summary: escapedText(plan.summary),
    version: escapedText(plan.api.version),
    source: escapedText(plan.source),
    packageName: escapedText(plan.packageName),
    envPrefix: plainWord(plan.api.envPrefix),
    tools: toolsOf(plan.tools),
    toolsets: plan.toolsets.map(({ name, title }) => ({
      name: plainWord(name),
      title: escapedText(title),
      tools: toolsOf(plan.tools.filter(({ toolset }) => toolset === name)),
    })),
    environment: plan.environment.map(({ name, description, required, secret }) => ({
      name: plainWord(name),
      description: escapedText(description),
      required,
      secret,
    })),
  };
}

function toolSummary({ tool, identifier: constant, module }: ToolModule): ToolSummary {
  const { name, title, description, annotations } = tool.definition;
  return {
    name: plainWord(name),
    identifier: constant,
    module,
    title: escapedText(title),
    description: escapedText(description),
    readOnly: annotations.readOnlyHint,
    destructive: annotations.destructiveHint,
    inputs: tool.inputs.map((input) => ({
      name: plainWord(input.name),
      description: escapedText(input.description),
      required: input.required,
    })),
    operations: tool.operations.map(({ method, path }) => ({
      operation: escapedText(`${method} ${path}`),
    })),
  };
}

function escapedText(text: string): EscapedText {
  return { literal: jsonString(text), markdown: markdown(text), html: html(text) };
}

/**
 * Text of the document for files of any language: in each form it is safe where that form is read.
 */
export interface EscapedText {
  /** String literal, in double quotes: for TypeScript, JavaScript, JSON and YAML. */
  readonly literal: Json;
  /** Inline Markdown. */
  readonly markdown: Markdown;
  /** Text or attribute of HTML and XML. */
  readonly html: Html;
}

/** One input of a tool, for files of your own. */
export interface InputSummary {
  /** Letters, digits and underscores: safe anywhere. */
  readonly name: Code;
  /** What the model reads. */
  readonly description: EscapedText;
  /** The tool cannot be called without it. */
  readonly required: boolean;
}

/** One tool, for files of your own. */
export interface ToolSummary {
  /** `find_pets`: lower-case letters, digits and underscores; safe anywhere. */
  readonly name: Code;
  /** The constant that holds it: `findPets`. */
  readonly identifier: Code;
  /** Module of the constant, relative to `src/tools`, as a string literal. */
  readonly module: Code;
  /** For people. */
  readonly title: EscapedText;
  /** What the model reads. */
  readonly description: EscapedText;
  /** Changes nothing. */
  readonly readOnly: boolean;
  /** May destroy something. */
  readonly destructive: boolean;
  /** What it is called with, in order. */
  readonly inputs: readonly InputSummary[];
  /** The operations it stands for, most important first. */
  readonly operations: readonly {
    /** `GET /pets/{petId}` */
    readonly operation: EscapedText;
  }[];
}

/** `files/…`: every file that you add */
export interface ProjectView extends HeaderView {
  /** Version of all views together: a number. */
  readonly viewsVersion: Code;
  /** Title of the API. */
  readonly title: EscapedText;
  /** One sentence about the API. */
  readonly summary: EscapedText;
  /** Version of the API. */
  readonly version: EscapedText;
  /** Name of the document. */
  readonly source: EscapedText;
  /** The npm name. */
  readonly packageName: EscapedText;
  /** What the names of the server's environment variables begin with: `CLINIC`. Safe anywhere. */
  readonly envPrefix: Code;
  /** Every tool, in the order of `tools/list`. */
  readonly tools: readonly ToolSummary[];
  /** The same tools in their groups. */
  readonly toolsets: readonly {
    /** Lower-case letters, digits and underscores: safe anywhere. */
    readonly name: Code;
    /** What it is called. */
    readonly title: EscapedText;
    /** Its tools, in order. */
    readonly tools: readonly ToolSummary[];
  }[];
  /** Environment variables that the server reads. */
  readonly environment: readonly {
    /** Capitals, digits and underscores: safe anywhere. */
    readonly name: Code;
    /** What it is. */
    readonly description: EscapedText;
    /** The server cannot do without it. */
    readonly required: boolean;
    /** It must not be shown to anybody. */
    readonly secret: boolean;
  }[];
}
