/** Names of fields and parameters with the ID of a job. */
import { memoize } from "../../language/patterns.js";
import { parseIdentityName } from "../producers/resources.js";
import { GLUED_ID } from "./words.js";

/** Noun and word of an ID, also of `jobid`. Memoized, because responses share names of fields. */
export const identityOf: (name: string) => ReturnType<typeof parseIdentityName> = memoize((name) =>
  parseIdentityName(name.replace(GLUED_ID, "$1_$2").replace(ID_FIRST, "$2_$1")),
);

/** `uid_import` */
const ID_FIRST = /^(u?u?id|guid)_(\w+)$/i;

/** Nouns before the word of an ID; empty for other names. */
export function entityOf(name: string): readonly string[] {
  const { entity, idWord } = identityOf(name);
  return entity === "" || idWord === "" ? [] : entity.split("_");
}
