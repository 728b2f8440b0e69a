import type { Subject } from "../kind.js";
import { wordsOf } from "../name/words.js";
import type { PlannedRequest } from "../tool.js";
import type { PlannedInput, PlannedTool } from "../types.js";
import { withNextInputs } from "./next-inputs.js";

/** Inputs that say which page, not how large it is. */
const WHICH_PAGE =
  /^(page|p|page (number|no|num|index|token|cursor)|current page|(next |start |end )?cursor|(next|continuation) (token|key|page token)|(starting |start |end )?(after|before)|offset|skip|start( index)?|marker|since|last id|after id)$/;

/** Query parameters that lead to another page, with the inputs that fill them. */
export function pageInputs({ inputs }: PlannedRequest): readonly PlannedInput[] {
  const names = new Set(
    inputs.wires.flatMap(([{ place, wireName }, wire]) =>
      place === "query" && WHICH_PAGE.test(wordsOf(wireName).join(" "))
        ? typeof wire === "string"
          ? [wire]
          : "from" in wire
            ? [wire.from]
            : []
        : [],
    ),
  );
  return names.size === 0 ? [] : inputs.inputs.filter(({ name }) => names.has(name));
}

/** The document declares that successful answers have a `Link` header. RFC 8288. */
export function hasLinkHeader({ success }: Subject): boolean {
  return success.some(({ headers }) => headers.some(({ name }) => name.toLowerCase() === "link"));
}

/**
 * A list whose next page stands in the `Link` header: its result says under `next` which inputs
 * lead there. Without an input that could, the tool stays as it is.
 */
export function withLinkPages(tool: PlannedTool, request: PlannedRequest): PlannedTool {
  const { definition, output } = tool;
  const [only, ...others] = definition.requests;
  if (
    !only ||
    others.length > 0 ||
    only.read.wrap !== "items" ||
    !output ||
    !definition.outputSchema ||
    !hasLinkHeader(request.subject)
  )
    return tool;
  const inputs = pageInputs(request);
  if (inputs.length === 0) return tool;
  const told = withNextInputs(
    tool,
    inputs.map(({ name }) => name),
  );
  return {
    ...told,
    definition: { ...told.definition, requests: [{ ...only, pages: { header: true } }] },
  };
}
