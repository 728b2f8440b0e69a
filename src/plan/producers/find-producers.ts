import type { ClassifiedOperation } from "../classified-operation.js";
import type { Schemas } from "../schemas/refs.js";
import {
  buildCollectionIndex,
  type CollectionIndex,
  type ProducerTool,
} from "./collection-sources.js";
import { buildEvidenceIndex, linkKeys } from "./evidence.js";
import type { IdRequirement } from "./identity.js";
import { type KnownNouns, type RequiredIdentity, requiredIdentity } from "./requirement.js";
import { bestScores, CREATION, LINKED, scoreLists, scoreResults } from "./scores.js";

const MAX_PRODUCERS = 3;

/**
 * Creates a function that finds the tools whose results contain a required ID, by name, best first:
 * lists and searches of the collection before a path parameter, and tools that a `link` of the
 * document names. Else lists of other collections of the same resource, else results with fields of
 * the resource. `GET /me` is added for the ID of a user. Linear in the size of the API.
 */
export function createProducerFinder(
  tools: readonly ProducerTool[],
  schemas: Schemas,
): (requirement: IdRequirement, excluded: string) => readonly string[] {
  const collections = buildCollectionIndex(tools);
  const evidence = buildEvidenceIndex(tools, schemas);
  const nouns = knownNouns(collections);
  return (requirement, excluded) => {
    const identity = requiredIdentity(requirement, nouns);
    const linked = linkKeys(requirement).flatMap((key) => evidence.links.get(key) ?? []);
    const lists = bestScores([
      ...scoreLists(requirement, identity, collections),
      ...linked.map((tool) => [tool, LINKED] as const),
    ]);
    const results = lists.some(([, score]) => score > CREATION)
      ? []
      : scoreResults(requirement, identity, evidence.byNoun);
    const found = [
      ...[...results, ...lists].map(([tool]) => tool),
      ...callers(identity, collections).slice(0, 1),
    ];
    const holding = needsRemovedItem(requirement)
      ? found.filter((tool) => tools[tool]?.operations.some(findsRemovedItems))
      : found;
    return [...new Set(holding.map((tool) => tools[tool]?.name ?? ""))]
      .filter((name) => name !== excluded)
      .slice(0, MAX_PRODUCERS);
  };
}

const REMOVED_WORD = /^(?:trash|trashed|deleted)$/;

const namesRemovedItems = ({ pathParts }: ClassifiedOperation): boolean =>
  pathParts.some((part) => part.kind === "words" && part.words.some((w) => REMOVED_WORD.test(w)));

/** `DELETE /files/{id}/trash`, `Restore a file from the trash`: normal lists do not have the item. */
function needsRemovedItem({ classified, in: location }: IdRequirement): boolean {
  const { summary = "", description = "" } = classified.operation;
  const verb = classified.effects.mainAction?.verb ?? "";
  const restores =
    /^(?:restore|recover|undelete)$/.test(verb) &&
    /\b(?:trash|trashed|recycle bin)\b/i.test(`${summary} ${description}`);
  return location === "path" && (restores || namesRemovedItems(classified));
}

const findsRemovedItems = (operation: ClassifiedOperation): boolean =>
  operation.kind === "search" || namesRemovedItems(operation);

/** Tools that return the caller, for an ID of any user: not for that of a member of a list. */
function callers(
  { collection, isLink, noun }: RequiredIdentity,
  { self }: CollectionIndex,
): readonly number[] {
  const isAnyone = collection ? collection.isWhole : !isLink;
  return isAnyone ? (self.get(noun) ?? []).map(({ tool }) => tool) : [];
}

function knownNouns({ byNoun }: CollectionIndex): KnownNouns {
  const known = [...byNoun.keys()].filter((noun) => noun.length > 2);
  return {
    has: (noun) => byNoun.has(noun),
    ending: (compound) => {
      const [first, ...others] = known.filter((noun) => compound.endsWith(noun));
      return others.length === 0 ? first : undefined;
    },
  };
}
