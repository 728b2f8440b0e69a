/**
 * Consent of callers over HTTP. A caller opens a link in a browser, shows at the issuer of its
 * token that it is the same user, and then consents at the authorization server of the API.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import * as oauth from "oauth4webapi";
import { timingSafeEqual } from "../../data/bytes.js";
import type { SignInRequest, UserConsent } from "../consent-types.js";
import type {
  BrowserReply,
  BrowserRequest,
  CallerSignIn,
  ConsentBroker,
  ConsentSettings,
} from "../sign-in-module.js";
import type { AuthFailure } from "../types.js";
import { createMemoryStore } from "../../store/memory.js";
import { namespaceStore } from "../../store/namespace.js";
import { isStoreUnavailable } from "../../store/types.js";
import { callerFailure, temporaryAuthFailure } from "../requirements.js";
import {
  findAuthorizationServer,
  SignInError,
  type TrustedServer,
} from "./authorization-server.js";
import { authorizationUrl, errorCode, exchangeCode, sessionOf } from "./grants.js";
import { bindingOf, CallerSessions } from "./caller-sessions.js";
import {
  digestOf,
  type Leg,
  type LegKind,
  type PendingConsent,
  PendingConsents,
} from "./pending-consents.js";

/** Paths of the browser's requests, next to the path of the protocol. */
const consentPaths = { start: "/oauth/start", user: "/oauth/user" } as const;

/** Milliseconds between two looks at a pending consent, and for which it is waited for. */
const POLL_MS = 200;
const MAX_WAIT_MS = 20_000;

/** Creates the broker of one server. Its state is in the store, else in memory. */
export function createConsentBroker(settings: ConsentSettings): ConsentBroker {
  return new Broker(settings);
}

class Broker implements ConsentBroker {
  readonly #settings: ConsentSettings;
  readonly #issuer: SignInRequest;
  readonly #pendings: PendingConsents;
  readonly #sessions: CallerSessions;

  constructor(settings: ConsentSettings) {
    this.#settings = settings;
    this.#issuer = issuerRequest(settings);
    // A subject is one of its issuer. Servers with other issuers may share the store.
    const store = settings.store && namespaceStore(settings.store, settings.issuer);
    const { secret, issuer, clientId, publicUrl } = settings;
    // States that were used must not displace the sessions of users.
    this.#pendings = new PendingConsents(store ?? createMemoryStore(), {
      ...(secret !== undefined && { secret }),
      server: [issuer, clientId, publicUrl],
    });
    this.#sessions = new CallerSessions(store ?? createMemoryStore());
  }

  of(subject: string | undefined): UserConsent {
    return {
      replacesSharedTokens: true,
      token: async (request, rejected) =>
        subject === undefined
          ? undefined
          : this.#sessions.token(subject, request, rejected).catch(unlessUnavailable),
      request: async (request, tool) => {
        if (subject === undefined)
          return callerFailure("this caller has no user who could sign in to the API").message;
        const signIn = signInDigest(request);
        const opened = await this.#pendings.open(subject, tool, signIn).catch(unlessUnavailable);
        if (typeof opened !== "string") return opened.message;
        const url = `${publicAddress(this.#settings, consentPaths.start)}?id=${opened}`;
        return { id: digestOf(opened), url };
      },
      settled: async (tool) => {
        if (subject === undefined) return;
        const endsAt = Date.now() + MAX_WAIT_MS;
        while (!(await this.#pendings.isDecided(subject, tool)) && Date.now() < endsAt)
          await delay(POLL_MS);
      },
    };
  }

  async answer({ path, query, cookies }: BrowserRequest): Promise<BrowserReply> {
    try {
      if (path === consentPaths.user) return await this.#finish("user", { path, query, cookies });
      if (path !== consentPaths.start)
        return await this.#finish("consent", { path, query, cookies });
      const pending = await this.#pendings.find(query.get("id") ?? "");
      if (!pending) return expiredPage();
      return await this.#redirect(pending, "user", randomBytes(32).toString("base64url"));
    } catch (error) {
      if (isStoreUnavailable(error))
        return page(503, "The store of this server cannot be reached. Try again in a few seconds.");
      return page(400, describeFailedCallback(error));
    }
  }

  /**
   * Sends the browser to an authorization server.
   * @param cookie secret of the browser
   */
  async #redirect(pending: PendingConsent, kind: LegKind, cookie: string): Promise<BrowserReply> {
    const settings = this.#settings;
    const { request, scopes, callback } = this.#legTo(kind, pending);
    const trusted = await findAuthorizationServer(request);
    const leg: Leg = {
      kind,
      issuer: trusted.server.issuer,
      cookie: digestOf(cookie),
      verifier: oauth.generateRandomCodeVerifier(),
      ...(kind === "user" && { nonce: oauth.generateRandomNonce() }),
    };
    const state = await this.#pendings.expect(pending, leg);
    const redirectUri = publicAddress(settings, callback);
    const url = await authorizationUrl(request, trusted, scopes, { ...leg, state, redirectUri });
    const headers = { location: url.href, ...cookieHeader(pending, cookie, settings) };
    return { status: 302, headers, body: "" };
  }

  /** Takes the browser back from an authorization server. */
  async #finish(kind: LegKind, { path, query, cookies }: BrowserRequest): Promise<BrowserReply> {
    const [state = "", ...others] = query.getAll("state");
    const taken = others.length === 0 ? await this.#pendings.take(kind, state) : undefined;
    const cookie = taken && readCookie(cookies, taken.pending, this.#settings);
    if (!taken || cookie === undefined || !timingSafeEqual(digestOf(cookie), taken.leg.cookie))
      return expiredPage();
    const { pending, leg } = taken;
    const { request, callback } = this.#legTo(kind, pending);
    if (callback !== path) return expiredPage();
    const trusted = await this.#serverOf(request, leg);
    const redirectUri = publicAddress(this.#settings, callback);
    const { verifier, nonce } = leg;
    const secrets = { state, verifier, redirectUri, ...(nonce !== undefined && { nonce }) };
    const tokens = await exchangeCode(request, trusted, query, secrets);
    if (kind === "consent") return this.#grant(pending, trusted, tokens);
    if (oauth.getValidatedIdTokenClaims(tokens)?.sub === pending.subject)
      return this.#redirect(pending, "consent", cookie);
    await this.#pendings.end(pending);
    return page(403, "You are not the user who called the tool. Nothing was granted.");
  }

  async #grant(
    pending: PendingConsent,
    trusted: TrustedServer,
    tokens: oauth.TokenEndpointResponse,
  ): Promise<BrowserReply> {
    if (tokens.token_type !== "bearer") throw new SignInError("The token is not a bearer token.");
    const { request, scopes, title } = this.#signInOf(pending);
    const session = sessionOf(request, trusted, tokens, scopes);
    await this.#sessions.save(pending.subject, request, session);
    await this.#pendings.end(pending);
    return page(200, `Signed in to ${title}. Return to your client to repeat the call.`);
  }

  /** The sign-in to which one part of a consent leads. */
  #legTo(kind: LegKind, pending: PendingConsent): Omit<CallerSignIn, "title"> {
    if (kind === "consent") return this.#signInOf(pending);
    return { request: this.#issuer, scopes: ["openid"], callback: consentPaths.user };
  }

  /** The sign-in of a consent. Its settings may have changed since the user was asked. */
  #signInOf({ signIn }: PendingConsent): CallerSignIn {
    const found = this.#settings.signIns().find(({ request }) => signInDigest(request) === signIn);
    if (!found) throw new SignInError("The settings of this server have changed. Call again.");
    return found;
  }

  /** The authorization server to which the browser was sent, also by another process. */
  async #serverOf(request: SignInRequest, { issuer }: Leg): Promise<TrustedServer> {
    const trusted = await findAuthorizationServer(request);
    if (trusted.server.issuer === issuer) return trusted;
    throw new SignInError("The issuer of the sign-in has changed. Call the tool again.");
  }
}

