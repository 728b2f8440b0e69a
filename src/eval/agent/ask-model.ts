/** Requests to a model's API, repeated after passing faults. */
import { setTimeout as delay } from "node:timers/promises";
import { isObject } from "../../json.js";
import { anthropic } from "./anthropic.js";
import {
  type Conversation,
  type ModelApi,
  ModelError,
  type ModelSettings,
  type ModelTurn,
} from "./model.js";
import { openai } from "./openai.js";

/** Wire formats by the name before the colon in `--model`. */
export const modelApis: Readonly<Record<string, ModelApi>> = { openai, anthropic };

/** Access to a model. */
export interface ModelAccess {
  readonly api: ModelApi;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** Absent for servers without credentials. */
  readonly key?: string;
  readonly settings: ModelSettings;
  /** Time of one request, in milliseconds. */
  readonly timeoutMs: number;
  /** Wait before the second try, doubled for each further one, in milliseconds. */
  readonly retryDelayMs: number;
}

const MAX_TRIES = 5;
/** Longest wait that a server can ask for, in milliseconds. */
const MAX_WAIT_MS = 60_000;
/** Characters of an error body in a message. */
const MAX_QUOTED = 500;

/**
 * Asks a model for its next turn.
 * @throws ModelError after a refusal, or when no try succeeds
 */
export async function askModel(
  access: ModelAccess,
  conversation: Conversation,
): Promise<ModelTurn> {
  for (let attempt = 1; ; attempt++) {
    const reply = await send(access, conversation);
    if (reply.status >= 200 && reply.status < 300) return access.api.response(reply.body);
    const isPassing = reply.status === 0 || [408, 409, 429].includes(reply.status);
    if (!(isPassing || reply.status >= 500) || attempt === MAX_TRIES)
      throw new ModelError(describeFailure(reply, access, attempt));
    await delay(Math.min(reply.waitMs ?? access.retryDelayMs * 2 ** (attempt - 1), MAX_WAIT_MS));
  }
}

/** A response of the API; status 0 if there was none. */
interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly waitMs?: number;
}

async function send(access: ModelAccess, conversation: Conversation): Promise<Reply> {
  const { api, baseUrl, key, settings, timeoutMs } = access;
  try {
    const response = await fetch(`${baseUrl}${api.path}`, {
      method: "POST",
      // The key belongs to this origin.
      redirect: "error",
      headers: {
        "content-type": "application/json",
        ...(key !== undefined && api.headers(key)),
      },
      body: JSON.stringify(api.request(conversation, settings)),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const wait = Number(response.headers.get("retry-after") ?? NaN) * 1000;
    return {
      status: response.status,
      body: parseBody(await response.text()),
      ...(wait >= 0 && { waitMs: wait }),
    };
  } catch (error) {
    const { message, cause } = error as Error;
    return { status: 0, body: cause instanceof Error ? cause.message : message };
  }
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function describeFailure({ status, body }: Reply, access: ModelAccess, tries: number): string {
  const where = new URL(access.baseUrl).host;
  const what = status === 0 ? `${where} cannot be reached` : `${where} responded with ${status}`;
  const reason = messageOf(body).slice(0, MAX_QUOTED);
  const hidden = access.key === undefined ? reason : reason.replaceAll(access.key, "[key]");
  return `${what}${tries > 1 ? ` after ${tries} tries` : ""}${hidden === "" ? "" : `: ${hidden}`}`;
}

/** The message of an error body: `{error: {message}}` in both APIs. */
function messageOf(body: unknown): string {
  if (typeof body === "string") return body;
  const error = isObject(body) ? body.error : undefined;
  const message = isObject(error) ? error.message : error;
  return typeof message === "string" ? message : JSON.stringify(body);
}
