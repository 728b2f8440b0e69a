/** Stands in for the bodies of requests, which no operation of this project has. */
import type { BodyMapping } from "../types.js";
import type { BodyContent } from "./bind-body.js";

export function bindBody(..._: readonly unknown[]): BodyContent | undefined {
  return undefined;
}

export function withFields(body: BodyMapping | undefined, ..._: readonly unknown[]): typeof body {
  return body;
}
