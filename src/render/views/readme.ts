/** Views of `README.md` and `TOOLS.md`. */
import { formatCount } from "../../diagnostics/index.js";
import type { ToolPlan } from "../../plan/types.js";
import { discoveryNames, hasBothEffects } from "../../runtime/discovery/names.js";
import {
  codeSpan,
  json,
  type Json,
  type Markdown,
  markdown,
  markdownWithCode,
  type ShellText,
  shellWord,
  tomlKey,
  type TomlText,
} from "../code/index.js";
import { type ListedTool, listedTools } from "../listed-tools.js";
import { usesSignIn } from "../plan-facts.js";
import { hasFeature } from "../runtime-features.js";
import type { RenderOptions } from "../types.js";
import { deploymentName, needsStore, signInClients } from "./deployment.js";
import { commandName } from "./packaging.js";
import { firstSentence, toolsetsOf } from "./toolsets.js";

/** `README.md` of the generated server. */
export function readmeView(plan: ToolPlan, options: RenderOptions = {}): ReadmeView {
  const { runtime, deploy = [] } = options;
  const alternatives = new Set(plan.credentialChoice?.split(/\W+/));
  return {
    usesRuntimePackage: runtime === "package",
    title: markdown(plan.api.title),
    summary: markdown(plan.summary),
    source: codeSpan(plan.source),
    packageName: codeSpan(plan.packageName),
    toolCount: countTools(listedTools(plan)),
    http: http(plan, options),
    toolSelection: toolSelection(plan, options),
    hasToolsFile: hasToolsFile(plan),
    toolsets: toolsets(plan),
    environment: plan.environment.map(({ name, description, required }) => ({
      name: codeSpan(name),
      description: markdown(description),
      required,
      isAlternative: alternatives.has(name),
    })),
    credentials: credentials(plan),
    signInClient: signInClient(plan),
    hosts: hosts(plan),
    deployment: {
      compose: deploy.includes("compose"),
      kubernetes: deploy.includes("kubernetes"),
      isSingle: needsStore(plan, options),
      workers: deploy.includes("workers"),
      name: shellWord(deploymentName(plan)),
    },
  };
}

function credentials({ credentialChoice, environment }: ToolPlan): Markdown | undefined {
  const names = new Set(environment.map(({ name }) => name));
  return credentialChoice === undefined ? undefined : markdownWithCode(credentialChoice, names);
}

function signInClient(plan: ToolPlan): Markdown | undefined {
  const clients = signInClients(plan);
  return clients.length === 0 ? undefined : codeSpan(clients.join(" or "));
}

/** Maximum tools that the README describes. */
const MAX_DESCRIBED_TOOLS = 60;

/** Tests whether `TOOLS.md` describes the tools instead of the README. */
export function hasToolsFile(plan: ToolPlan): boolean {
  return listedTools(plan).length > MAX_DESCRIBED_TOOLS;
}

/** `TOOLS.md` */
export function toolsFileView(plan: ToolPlan): ToolsFileView {
  return {
    title: markdown(plan.api.title),
    toolCount: countTools(listedTools(plan)),
    toolsets: toolsets(plan),
  };
}

function countTools({ length }: readonly ListedTool[]): Markdown {
  return markdown(formatCount(length, "tool"));
}

function http(plan: ToolPlan, options: RenderOptions): ReadmeView["http"] {
  const { envPrefix: prefix } = plan.api;
  const hasOAuth = hasFeature("oauth", plan, options);
  return {
    token: codeSpan(`${prefix}_HTTP_TOKEN`),
    issuer: hasOAuth ? codeSpan(`${prefix}_HTTP_OAUTH_ISSUER=https://…`) : undefined,
    publicUrl: codeSpan(`${prefix}_HTTP_PUBLIC_URL=https://…/mcp`),
    scopes: codeSpan(`${prefix}_HTTP_OAUTH_SCOPES`),
    allowedOrigins: codeSpan(`${prefix}_ALLOWED_ORIGINS`),
    forwardHeaders: codeSpan(`${prefix}_FORWARD_HEADERS`),
    tokenExchange: codeSpan(`${prefix}_TOKEN_EXCHANGE`),
    callerSignIn:
      hasOAuth && usesSignIn(plan) ? codeSpan(`${prefix}_HTTP_SIGN_IN_CLIENT_ID`) : undefined,
    allowUnauthenticated: codeSpan(`${prefix}_ALLOW_UNAUTHENTICATED=1`),
  };
}

