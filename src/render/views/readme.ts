import type { PlannedTool, ToolPlan } from "../../plan/types.js";
import {
  codeSpan,
  json,
  type Markdown,
  markdown,
  shellWord,
  tomlKey,
  tomlString,
} from "../code.js";
import { commandName } from "./package.js";
import type { ReadmeView } from "./views.js";

/** `README.md` of the generated server. */
export function readmeView(plan: ToolPlan): ReadmeView {
  return {
    title: markdown(plan.api.title),
    summary: markdown(plan.summary),
    source: codeSpan(plan.source),
    packageName: codeSpan(plan.packageName),
    toolCount: markdown(plan.tools.length === 1 ? "1 tool" : `${plan.tools.length} tools`),
    http: http(plan.api.envPrefix),
    offer: offer(plan),
    toolsets: toolsets(plan),
    environment: plan.environment.map(({ name, description, required }) => ({
      name: codeSpan(name),
      what: markdown(description),
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
    origins: codeSpan(`${prefix}_ALLOWED_ORIGINS`),
    forward: codeSpan(`${prefix}_FORWARD_HEADERS`),
    open: codeSpan(`${prefix}_ALLOW_UNAUTHENTICATED=1`),
  };
}

/** What is listed, what that costs, and what chooses otherwise. */
function offer({ api, budget, tools, toolsets: groups }: ToolPlan): ReadmeView["offer"] {
  const names = ["search_tools", "describe_tools", "call_tool"].map((name) =>
    api.namespace === undefined ? name : `${api.namespace}_${name}`,
  );
  const isTaken = tools.some(({ definition }) => names.includes(definition.name));
  const [search, describe, call] = names.map((name) => (isTaken ? undefined : codeSpan(name)));
  const variable = (name: string): Markdown => codeSpan(`${api.envPrefix}_${name}`);
  return {
    discovery: budget.mode === "discovery",
    listTokens: markdown(aboutNumber(budget.listTokens)),
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
function aboutNumber(exact: number): string {
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
        what: markdown(firstSentence(definition.description)),
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
