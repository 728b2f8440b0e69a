/** Consents of callers, in memory: the pending ones, and the tokens of callers who consented. */
import { randomBytes } from "node:crypto";
import { temporaryAuthFailure } from "../requirements.js";
import type { SignInRequest, SignInToken } from "../types.js";
import type { TrustedServer } from "./authorization-server.js";
import { errorCode, isUsable, refreshSession, tokenOf } from "./grants.js";
import type { Session } from "./store.js";

/** The current part of a consent: the user, at the issuer of callers, or the API's server. */
export type LegKind = "user" | "consent";

/** One redirect to an authorization server and back. */
export interface Leg {
  readonly kind: LegKind;
  readonly state: string;
  readonly verifier: string;
  readonly nonce?: string;
  readonly trusted: TrustedServer;
  /** Secret of the browser that opened the link. */
  readonly cookie: string;
}

/** A consent that one user was asked for. */
export interface PendingConsent {
  readonly id: string;
  /** Subject of the caller. */
  readonly subject: string;
  readonly tool: string;
  readonly signIn: SignInRequest;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly completed: Promise<void>;
  complete(): void;
}

const LIFETIME_MS = 10 * 60_000;
const MAX_PENDING = 1000;
const MAX_SESSIONS = 10_000;

/**
 * Consents that wait for their user. One belongs to one caller, tool and scheme, expires after ten
 * minutes, and has one state at a time, which can be used once. The oldest make room for new ones.
 */
export class PendingConsents {
  readonly #byId = new Map<string, PendingConsent>();
  readonly #legs = new Map<string, { readonly id: string; readonly leg: Leg }>();

  constructor(private readonly now: () => number = Date.now) {}

  find(id: string): PendingConsent | undefined {
    const pending = this.#byId.get(id);
    return pending && pending.expiresAt > this.now() ? pending : undefined;
  }

  findFor(subject: string, tool: string, scheme?: string): PendingConsent | undefined {
    return [...this.#byId.values()].find(
      (one) =>
        one.subject === subject &&
        one.tool === tool &&
        one.expiresAt > this.now() &&
        (scheme === undefined || one.signIn.schemeName === scheme),
    );
  }

  open(subject: string, tool: string, signIn: SignInRequest): PendingConsent {
    const known = this.findFor(subject, tool, signIn.schemeName);
    if (known) return known;
    this.#makeRoom();
    let complete = (): void => {};
    const completed = new Promise<void>((resolve) => (complete = resolve));
    const id = randomBytes(32).toString("base64url");
    const expiresAt = this.now() + LIFETIME_MS;
    const pending = { id, subject, tool, signIn, expiresAt, completed, complete };
    this.#byId.set(id, pending);
    return pending;
  }

  remove(id: string): void {
    this.#dropLeg(id);
    this.#byId.delete(id);
  }

  /** Sets the state that is expected next. */
  expect(id: string, leg: Leg): void {
    this.#dropLeg(id);
    this.#legs.set(leg.state, { id, leg });
  }

  /** Takes a state, which is unknown from then on. */
  take(state: string): { readonly pending: PendingConsent; readonly leg: Leg } | undefined {
    const entry = this.#legs.get(state);
    this.#legs.delete(state);
    const pending = entry && this.find(entry.id);
    return pending && { pending, leg: entry.leg };
  }

  #dropLeg(id: string): void {
    for (const [state, entry] of this.#legs) if (entry.id === id) this.#legs.delete(state);
  }

  #makeRoom(): void {
    for (const { id, expiresAt } of this.#byId.values())
      if (expiresAt <= this.now() || this.#byId.size >= MAX_PENDING) this.remove(id);
  }
}

/** Tokens of callers who consented, by subject and everything that a sign-in is bound to. */
export class CallerSessions {
  readonly #sessions = new Map<string, Session>();
  readonly #refreshes = new Map<string, Promise<SignInToken | undefined>>();

  save(subject: string, request: SignInRequest, session: Session): void {
    this.#save(sessionKey(subject, request), session);
  }

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
    const session = this.#sessions.get(key);
    if (!session || isUsable(session, rejected)) return session && tokenOf(request, session);
    if (session.refreshToken === undefined) return void this.#sessions.delete(key);
    // Refresh tokens that can be used once are shared by concurrent calls.
    const running = this.#refreshes.get(key) ?? this.#refresh(key, request, session);
    this.#refreshes.set(key, running);
    return running;
  }

  #save(key: string, session: Session): void {
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    if (this.#sessions.size > MAX_SESSIONS) this.#sessions.delete([...this.#sessions.keys()][0]!);
  }

  async #refresh(
    key: string,
    request: SignInRequest,
    session: Session,
  ): Promise<SignInToken | undefined> {
    try {
      const renewed = await refreshSession(request, session);
      this.#save(key, renewed);
      return tokenOf(request, renewed);
    } catch (error) {
      if (errorCode(error) === undefined)
        return temporaryAuthFailure("the sign-in of this caller could not be refreshed");
      this.#sessions.delete(key);
      return undefined;
    } finally {
      this.#refreshes.delete(key);
    }
  }
}

function sessionKey(
  subject: string,
  { api, schemeName, scheme, clientId, baseUrl, hosts = [] }: SignInRequest,
): string {
  return JSON.stringify([subject, api, schemeName, scheme.signIn, clientId, baseUrl, ...hosts]);
}