/** Listed tools, their cost, and the variables that change the list. */
function toolSelection(plan: ToolPlan, options: RenderOptions): ReadmeView["toolSelection"] {
  const { api, budget, tools, toolsets: groups } = plan;
  const definitions = tools.map(({ definition }) => definition);
  const isTaken = (name: string): boolean => definitions.some((one) => one.name === name);
  const names = discoveryNames(api.namespace, isTaken, hasBothEffects(definitions));
  const variable = (name: string): Markdown => codeSpan(`${api.envPrefix}_${name}`);
  return {
    hasDiscovery: hasFeature("discovery", plan, options),
    usesDiscovery: budget.mode !== "tools",
    listTokens: markdown(roundToTwoDigits(budget.listTokens)),
    search: codeSpan(names.search),
    describe: codeSpan(names.describe),
    callRead: names.callRead === undefined ? undefined : codeSpan(names.callRead),
    call: codeSpan(names.call),
    listed: budget.listed.map((name) => ({ name: codeSpan(name) })),
    toolsets: groups.length > 1 ? groups.map(({ name }) => ({ name: codeSpan(name) })) : [],
    toolsetsVariable: variable("TOOLSETS=NAME,NAME"),
    readOnlyVariable: variable("READ_ONLY=true"),
    toolsVariable: variable("MODE=tools"),
    hybridVariable: variable("MODE=hybrid"),
    discoveryVariable: variable("MODE=discovery"),
    listedVariable: variable("LISTED=NAME,NAME"),
  };
}

/**
 * Rounds to two significant digits, so that a small change of a description does not change the
 * README.
 */
function roundToTwoDigits(exact: number): string {
  return String(Number(exact.toPrecision(2))).replace(/\B(?=(\d{3})+$)/g, ",");
}

function toolsets(plan: ToolPlan): readonly ListedToolset[] {
  return toolsetsOf(plan).map(({ title, description, tools }) => ({
    title: markdown(title),
    description: description === undefined ? undefined : markdown(firstSentence(description)),
    toolCount: markdown(String(tools.length)),
    tools: tools.map(({ listing }) => ({
      name: codeSpan(listing.name),
      description: markdown(firstSentence(listing.description)),
    })),
  }));
}

/**
 * Builds host configurations. The path of the server is a placeholder for the reader to replace.
 */
function hosts(plan: ToolPlan): ReadmeView["hosts"] {
  const server = { command: "node", args: ["/path/to/server/dist/server.js"] };
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
  };
}

/** A toolset with its tools, for README.md and TOOLS.md. */
export interface ListedToolset {
  /** Title of the toolset. */
  readonly title: Markdown;
  /** One sentence. Absent when the document has no description. */
  readonly description: Markdown | undefined;
  /** Number of its tools. */
  readonly toolCount: Markdown;
  /** Its tools, in order. */
  readonly tools: readonly {
    /** Code span. */
    readonly name: Markdown;
    /** One sentence. */
    readonly description: Markdown;
  }[];
}

/** `TOOLS.md`, which a server with many tools has */
export interface ToolsFileView {
  /** Title of the API. */
  readonly title: Markdown;
  /** Number of tools: `300 tools`. */
  readonly toolCount: Markdown;
  /** Toolsets with at least one tool, in order. */
  readonly toolsets: readonly ListedToolset[];
}

