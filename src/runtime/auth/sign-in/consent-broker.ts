/**
 * Consent of callers over HTTP. A caller opens a link in a browser, shows at the issuer of its token
 * that it is the same user, and then consents at the authorization server of the API.
 */
import { randomBytes, timingSafeEqual } from "node:crypto";
import * as oauth from "oauth4webapi";
import type {
  BrowserReply,
  BrowserRequest,
  ConsentBroker,
  ConsentSettings,
  SignInRequest,
  SignInToken,
  UserConsent,
} from "../types.js";
import { callerFailure, temporaryAuthFailure } from "../requirements.js";
import {
  findAuthorizationServer,
  SignInError,
  type TrustedServer,
} from "./authorization-server.js";
import {
  authorizationUrl,
  errorCode,
  exchangeCode,
  isUsable,
  refreshSession,
  sessionOf,
  tokenOf,
} from "./grants.js";
import type { Session } from "./store.js";
import {
  createPendingConsents,
  type Leg,
  type LegKind,
  type PendingConsent,
} from "./pending-consents.js";

/** Paths of the browser's requests, beside the path of the protocol. */
const consentPaths = {
  start: "/oauth/start",
  user: "/oauth/user",
  consent: "/oauth/callback",
} as const;

/** Creates the broker of one server. Everything it holds is in memory. */
export function createConsentBroker(settings: ConsentSettings): ConsentBroker {
  const pendings = createPendingConsents();
  const sessions = createSessions();
  const issuer = issuerRequest(settings);

  /** Sends the browser to an authorization server. */
  async function redirect(
    pending: PendingConsent,
    kind: LegKind,
    cookie: string,
  ): Promise<BrowserReply> {
    const { signIn } = pending;
    const request = kind === "user" ? issuer : signIn;
    const scopes = kind === "user" ? ["openid"] : settings.scopesOf(signIn.schemeName);
    const trusted = await findAuthorizationServer(request);
    const leg: Leg = {
      kind,
      trusted,
      cookie,
      state: oauth.generateRandomState(),
      verifier: oauth.generateRandomCodeVerifier(),
      ...(kind === "user" && { nonce: oauth.generateRandomNonce() }),
    };
    const redirectUri = publicAddress(settings, consentPaths[kind]);
    const url = await authorizationUrl(request, trusted, scopes, { ...leg, redirectUri });
    pendings.expect(pending.id, leg);
    return {
      status: 302,
      headers: { location: url.href, ...cookieHeader(leg, settings) },
      body: "",
    };
  }

  async function finish(
    kind: LegKind,
    query: URLSearchParams,
    cookies: string,
  ): Promise<BrowserReply> {
    const [state = "", ...others] = query.getAll("state");
    const { pending, leg } = (others.length === 0 && pendings.take(state)) || {};
    if (!pending || leg?.kind !== kind || !hasCookie(cookies, leg.cookie)) return expiredPage();
    const { trusted, verifier, nonce } = leg;
    const request = kind === "user" ? issuer : pending.signIn;
    const redirectUri = publicAddress(settings, consentPaths[kind]);
    const secrets = { state, verifier, redirectUri, ...(nonce !== undefined && { nonce }) };
    const tokens = await exchangeCode(request, trusted, query, secrets);
    if (kind === "consent") return grant(pending, trusted, tokens);
    if (oauth.getValidatedIdTokenClaims(tokens)?.sub === pending.subject)
      return redirect(pending, "consent", leg.cookie);
    pendings.remove(pending.id);
    return page(403, "You are not the user who called the tool. Nothing was granted.");
  }

  function grant(
    pending: PendingConsent,
    trusted: TrustedServer,
    tokens: oauth.TokenEndpointResponse,
  ): BrowserReply {
    if (tokens.token_type !== "bearer") throw new SignInError("The token is not a bearer token.");
    const { subject, signIn } = pending;
    const scopes = settings.scopesOf(signIn.schemeName);
    sessions.save(subject, signIn, sessionOf(signIn, trusted, tokens, scopes));
    pendings.remove(pending.id);
    pending.complete();
    return page(200, `Signed in to ${settings.title}. Return to your client to repeat the call.`);
  }

  return {
    of(subject: string | undefined): UserConsent {
      return {
        replacesSharedTokens: true,
        token: async (request, rejected) =>
          subject === undefined ? undefined : sessions.token(subject, request, rejected),
        async request(request, tool) {
          if (subject === undefined)
            return callerFailure("this caller has no user who could sign in to the API").message;
          const { id } = pendings.open(subject, tool, request);
          return { id, url: `${publicAddress(settings, consentPaths.start)}?id=${id}` };
        },
        async settled(tool) {
          await (subject === undefined ? undefined : pendings.findFor(subject, tool)?.completed);
        },
      };
    },
    async answer({ path, query, cookies }: BrowserRequest): Promise<BrowserReply> {
      try {
        if (path === consentPaths.user) return await finish("user", query, cookies);
        if (path === consentPaths.consent) return await finish("consent", query, cookies);
        const pending = pendings.find(query.get("id") ?? "");
        if (!pending) return expiredPage();
        return await redirect(pending, "user", randomBytes(32).toString("base64url"));
      } catch (error) {
        return page(400, describeProblem(error));
      }
    },
  };
}

