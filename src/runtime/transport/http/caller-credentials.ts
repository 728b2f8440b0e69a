/** Consent of callers to requests to the API in their names, and the pages for it. */
import { signInRequests, signInSchemes } from "../../auth/signed-in.js";
import type { ConsentBroker, LoadSignIn } from "../../auth/types.js";
import type { ServerContext } from "../../server/context.js";
import { storeKeyOf, storeKeyProblem } from "../../store/store-key.js";
import { neededScopes } from "../../tools/selection.js";
import type { CallerSignInSettings, ConsentPages, PageRequest } from "./caller-settings.js";
import { errorReply, type Reply } from "./messages.js";

/** The reason why callers cannot consent to an API; undefined if they can. */
export function consentProblem({ api, apiContext }: ServerContext): string | undefined {
  const variable = `${api.envPrefix}_HTTP_SIGN_IN_CLIENT_ID`;
  const schemes = signInSchemes(api);
  if (schemes.length === 0)
    return `${variable} is set, but ${api.title} declares no scheme with a sign-in.`;
  const missing = schemes.flatMap(([, { clientIdEnv = "" }]) =>
    apiContext.env[clientIdEnv]?.trim() ? [] : [clientIdEnv],
  );
  if (missing.length > 0)
    return `${variable} needs ${missing.join(" and ")}, the client of this server at the API's provider.`;
  const key = storeKeyOf(api.envPrefix, apiContext.env);
  const problem = key && storeKeyProblem(key);
  return (
    problem && `${api.envPrefix}_STORE_KEY, which encrypts the links of consents, needs ${problem}`
  );
}

const paths = ["/oauth/start", "/oauth/user", "/oauth/callback"];

const pageHeaders = {
  "content-type": "text/plain; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
};

/** Creates the pages. The first use loads the code for them. */
export function createConsentPages(
  { api, apiContext, offeredTools, hiddenTools, store }: ServerContext,
  settings: CallerSignInSettings,
  loadSignIn: LoadSignIn,
): ConsentPages {
  const secret = storeKeyOf(api.envPrefix, apiContext.env);
  let loading: Promise<ConsentBroker> | undefined;
  const load = (): Promise<ConsentBroker> =>
    (loading ??= loadSignIn().then(({ createConsentBroker }) =>
      createConsentBroker({
        ...settings,
        title: api.title,
        ...(store && { store }),
        ...(secret !== undefined && { secret }),
        signIns: () =>
          signInRequests(
            signInSchemes(api).map(([name]) => ({ [name]: [] })),
            apiContext,
          ),
        scopesOf: (scheme) => neededScopes([...offeredTools, ...hiddenTools], api, scheme),
      }),
    ));
  const answer = async ({ path, query, header }: PageRequest): Promise<Reply> => {
    const broker = await load();
    const cookies = header("cookie") ?? "";
    const reply = await broker.answer({ path, query: new URLSearchParams(query), cookies });
    return { ...reply, headers: { ...pageHeaders, ...reply.headers } };
  };
  return {
    of: (user) => ({
      replacesSharedTokens: true,
      token: async (...request) => (await load()).of(user).token(...request),
      request: async (...request) => (await load()).of(user).request(...request),
      settled: async (tool) => (await load()).of(user).settled(tool),
    }),
    answer(head) {
      if (!paths.includes(head.path)) return undefined;
      if (head.method === "GET") return answer(head);
      return Promise.resolve(errorReply(405, "Method not allowed.", { allow: "GET" }));
    },
  };
}
