/** Stands in for the kinds of security schemes, of which this project has none. */
import type { SchemeRules, SecuritySchemeDefinition } from "./security-schemes.js";

/** @throws always, because there is no scheme */
export function rulesOf({ kind }: SecuritySchemeDefinition): SchemeRules<SecuritySchemeDefinition> {
  throw new Error(`This server was generated without ${kind}.`);
}

export function credentialHeader(_: SecuritySchemeDefinition): string | undefined {
  return undefined;
}
