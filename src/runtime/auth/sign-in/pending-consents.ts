/**
 * Consents that wait for their user. None is stored: its link, and the `state` of each redirect,
 * are its encrypted content. So any process of a server can go on with it, also after a restart.
 */
import { createHash, randomBytes } from "node:crypto";
import { deriveKeys, type Key, seal, unseal } from "../../data/seal.js";
import { sharedSecret } from "../../store/shared-secret.js";
import type { Store } from "../../store/types.js";

/** The current part of a consent: the user, at the issuer of callers, or the API's server. */
export type LegKind = "user" | "consent";

/** One redirect to an authorization server and back. */
export interface Leg {
  readonly kind: LegKind;
  readonly verifier: string;
  readonly nonce?: string;
  /** Issuer of the authorization server. */
  readonly issuer: string;
  /** Digest of the secret of the browser that opened the link. */
  readonly cookie: string;
}

/** A consent that one user was asked for. */
export interface PendingConsent {
  readonly id: string;
  /** Subject of the caller. */
  readonly subject: string;
  readonly tool: string;
  /** Digest of everything that the sign-in is bound to. */
  readonly signIn: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A state that a browser brings back. */
interface ExpectedLeg {
  readonly id: string;
  readonly pending: PendingConsent;
  readonly leg: Leg;
}

interface PendingSettings {
  /** Random text that all processes have. Absent: that of the store. */
  readonly secret?: string;
  /** Everything that identifies the server: links and states of others are unknown. */
  readonly server: readonly string[];
  readonly now?: () => number;
}

const LIFETIME_MS = 10 * 60_000;

/** Lifetime of a secret that was not configured. */
const SECRET_MS = 90 * 24 * 60 * 60_000;

/**
 * Consents that wait for their user. One belongs to one caller, tool and sign-in, expires after ten
 * minutes, and each of its states can be used once.
 */
export class PendingConsents {
  readonly #store: Store;
  readonly #settings: PendingSettings;
  readonly #now: () => number;

  /** @param store has the states that were used, and the users who have decided */
  constructor(store: Store, settings: PendingSettings) {
    this.#store = store;
    this.#settings = settings;
    this.#now = settings.now ?? Date.now;
  }

  /** Asks a user. Returns the content of the link. */
  async open(subject: string, tool: string, signIn: string): Promise<string> {
    await this.#store.delete(decisionKey(subject, tool));
    const expiresAt = this.#now() + LIFETIME_MS;
    return this.#seal("link", { id: randomId(), subject, tool, signIn, expiresAt });
  }

  /** Reads a link. Undefined if its user has decided, and after its lifetime. */
  async find(link: string): Promise<PendingConsent | undefined> {
    const pending = await this.#unseal<PendingConsent>("link", link);
    if (!pending || pending.expiresAt <= this.#now()) return undefined;
    return (await this.#store.get(useKey(pending.id))) === undefined ? pending : undefined;
  }

  /** Starts a redirect. Returns its state. */
  async expect(pending: PendingConsent, leg: Leg): Promise<string> {
    const expected: ExpectedLeg = { id: randomId(), pending, leg };
    return this.#seal(leg.kind, expected);
  }

  /** Takes a state, which is unknown from then on. */
  async take(kind: LegKind, state: string): Promise<ExpectedLeg | undefined> {
    const expected = await this.#unseal<ExpectedLeg>(kind, state);
    if (!expected || expected.pending.expiresAt <= this.#now()) return undefined;
    const { id, pending } = expected;
    const isDecided = (await this.#store.get(useKey(pending.id))) !== undefined;
    return !isDecided && (await this.#use(id, pending)) ? expected : undefined;
  }

  /** Ends a consent, after the user has decided. */
  async end(pending: PendingConsent): Promise<void> {
    const { id, subject, tool } = pending;
    await this.#use(id, pending);
    await this.#store.set(decisionKey(subject, tool), "1", LIFETIME_MS);
  }

  /** True if the user has decided since the last link for the tool. */
  async isDecided(subject: string, tool: string): Promise<boolean> {
    return (await this.#store.get(decisionKey(subject, tool))) !== undefined;
  }

  /** Marks an ID as used. Returns false if it was. */
  #use(id: string, { expiresAt }: PendingConsent): Promise<boolean> {
    return this.#store.compareAndSet(useKey(id), undefined, "1", expiresAt - this.#now());
  }

  async #seal(kind: LegKind | "link", content: object): Promise<string> {
    return seal(await this.#key(), kind, JSON.stringify(content));
  }

  async #unseal<Content>(kind: LegKind | "link", sealed: string): Promise<Content | undefined> {
    const text = await unseal(await this.#key(), kind, sealed);
    return text === undefined ? undefined : (JSON.parse(text) as Content);
  }

  async #key(): Promise<Key> {
    const { secret, server } = this.#settings;
    const shared = async () => sharedSecret(this.#store, "consent secret", SECRET_MS);
    const text = secret ?? Buffer.from(await shared()).toString("base64url");
    return (await deriveKeys(text, "mcp-gen consents")).sealing(server);
  }
}

/** Digest of a text, as it can be in a link. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

const randomId = (): string => randomBytes(12).toString("base64url");

const useKey = (id: string): string => JSON.stringify(["consent used", id]);
const decisionKey = (subject: string, tool: string): string =>
  JSON.stringify(["consent decided", subject, tool]);
