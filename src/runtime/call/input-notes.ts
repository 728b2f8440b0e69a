/** Notes about inputs that were sent in another form than given, or not at all. */
import type { Redact } from "../response/redact.js";
import { addFacts } from "../response/result-facts.js";
import { propertiesOf, schemasAt } from "../schema/subschemas.js";
import type { AnyTool, CallOutcome } from "../tools/definitions.js";
import { isPartialUpdate } from "../tools/doubtful-input.js";
import type { InputChanges } from "../tools/prepare-input.js";

/** Maximum number of inputs that a note names. */
const MAX_NAMED_INPUTS = 8;

/**
 * Adds notes about inputs that were sent in another form, or not at all. An error that the API
 * answers gets those about nulls, about inputs that its document lacks, and about those that it
 * declares as text, which may be the cause.
 */
export function addInputNotes(
  tool: AnyTool,
  outcome: CallOutcome,
  changes: InputChanges,
  redact: Redact,
): CallOutcome {
  const { omittedNulls = [], converted = [], identifiers = [] } = changes;
  const { undocumented = [], doubtfulBytes = [], omittedIds = [], structures = [] } = changes;
  const { otherQuery = [] } = changes;
  const causes = [
    omittedNullsNote(tool, omittedNulls),
    ...undocumentedNotes(tool, undocumented),
    inputsNote(otherQuery, SENT, "although the API's description has that for other calls only."),
    inputsNote(structures, SENT, "as given, although the API's description declares text."),
  ].flatMap((text) => (text === undefined ? [] : [redact(text)]));
  if (outcome.outcome !== "ok") return withCause(outcome, causes);
  const notes = [
    ...causes,
    inputsNote(converted, SENT, CONVERTED),
    inputsNote(identifiers, SENT, "as given, although the API's description declares a number."),
    omittedIdsNote(omittedIds),
    doubtfulBytesNote(doubtfulBytes),
  ].flatMap((text) => (text === undefined ? [] : [redact(text)]));
  if (notes.length === 0) return outcome;
  return { ...outcome, ...addFacts(outcome, { notes }, tool.outputSchema) };
}

/** Notes about inputs that the document lacks, and the inputs that have a field of their name. */
function undocumentedNotes({ inputSchema }: AnyTool, names: readonly string[]): readonly string[] {
  const note = inputsNote(names, UNDOCUMENTED, "sent as given.");
  const inputs = Object.keys(propertiesOf(inputSchema));
  const documented = names.flatMap((name) =>
    inputs
      .filter((input) =>
        schemasAt(inputSchema, [input]).some((one) => Object.hasOwn(propertiesOf(one), name)),
      )
      .map((input) => `${input}.${name}`),
  );
  const home = documented.length === 0 ? [] : [`Documented: ${listNames(documented)}.`];
  return note === undefined ? [] : [note, ...home];
}

/** An error of the API with notes about its possible cause. */
function withCause(outcome: CallOutcome, notes: readonly string[]): CallOutcome {
  const [first, ...others] = outcome.result.content;
  if (notes.length === 0 || outcome.status === undefined || first?.type !== "text") return outcome;
  const text = `${first.text}\nNote: ${notes.join(" ")}`;
  return { ...outcome, result: { ...outcome.result, content: [{ ...first, text }, ...others] } };
}

/**
 * Note about inputs of a write that were null and therefore not sent: null may have been meant to
 * remove a value. In a read, it is no filter.
 */
function omittedNullsNote(tool: AnyTool, names: readonly string[]): string | undefined {
  const { name, annotations } = tool;
  if (names.length === 0 || annotations.readOnlyHint) return undefined;
  const pronoun = names.length === 1 ? "it" : "them";
  const note = `null is not a value of ${listNames(names)}, so nothing was sent for ${pronoun}.`;
  return isPartialUpdate(tool)
    ? `${note} To send null, call ${name} again without other changes.`
    : note;
}

/** A sentence about inputs, whose verb has their number. */
function inputsNote(
  names: readonly string[],
  [one, several]: readonly [string, string],
  rest: string,
): string | undefined {
  if (names.length === 0) return undefined;
  return `${listNames(names)} ${names.length === 1 ? one : several} ${rest}`;
}

const SENT = ["was sent", "were sent"] as const;

/** Numbers with a fraction may have had further zeros. */
const CONVERTED =
  'as the text of the number: pass text if another was meant, such as "1.10" for 1.1.';

/** Note about IDs of parts that were not given. */
function omittedIdsNote(names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  return `The call was sent without ${listNames(names)}, although the API's description requires that.`;
}

const UNDOCUMENTED = [
  "is not a documented input. It was",
  "are not documented inputs. They were",
] as const;

/** Note about values that are base64, as the schema asks, and look like plain text. */
function doubtfulBytesNote(values: NonNullable<InputChanges["doubtfulBytes"]>): string | undefined {
  const [first] = values;
  if (first === undefined) return undefined;
  const names = listNames(values.map(([path]) => path));
  return `${names} was taken as base64. If it is plain text, pass text:${first[1]} instead.`;
}

function listNames(names: readonly string[]): string {
  return `${names.slice(0, MAX_NAMED_INPUTS).join(", ")}${names.length > MAX_NAMED_INPUTS ? " and others" : ""}`;
}
