import type { ContentBlock } from "@modelcontextprotocol/server";
import { type Ended, failed } from "./ended.js";
import { explain, isRefusal } from "./errors/index.js";
import { hooksOf } from "./owner.js";
import { type Content, read } from "./read/index.js";
import type { Whole } from "./kept/index.js";
import { withWhole } from "./kept/link.js";
import { redactResult } from "./redact.js";
import type { Outcome, Ready } from "./request.js";
import { type ApiResponse, type Failure, isFailure, isSuccess } from "./send/index.js";
import { conform } from "./shape/conform.js";
import { clean, shape } from "./shape/index.js";
import { project } from "./shape/project.js";
import type { ReadBinding } from "./types.js";

/**
 * Turns what came of a request into what the agent is told. Secrets leave no further than here. A result that the owner's hook has
 * changed is not kept as a whole: that would show what the hook took out.
 */
export async function conclude(ready: Ready, { answer, secrets, retries }: Outcome): Promise<Ended> {
  const ended = isFailure(answer) ? fail(ready, answer) : isSuccess(answer) ? await succeed(ready, answer) : fail(ready, { kind: "status", response: answer });
  const told = await adapted(ready, ended);
  const { app, call } = ready;
  const redact = app.redactorOf(secrets);
  const result = withWhole(redactResult(told.result, redact), call.tool.name, ended.whole, { kept: app.hooks.afterResponse ? undefined : app.kept, redact });
  const seen = isFailure(answer) ? undefined : answer;
  return { outcome: told.outcome, result, status: seen?.status, bytes: seen?.size, retries: retries > 0 ? retries : undefined };
}

/** How a call ended, and the failure if it was one. */
interface Concluded extends Ended {
  readonly failure?: Failure;
  /** All of a result that shows only a part. */
  readonly whole?: Whole;
}

async function succeed(ready: Ready, response: ApiResponse): Promise<Concluded> {
  const { app, call } = ready;
  const { tool } = call;
  const content = read(response, tool.outputSchema !== undefined, call.send.method);
  if (content.kind === "broken") return fail(ready, { kind: "unusable", response, why: content.why, excerpt: content.excerpt });
  if (content.kind === "json" && isRefusal(content.value)) return fail(ready, { kind: "refused", response, value: content.value });
  const { content: changed, read: how } = await changedByOwner(content, ready);
  const shaped = shape(changed, { tool, read: how, maxCharacters: app.settings.maxResultCharacters, url: call.request.url, status: response.status });
  if (!shaped.ok) return fail(ready, { kind: "unusable", response, why: shaped.why, shown: shaped.content.length > 0 }, shaped.content);
  return { outcome: "ok", result: shaped.result, ...(shaped.whole && { whole: shaped.whole }) };
}

type Usable = Exclude<Content, { kind: "broken" }>;

/** The answer as the tool's own hook makes it, and how the rest is to be read. The hook gets what its type promises. */
async function changedByOwner(content: Usable, { app, call: { tool }, binding, info }: Ready): Promise<{ readonly content: Usable; readonly read: ReadBinding }> {
  const own = hooksOf(app.hooks, tool.name).afterResponse;
  const unchanged = { content, read: binding.read };
  if (!own || content.kind !== "json" || !tool.outputSchema) return unchanged;
  const output = conform(project(content.value, binding.read), tool.outputSchema);
  return output.ok ? { content: { ...content, plain: false, value: await own(output.value, info) }, read: {} } : unchanged;
}

function fail({ call }: Ready, failure: Failure, content?: readonly ContentBlock[]): Concluded {
  return { ...failed(failure.kind === "status" || failure.kind === "refused" ? "api_error" : failure.kind, clean(explain(failure, call)), content), failure };
}

/** What the owner's hooks make of it. */
async function adapted({ app: { hooks }, info }: Ready, ended: Concluded): Promise<Ended> {
  const { failure, result } = ended;
  if (!failure) return hooks.afterResponse ? { ...ended, result: await hooks.afterResponse(result, info) } : ended;
  const [block, ...rest] = result.content;
  const own = hooksOf(hooks, info.tool.name).mapError;
  if ((!own && !hooks.mapError) || block?.type !== "text") return ended;
  const told = own ? await own(block.text, failure, info) : block.text;
  const text = hooks.mapError ? await hooks.mapError(told, failure, info) : told;
  return { ...ended, result: { ...result, content: [{ type: "text", text }, ...rest] } };
}
