/** Work that a response names by a URL: `Operation-Location`, or `Location` of what was accepted. */
import { jsonOf } from "../response/decode.js";
import { readField } from "../data/field-paths.js";
import { isObject } from "../data/values.js";
import { sameOriginUrl } from "../request/bind-url.js";
import { inputOfPath } from "../request/path-values.js";
import { sendsAnyRequest } from "../tools/send-request.js";
import type { JobLocation, ToolDefinition } from "../types.js";
import type { DecodedResponse } from "./build-result.js";
import { type NestedCall, nestedCall, nestedServer } from "./called-tool.js";
import { readUnknownState } from "./job-stage.js";
import type { PreparedCall } from "./send-authenticated.js";

/** The call that reads the state of work. */
export type FollowedCall = NestedCall & {
  /** URL of the state, if the API has named it. */
  readonly url?: string;
  /** URL of the result, which the state does not contain. */
  readonly resultUrl?: string;
  /** The request, if no tool of the document makes it. */
  readonly label?: string;
  /** True if the agent cannot make it either. */
  readonly isUncallable?: boolean;
};

/** Part of the size of a result that the thing may take beside the response of the write. */
export const JOB_SHARE = 0.5;

/** Headers with the URL of a state. The second one is that of Azure Resource Manager. */
const STATE_HEADERS = ["operation-location", "azure-asyncoperation"];

/** The call that reads the URL of a response; undefined if it names none of the API's own origin. */
export function locationCall(
  prepared: PreparedCall,
  started: DecodedResponse,
  { readers, isCreated, field }: JobLocation,
): FollowedCall | undefined {
  const { url: base } = prepared.call.request;
  const { headers } = started.response;
  const state = STATE_HEADERS.map((name) => headers.get(name)).find(Boolean);
  const location = headers.get("location") ?? undefined;
  const isWork = isAccepted(started) || (isCreated === true && started.response.status === 201);
  const named =
    field !== undefined && mayGoOn(started) ? readField(jsonOf(started.content), field) : undefined;
  const url = sameOriginUrl(state ?? (isWork ? location : undefined) ?? named, base);
  if (url === undefined) return undefined;
  const result = state === undefined ? undefined : sameOriginUrl(location, base);
  const follow = readerOf(prepared, url, readers) ?? unnamedCall(prepared, url);
  return { ...follow, url, ...(result !== undefined && { resultUrl: result }) };
}

/** True unless the body has a state, and that has ended. */
function mayGoOn(started: DecodedResponse): boolean {
  const { value, stage } = readUnknownState(started.response.status, jsonOf(started.content));
  return value === undefined || stage === "running";
}

/** True for 202, and for 201 of a thing whose state goes on. RFC 9110, sections 15.3.2 and 15.3.3. */
function isAccepted({ response, content }: DecodedResponse): boolean {
  const { status } = response;
  const { value, stage } = readUnknownState(status, content.kind === "json" ? content.value : {});
  return status === 202 || (status === 201 && value !== undefined && stage === "running");
}

/** URL of the result of work that is done: one that its state names, or the `Location` beside it. */
export function resultUrl({ url, resultUrl }: FollowedCall, state: unknown): string | undefined {
  if (url === undefined) return undefined;
  const named = isObject(state) ? state["resourceLocation"] : undefined;
  return sameOriginUrl(named ?? resultUrl, url);
}

/** The same call for another URL. */
export function nestedAt(prepared: PreparedCall, follow: FollowedCall, url: string): FollowedCall {
  return { ...unnamedCall(prepared, url), deadline: follow.deadline, url };
}

/** The tool of the document that reads a URL, with its inputs. */
function readerOf(
  prepared: PreparedCall,
  url: string,
  readers: readonly string[],
): FollowedCall | undefined {
  for (const name of readers) {
    const nested = nestedCall(prepared, { tool: name, inputs: {} }, {}, maxCharacters(prepared));
    const input = nested && inputOfPath(nested.info.tool, new URL(url).pathname);
    if (nested && input) return { ...nested, info: { ...nested.info, input } };
  }
  return undefined;
}

/** Maximum size of what the work returns, in characters. */
export const maxCharacters = ({ server }: PreparedCall): number =>
  Math.floor(server.settings.maxResultCharacters * JOB_SHARE);

/** A GET of the API that no tool describes. Agents read it with `send_request`, if they have it. */
function unnamedCall(prepared: PreparedCall, url: string): FollowedCall {
  const { server, operation, call, info } = prepared;
  const { servers, security } = operation.request;
  const request = {
    method: "GET",
    path: "/{path}",
    ...(servers && { servers }),
    ...(security && { security }),
  };
  const name = rawTool(prepared);
  const { outputSchema: _, ...own } = call.tool;
  const tool: ToolDefinition = {
    ...own,
    name: name ?? call.tool.name,
    annotations: { ...call.tool.annotations, readOnlyHint: true, destructiveHint: false },
    operations: [{ whenProvided: [], request, response: {} }],
  };
  const path = pathBelow(url, prepared);
  const input = { method: "GET", path: path ?? "" };
  return {
    ...prepared,
    server: nestedServer(server, maxCharacters(prepared)),
    info: { ...info, tool, input },
    hasLookedUp: true,
    label: `GET ${new URL(url).pathname}`,
    isUncallable: name === undefined || path === undefined,
    url,
  };
}

/** `send_request`, if the server offers it. */
function rawTool({ server }: PreparedCall): string | undefined {
  const { namespace } = server.api;
  const name = namespace === undefined ? "send_request" : `${namespace}_send_request`;
  const tool = server.tools.get(name);
  return tool && sendsAnyRequest(tool) ? name : undefined;
}

/** Path and query below the base URL of the write. */
function pathBelow(url: string, { call, operation }: PreparedCall): string | undefined {
  const { pathname } = new URL(call.request.url);
  const depth = operation.request.path.split("/").filter(Boolean).length;
  const segments = pathname.split("/").filter(Boolean);
  const base = ["", ...segments.slice(0, segments.length - depth)].join("/");
  const { pathname: path, search } = new URL(url);
  return path.startsWith(`${base}/`) ? path.slice(base.length) + search : undefined;
}
