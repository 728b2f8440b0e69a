/** Stands in for the commands of a sign-in, which no scheme of the API has. */
import { noSignInProblem } from "../auth/signed-in.js";
import type { ServerContext } from "../server/context.js";

export async function runSignIn(
  _action: string,
  _argv: readonly string[],
  { api }: ServerContext,
  _load: unknown,
): Promise<string | undefined> {
  return noSignInProblem(api);
}
