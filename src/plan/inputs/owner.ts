import { singularPhrase } from "../name/inflect.js";
import { isVersion, wordsOf } from "../name/words.js";
import type { Candidate } from "./candidate.js";

const BARE = /^_?(?:id|uuid|guid|key|name|slug|code|number|sid)$/i;

/** What an input that the document says nothing of belongs to, by its path: `{id}` of `/users/{id}` is that of the user. */
export function ownerOf({ place, wireName, description }: Candidate, path: string): string | undefined {
  if (place !== "path" || !BARE.test(wireName) || (description ?? "").trim() !== "") return undefined;
  const before = path.slice(0, Math.max(0, path.indexOf(`/{${wireName}}`)));
  const piece = before.slice(before.lastIndexOf("/") + 1);
  const words = piece.includes("{") || piece.length > 60 ? [] : singularPhrase(wordsOf(piece));
  return words.length > 0 && words.length < 4 && !words.some(isVersion) ? words.join(" ") : undefined;
}