const signInDigest = (request: SignInRequest): string =>
  digestOf(JSON.stringify(bindingOf(request)));

/** Without the store, nobody is signed in, and no shared token is used instead. */
function unlessUnavailable(error: unknown): AuthFailure {
  if (!isStoreUnavailable(error)) throw error;
  return temporaryAuthFailure(
    "the store with the sign-ins of callers cannot be reached by this server",
  );
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

/** An address next to the protocol's, which a proxy may serve below a path. */
function publicAddress({ publicUrl }: ConsentSettings, path: string): string {
  const base = publicUrl.replace(/\/mcp\/?$/, "/").replace(/\/?$/, "/");
  return new URL(path.slice(1), base).href;
}

/**
 * Name of a consent's cookie. A browser may have several consents at once, also of other ports. The
 * prefix `__Host-` prevents that another host of the domain sets the cookie for a browser, which
 * could then end the consent of someone else. RFC 6265bis, section 4.1.3.2.
 */
function cookieName({ id }: PendingConsent, settings: ConsentSettings): string {
  return `${isSecure(settings) ? "__Host-" : ""}mcp-consent-${id.slice(0, 8)}`;
}

const isSecure = ({ publicUrl }: ConsentSettings): boolean =>
  new URL(publicUrl).protocol === "https:";

/** A cookie that only the browser has that opened the link. */
function cookieHeader(
  pending: PendingConsent,
  cookie: string,
  settings: ConsentSettings,
): Readonly<Record<string, string>> {
  const { pathname } = new URL(publicAddress(settings, "/oauth"));
  const scope = isSecure(settings) ? "Path=/; Secure" : `Path=${pathname}`;
  const attributes = `${scope}; Max-Age=600; HttpOnly; SameSite=Lax`;
  return { "set-cookie": `${cookieName(pending, settings)}=${cookie}; ${attributes}` };
}

/** The cookie of a consent; undefined unless there is exactly one. */
function readCookie(
  cookies: string,
  pending: PendingConsent,
  settings: ConsentSettings,
): string | undefined {
  const name = `${cookieName(pending, settings)}=`;
  const values = cookies.split(/; */).filter((pair) => pair.startsWith(name));
  return values.length === 1 ? values[0]?.slice(name.length) : undefined;
}

function expiredPage(): BrowserReply {
  return page(400, "This link has expired or was used. Call the tool again for a new one.");
}

function page(status: number, text: string): BrowserReply {
  return { status, headers: {}, body: `${text}\n` };
}

function describeFailedCallback(error: unknown): string {
  if (error instanceof SignInError) return error.message;
  const code = errorCode(error);
  const cause = code === undefined ? "" : ` (${code})`;
  return `The sign-in failed${cause}. Call the tool again for a new link.`;
}
