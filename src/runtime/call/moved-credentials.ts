/** Credentials in a request that a hook has moved to another origin. */
import { foreignOriginFailure } from "../auth/requirements.js";
import { canParseUrl } from "../data/urls.js";
import { headerValue, mayHoldCredential, receivesCredentials } from "../request/origins.js";
import { secretConstants } from "../request/parameter-source.js";
import type { ApiCall, AuthResult, BoundRequest } from "../request/types.js";
import type { ServerContext } from "../server/context.js";

type MovableCredentials = Pick<
  Extract<AuthResult, { ok: true }>,
  "request" | "secrets" | "wrapSend"
>;

/**
 * Explains why a request is not sent that a hook has moved to another origin with credentials of
 * the API. A hook may send values of its own anywhere.
 * @param given the request that the hook got
 * @param call the call, with the request before credentials were added
 */
export function findMovedCredentials(
  request: BoundRequest,
  given: BoundRequest,
  call: Pick<ApiCall, "mapping" | "request">,
  auth: MovableCredentials,
  server: ServerContext,
): string | undefined {
  const { url } = request;
  if (url === given.url || !canParseUrl(url)) return undefined;
  if (new URL(url).origin === new URL(given.url).origin) return undefined;
  if (receivesCredentials(url, server.apiContext)) return undefined;
  const carriesCredentials =
    auth.wrapSend !== undefined ||
    hasAddedPart(request, auth.request, call.request) ||
    hasCredential(request, [...auth.secrets, ...secretConstants(call.mapping)], server);
  return carriesCredentials ? foreignOriginFailure(url, server.apiContext).message : undefined;
}

/** True if a request has a header or a query parameter that authentication added. */
function hasAddedPart(request: BoundRequest, sent: BoundRequest, bound: BoundRequest): boolean {
  const [own, before] = [new Set(partsOf(request)), new Set(partsOf(bound))];
  return partsOf(sent).some((part) => !before.has(part) && own.has(part));
}

const partsOf = ({ url, headers }: BoundRequest): readonly string[] => [
  ...headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`),
  ...[...new URL(url).searchParams].map(([name, value]) => `?${name}=${value}`),
];

function hasCredential(
  { url, headers, body }: BoundRequest,
  secrets: readonly string[],
  { api, apiContext, redactorFor }: ServerContext,
): boolean {
  const redact = redactorFor(secrets);
  const content =
    typeof body === "string" || body === undefined ? body : new TextDecoder().decode(body);
  const texts = [url, ...headers.flat(), ...(content === undefined ? [] : [content])];
  if (texts.some((text) => redact(text) !== text)) return true;
  const constants = Object.entries(api.headers ?? {}).filter((one) => mayHoldCredential(one, api));
  return constants.some(([name, source]) =>
    headers.some(
      ([other, sent]) =>
        other.toLowerCase() === name.toLowerCase() && sent === headerValue(source, apiContext.env),
    ),
  );
}
