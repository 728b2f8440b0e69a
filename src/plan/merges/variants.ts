import { singularize } from "../../language/grammar.js";
import { splitWords } from "../../language/words.js";
import { operationLabel } from "../operations/identity.js";
import type { Envelope } from "../pagination/envelope.js";
import type { PlannedRequest } from "../tool-context.js";

/** Operation of a `find_…` tool. */
export interface Member {
  readonly role: "list" | "search" | "get";
  readonly request: PlannedRequest;
  /** Position of the items, or of the item, in its response. */
  readonly envelope: Envelope;
}

/** Operation of a tool with the inputs that select it. */
export interface Variant {
  readonly member: Member;
  readonly whenProvided: readonly string[];
}

/** Names of the inputs of an operation. */
export function inputNames({ request }: Member): readonly string[] {
  return request.inputs.inputs.map((input) => input.name);
}

export function requiredNames({ request }: Member): readonly string[] {
  return request.inputs.inputs.filter((input) => input.required).map((input) => input.name);
}

/** Inputs that take search words. */
const SEARCH_TEXT_INPUT =
  /^(q|query|text|search|search_?(text|term|query|string)|terms?|keywords?|phrase)$/i;

/** Inputs that all operations require, such as the owner of the collection. */
export function commonRequiredInputs(members: readonly Member[]): ReadonlySet<string> {
  const [first, ...rest] = members.map((member) => new Set(requiredNames(member)));
  return new Set([...(first ?? [])].filter((name) => rest.every((names) => names.has(name))));
}

/**
 * Orders operations by the inputs that select them: the ID first, then searches, then the list,
 * which usually needs no input. Returns a reason if inputs cannot distinguish two of them.
 */
export function inferVariants(members: readonly Member[]): readonly Variant[] | string {
  const common = commonRequiredInputs(members);
  const others = (member: Member): ReadonlySet<string> =>
    new Set(members.filter((sibling) => sibling !== member).flatMap(inputNames));
  const nouns = listedNouns(members);
  const variants = makeOneUnconditional(
    [...members].reverse().map((member): Variant => ({
      member,
      whenProvided: selectingInputs(member, common, others(member), nouns),
    })),
    common,
  );
  for (const { member, whenProvided } of variants) {
    if (member.role === "get" && whenProvided.length === 0) return "no input identifies one item";
    const shared =
      member.role === "get" ? whenProvided.find((name) => others(member).has(name)) : undefined;
    if (shared !== undefined) return ambiguousInput(shared);
  }
  const selections = variants.map(({ whenProvided: selecting }) => [...selecting].sort().join(" "));
  if (new Set(selections).size < selections.length) return "no input distinguishes them";
  return variants.toSorted((a, b) => inferredRank(a) - inferredRank(b));
}

/**
 * Orders operations of a configured merge. Where the same inputs select two operations, the first
 * of the rule is used, and the other one only with inputs of its own. Returns a reason if an
 * operation has none.
 */
export function configuredVariants(
  members: readonly Member[],
  isFind: boolean,
): readonly Variant[] | string {
  const common = commonRequiredInputs(members);
  const others = (member: Member): ReadonlySet<string> =>
    new Set(members.filter((sibling) => sibling !== member).flatMap(inputNames));
  const nouns = listedNouns(members);
  const variants = makeOneUnconditional(
    members.map((member): Variant => ({
      member,
      whenProvided: selectingInputs(member, common, others(member), nouns),
    })),
    common,
  );
  const ambiguous = isFind
    ? variants.find(
        ({ member, whenProvided }) =>
          member.role === "get" && whenProvided.some((name) => others(member).has(name)),
      )
    : undefined;
  if (ambiguous)
    return ambiguousInput(
      ambiguous.whenProvided.find((name) => others(ambiguous.member).has(name)),
    );
  const ordered = variants.toSorted(
    (a, b) =>
      configuredRank(a) - configuredRank(b) || b.whenProvided.length - a.whenProvided.length,
  );
  for (const [i, later] of ordered.entries()) {
    const earlier = ordered.slice(0, i).find((candidate) => isShadowedBy(candidate, later));
    if (earlier) return `no input distinguishes ${memberLabel(later)} from ${memberLabel(earlier)}`;
  }
  return ordered;
}

const ambiguousInput = (name: string | undefined): string =>
  `${name} identifies an item in one operation and filters in the other`;

const memberLabel = ({ member }: Variant): string => operationLabel(member.request.classified);

/** Uses a search for calls without inputs, if there is no list for them. */
function makeOneUnconditional(
  variants: readonly Variant[],
  common: ReadonlySet<string>,
): readonly Variant[] {
  if (variants.some(({ whenProvided }) => whenProvided.length === 0)) return variants;
  const search = variants.find(
    ({ member }) =>
      member.role === "search" && requiredNames(member).every((name) => common.has(name)),
  );
  return variants.map((variant) =>
    variant === search ? { ...variant, whenProvided: [] } : variant,
  );
}

const configuredRank = ({ member, whenProvided }: Variant): number =>
  whenProvided.length === 0 ? 2 : member.role === "get" ? 0 : 1;

/**
 * Tests whether the earlier operation is selected for every call that the later one could serve.
 */
function isShadowedBy(earlier: Variant, later: Variant): boolean {
  const usable = new Set(inputNames(earlier.member));
  return (
    earlier.whenProvided.every((name) => later.whenProvided.includes(name)) &&
    inputNames(later.member).every((name) => usable.has(name))
  );
}

const inferredRank = ({ member, whenProvided }: Variant): number =>
  member.role === "get" ? 0 : whenProvided.length === 0 ? 2 : 1;

/**
 * `user` of `/users.info`, which the document does not require: the only input named like the
 * listed resource.
 */
function identityInput(
  member: Member,
  nouns: ReadonlySet<string>,
  others: ReadonlySet<string>,
): readonly string[] {
  const found = inputNames(member).filter(
    (name) =>
      !others.has(name) &&
      nouns.has(
        splitWords(name)
          .filter((word) => word !== "id")
          .join(" "),
      ),
  );
  return found.length === 1 ? found : [];
}

/** Singular names of listed resources, by their paths and by the keys of their results. */
function listedNouns(members: readonly Member[]): ReadonlySet<string> {
  return new Set(
    members
      .flatMap(({ role, request, envelope }) => {
        const path = request.classified.pathParts.at(-1);
        const key = envelope.pointer.slice(envelope.pointer.lastIndexOf("/") + 1);
        return role === "get"
          ? []
          : [
              path?.kind === "words" ? path.words.at(path.text.includes(".") ? -2 : -1) : undefined,
              splitWords(key).at(-1),
            ];
      })
      .flatMap((word) => (word === undefined ? [] : [singularize(word)])),
  );
}

function selectingInputs(
  member: Member,
  common: ReadonlySet<string>,
  others: ReadonlySet<string>,
  nouns: ReadonlySet<string>,
): readonly string[] {
  const required = requiredNames(member).filter((name) => !common.has(name));
  if (required.length > 0 || member.role === "list") return required;
  if (member.role === "get") return identityInput(member, nouns, others);
  const text = inputNames(member).find((name) => SEARCH_TEXT_INPUT.test(name) && !others.has(name));
  return text === undefined ? [] : [text];
}
