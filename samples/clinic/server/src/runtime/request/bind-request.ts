/** Binding of a tool's input to an HTTP request. Pure except for random UUIDs and boundaries. */
import { resolveBaseUrl } from "./base-url.js";
import type { RequestMapping } from "../types.js";
import { bindBody } from "./body/bind-body.js";
import { bindHeaders } from "./headers.js";
import { bindPath } from "./path.js";
import { pinnedNamesOf } from "./pinned-names.js";
import { bindQuery } from "./query.js";
import type { ApiContext, BindResult } from "./types.js";
import { addProblem, type BindingContext } from "./parameter-source.js";

export type * from "./types.js";

/**
 * Builds the request of a mapping from a validated input, without credentials; see `authenticate`.
 *
 * For any input, the request goes to the API's origin, under its base path, to the path of the
 * operation. No value leaves its own location. A value that cannot be sent unchanged is rejected:
 * all problems are reported, and no request is built.
 */
export function bindRequest(
  mapping: RequestMapping,
  input: Readonly<Record<string, unknown>>,
  context: ApiContext,
): BindResult {
  const pinned = pinnedNamesOf(mapping, context.api);
  const binding: BindingContext = { input, env: context.env, problems: [], pinned };
  const path = bindPath(mapping, binding);
  const query = bindQuery(mapping, binding);
  const body = bindBody(mapping.body, binding);
  const headers = bindHeaders(mapping, body?.contentType, binding);
  const base = resolveBaseUrl(mapping.servers ?? context.api.servers, context);
  if (!base.ok) addProblem(binding, "", base.problem);
  if (!base.ok || binding.problems.length > 0) return { ok: false, problems: binding.problems };
  const url = base.url + path + (query === "" ? "" : `?${query}`);
  // A URL that a parser would change, by removing `..` for example, leads elsewhere.
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
