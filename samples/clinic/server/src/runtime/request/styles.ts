/**
 * The parameter styles: how a value becomes `name=value` pairs, or text in a path or header.
 *
 * OpenAPI 3.1.1, "Style Examples", and 3.2 for `cookie`; where these are silent, RFC 6570, sections
 * 2.3 and 3.2: `null` and empty arrays and objects leave no trace; an empty string is a value.
 * Beyond both, as real APIs read it:
 * - an array or object inside an exploded or delimited value is written as JSON;
 * - `deepObject` nests, `a[b][c]=1`, and numbers the items of arrays, `a[0]=x`, at every level;
 * - `spaceDelimited` and `pipeDelimited` with `explode` repeat the parameter, as `form` does.
 */
import type { ParameterValue } from "./parameter-source.js";
import { type Encode, verbatim } from "./percent-encoding.js";
import { isReadonlyArray, isStructured, type SerializableValue, toText } from "./serializable.js";

export type Pair = readonly [name: string, value: string];

/** How names and values are written where the pairs go. */
export interface Codec {
  readonly name: Encode;
  readonly value: Encode;
}

/**
 * The pairs of a query, cookie or form. Names and values are encoded; the delimiters between pairs
 * are the caller's.
 */
export function namedPairs(parameter: ParameterValue, codec: Codec): readonly Pair[] {
  switch (parameter.style) {
    case "deepObject":
      return deepObjectPairs(parameter, codec);
    case "spaceDelimited":
    case "pipeDelimited":
    case "tabDelimited":
      return delimitedPairs(parameter, codec, DELIMITERS[parameter.style]);
    default:
      return pairsOf(parameter, codec, parameter.explode ?? true, ",");
  }
}

/** The text of a path parameter, with the prefix that `matrix` and `label` bring along. */
export function pathText(parameter: ParameterValue, encode: Encode): string {
  const explode = parameter.explode ?? false;
  switch (parameter.style) {
    case "matrix":
      return pairsOf(parameter, { name: encode, value: encode }, explode, ",")
        .map(matrixPair)
        .join("");
    case "label":
      return labelText(listText(parameter.value, encode, explode, explode ? "." : ","));
    default:
      return delimitedText(parameter, encode) ?? "";
  }
}

/** What Swagger 2.0 called ssv, pipes and tsv. */
const DELIMITERS = { spaceDelimited: " ", pipeDelimited: "|", tabDelimited: "\t" } as const;

/**
 * The items in a path or header: by commas, or, of Swagger 2.0, by another delimiter, written as
 * any such character is there.
 */
function delimitedText(parameter: ParameterValue, encode: Encode): string | undefined {
  const { style, value, explode = false } = parameter;
  if (style !== "spaceDelimited" && style !== "pipeDelimited" && style !== "tabDelimited")
    return listText(value, encode, explode, ",");
  return reportDelimiter(parameter, DELIMITERS[style])
    ? undefined
    : listText(value, encode, false, encode(DELIMITERS[style]));
}

/**
 * Style `simple` for a header: nothing is percent-encoded there (OpenAPI 3.2, "Fixed Fields for use
 * with `schema`").
 */
export function headerText(parameter: ParameterValue): string | undefined {
  return delimitedText(parameter, verbatim);
}

/**
 * What an array or object holds, as text: items without a key, properties with theirs. `null` is
 * left out.
 */
type Member = readonly [key: string | undefined, text: string];

function membersOf(value: Extract<SerializableValue, object>): readonly Member[] {
  const entries = isReadonlyArray(value)
    ? value.map((item) => [undefined, item] as const)
    : Object.entries(value);
  return entries
    .filter(([, member]) => member !== null)
    .map(([key, member]) => [key, toText(member)]);
}

/** `["a", "b"]` and `{a: "b"}` alike become `a`, `b`. */
function flattenMembers(members: readonly Member[]): readonly string[] {
  return members.flatMap(([key, text]) => (key === undefined ? [text] : [key, text]));
}

function pairsOf(
  parameter: ParameterValue,
  codec: Codec,
  explode: boolean,
  delimiter: string,
): readonly Pair[] {
  const name = codec.name(parameter.name);
  if (!isStructured(parameter.value)) return [[name, codec.value(toText(parameter.value))]];
  const members = membersOf(parameter.value);
  if (members.length === 0) return [];
  if (!explode) return [[name, flattenMembers(members).map(codec.value).join(delimiter)]];
  return members.map(([key, text]) => [
    key === undefined ? name : codec.name(key),
    codec.value(text),
  ]);
}

/** Text of an unnamed expansion; `undefined` when there is nothing in it. */
function listText(
  value: SerializableValue,
  encode: Encode,
  explode: boolean,
  delimiter: string,
): string | undefined {
  if (!isStructured(value)) return encode(toText(value));
  const members = membersOf(value);
  if (members.length === 0) return undefined;
  if (!explode) return flattenMembers(members).map(encode).join(delimiter);
  return members
    .map(([key, text]) => (key === undefined ? encode(text) : `${encode(key)}=${encode(text)}`))
    .join(delimiter);
}

/** RFC 6570, section 3.2.7: an empty value leaves its name alone. */
function matrixPair([name, value]: Pair): string {
  return value === "" ? `;${name}` : `;${name}=${value}`;
}

function labelText(text: string | undefined): string {
  return text === undefined ? "" : `.${text}`;
}

function delimitedPairs(
  parameter: ParameterValue,
  codec: Codec,
  delimiter: Delimiter,
): readonly Pair[] {
  const explode = parameter.explode ?? false;
  return !explode && reportDelimiter(parameter, delimiter)
    ? []
    : pairsOf(parameter, codec, explode, codec.value(delimiter));
}

type Delimiter = (typeof DELIMITERS)[keyof typeof DELIMITERS];
const DELIMITER_NAMES: Readonly<Record<Delimiter, string>> = {
  " ": "a space",
  "|": '"|"',
  "\t": "a tab",
};

/**
 * Refuses an item with the delimiter in it: that arrives percent-encoded like any other space, bar
 * or tab.
 */
function reportDelimiter({ value, reportProblem }: ParameterValue, delimiter: Delimiter): boolean {
  if (
    !isStructured(value) ||
    !flattenMembers(membersOf(value)).some((text) => text.includes(delimiter))
  )
    return false;
  reportProblem(`has an item with ${DELIMITER_NAMES[delimiter]} in it, which separates items here`);
  return true;
}

function deepObjectPairs(parameter: ParameterValue, codec: Codec): readonly Pair[] {
  const descend = (name: string, value: SerializableValue): readonly Pair[] => {
    if (value === null) return [];
    if (!isStructured(value)) return [[codec.name(name), codec.value(toText(value))]];
    return Object.entries(value).flatMap(([key, member]) => {
      if (/[[\]]/.test(key))
        parameter.reportProblem('has a key with "[" or "]" in it, which denote nesting here');
      return descend(`${name}[${key}]`, member);
    });
  };
  return descend(parameter.name, parameter.value);
}
