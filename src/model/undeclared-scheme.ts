import { isObject } from "../json.js";
import type { NamedParameter } from "./parameter.js";
import type { Raw } from "./read.js";
import type { SecurityScheme } from "./types.js";

/** A scheme that no document declares, and what a person calls it. */
export interface ToldScheme {
  readonly name: string;
  readonly scheme: SecurityScheme;
  readonly words: string;
}

const BEARER: Omit<ToldScheme, "name"> = {
  scheme: { kind: "http", scheme: "bearer" },
  words: "a bearer token",
};
const BASIC: Omit<ToldScheme, "name"> = {
  scheme: { kind: "http", scheme: "basic" },
  words: "a user name and a password",
};
const LONGEST = 2000;

/**
 * What the name of a scheme says that is asked for and nowhere declared: frameworks have fixed
 * names for the usual ones.
 */
export function schemeByName(name: string): ToldScheme | undefined {
  if (/bearer|jwt|^oauth|^access[-_ ]?token$/i.test(name)) return { name, ...BEARER };
  if (/basic/i.test(name)) return { name, ...BASIC };
  if (/^authorization$/i.test(name)) return { name, ...wholeHeader() };
  return /^x-[a-z0-9-]+$/i.test(name)
    ? { name, scheme: { kind: "apiKey", in: "header", name }, words: `the header ${name}` }
    : undefined;
}

export function isAuthorization({ in: location, name }: NamedParameter): boolean {
  return location === "header" && name.toLowerCase() === "authorization";
}

/** Whether the credentials of a scheme go into the header `Authorization`. */
export function isInAuthorization(scheme: SecurityScheme): boolean {
  if (scheme.kind === "apiKey")
    return scheme.in === "header" && scheme.name.toLowerCase() === "authorization";
  return scheme.kind !== "mutualTLS";
}

/**
 * The scheme that a parameter for the header `Authorization` stands for: what its texts and
 * examples tell of, when it is one.
 */
export function schemeOfHeader(raw: Raw): ToldScheme {
  const schema = isObject(raw.schema) ? raw.schema : {};
  const told = [
    raw.description,
    raw.example,
    raw.default,
    raw.pattern,
    schema.description,
    schema.example,
    schema.default,
    schema.pattern,
  ];
  const text = told
    .filter((one) => typeof one === "string")
    .join(" ")
    .slice(0, LONGEST);
  const [bearer, basic] = [/\bbearer\b/i.test(text), /\bbasic\b/i.test(text)];
  if (bearer === basic) return { name: "Authorization", ...wholeHeader() };
  return bearer
    ? { name: "BearerAuthorization", ...BEARER }
    : { name: "BasicAuthorization", ...BASIC };
}

function wholeHeader(): Omit<ToldScheme, "name"> {
  const description = "Give the whole value of the header, such as Bearer and a token.";
  return {
    scheme: { kind: "apiKey", in: "header", name: "Authorization", description },
    words: "the header Authorization",
  };
}
