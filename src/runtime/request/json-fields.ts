/** Inputs that a JSON body takes in any type: fields of it that are sent nowhere else. */
import { isJson } from "../data/media-types.js";
import type { RequestMapping } from "../types.js";
import { inputOf, namedSources } from "./parameter-source.js";

/** Names of the inputs that are fields of a JSON body, or all of it, and no other part of a request. */
export function jsonInputs(request: RequestMapping): ReadonlySet<string> {
  const { body } = request;
  if (!body || !isJson(body.contentType)) return NO_INPUTS;
  const elsewhere = namedSources({ ...request, body: undefined }).map(([, source]) =>
    inputOf(source),
  );
  const fields = [...Object.values(body.fields ?? {}), ...(body.from ? [body.from] : [])];
  return new Set(
    fields.flatMap((source) => inputOf(source) ?? []).filter((name) => !elsewhere.includes(name)),
  );
}

const NO_INPUTS: ReadonlySet<string> = new Set();
