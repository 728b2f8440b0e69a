/** Consents that users were asked for and have not given yet. */
import { randomBytes } from "node:crypto";
import type { SignInRequest } from "../types.js";
import type { TrustedServer } from "./authorization-server.js";

/** The part of a consent that is under way: the user, at the issuer of callers, or the API's server. */
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

/**
 * Store in memory. An entry belongs to one caller, tool and scheme, expires after ten minutes, and
 * has one state at a time, which can be used once. The oldest entries make room for new ones.
 */
export function createPendingConsents(now: () => number = Date.now) {
  const byId = new Map<string, PendingConsent>();
  const legs = new Map<string, { readonly id: string; readonly leg: Leg }>();
  const dropLeg = (id: string): void => {
    for (const [state, entry] of legs) if (entry.id === id) legs.delete(state);
  };
  const remove = (id: string): void => {
    dropLeg(id);
    byId.delete(id);
  };
  const makeRoom = (): void => {
    for (const { id, expiresAt } of byId.values())
      if (expiresAt <= now() || byId.size >= MAX_PENDING) remove(id);
  };
  const find = (id: string): PendingConsent | undefined => {
    const pending = byId.get(id);
    return pending && pending.expiresAt > now() ? pending : undefined;
  };
  const findFor = (subject: string, tool: string, scheme?: string): PendingConsent | undefined =>
    [...byId.values()].find(
      (one) =>
        one.subject === subject &&
        one.tool === tool &&
        one.expiresAt > now() &&
        (scheme === undefined || one.signIn.schemeName === scheme),
    );
  return {
    find,
    findFor,
    remove,
    open(subject: string, tool: string, signIn: SignInRequest): PendingConsent {
      const known = findFor(subject, tool, signIn.schemeName);
      if (known) return known;
      makeRoom();
      let complete = (): void => {};
      const completed = new Promise<void>((resolve) => (complete = resolve));
      const id = randomBytes(32).toString("base64url");
      const expiresAt = now() + LIFETIME_MS;
      const pending = { id, subject, tool, signIn, expiresAt, completed, complete };
      byId.set(id, pending);
      return pending;
    },
    /** Sets the state that is expected next. */
    expect(id: string, leg: Leg): void {
      dropLeg(id);
      legs.set(leg.state, { id, leg });
    },
    /** Takes a state, which is unknown from then on. */
    take(state: string): { readonly pending: PendingConsent; readonly leg: Leg } | undefined {
      const entry = legs.get(state);
      legs.delete(state);
      const pending = entry && find(entry.id);
      return pending && { pending, leg: entry.leg };
    },
  };
}
