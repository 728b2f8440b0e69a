import { bindRequest } from "../../../src/runtime/request/bind-request.js";
import type {
  ApiContext,
  BoundRequest,
  Env,
  InputProblem,
} from "../../../src/runtime/request/types.js";
import type { BodyMapping, RequestMapping } from "../../../src/runtime/types.js";

export type Input = Readonly<Record<string, unknown>>;

export function contextOf(
  env: Env = {},
  servers = [{ url: "https://api.example.com/v1" }],
): ApiContext {
  return {
    api: {
      name: "clinic",
      title: "Clinic",
      version: "1",
      envPrefix: "CLINIC",
      servers,
      securitySchemes: {},
    },
    env,
  };
}

/** The request; throws with the problems when there is none. */
export function sent(send: Partial<RequestMapping>, input: Input, env?: Env): BoundRequest {
  const result = bindRequest({ method: "GET", path: "/", ...send }, input, contextOf(env));
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.request;
}

/** The problems; empty when the request would be sent. */
export function refused(
  send: Partial<RequestMapping>,
  input: Input,
  env?: Env,
): readonly InputProblem[] {
  const result = bindRequest({ method: "GET", path: "/", ...send }, input, contextOf(env));
  return result.ok ? [] : result.problems;
}

/** URL of the request, relative to the base URL. */
export function target(send: Partial<RequestMapping>, input: Input): string {
  return sent(send, input).url.replace("https://api.example.com/v1", "");
}

/** Query string of the request, without `?`. */
export function query(send: Partial<RequestMapping>, input: Input): string {
  return target(send, input).replace(/^\/\??/, "");
}

export function header(request: BoundRequest, name: string): string | undefined {
  return request.headers.find(([other]) => other.toLowerCase() === name.toLowerCase())?.[1];
}

/** The body as text, and its Content-Type. */
export function body(
  binding: BodyMapping,
  input: Input,
): { readonly type: string | undefined; readonly text: string | undefined } {
  const request = sent({ method: "POST", body: binding }, input);
  return {
    type: header(request, "content-type"),
    text: request.body === undefined ? undefined : textOf(request.body),
  };
}

export function textOf(content: string | Uint8Array): string {
  return typeof content === "string" ? content : new TextDecoder().decode(content);
}

/** A multipart body as the platform's own parser reads it. */
export async function formData(binding: BodyMapping, input: Input): Promise<FormData> {
  const request = sent({ method: "POST", body: binding }, input);
  return new Response(request.body, {
    headers: { "content-type": header(request, "content-type") ?? "" },
  }).formData();
}
