/** Names of fields and parameters with the ID of a job. */
import { parseIdentityName } from "../producers/resources.js";
import { GLUED_ID } from "./words.js";

/** Noun and word of an ID, also of `jobid`. */
export const identityOf = (name: string): ReturnType<typeof parseIdentityName> =>
  parseIdentityName(name.replace(GLUED_ID, "$1_$2").replace(ID_FIRST, "$2_$1"));

/** `uid_import` */
const ID_FIRST = /^(u?u?id|guid)_(\w+)$/i;

/** Nouns before the word of an ID; empty for other names. */
export function entityOf(name: string): readonly string[] {
  const { entity, idWord } = identityOf(name);
  return entity === "" || idWord === "" ? [] : entity.split("_");
}
