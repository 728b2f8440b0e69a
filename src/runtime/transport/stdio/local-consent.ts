/** Consent of users over stdio. */
import type { UserConsent } from "../../auth/consent-types.js";
import { contextOfApi, toolsOfApi } from "../../server/api-contexts.js";
import type { ServerContext } from "../../server/context.js";
import { neededScopes } from "../../tools/selection.js";

/** Consent of the user of this machine, whose sign-in `login` stores, too. */
export function localConsent(server: ServerContext): UserConsent | undefined {
  const { signedInToken, requestSignIn, signInsSettled } = server.apiContext.platform ?? {};
  if (!signedInToken || !requestSignIn || !signInsSettled) return undefined;
  return {
    replacesSharedTokens: false,
    token: signedInToken,
    request: (request) => {
      const context = contextOfApi(server, request.api);
      return requestSignIn(
        request,
        neededScopes(toolsOfApi(context), context.api, request.schemeName),
      );
    },
    settled: signInsSettled,
  };
}