/** The sign-in of users at the issuer of their tokens. */
function issuerRequest({ issuer, clientId, clientSecret }: ConsentSettings): SignInRequest {
  const metadataUrl = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  return {
    api: issuer,
    schemeName: "",
    scheme: { kind: "oauth2", tokenEnv: "", signIn: { metadataUrl } },
    baseUrl: "",
    clientId,
    clientSecret,
  };
}

/** An address beside that of the protocol, where a proxy may have put both below a path. */
function publicAddress({ publicUrl }: ConsentSettings, path: string): string {
  const base = publicUrl.replace(/\/mcp\/?$/, "/").replace(/\/?$/, "/");
  return new URL(path.slice(1), base).href;
}

/** A cookie that only the browser has that opened the link. */
function cookieHeader(
  { cookie }: Leg,
  settings: ConsentSettings,
): Readonly<Record<string, string>> {
  const { pathname, protocol } = new URL(publicAddress(settings, "/oauth"));
  const secure = protocol === "https:" ? "; Secure" : "";
  const attributes = `Path=${pathname}; Max-Age=600; HttpOnly; SameSite=Lax${secure}`;
  return { "set-cookie": `mcp-consent=${cookie}; ${attributes}` };
}

function hasCookie(cookies: string, expected: string): boolean {
  const values = cookies.split(/; */).filter((pair) => pair.startsWith("mcp-consent="));
  const [value = ""] = values.map((pair) => pair.slice("mcp-consent=".length));
  const [a, b] = [Buffer.from(value), Buffer.from(expected)];
  return values.length === 1 && a.length === b.length && timingSafeEqual(a, b);
}

function expiredPage(): BrowserReply {
  return page(400, "This link has expired or was used. Call the tool again for a new one.");
}

function page(status: number, text: string): BrowserReply {
  return { status, headers: {}, body: `${text}\n` };
}

function describeProblem(error: unknown): string {
  if (error instanceof SignInError) return error.message;
  const code = errorCode(error);
  const cause = code === undefined ? "" : ` (${code})`;
  return `The sign-in failed${cause}. Call the tool again for a new link.`;
}

/** Tokens of callers who consented, in memory. */
const MAX_SESSIONS = 10_000;

/** Store of sessions by subject and everything that a sign-in is bound to. */
function createSessions() {
  const sessions = new Map<string, Session>();
  const refreshes = new Map<string, Promise<SignInToken | undefined>>();

  function save(key: string, session: Session): void {
    sessions.delete(key);
    sessions.set(key, session);
    if (sessions.size > MAX_SESSIONS) sessions.delete([...sessions.keys()][0]!);
  }

  async function refresh(
    key: string,
    request: SignInRequest,
    session: Session,
  ): Promise<SignInToken | undefined> {
    try {
      const renewed = await refreshSession(request, session);
      save(key, renewed);
      return tokenOf(request, renewed);
    } catch (error) {
      if (errorCode(error) === undefined)
        return temporaryAuthFailure("the sign-in of this caller could not be refreshed");
      sessions.delete(key);
      return undefined;
    } finally {
      refreshes.delete(key);
    }
  }

  return {
    save: (subject: string, request: SignInRequest, session: Session): void =>
      save(sessionKey(subject, request), session),
    /**
     * Returns the token of a subject, refreshed if it is about to expire; undefined without one.
     * @param rejected a token that the API no longer accepts
     */
    async token(
      subject: string,
      request: SignInRequest,
      rejected?: string,
    ): Promise<SignInToken | undefined> {
      const key = sessionKey(subject, request);
      const session = sessions.get(key);
      if (!session || isUsable(session, rejected)) return session && tokenOf(request, session);
      if (session.refreshToken === undefined) return void sessions.delete(key);
      // Refresh tokens that can be used once are shared by concurrent calls.
      const running = refreshes.get(key) ?? refresh(key, request, session);
      refreshes.set(key, running);
      return running;
    },
  };
}

function sessionKey(
  subject: string,
  { api, schemeName, scheme, clientId, baseUrl }: SignInRequest,
): string {
  return JSON.stringify([subject, api, schemeName, scheme.signIn, clientId, baseUrl]);
}
