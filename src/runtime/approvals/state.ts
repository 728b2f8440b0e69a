/**
 * The state of a question, which the client returns with the answer. It is sealed, valid for five
 * minutes, and used once. MCP 2026-07-28, "Multi Round-Trip Requests", server requirements.
 */
import { createRequestStateCodec, type RequestStateCodec } from "@modelcontextprotocol/server";
import { createMemoryStore } from "../store/memory.js";
import { sharedSecret } from "../store/shared-secret.js";
import type { Store } from "../store/types.js";

/** Seconds for which an answer is accepted. */
const TTL_SECONDS = 300;
const TTL_MS = TTL_SECONDS * 1000;

/** The call that a question belongs to. */
export interface QuestionBinding {
  readonly tool: string;
  /** Digest of the arguments. */
  readonly args: string;
  /** Digest of the caller. */
  readonly caller: string;
}

/** Sealed content: digests, and what the user gave. The client can read it. */
export interface QuestionState extends QuestionBinding {
  readonly nonce: string;
  /** Approved digests, with the versions of the things. */
  readonly grants: readonly (readonly [string, string])[];
  /** Digest of the text to type. */
  readonly expected?: string;
  /** Inputs that the question asks for. */
  readonly inputs?: readonly string[];
  /** Values that the user gave in an earlier round. */
  readonly values?: Readonly<Record<string, unknown>>;
  /** First line of the question. */
  readonly summary: string;
}

/** Seals and opens states. */
export interface QuestionStates {
  seal(state: Omit<QuestionState, "nonce">): Promise<string>;
  /** Opens a state of this call, once. Undefined for any other. */
  open(sealed: string, binding: QuestionBinding): Promise<QuestionState | undefined>;
}

/** Key under which the processes of a server share the secret, and its lifetime. */
const SECRET = "approvals:secret";
const SECRET_TTL_MS = 24 * 3_600_000;

/** @param shared state of all processes of the server. Absent: an answer must meet its process */
export function createQuestionStates(shared: Store | undefined): QuestionStates {
  const store = shared ?? createMemoryStore();
  const codec = async (): Promise<RequestStateCodec<QuestionState>> =>
    createRequestStateCodec<QuestionState>({
      key: await sharedSecret(store, SECRET, SECRET_TTL_MS),
      ttlSeconds: TTL_SECONDS,
    });
  return {
    seal: async (state) => (await codec()).mint({ ...state, nonce: crypto.randomUUID() }),
    async open(sealed, { tool, args, caller }) {
      const verify = (await codec()).verify(sealed, {} as never);
      const state = await verify.catch(() => undefined);
      const isSame = state?.tool === tool && state.args === args && state.caller === caller;
      if (!state || !isSame) return undefined;
      const isFirst = await store.compareAndSet(`approvals:${state.nonce}`, undefined, "1", TTL_MS);
      return isFirst ? state : undefined;
    },
  };
}
