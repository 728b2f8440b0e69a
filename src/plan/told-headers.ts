import type { Subject } from "./kind.js";

/** Nothing about the thing itself: cookies, limits, IDs of requests, what every answer has. */
const NOISE =
  /^(?:set-cookie2?|www-authenticate|date|server|via|connection|vary|strict-transport-security|content-(?:encoding|security-policy)|access-control-.*|proxy-.*)$|rate-?limit|(?:request|correlation|trace)-?id$/i;

const MOST = 6;

/**
 * The headers by which alone an answer says something: those that the document has of success
 * without a body.
 */
export function toldHeaders({ operation, success }: Subject): readonly string[] {
  const isEmpty =
    operation.method === "HEAD" || success.every(({ contents }) => contents.length === 0);
  const names = isEmpty
    ? success
        .flatMap(({ headers }) => headers.map(({ name }) => name))
        .filter((name) => !NOISE.test(name))
    : [];
  return names
    .filter(
      (name, i) => names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) === i,
    )
    .slice(0, MOST);
}

/** What a description says of them. */
export function headersSentence(names: readonly string[]): string | undefined {
  return names.length === 0
    ? undefined
    : `Returns the ${names.length === 1 ? "header" : "headers"} ${names.join(", ")}.`;
}
