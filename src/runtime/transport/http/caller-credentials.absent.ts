/** Stands in for the consent of callers, which is left out with their access tokens. */
import type { LoadSignIn } from "../../auth/sign-in-module.js";
import type { ServerContext } from "../../server/context.js";
import type { CallerSignInSettings, ConsentPages } from "./caller-settings.js";

/** Callers cannot consent, and no setting asks for it. */
export function consentProblem(_server: ServerContext): string | undefined {
  return undefined;
}

/** There are no pages. */
export function createConsentPages(
  _server: ServerContext,
  _settings: CallerSignInSettings,
  _load: LoadSignIn,
): ConsentPages | undefined {
  return undefined;
}
