import type { PlannedTool, ToolPlan } from "../../plan/types.js";
import {
  codeSpan,
  json,
  type Json,
  type Markdown,
  markdown,
  type ShellText,
  shellWord,
  tomlKey,
  tomlString,
  type TomlText,
} from "../code/index.js";
import type { RuntimeSource } from "../types.js";
import { commandName } from "./packaging.js";

/** `README.md` of the generated server. */
export function readmeView(plan: ToolPlan, runtime: RuntimeSource = "copy"): ReadmeView {
  return {
    usesRuntimePackage: runtime === "package",
    title: markdown(plan.api.title),
    summary: markdown(plan.summary),
    source: codeSpan(plan.source),
    packageName: codeSpan(plan.packageName),
    toolCount: markdown(plan.tools.length === 1 ? "1 tool" : `${plan.tools.length} tools`),
    http: http(plan.api.envPrefix),
    toolSelection: toolSelection(plan),
    toolsets: toolsets(plan),
    environment: plan.environment.map(({ name, description, required }) => ({
      name: codeSpan(name),
      description: markdown(description),
      required,
    })),
    hosts: hosts(plan),
  };
}

function http(prefix: string): ReadmeView["http"] {
  return {
    token: codeSpan(`${prefix}_HTTP_TOKEN`),
    issuer: codeSpan(`${prefix}_HTTP_OAUTH_ISSUER=https://…`),
    publicUrl: codeSpan(`${prefix}_HTTP_PUBLIC_URL=https://…/mcp`),
    scopes: codeSpan(`${prefix}_HTTP_OAUTH_SCOPES`),
    allowedOrigins: codeSpan(`${prefix}_ALLOWED_ORIGINS`),
    forwardHeaders: codeSpan(`${prefix}_FORWARD_HEADERS`),
    allowUnauthenticated: codeSpan(`${prefix}_ALLOW_UNAUTHENTICATED=1`),
  };
}

/** What is listed, what that costs, and what chooses otherwise. */
function toolSelection({
  api,
  budget,
  tools,
  toolsets: groups,
}: ToolPlan): ReadmeView["toolSelection"] {
  const names = ["search_tools", "describe_tools", "call_tool"].map((name) =>
    api.namespace === undefined ? name : `${api.namespace}_${name}`,
  );
  const isTaken = tools.some(({ definition }) => names.includes(definition.name));
  const [search, describe, call] = names.map((name) => (isTaken ? undefined : codeSpan(name)));
  const variable = (name: string): Markdown => codeSpan(`${api.envPrefix}_${name}`);
  return {
    usesDiscovery: budget.mode === "discovery",
    listTokens: markdown(roundToTwoDigits(budget.listTokens)),
    search,
    describe,
    call,
    toolsets: groups.length > 1 ? groups.map(({ name }) => ({ name: codeSpan(name) })) : [],
    toolsetsVariable: variable("TOOLSETS=NAME,NAME"),
    readOnlyVariable: variable("READ_ONLY=true"),
    toolsVariable: variable("MODE=tools"),
    discoveryVariable: variable("MODE=discovery"),
  };
}

/** Two digits that count: a word more in one tool is no reason to write the README again. */
function roundToTwoDigits(exact: number): string {
  return String(Number(exact.toPrecision(2))).replace(/\B(?=(\d{3})+$)/g, ",");
}

function toolsets(plan: ToolPlan): ReadmeView["toolsets"] {
  const members = new Map<string, PlannedTool[]>(plan.toolsets.map(({ name }) => [name, []]));
  for (const tool of plan.tools) members.get(tool.toolset)?.push(tool);
  return plan.toolsets
    .filter(({ name }) => members.get(name)!.length > 0)
    .map(({ name, title, description }) => ({
      title: markdown(title),
      description: description === undefined ? undefined : markdown(firstSentence(description)),
      tools: members.get(name)!.map(({ definition }) => ({
        name: codeSpan(definition.name),
        description: markdown(firstSentence(definition.description)),
      })),
    }));
}

/**
 * Up to the first full stop, question or exclamation mark that ends a sentence; at most 160
 * characters.
 */
function firstSentence(text: string): string {
  const start = text.slice(0, 400);
  const end = /[.!?](?=\s|$)/.exec(start);
  const sentence = end ? start.slice(0, end.index + 1) : start;
  return sentence.length <= 160 ? sentence : `${sentence.slice(0, 159).trimEnd()}…`;
}

