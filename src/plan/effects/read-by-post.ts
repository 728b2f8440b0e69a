/** POST operations that only read. */
import type { OperationFacts, Evidence } from "../operations/types.js";
import { segmentWords } from "../operations/path.js";
import type { Schemas } from "../schemas/refs.js";
import {
  type OperationStatements,
  returnsResult,
  sendsCode,
  type SourcedStatement,
} from "./evidence.js";
import {
  FREE_CODE_TEXT,
  INPUT_VALUE,
  isCreatedByRequest,
  NOTHING_STORED,
  READING_NOUN,
} from "./phrases.js";
import { isPureRead, mayMarkItem } from "../../language/verb-effects.js";

/** True for evidence of anything but a read. */
export const writes = ({ effect }: Pick<Evidence, "effect">): boolean => effect !== "reads";

/**
 * A POST reads if all evidence describes a read, and its response contains a result. Requests with
 * code, and those that create the returned data, do not read.
 */
export function isReadByPost(
  facts: OperationFacts,
  schemas: Schemas,
  { stated, named, sentences }: OperationStatements,
  losses: readonly Evidence[],
): boolean {
  if (facts.operation.method !== "POST" || losses.length > 0) return false;
  const all = [...stated, ...named];
  const isOnItem = facts.pathParts.some(({ kind }) => kind === "param");
  const main = all.find(
    ({ verb, object, source }) =>
      READING_NOUN.test(object) ||
      (isPureRead(verb) && !(isOnItem && mayMarkItem(verb, object, isText(source)))),
  );
  const isPreview = sentences.some((sentence) => NOTHING_STORED.test(sentence));
  const converts = convertsInput(facts, stated);
  const reads = (one: SourcedStatement): boolean =>
    !writes(one) ||
    (isPreview && /^(?:generate|create|make)$/.test(one.verb)) ||
    (converts && isConversion(one));
  if (!(main ?? (isPreview || converts)) || !all.every(reads)) return false;
  if (stated.some(({ object }) => FREE_CODE_TEXT.test(object))) return false;
  if (all.some(createsItsObject) || (isSingleRead(main) && createsOnly(facts))) return false;
  if (main?.verb === "return" && sendsBack(facts, sentences)) return false;
  return returnsResult(facts, schemas) && !sendsCode(facts, schemas);
}

const isText = (source: Evidence["source"]): boolean =>
  source === "summary" || source === "description";

const isConversion = ({ verb }: SourcedStatement): boolean => /^(?:convert|transform)$/.test(verb);

/** `Convert a number to words` changes nothing; `Convert a lead` of `/leads/{id}/convert` does. */
const convertsInput = (
  { pathParts }: OperationFacts,
  stated: readonly SourcedStatement[],
): boolean =>
  pathParts.every(({ kind }) => kind === "words") &&
  stated.some((one) => isConversion(one) && INPUT_VALUE.test(one.object));

/** Reads of one resource, which a POST can also create. */
const isSingleRead = (one: SourcedStatement | undefined): boolean =>
  one !== undefined && /^(?:get|obtain|fetch|retrieve|return|calculate|compute)$/.test(one.verb);

const createsItsObject = (one: SourcedStatement): boolean =>
  isSingleRead(one) && isCreatedByRequest(one.object);

/** `Return an order` sends it back, and so does every `POST /orders/{id}/returns`. */
const sendsBack = ({ pathParts }: OperationFacts, sentences: readonly string[]): boolean =>
  /^returns?$/.test(segmentWords(pathParts, -1).at(-1) ?? "") ||
  !sentences.some((text) => text.startsWith("returns "));

/** The only success is 201 Created. */
const createsOnly = ({ successResponses }: OperationFacts): boolean =>
  successResponses.length > 0 && successResponses.every(({ status }) => status === "201");
