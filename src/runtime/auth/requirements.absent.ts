/** Stands in for the choice of security schemes, which this project does not have. */
import type { ChosenScheme } from "./requirements.js";
import type { SecurityRequirement } from "../api-definition.js";
import type { AuthFailure } from "./types.js";

/** No request asks for credentials. */
export function requirementsOf(..._: readonly unknown[]): readonly SecurityRequirement[] {
  return [];
}

type Choice = { readonly ok: true; readonly schemes: readonly ChosenScheme[] } | AuthFailure;

export function chooseAlternative(..._: readonly unknown[]): Choice {
  return { ok: true, schemes: [] };
}
