/** Binding of a tool's input to an HTTP request. Pure except for random UUIDs and boundaries. */
import type { RequestMapping } from "../types.js";
import { bindBody, withFields } from "./bind-body.js";
import { bindHeaders } from "./headers.js";
import {
  addProblem,
  type BindingContext,
  type WithheldVariables,
  withheldProblem,
} from "./parameter-source.js";
import { pinnedNamesOf } from "./pinned-names.js";
import {
  callsAnonymously,
  credentialVariables,
  describeForeignOrigin,
  receivesCredentials,
} from "./origins.js";
import { resolveBaseUrl } from "./base-url.js";
import { bindPath } from "./path.js";
import { bindQuery } from "./query.js";
import type { ApiContext, BindResult } from "./types.js";

export type * from "./types.js";

/**
 * Builds the request of a mapping from a validated input, without credentials; see `authenticate`.
 *
 * For any input, the request goes to the API's origin, under its base path, to the path of the
 * operation. No value leaves its own location. A value that cannot be sent unchanged is rejected:
 * all problems are reported, and no request is built.
 * @param undocumented inputs that are fields of an open body, although the tool does not declare
 * them
 */
export function bindRequest(
  mapping: RequestMapping,
  input: Readonly<Record<string, unknown>>,
  context: ApiContext,
  undocumented: readonly string[] = [],
): BindResult {
  const pinned = pinnedNamesOf(mapping, context.api);
  const base = resolveBaseUrl(mapping.servers ?? context.api.servers, context);
  const withheld = base.ok ? withheldVariables(base.url, mapping.servers, context) : undefined;
  const binding: BindingContext = { input, env: context.env, problems: [], pinned, withheld };
  const path = bindPath(mapping, binding);
  const query = bindQuery(mapping, binding);
  const body = bindBody(withFields(mapping.body, undocumented, binding), binding);
  const headers = bindHeaders(mapping, body?.contentType, binding);
  if (!base.ok) addProblem(binding, "", base.problem);
  rejectWithheldServer(mapping.servers ?? [], binding);
  if (!base.ok || binding.problems.length > 0) return { ok: false, problems: binding.problems };
  const url = base.url + path + (query === "" ? "" : `?${query}`);
  // A URL that a parser would change, by removing `..` for example, is a different one.
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

/** Variables with credentials, where another server or none at all may have them. */
function withheldVariables(
  url: string,
  servers: RequestMapping["servers"],
  context: ApiContext,
): WithheldVariables | undefined {
  const { api, env } = context;
  if (servers && !receivesCredentials(url, context))
    return { names: credentialVariables(api), reason: describeForeignOrigin(url, context) };
  return callsAnonymously(api, env) ? { names: credentialVariables(api) } : undefined;
}

/** Reports a credential in the URL of a server that must not get it. */
function rejectWithheldServer(
  [server]: NonNullable<RequestMapping["servers"]>,
  binding: BindingContext,
): void {
  const { env, withheld } = binding;
  const problem = withheld && withheldProblem(withheld);
  if (problem === undefined) return;
  for (const { env: name } of Object.values(server?.variables ?? {}))
    if (withheld?.names.has(name) && env[name])
      addProblem(binding, "", `the environment variable ${name} ${problem}`);
}
