/**
 * Binding: how a tool's input becomes one HTTP request. Pure, but for random UUIDs and boundaries.
 */
import { baseUrl } from "../base-url.js";
import type { SendBinding } from "../types.js";
import { bindBody } from "./body/index.js";
import { bindHeaders } from "./headers.js";
import { bindPath } from "./path.js";
import { bindQuery } from "./query.js";
import type { ApiContext, BindResult } from "./types.js";
import { report, type Call } from "./wire.js";

export type * from "./types.js";

/**
 * Builds the request that `send` describes from a validated `input`, without credentials; see
 * `authenticate`.
 *
 * Whatever the input holds, the request goes to the API's origin, under its base path, to the
 * operation's path, and no value ends up outside its own place. What cannot be sent unchanged is
 * refused: every problem at once, and no request.
 */
export function bind(
  send: SendBinding,
  input: Readonly<Record<string, unknown>>,
  context: ApiContext,
): BindResult {
  const call: Call = { input, env: context.env, problems: [] };
  const path = bindPath(send, call);
  const query = bindQuery(send, call);
  const body = bindBody(send.body, call);
  const headers = bindHeaders(send, body?.contentType, call);
  const base = baseUrl(send.servers ?? context.api.servers, context);
  if (!base.ok) report(call, "", base.problem);
  if (!base.ok || call.problems.length > 0) return { ok: false, problems: call.problems };
  const url = base.url + path + (query === "" ? "" : `?${query}`);
  // A URL that its own parser would change, by folding `..` for one, does not lead where it says.
  if (new URL(url).href !== url)
    return {
      ok: false,
      problems: [
        {
          input: "",
          problem: "the path of this operation leads out of the API; it cannot be called",
        },
      ],
    };
  const request = { method: send.method, url, headers };
  return { ok: true, request: body === undefined ? request : { ...request, body: body.content } };
}
