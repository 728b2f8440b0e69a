/** The commands `login`, `logout` and `status`. */
import { noSignInProblem } from "../auth/signed-in.js";
import type { LoadSignIn } from "../auth/sign-in-module.js";
import { contextOfApi, toolsOfApi } from "../server/api-contexts.js";
import type { ServerContext } from "../server/context.js";
import { neededScopes } from "../tools/selection.js";

/**
 * Runs a command for the API of a server, or for the one of several that is named: `login billing`.
 * @returns a sentence if it cannot be run
 */
export async function runSignIn(
  action: string,
  argv: readonly string[],
  server: ServerContext,
  load: LoadSignIn | undefined,
): Promise<string | undefined> {
  const [name = "", ...rest] = argv;
  const { apis } = server.api;
  const isNamed = apis !== undefined && Object.hasOwn(apis, name);
  if (apis && !isNamed) return `Name the API: ${action} ${Object.keys(apis).join(" or ")}.`;
  const context = isNamed ? contextOfApi(server, name) : server;
  const { api, apiContext } = context;
  if (!load) return noSignInProblem(api);
  const { runSignInCommand } = await load();
  const scopesOf = (scheme: string) => neededScopes(toolsOfApi(context), api, scheme);
  const commandArguments = isNamed ? rest : argv;
  process.exitCode = await runSignInCommand(action, commandArguments, {
    api,
    apiContext,
    scopesOf,
  });
  return undefined;
}