/** `README.md` */
export interface ReadmeView {
  /** True when the project imports the runtime from the package mcp-gen instead of a copy. */
  readonly usesRuntimePackage: boolean;
  /** Title of the API. */
  readonly title: Markdown;
  /** One sentence about the API. */
  readonly summary: Markdown;
  /** Code span: name of the document. */
  readonly source: Markdown;
  /** Code span: name of the npm package. */
  readonly packageName: Markdown;
  /** Number of tools: `3 tools`. */
  readonly toolCount: Markdown;
  /** Environment variables that control access over HTTP. */
  readonly http: {
    /** Code span: the variable of accepted bearer tokens. */
    readonly token: Markdown;
    /** Code span: the variable of the OAuth 2.0 issuer, with a sample value. Absent: OAuth is left out. */
    readonly issuer: Markdown | undefined;
    /** Code span: the variable of the public URL, with a sample value. */
    readonly publicUrl: Markdown;
    /** Code span: the variable of the required scopes. */
    readonly scopes: Markdown;
    /** Code span: the variable of allowed origins. */
    readonly allowedOrigins: Markdown;
    /** Code span: the variable of client headers that are forwarded to the API. */
    readonly forwardHeaders: Markdown;
    /** Code span: the variable of the exchange of callers' tokens. */
    readonly tokenExchange: Markdown;
    /** Code span: the variable of the consent of callers. Absent: the API has no sign-in. */
    readonly callerSignIn: Markdown | undefined;
    /** Code span: the variable that allows calls without authentication, with its value. */
    readonly allowUnauthenticated: Markdown;
  };
  /** Listed tools, and the variables that change the list. */
  readonly toolSelection: {
    /** True when the project has the tools that search, describe and call others. */
    readonly hasDiscovery: boolean;
    /** True when the server lists discovery tools instead of all tools. */
    readonly usesDiscovery: boolean;
    /** Estimated tokens that a model reads of all tools, rounded. */
    readonly listTokens: Markdown;
    /** Code span: name of the search tool. */
    readonly search: Markdown;
    /** Code span: name of the tool that returns definitions. */
    readonly describe: Markdown;
    /** Code span: name of the tool that calls those that only read. Absent if all do, or none. */
    readonly callRead: Markdown | undefined;
    /** Code span: name of the tool that calls any other. */
    readonly call: Markdown;
    /** Tools that hosts should always show. Empty when there are none. */
    readonly listed: readonly {
      /** Code span. */
      readonly name: Markdown;
    }[];
    /** Toolsets that can be selected. Empty when there is only one. */
    readonly toolsets: readonly {
      /** Code span. */
      readonly name: Markdown;
    }[];
    /** Code span: the variable that selects toolsets, with a sample value. */
    readonly toolsetsVariable: Markdown;
    /** Code span: the variable that selects read-only tools, with its value. */
    readonly readOnlyVariable: Markdown;
    /** Code span: the variable that lists every tool, with its value. */
    readonly toolsVariable: Markdown;
    /** Code span: the variable that lists discovery tools and some others, with its value. */
    readonly hybridVariable: Markdown;
    /** Code span: the variable that lists only the discovery tools, with its value. */
    readonly discoveryVariable: Markdown;
    /** Code span: the variable that names the tools that are always listed. */
    readonly listedVariable: Markdown;
  };
  /** True when `TOOLS.md` describes the tools, because there are many. */
  readonly hasToolsFile: boolean;
  /** Toolsets with at least one tool, in order. */
  readonly toolsets: readonly ListedToolset[];
  /** Environment variables that the server reads. */
  readonly environment: readonly {
    /** Code span. */
    readonly name: Markdown;
    /** One sentence. */
    readonly description: Markdown;
    /** True when the server needs the variable. */
    readonly required: boolean;
    /** True when the variable is one of several alternatives, of which the server needs one. */
    readonly isAlternative: boolean;
  }[];
  /** Alternatives of variables with credentials: `A, or B and C`. Absent without a choice. */
  readonly credentials: Markdown | undefined;
  /** Code span: variables of the client IDs with which users sign in. Absent where none can. */
  readonly signInClient: Markdown | undefined;
  /** Configuration of MCP hosts. */
  readonly hosts: {
    /** `claude_desktop_config.json`, also Cursor's `mcp.json`. */
    readonly mcpServers: Json;
    /** `.vscode/mcp.json` */
    readonly vscode: Json;
    /** The same for a running server, over HTTP. */
    readonly remote: Json;
    /** Name of the server as a shell word. */
    readonly shellName: ShellText;
    /** Name of the server as a key. */
    readonly tomlName: TomlText;
    /** Name of a container image. */
    readonly image: ShellText;
  };
  /** Files for several replicas. */
  readonly deployment: {
    /** True when there is a `compose.yaml`. */
    readonly compose: boolean;
    /** True when there is a `kubernetes.yaml`. */
    readonly kubernetes: boolean;
    /** True when they run one replica only. */
    readonly isSingle: boolean;
    /** True when there is a `wrangler.jsonc`. */
    readonly workers: boolean;
    /** Name of the image, the resources and the worker. */
    readonly name: ShellText;
  };
}
