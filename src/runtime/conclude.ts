import type { ContentBlock } from "@modelcontextprotocol/server";
import { type Ended, failed } from "./ended.js";
import { explain } from "./errors/index.js";
import { read } from "./read/index.js";
import { redactResult } from "./redact.js";
import type { Outcome, Ready } from "./request.js";
import { type ApiResponse, type Failure, isFailure, isSuccess } from "./send/index.js";
import { clean, shape } from "./shape/index.js";

/** A guess at how many characters a model reads as one token. */
const charactersPerToken = 4;

/** Turns what came of a request into what the agent is told. Secrets leave no further than here. */
export async function conclude(ready: Ready, { answer, secrets, retries }: Outcome): Promise<Ended> {
  const ended = isFailure(answer) ? await fail(ready, answer) : await answered(ready, answer);
  const result = redactResult(ended.result, ready.app.redactorOf(secrets));
  return { ...ended, result, ...(retries > 0 && { retries }) };
}

async function answered(ready: Ready, response: ApiResponse): Promise<Ended> {
  const ended = isSuccess(response) ? await succeed(ready, response) : await fail(ready, { kind: "status", response });
  return { ...ended, status: response.status, bytes: response.body.byteLength };
}

async function succeed(ready: Ready, response: ApiResponse): Promise<Ended> {
  const { app, info, call, binding } = ready;
  const { tool } = call;
  const content = read(response, tool.outputSchema !== undefined, call.send.method);
  if (content.kind === "broken") return fail(ready, { ...content, kind: "unusable", response });
  const maxCharacters = app.settings.maxResultTokens * charactersPerToken;
  const shaped = shape(content, { tool, read: binding.read, maxCharacters, url: call.request.url, status: response.status });
  if (!shaped.ok) return fail(ready, { kind: "unusable", response, why: shaped.why, shown: shaped.content.length > 0 }, shaped.content);
  return { outcome: "ok", result: app.hooks.afterResponse ? await app.hooks.afterResponse(shaped.result, info) : shaped.result };
}

async function fail({ app, info, call }: Ready, failure: Failure, content: readonly ContentBlock[] = []): Promise<Ended> {
  const text = clean(explain(failure, call));
  return failed(outcomeName(failure), app.hooks.mapError ? await app.hooks.mapError(text, failure, info) : text, { content });
}

function outcomeName(failure: Failure): string {
  return failure.kind === "status" ? "api_error" : failure.kind;
}
