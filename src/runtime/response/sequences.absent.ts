/** Stands in for sequences with a media type of their own, which no response of this project has. */
import type { Steps } from "../data/steps.js";
import { type ParsedSequence, parseValuesInRow } from "./sequences.js";

export function parseSequence(text: string, _: string): Steps<ParsedSequence> {
  return parseValuesInRow(text);
}
