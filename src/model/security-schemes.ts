/** The security schemes of a document. */
import type { Context } from "./context.js";
import type { Pointer } from "./pointer.js";
import { quote } from "./diagnostics.js";
import { dereference } from "./references.js";
import { emptyRecord, type RawObject } from "./raw-object.js";
import type { SchemeReader, SecurityScheme } from "./security-scheme-kinds.js";

export type SecuritySchemes = Readonly<Record<string, SecurityScheme>>;

/**
 * Reads OpenAPI 3.x `components.securitySchemes` or an equivalent container. Unusable schemes are
 * left out.
 */
export function readSecuritySchemes(
  c: Context,
  container: RawObject,
  pointer: Pointer,
  readScheme: SchemeReader,
): SecuritySchemes {
  const schemes = emptyRecord<SecurityScheme>();
  for (const name of Object.keys(container)) {
    const located = dereference(c, container[name], pointer.child(name), "security scheme");
    const scheme = located && readScheme(c, located);
    if (typeof scheme === "string")
      c.diagnostics.add(
        "model-security-scheme",
        pointer.child(name),
        `The security scheme ${quote(name)} ${scheme}; it is left out.`,
      );
    else if (scheme) schemes[name] = scheme;
  }
  return schemes;
}
