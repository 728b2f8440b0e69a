import { quoteText } from "../../diagnostics/clean.js";
import { didYouMean, type Place } from "../../diagnostics/index.js";
import type { Findings } from "../findings.js";
import type { PlannedTool } from "../types.js";
import { inputOf, type WireSite, wiresOf } from "./wires.js";

/** What a rule about an input is about: an input, or values that are sent without one. */
export interface InputTarget {
  readonly input: string | undefined;
  readonly matches: (site: WireSite) => boolean;
}

/**
 * Finds an input by its name, else by the name that it has in the request. Anything else is an
 * error with the nearest name.
 */
export function findInput(
  tool: PlannedTool,
  key: string,
  place: Place,
  findings: Findings,
): InputTarget | undefined {
  if (tool.inputs.some((input) => input.name === key))
    return { input: key, matches: ({ wire }) => inputOf(wire) === key };
  const sites = wiresOf(tool);
  const named = sites.filter((site) => sameWireName(site, key));
  const inputs = [...new Set(named.map(({ wire }) => inputOf(wire)))];
  const [input] = inputs;
  if (inputs.length === 1)
    return {
      input,
      matches:
        input === undefined
          ? (site) => sameWireName(site, key)
          : ({ wire }) => inputOf(wire) === input,
    };
  const known = new Set([
    ...tool.inputs.map(({ name }) => name),
    ...sites.flatMap(({ wireName }) => wireName ?? []),
  ]);
  const why =
    inputs.length > 1
      ? `is sent by several inputs of ${tool.definition.name}: ${inputs.filter((one) => one !== undefined).join(", ")}. Name one of these`
      : `is no input of ${tool.definition.name}${didYouMean(key, known)}`;
  findings.add(
    "curation-input",
    `${quoteText(key)} ${why}${why.endsWith("?") ? "" : "."}`,
    place,
    known.size > 0 ? `It has ${[...known].slice(0, 20).join(", ")}.` : "It has no inputs.",
  );
  return undefined;
}

/** Names of headers compare without case (RFC 9110, section 5.1). */
export function sameWireName({ place, wireName }: WireSite, name: string): boolean {
  return (
    wireName === name || (place === "header" && wireName?.toLowerCase() === name.toLowerCase())
  );
}
