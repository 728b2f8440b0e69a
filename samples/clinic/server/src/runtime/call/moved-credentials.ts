/** Credentials in a request that a hook has moved to another origin. */
import { foreignOriginFailure } from "../auth/requirements.js";
import { canParseUrl } from "../data/urls.js";
import { receivesCredentials } from "../request/origins.js";
import type { AuthResult, BoundRequest } from "../request/types.js";
import type { ServerContext } from "../server/context.js";
import { mayHoldCredential } from "./server-headers.js";

type AuthenticatedRequest = Pick<Extract<AuthResult, { ok: true }>, "secrets" | "tls">;

/**
 * Explains why a request is not sent that a hook has moved to another origin with credentials of
 * the API. A hook may send values of its own anywhere.
 * @param given the request that the hook got
 */
export function findMovedCredentials(
  request: BoundRequest,
  given: BoundRequest,
  auth: AuthenticatedRequest,
  server: ServerContext,
): string | undefined {
  const { url } = request;
  if (url === given.url || !canParseUrl(url)) return undefined;
  if (new URL(url).origin === new URL(given.url).origin) return undefined;
  if (receivesCredentials(url, server.apiContext)) return undefined;
  const carriesCredentials = auth.tls !== undefined || hasCredential(request, auth, server);
  return carriesCredentials ? foreignOriginFailure(url, server.apiContext).message : undefined;
}

function hasCredential(
  { url, headers, body }: BoundRequest,
  { secrets }: AuthenticatedRequest,
  { api, redactorFor }: ServerContext,
): boolean {
  const redact = redactorFor(secrets);
  const texts = [url, ...headers.flat(), ...(typeof body === "string" ? [body] : [])];
  if (texts.some((text) => redact(text) !== text)) return true;
  const constants = Object.entries(api.headers ?? {}).filter((one) => mayHoldCredential(one, api));
  return constants.some(([name, value]) =>
    headers.some(([other, sent]) => other.toLowerCase() === name.toLowerCase() && sent === value),
  );
}
