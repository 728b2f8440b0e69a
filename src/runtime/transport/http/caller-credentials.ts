/** Consent of callers to requests to the API in their names, and the pages for it. */
import { signInRequests, signInSchemes } from "../../auth/signed-in.js";
import type { CallerSignIn, ConsentBroker, LoadSignIn } from "../../auth/sign-in-module.js";
import { contextsOfApis, toolsOfApi } from "../../server/api-contexts.js";
import type { ServerContext } from "../../server/context.js";
import { storeKeyOf, storeKeyProblem } from "../../store/store-key.js";
import { neededScopes } from "../../tools/selection.js";
import type { CallerSignInSettings, ConsentPages, PageRequest } from "./caller-settings.js";
import { errorReply, type Reply } from "./messages.js";

/** The reason why callers cannot consent to any API; undefined if they can. */
export function consentProblem(server: ServerContext): string | undefined {
  const { api, apiContext } = server;
  const variable = `${api.envPrefix}_HTTP_SIGN_IN_CLIENT_ID`;
  const contexts = contextsOfApis(server).filter((one) => signInSchemes(one.api).length > 0);
  if (contexts.length === 0) return schemeProblem(api, variable);
  // An API of several whose client nobody registered keeps the credentials of the server.
  const withClient = contexts.filter((one) => missingClients(one).length < clientsOf(one).length);
  const own = api.apis ? withClient : contexts;
  return (
    clientProblem(own.length > 0 ? own : contexts.slice(0, 1), variable) ??
    exchangeProblem(own) ??
    linkKeyProblem(api.envPrefix, apiContext.env)
  );
}

function schemeProblem({ apis, title }: ServerContext["api"], variable: string): string {
  const subject = apis ? "none of the APIs" : title;
  return `${variable} is set, but ${subject} declares no scheme with a sign-in.`;
}

function clientProblem(contexts: readonly ServerContext[], variable: string): string | undefined {
  const needed = contexts.flatMap(missingClients);
  return needed.length === 0
    ? undefined
    : `${variable} needs ${needed.join(" and ")}, the client of this server at the API's provider.`;
}

/** A server that exchanges tokens has no client of its own at the provider. */
function exchangeProblem(contexts: readonly ServerContext[]): string | undefined {
  const exchanged = contexts.find((one) => one.apiContext.env[exchangeVariable(one)]?.trim());
  return (
    exchanged &&
    `Set ${exchangeVariable(exchanged)} or ${clientsOf(exchanged).join(" and ")}, not both.`
  );
}

/** Problem of the key that encrypts the links of consents. */
function linkKeyProblem(
  prefix: string,
  env: ServerContext["apiContext"]["env"],
): string | undefined {
  const key = storeKeyOf(prefix, env);
  const problem = key && storeKeyProblem(key);
  return problem && `${prefix}_STORE_KEY, which encrypts the links of consents, needs ${problem}`;
}

const exchangeVariable = ({ api }: ServerContext): string => `${api.envPrefix}_TOKEN_EXCHANGE`;

/** Variables of the clients that this server has at the providers of an API. */
const clientsOf = ({ api }: ServerContext): readonly string[] => [
  ...new Set(signInSchemes(api).map(([, { clientIdEnv = "" }]) => clientIdEnv)),
];

const missingClients = (context: ServerContext): readonly string[] =>
  clientsOf(context).filter((name) => !context.apiContext.env[name]?.trim());

/** The sign-ins of the APIs whose clients are set. */
function callerSignIns(server: ServerContext): readonly CallerSignIn[] {
  return contextsOfApis(server).flatMap((context) => {
    const { api, apiContext } = context;
    const requirements = signInSchemes(api).map(([name]) => ({ [name]: [] }));
    return signInRequests(requirements, apiContext).map((request) => ({
      request,
      title: api.title,
      scopes: neededScopes(toolsOfApi(context), api, request.schemeName),
      callback: callbackOf(server, context),
    }));
  });
}

const CALLBACK = "/oauth/callback";

/** Path for the redirects of an API's provider: that of the server, or one below it. */
function callbackOf(server: ServerContext, { api }: ServerContext): string {
  const [name] = [...(server.apis ?? [])].find(([, parts]) => parts.api === api) ?? [];
  return name === undefined || !server.api.apis ? CALLBACK : `${CALLBACK}/${name}`;
}

const pageHeaders = {
  "content-type": "text/plain; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
};

/** Creates the pages. The first use loads the code for them. */
export function createConsentPages(
  server: ServerContext,
  settings: CallerSignInSettings,
  loadSignIn: LoadSignIn,
): ConsentPages {
  const { api, apiContext, store } = server;
  const secret = storeKeyOf(api.envPrefix, apiContext.env);
  let loading: Promise<ConsentBroker> | undefined;
  const load = (): Promise<ConsentBroker> =>
    (loading ??= loadSignIn().then(({ createConsentBroker }) =>
      createConsentBroker({
        ...settings,
        ...(store && { store }),
        ...(secret !== undefined && { secret }),
        signIns: () => callerSignIns(server),
      }),
    ));
  const callbacks = contextsOfApis(server).map((context) => callbackOf(server, context));
  const isPage = (path: string): boolean =>
    ["/oauth/start", "/oauth/user", ...callbacks].includes(path);
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
      if (!isPage(head.path)) return undefined;
      if (head.method === "GET") return answer(head);
      return Promise.resolve(errorReply(405, "Method not allowed.", { allow: "GET" }));
    },
  };
}
