import type { Operation } from "../../model/types.js";
import type { Subject } from "../kind.js";
import { entityOfPath, identityNeeded, identityOf } from "./entity.js";
import type { Need } from "./index.js";

/** How well an operation suits a need, besides what its result identifies. */
export function bonus(need: Need, producer: Subject): number {
  const { operation, kind, parts } = producer;
  const needed = parts.filter((part) => part.kind === "param");
  const same = needed.some(
    (part) => part.name === need.wireName && sharesPathTo(need, operation.path),
  );
  return (
    (isParentCollection(need, operation) ? 4 : 0) +
    (kind === "list" || kind === "search" ? 1.5 : 0) +
    (parts.some((part) => part.kind === "words" && part.words.includes("search")) &&
    entityOfPath(parts) === identityNeeded(need).entity
      ? 0.5
      : 0) +
    (operation.method === "GET" ? 1 : 0) -
    0.75 * needed.length -
    (same ? 4 : 0) -
    (parts.some((part) => part.kind === "words" && ASIDE.has(part.words.at(-1) as string)) &&
    !need.operation.path.startsWith(operation.path)
      ? 1
      : 0)
  );
}

/** Lists of what is put aside: right for few needs. */
const ASIDE = new Set([
  "trash",
  "trashed",
  "deleted",
  "archived",
  "archive",
  "recent",
  "blocked",
  "pending",
  "failed",
  "stubbed",
  "banned",
  "deprecated",
]);

/** `GET /pets` for the ID in `/pets/{petId}/visits`. */
function isParentCollection(need: Need, producer: Operation): boolean {
  const { operation, wireName, place } = need;
  return (
    place === "path" &&
    !addsToCollection(need) &&
    producer.method === "GET" &&
    operation.path.startsWith(`${trimSlash(producer.path)}/{${wireName}}`)
  );
}

/** `PUT /bans/{user_id}` bans a user who is not among the bans yet. */
function addsToCollection({ operation, subject, wireName }: Need): boolean {
  if (operation.method !== "PUT" || !operation.path.endsWith(`{${wireName}}`)) return false;
  const { entity } = identityOf(wireName);
  return entity !== "" && entity !== entityOfPath(subject.parts);
}

/**
 * A path parameter of the same name is the same value only where the paths agree up to it;
 * otherwise the name alone decides.
 */
function sharesPathTo({ wireName, place, operation }: Need, producerPath: string): boolean {
  if (place !== "path") return true;
  const marker = `{${wireName}}`;
  return (
    identityOf(wireName).entity !== "" ||
    operation.path.split(marker)[0] === producerPath.split(marker)[0]
  );
}

function trimSlash(path: string): string {
  return path.endsWith("/") ? path.slice(0, -1) : path;
}
