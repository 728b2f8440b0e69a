import { oneLine } from "../diagnostics/clean.js";
import type { Server } from "../model/types.js";
import type { ServerDefinition } from "../runtime/types.js";
import type { Environment } from "./env.js";

/**
 * Turns servers of the document into those of the runtime, with an environment variable for each
 * variable of their URLs.
 */
export class ServerPlanner {
  private readonly named = new Map<string, string>();

  constructor(private readonly environment: Environment) {}

  /** The servers that can be called. */
  callable(servers: readonly Server[]): readonly ServerDefinition[] {
    return servers.filter(isCallable).map((server) => this.define(server));
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
   * One variable may occur in many servers; with the same default and values it is one environment
   * variable.
   */
  private variable(
    name: string,
    variable: Server["variables"][string],
  ): NonNullable<ServerDefinition["variables"]>[string] {
    const key = JSON.stringify([name, variable.default, variable.enum]);
    const env =
      this.named.get(key) ??
      this.environment.add([name, `server ${name}`], {
        description: describe(name, variable),
        required: false,
        secret: false,
        example: oneLine(variable.default),
      });
    this.named.set(key, env);
    return { env, default: variable.default, ...(variable.enum && { enum: variable.enum }) };
  }
}

/**
 * Whether it is an absolute `http` or `https` URL once the defaults of its variables are filled in.
 * Credentials in a URL are none of ours.
 */
export function isCallable({
  url,
  variables = {},
}: Pick<Server, "url"> & Partial<Server>): boolean {
  const filled = url.replace(
    /\{([^{}]*)\}/g,
    (expression, name: string) => variables[name]?.default ?? expression,
  );
  return (
    /^https?:\/\/[^/?#@\s]+(\/|$)/i.test(filled) && !/[?#]/.test(filled) && URL.canParse(filled)
  );
}

function describe(name: string, variable: Server["variables"][string]): string {
  const text = variable.description
    ? oneLine(variable.description).slice(0, 200)
    : `Value of {${oneLine(name)}} in the API's base URL.`;
  const values =
    variable.enum && variable.enum.length <= 20
      ? ` One of ${variable.enum.map(oneLine).join(", ")}.`
      : "";
  return `${text}${values} Default: ${oneLine(variable.default)}.`;
}
