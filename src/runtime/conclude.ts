import type { ContentBlock } from "@modelcontextprotocol/server";
import { type Ended, failed } from "./ended.js";
import { explain, isRefusal } from "./errors/index.js";
import { answerByOwner, errorByOwner } from "./owner.js";
import type { Whole } from "./kept/index.js";
import { fileName } from "./files/names.js";
import { withWhole } from "./kept/link.js";
import { leadsOn, type LeadsOn, type Paged } from "./pages/index.js";
import { type Content, read } from "./read/index.js";
import { redactResult } from "./redact.js";
import type { Outcome, Ready } from "./request.js";
import {
  type ApiResponse,
  type Failure,
  isFailure,
  isSuccess,
  type ResponseHeaders,
} from "./send/index.js";
import { clean, shape } from "./shape/index.js";

/**
 * Turns what came of a request into what the agent is told. Secrets leave no further than here. A
 * result that the owner's hook has changed is not kept as a whole: that would show what the hook
 * took out.
 * @param paged the pages behind the answer, when they were followed
 */
export async function conclude(
  ready: Ready,
  { answer, secrets, retries }: Outcome,
  paged?: Paged,
): Promise<Ended> {
  const ended = isFailure(answer)
    ? fail(ready, answer)
    : isSuccess(answer)
      ? await succeed(ready, answer, paged)
      : fail(ready, { kind: "status", response: answer });
  const told = ended.failure || ready.app.hooks.afterResponse ? await adapted(ready, ended) : ended;
  const { app, call } = ready;
  const redact = app.redactorOf(secrets);
  const shown = redactResult(told.result, redact);
  const result = ended.whole
    ? await withWhole(shown, call.tool.name, ended.whole, {
        ...(!app.hooks.afterResponse && app),
        redact,
        nameOf: () => nameOf(ready, ended),
      })
    : shown;
  const seen = isFailure(answer) ? undefined : answer;
  return {
    outcome: told.outcome,
    result,
    status: seen?.status,
    bytes: paged?.bytes ?? seen?.size,
    retries: retries > 0 ? retries : undefined,
  };
}

/** How a call ended, and the failure if it was one. */
interface Concluded extends Ended {
  readonly failure?: Failure;
  /** All of a result that shows only a part. */
  readonly whole?: Whole;
  readonly headers?: ResponseHeaders;
}

/** What a file is called that this call brings. */
function nameOf({ call }: Ready, { whole, headers }: Concluded): string {
  return fileName({
    headers,
    url: call.request.url,
    mimeType: whole?.mimeType ?? "",
    tool: call.tool.name,
  });
}

async function succeed(ready: Ready, response: ApiResponse, paged?: Paged): Promise<Concluded> {
  const { app, call, binding, info } = ready;
  const { tool } = call;
  const content =
    paged?.content ?? read(response, tool.outputSchema !== undefined, call.send.method);
  if (content.kind === "broken")
    return fail(ready, { kind: "unusable", response, why: content.why, excerpt: content.excerpt });
  if (content.kind === "json" && isRefusal(content.value, tool.outputSchema))
    return fail(ready, { kind: "refused", response, value: content.value });
  const { next, note }: LeadsOn = paged ?? leadsOn(ready, response, content);
  const answer = await answerByOwner(
    app.hooks,
    { content: withNote(content, note), read: binding.read, next },
    info,
  );
  const shaped = shape(answer.content, {
    tool,
    read: answer.read,
    next: answer.next,
    maxCharacters: app.settings.maxResultCharacters,
    url: call.request.url,
    status: response.status,
    headers: response.headers,
    given: info.input,
    savesFiles: app.files !== undefined,
  });
  if (!shaped.ok)
    return fail(
      ready,
      { kind: "unusable", response, why: shaped.why, shown: shaped.content.length > 0 },
      shaped.content,
    );
  return {
    outcome: "ok",
    result: shaped.result,
    ...(shaped.whole && { whole: shaped.whole, headers: response.headers }),
  };
}

function withNote<C extends Content>(content: C, note: string | undefined): C {
  return note === undefined || content.kind !== "json"
    ? content
    : { ...content, note: [content.note, note].filter(Boolean).join(" ") };
}

function fail({ call }: Ready, failure: Failure, content?: readonly ContentBlock[]): Concluded {
  return {
    ...failed(
      failure.kind === "status" || failure.kind === "refused" ? "api_error" : failure.kind,
      clean(explain(failure, call)),
      content,
    ),
    failure,
  };
}

/** What the owner's hooks make of it. */
async function adapted({ app: { hooks }, info }: Ready, ended: Concluded): Promise<Ended> {
  const { failure, result } = ended;
  if (!failure)
    return hooks.afterResponse
      ? { ...ended, result: await hooks.afterResponse(result, info) }
      : ended;
  const [block, ...rest] = result.content;
  if (block?.type !== "text") return ended;
  return {
    ...ended,
    result: {
      ...result,
      content: [
        { type: "text", text: await errorByOwner(hooks, block.text, failure, info) },
        ...rest,
      ],
    },
  };
}