/** The paths are placeholders: nobody but the reader knows where the folder is. */
function hosts(plan: ToolPlan): ReadmeView["hosts"] {
  const variables = plan.environment
    .filter(({ required, secret }) => required || secret)
    .map(({ name, example = "…" }) => [name, example] as const);
  const env = Object.fromEntries(variables);
  const server = {
    command: "node",
    args: ["/path/to/server/dist/server.js"],
    ...(Object.keys(env).length > 0 && { env }),
  };
  const { name } = plan.api;
  return {
    mcpServers: json({ mcpServers: { [name]: server } }),
    vscode: json({ servers: { [name]: { type: "stdio", ...server } } }),
    remote: json({
      mcpServers: {
        [name]: {
          type: "http",
          url: "http://127.0.0.1:3000/mcp",
          headers: { Authorization: "Bearer …" },
        },
      },
    }),
    shellName: shellWord(name),
    tomlName: tomlKey(name),
    image: shellWord(commandName(plan)),
    environment: variables.map(([variable, value]) => ({
      name: tomlKey(variable),
      shell: shellWord(`${variable}=${value}`),
      toml: tomlString(value),
    })),
  };
}

/** `README.md` */
export interface ReadmeView {
  /** The runtime is the package mcp-gen, not a copy in the project. */
  readonly usesRuntimePackage: boolean;
  /** Title of the API. */
  readonly title: Markdown;
  /** One sentence about the API. */
  readonly summary: Markdown;
  /** Code span: the document. */
  readonly source: Markdown;
  /** Code span: the npm name. */
  readonly packageName: Markdown;
  /** How many there are: `3 tools`. */
  readonly toolCount: Markdown;
  /** Code spans: variables that say who may call over HTTP. */
  readonly http: {
    /** Code span: the variable for the bearer token, or several. */
    readonly token: Markdown;
    /** Code span: the variable for who issues the tokens of OAuth. */
    readonly issuer: Markdown;
    /** Code span: the variable for the address that clients know. */
    readonly publicUrl: Markdown;
    /** Code span: the variable for the scopes that a token must have. */
    readonly scopes: Markdown;
    /** Code span: the variable for web pages that may call. */
    readonly allowedOrigins: Markdown;
    /** Code span: the variable for headers of clients that are passed on. */
    readonly forwardHeaders: Markdown;
    /** Code span: the variable that lets everybody call. */
    readonly allowUnauthenticated: Markdown;
  };
  /** What is listed, and what chooses otherwise. */
  readonly toolSelection: {
    /** Three tools are listed in the place of all. */
    readonly usesDiscovery: boolean;
    /** What the list of all tools costs, in tokens; rounded. */
    readonly listTokens: Markdown;
    /** Code span: the tool that searches. Absent when the API has a tool of this name. */
    readonly search: Markdown | undefined;
    /** Code span: the tool that describes, likewise. */
    readonly describe: Markdown | undefined;
    /** Code span: the tool that calls, likewise. */
    readonly call: Markdown | undefined;
    /** What may be chosen by name; none when there is but one. */
    readonly toolsets: readonly {
      /** Code span. */
      readonly name: Markdown;
    }[];
    /** Code span: the variable that chooses toolsets, with a value. */
    readonly toolsetsVariable: Markdown;
    /** Code span: the variable that leaves out what writes, with its value. */
    readonly readOnlyVariable: Markdown;
    /** Code span: the variable by which every tool is listed, with its value. */
    readonly toolsVariable: Markdown;
    /**
     * Code span: the variable by which three tools are listed in the place of all, with its value.
     */
    readonly discoveryVariable: Markdown;
  };
  /** Groups of tools, in order. */
  readonly toolsets: readonly {
    /** What it is called. */
    readonly title: Markdown;
    /** One sentence. Absent when the document says nothing. */
    readonly description: Markdown | undefined;
    /** Its tools, in order. */
    readonly tools: readonly {
      /** Code span. */
      readonly name: Markdown;
      /** One sentence. */
      readonly description: Markdown;
    }[];
  }[];
  /** Environment variables that the server reads. */
  readonly environment: readonly {
    /** Code span. */
    readonly name: Markdown;
    /** One sentence. */
    readonly description: Markdown;
    /** The server cannot do without it. */
    readonly required: boolean;
  }[];
  /** Configuration of MCP hosts. */
  readonly hosts: {
    /** `claude_desktop_config.json`, also Cursor's `mcp.json`. */
    readonly mcpServers: Json;
    /** `.vscode/mcp.json` */
    readonly vscode: Json;
    /** The same for a server that runs already, over HTTP. */
    readonly remote: Json;
    /** Name of the server. */
    readonly shellName: ShellText;
    /** The same, as a key. */
    readonly tomlName: TomlText;
    /** Name of a container image. */
    readonly image: ShellText;
    /** Variables that have to be set, or may hold secrets. */
    readonly environment: readonly {
      /** Key. */
      readonly name: TomlText;
      /** `NAME=value` */
      readonly shell: ShellText;
      /** Its value. */
      readonly toml: TomlText;
    }[];
  };
}
