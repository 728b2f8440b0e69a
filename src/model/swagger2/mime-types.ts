import { At } from "../at.js";
import type { Context } from "../context.js";
import { list, own, texts, type Raw } from "../read.js";

/** A media type and where it is written. */
export interface MimeType {
  readonly name: string;
  readonly at: At;
}

/**
 * Swagger 2.0 `consumes` or `produces` of an operation; the root's when it has none of its own (an
 * empty list clears them).
 */
export function mimeTypes(
  c: Context,
  operation: Raw,
  key: "consumes" | "produces",
  at: At,
): readonly MimeType[] {
  const isOwn = own(operation, key) !== undefined && own(operation, key) !== null;
  const [owner, place] = isOwn ? [operation, at] : [c.document.root as Raw, At.root];
  const container = place.child(key);
  return texts(c, list(c, owner, key, place), container).map((name, index) => ({
    name,
    at: container.child(index),
  }));
}
