/** View of files that users add with templates of their own. */
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
import { fileHeader } from "./schemas.js";
import { assignToolModules, type ToolModule } from "./tools.js";
import { type HeaderView, viewsVersion } from "./views.js";

/** Builds the view of added files: the whole server, with text escaped for any language. */
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

function toolSummary({ tool, identifier, module }: ToolModule): ToolSummary {
  const { name, title, description, annotations } = tool.definition;
  return {
    name: plainWord(name),
    identifier,
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

/** Text of the document, escaped for each language of an added file. */
export interface EscapedText {
  /** String literal in double quotes, for TypeScript, JavaScript, JSON and YAML. */
  readonly literal: Json;
  /** Inline Markdown. */
  readonly markdown: Markdown;
  /** Text or attribute of HTML and XML. */
  readonly html: Html;
}

/** One input of a tool, for added files. */
export interface InputSummary {
  /** Name of the input: letters, digits and underscores. Safe in any language. */
  readonly name: Code;
  /** Description for the model. */
  readonly description: EscapedText;
  /** True when the tool needs the input. */
  readonly required: boolean;
}

/** One tool, for added files. */
export interface ToolSummary {
  /** `find_pets`: lower-case letters, digits and underscores. Safe in any language. */
  readonly name: Code;
  /** Constant of the tool: `findPets`. */
  readonly identifier: Code;
  /** Module of the constant, relative to `src/tools`, as a string literal. */
  readonly module: Code;
  /** Title of the tool. */
  readonly title: EscapedText;
  /** Description for the model. */
  readonly description: EscapedText;
  /** True when the tool only reads (`readOnlyHint`). */
  readonly readOnly: boolean;
  /** True when the tool may destroy data (`destructiveHint`). */
  readonly destructive: boolean;
  /** Inputs of the tool, in order. */
  readonly inputs: readonly InputSummary[];
  /** Operations of the tool, most important first. */
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
  /** Name of the npm package. */
  readonly packageName: EscapedText;
  /** Prefix of the server's environment variables: `CLINIC`. Safe in any language. */
  readonly envPrefix: Code;
  /** All tools, in the order of `tools/list`. */
  readonly tools: readonly ToolSummary[];
  /** Toolsets with their tools. */
  readonly toolsets: readonly {
    /** Name of the toolset: lower-case letters, digits and underscores. Safe in any language. */
    readonly name: Code;
    /** Title of the toolset. */
    readonly title: EscapedText;
    /** Tools of the toolset, in order. */
    readonly tools: readonly ToolSummary[];
  }[];
  /** Environment variables that the server reads. */
  readonly environment: readonly {
    /** Name of the variable: upper-case letters, digits and underscores. Safe in any language. */
    readonly name: Code;
    /** Description of the variable. */
    readonly description: EscapedText;
    /** True when the server needs the variable. */
    readonly required: boolean;
    /** True when the value is a secret. */
    readonly secret: boolean;
  }[];
}
