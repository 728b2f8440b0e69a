/** Query of a request. */
import type { ParameterSource, RequestMapping } from "../types.js";
import { type BindingContext, resolveParameter } from "./parameter-source.js";
import { isPinned, namesIn, rejectPinnedNames } from "./pinned-names.js";
import { bindQuerystring, serializeQueryValue } from "./query-contents.js";
import { encodeReservedQuery, percentEncode } from "./serialize.js";
import { namedPairs, type Pair } from "./styles.js";

/** Binds everything after the `?`; empty without parameters. */
export function bindQuery(
  mapping: Pick<RequestMapping, "query" | "querystring" | "isRaw">,
  binding: BindingContext,
): string {
  const pairs = Object.entries(mapping.query ?? {}).flatMap(([name, source]) =>
    parameterPairs(name, source, binding, mapping.isRaw === true),
  );
  const parts = pairs.map(([name, value]) => `${name}=${value}`);
  const querystring =
    mapping.querystring === undefined ? "" : bindQuerystring(mapping.querystring, binding);
  return (querystring === "" ? parts : [...parts, querystring]).join("&");
}

/** @param isRaw true if the caller has written the name, which no document declares */
function parameterPairs(
  name: string,
  source: ParameterSource,
  binding: BindingContext,
  isRaw: boolean,
): readonly Pair[] {
  const parameter = resolveParameter(name, source, binding);
  if (parameter === undefined) return [];
  const encode = parameter.allowReserved === true ? encodeReservedQuery : percentEncode;
  const pairs: readonly Pair[] =
    parameter.contentType === undefined
      ? namedPairs(parameter, { name: percentEncode, value: encode })
      : [[percentEncode(name), encode(serializeQueryValue(parameter, parameter.contentType))]];
  if (!isPinned(source))
    rejectPinnedNames(
      namesIn(pairs.map((pair) => pair.join("="))),
      binding.pinned.query,
      isRaw ? { ...parameter, name: "" } : parameter,
    );
  return pairs;
}
