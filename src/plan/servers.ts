import { canParseUrl } from "../runtime/data/urls.js";
import { quoteText, toSingleLine } from "../diagnostics/text.js";
import type { ApiModel, Server } from "../model/types.js";
import type { ServerDefinition } from "../runtime/api-definition.js";
import type { DiagnosticCollector } from "./diagnostics.js";
import { isSecretName } from "./secret-names.js";
import type { Environment } from "./server-names.js";
import { flattenMarkdown } from "./text/markdown.js";
import { truncateText } from "./text/sentences.js";

/**
 * Converts servers of the document into those of the runtime, with an environment variable for each
 * variable of their URLs.
 */
export class ServerPlanner {
  private readonly variables = new Map<string, string>();

  /** @param hasSchemes true if the names of credentials belong to security schemes */
  constructor(
    private readonly environment: Environment,
    private readonly hasSchemes: boolean,
  ) {}

  /** Definitions of the servers with an absolute URL. */
  planCallable(servers: readonly Server[]): readonly ServerDefinition[] {
    return servers.filter(isCallableServer).map((server) => this.define(server));
  }

  private define({ url, variables }: Server): ServerDefinition {
    const names = Object.keys(variables).filter((name) => url.includes(`{${name}}`));
    if (names.length === 0) return { url };
    return {
      url,
      variables: Object.fromEntries(
        names.map((name) => [
          name,
          this.variable(name, variables[name] as Server["variables"][string]),
        ]),
      ),
    };
  }

  /**
   * Servers that share a variable with the same default and values share an environment variable.
   */
  private variable(
    name: string,
    variable: Server["variables"][string],
  ): NonNullable<ServerDefinition["variables"]>[string] {
    const key = JSON.stringify([name, variable.default, variable.enum]);
    const secret = isSecretName(name);
    const names = [...(secret && this.hasSchemes ? [] : [name]), `server ${name}`];
    const env =
      this.variables.get(key) ??
      this.environment.add(names, {
        description: describeVariable(name, variable),
        required: false,
        secret,
        example: toSingleLine(variable.default),
      });
    this.variables.set(key, env);
    return { env, default: variable.default, ...(variable.enum && { enum: variable.enum }) };
  }
}

/** Tests whether a document declares security schemes. */
export const hasSchemes = ({ securitySchemes }: Pick<ApiModel, "securitySchemes">): boolean =>
  Object.keys(securitySchemes).length > 0;

/**
 * Tests whether a server has an absolute `http` or `https` URL without credentials, once the
 * defaults of its variables are filled in.
 */
export function isCallableServer({
  url,
  variables = {},
}: Pick<Server, "url"> & Partial<Server>): boolean {
  const filled = url.replace(
    /\{([^{}]*)\}/g,
    (expression, name: string) => variables[name]?.default ?? expression,
  );
  return (
    /^https?:\/\/[^/?#@\s]+(\/|$)/i.test(filled) && !/[?#]/.test(filled) && canParseUrl(filled)
  );
}

function describeVariable(name: string, variable: Server["variables"][string]): string {
  const text = variable.description
    ? toSingleLine(variable.description).slice(0, 200)
    : `Value of {${toSingleLine(name)}} in the API's base URL.`;
  const values =
    variable.enum && variable.enum.length <= 20
      ? ` One of ${variable.enum.map(toSingleLine).join(", ")}.`
      : "";
  return `${text}${values} Default: ${toSingleLine(variable.default)}.`;
}

/**
 * Plans the servers of the API, and the variable that overrides them. The variable is required if
 * no server can be called.
 * @param advice a way to state the server of a document that declares none
 */
export function planApiServers(
  model: ApiModel,
  baseUrl: string | undefined,
  planner: ServerPlanner,
  environment: Environment,
  diagnostics: DiagnosticCollector,
  advice = "Use --base-url to fix it now.",
): readonly ServerDefinition[] {
  const callable =
    baseUrl === undefined
      ? model.servers.filter(isCallableServer)
      : [{ url: baseUrl, variables: {} }];
  const basePath = documentedBasePath(callable[0] ?? model.servers[0]);
  environment.add(["base url"], {
    description:
      callable.length > 0
        ? `Base URL of the API${withPath(basePath)}, instead of the document's.${describeOtherServers(callable)}`
        : `Base URL of the API.${basePath === "" ? "" : ` It must end in the base path ${basePath}.`}`,
    required: callable.length === 0,
    secret: false,
    example: toSingleLine(callable[0]?.url ?? `https://api.example.com${basePath}`),
  });
  if (callable.length === 0) {
    const relative = model.servers.find((server) => !isCallableServer(server));
    reportMissingServer(relative?.url, advice, diagnostics);
  }
  return planner.planCallable(callable);
}

const withPath = (basePath: string): string =>
  basePath === "" ? "" : ` with its base path ${basePath}`;

/**
 * Base path of a server, with the defaults of its variables: `/api/v1` of
 * `https://x.example/api/v1` and of `/api/v1/`. Empty for the root.
 */
export function documentedBasePath(server: Server | undefined): string {
  if (server === undefined) return "";
  const url = server.url.replace(
    /\{([^{}]*)\}/g,
    (expression, name: string) => server.variables[name]?.default ?? expression,
  );
  const path = isCallableServer(server) ? url.replace(/^https?:\/\/[^/]*/i, "") : url;
  return /^\/[^/?#{}\s][^?#{}\s]*$/.test(path) ? toSingleLine(path.replace(/(?<!\/)\/+$/, "")) : "";
}

/** Maximum number of other servers that are listed. */
const MAX_OTHER_SERVERS = 5;

/**
 * Lists the servers after the first one, which is called by default. One by `http:` is left out if
 * it has the same address by `https:`.
 */
function describeOtherServers(servers: readonly Server[]): string {
  const [, ...others] = servers;
  const addresses = new Set(servers.map(({ url }) => url));
  const named = others
    .filter(({ variables }) => Object.keys(variables).length === 0)
    .filter(({ url }) => !/^http:/i.test(url) || !addresses.has(url.replace(/^http:/i, "https:")))
    .slice(0, MAX_OTHER_SERVERS)
    .map(({ url, description = "" }) => {
      const label = truncateText(flattenMarkdown(description), 60, false).replace(/\.$/, "");
      return `${toSingleLine(url)}${label === "" ? "" : ` (${label})`}`;
    });
  return named.length === 0 ? "" : ` Other servers: ${named.join(", ")}.`;
}

function reportMissingServer(
  relative: string | undefined,
  advice: string,
  diagnostics: DiagnosticCollector,
): void {
  const problem =
    relative === undefined
      ? "The document declares no server"
      : `The server ${quoteText(relative)} is not an absolute http(s) URL`;
  diagnostics.add(
    "plan-no-server",
    `${problem}, so the base URL must be set when the server runs.`,
    { pointer: "#/servers" },
    advice,
  );
}
