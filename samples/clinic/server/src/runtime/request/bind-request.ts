/**
 * Binding: how a tool's input becomes one HTTP request. Pure, but for random UUIDs and boundaries.
 */
import { resolveBaseUrl } from "./base-url.js";
import type { RequestMapping } from "../types.js";
import { bindBody } from "./body/bind-body.js";
import { bindHeaders } from "./headers.js";
import { bindPath } from "./path.js";
import { bindQuery } from "./query.js";
import type { ApiContext, BindResult } from "./types.js";
import { addProblem, type BindingContext } from "./parameter-source.js";

export type * from "./types.js";

/**
 * Builds the request that `send` describes from a validated `input`, without credentials; see
 * `authenticate`.
 *
 * Whatever the input holds, the request goes to the API's origin, under its base path, to the
 * operation's path, and no value ends up outside its own place. What cannot be sent unchanged is
 * refused: every problem at once, and no request.
 */
export function bindRequest(
  mapping: RequestMapping,
  input: Readonly<Record<string, unknown>>,
  context: ApiContext,
): BindResult {
  const binding: BindingContext = { input, env: context.env, problems: [] };
  const path = bindPath(mapping, binding);
  const query = bindQuery(mapping, binding);
  const body = bindBody(mapping.body, binding);
  const headers = bindHeaders(mapping, body?.contentType, binding);
  const base = resolveBaseUrl(mapping.servers ?? context.api.servers, context);
  if (!base.ok) addProblem(binding, "", base.problem);
  if (!base.ok || binding.problems.length > 0) return { ok: false, problems: binding.problems };
  const url = base.url + path + (query === "" ? "" : `?${query}`);
  // A URL that its own parser would change, by folding `..` for one, does not lead where it says.
  if (new URL(url).href !== url)
    return {
      ok: false,
      problems: [
        {
          input: "",
          problem:
            "the path of this operation leaves the base path of the API; it cannot be called",
        },
      ],
    };
  const request = { method: mapping.method, url, headers };
  return { ok: true, request: body === undefined ? request : { ...request, body: body.content } };
}
