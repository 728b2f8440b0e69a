import type { ContentBlock } from "@modelcontextprotocol/server";
import { type CallOutcome, errorResult } from "./outcome.js";
import { explainFailure, isEmbeddedError } from "../errors/explain-failure.js";
import { runAfterResponse, runMapError } from "../tools/customizations.js";
import type { FullResult } from "../response/result-store/result-store.js";
import { fileName } from "../files/file-names.js";
import { linkFullResult } from "../response/result-store/link.js";
import {
  nextPageHint,
  type NextPageHint,
  type CollectedPages,
} from "../pagination/follow-pages.js";
import { type DecodedContent, decodeResponse } from "../response/decode.js";
import { redactResult } from "../response/redact.js";
import type { RequestOutcome, PreparedCall } from "./call-operation.js";
import {
  type ApiResponse,
  type Failure,
  isFailure,
  isSuccess,
  type ResponseHeaders,
} from "../client/index.js";
import { sanitize, createToolResult } from "../response/tool-result.js";

/**
 * Turns what came of a request into what the agent is told. Secrets leave no further than here. A
 * result that the owner's hook has changed is not kept as a whole: that would show what the hook
 * took out.
 * @param pages the pages behind the answer, when they were followed
 */
export async function buildResult(
  prepared: PreparedCall,
  { response, secrets, retries }: RequestOutcome,
  pages?: CollectedPages,
): Promise<CallOutcome> {
  const processed = isFailure(response)
    ? failureOutcome(prepared, response)
    : isSuccess(response)
      ? await successOutcome(prepared, response, pages)
      : failureOutcome(prepared, { kind: "status", response: response });
  const final =
    processed.failure || prepared.app.hooks.afterResponse
      ? await withResultHooks(prepared, processed)
      : processed;
  const { app, call } = prepared;
  const redact = app.redactorFor(secrets);
  const redacted = redactResult(final.result, redact);
  const result = processed.fullResult
    ? await linkFullResult(redacted, call.tool.name, processed.fullResult, {
        ...(!app.hooks.afterResponse && { resultStore: app.kept, files: app.files }),
        redact,
        fileName: () => fileNameOf(prepared, processed),
      })
    : redacted;
  const received = isFailure(response) ? undefined : response;
  return {
    outcome: final.outcome,
    result,
    status: received?.status,
    bytes: pages?.bytes ?? received?.size,
    retries: retries > 0 ? retries : undefined,
  };
}

/** How a call ended, and the failure if it was one. */
interface ProcessedOutcome extends CallOutcome {
  readonly failure?: Failure;
  /** All of a result that shows only a part. */
  readonly fullResult?: FullResult;
  readonly headers?: ResponseHeaders;
}

/** What a file is called that this call brings. */
function fileNameOf({ call }: PreparedCall, { fullResult, headers }: ProcessedOutcome): string {
  return fileName({
    headers,
    url: call.request.url,
    mimeType: fullResult?.mimeType ?? "",
    tool: call.tool.name,
  });
}

async function successOutcome(
  prepared: PreparedCall,
  response: ApiResponse,
  pages?: CollectedPages,
): Promise<ProcessedOutcome> {
  const { app, call, binding, info } = prepared;
  const { tool } = call;
  const content =
    pages?.content ??
    decodeResponse(response, tool.outputSchema !== undefined, call.mapping.method);
  if (content.kind === "malformed")
    return failureOutcome(prepared, {
      kind: "unusable",
      response,
      reason: content.reason,
      excerpt: content.excerpt,
    });
  if (content.kind === "json" && isEmbeddedError(content.value, tool.outputSchema))
    return failureOutcome(prepared, { kind: "refused", response, value: content.value });
  const { next, note }: NextPageHint = pages ?? nextPageHint(prepared, response, content);
  const answer = await runAfterResponse(
    app.hooks,
    { content: withNote(content, note), mapping: binding.response, next },
    info,
  );
  const shaped = createToolResult(answer.content, {
    tool,
    mapping: answer.mapping,
    next: answer.next,
    maxCharacters: app.settings.maxResultCharacters,
    url: call.request.url,
    status: response.status,
    headers: response.headers,
    input: info.input,
    saveFiles: app.files !== undefined,
  });
  if (!shaped.ok)
    return failureOutcome(
      prepared,
      { kind: "unusable", response, reason: shaped.reason, shown: shaped.content.length > 0 },
      shaped.content,
    );
  return {
    outcome: "ok",
    result: shaped.result,
    ...(shaped.fullResult && { fullResult: shaped.fullResult, headers: response.headers }),
  };
}

function withNote<C extends DecodedContent>(content: C, note: string | undefined): C {
  return note === undefined || content.kind !== "json"
    ? content
    : { ...content, note: [content.note, note].filter(Boolean).join(" ") };
}

function failureOutcome(
  { call }: PreparedCall,
  failure: Failure,
  content?: readonly ContentBlock[],
): ProcessedOutcome {
  return {
    ...errorResult(
      failure.kind === "status" || failure.kind === "refused" ? "api_error" : failure.kind,
      sanitize(explainFailure(failure, call)),
      content,
    ),
    failure,
  };
}

/** What the owner's hooks make of it. */
async function withResultHooks(
  { app: { hooks }, info }: PreparedCall,
  processed: ProcessedOutcome,
): Promise<CallOutcome> {
  const { failure, result } = processed;
  if (!failure)
    return hooks.afterResponse
      ? { ...processed, result: await hooks.afterResponse(result, info) }
      : processed;
  const [block, ...rest] = result.content;
  if (block?.type !== "text") return processed;
  return {
    ...processed,
    result: {
      ...result,
      content: [
        { type: "text", text: await runMapError(hooks, block.text, failure, info) },
        ...rest,
      ],
    },
  };
}
