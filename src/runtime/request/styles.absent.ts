/** Stands in for parameters with lists, objects or styles, of which this project has none. */
import type { ParameterValue } from "./parameter-source.js";
import { type Encode, toText } from "./serialize.js";
import type { Codec, Pair } from "./styles.js";

/** Writes the pair of a query or a cookie, encoded. */
export function namedPairs({ name, value }: ParameterValue, codec: Codec): readonly Pair[] {
  return [[codec.name(name), codec.value(toText(value))]];
}

/** Writes the text of a path parameter. */
export function pathText({ value }: ParameterValue, encode: Encode): string {
  return encode(toText(value));
}
