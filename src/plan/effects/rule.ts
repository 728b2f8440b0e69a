/** Rules about the effects of operations, as rows of data. */
import type { Effect, Evidence } from "../operations/types.js";

/** Parts of an example besides method, path and text. */
export interface ExampleParts {
  readonly operationId?: string;
  /** Fields of a JSON body. `save?` is a boolean, `ids[]` a list, `a=b|c` has these values. */
  readonly body?: string;
  /** Media type of the body, if it is not JSON. */
  readonly takes?: string;
  readonly query?: string;
  /** Status and content of the response: `200 id name`, `202`, `200 image/png`. */
  readonly answer?: string;
}

/** An operation for which a rule decides. It is the rule's test. */
export type RuleExample = readonly [
  at: string,
  /** Summary and description, separated by a line break. */
  text: string,
  /**
   * Annotations with the rule: `R` read-only, `D` destructive, `I` repeatable, `-` for each not;
   * `A` where the request replaces all.
   */
  want: string,
  parts?: ExampleParts,
];

/** Part that all rules have. */
export interface Rule {
  readonly id: string;
  /** Part of the document that the rule looks at. */
  readonly looksAt: "verb" | "text" | "request" | "response" | "path" | "method";
  /** Effect that the rule adds as evidence. */
  readonly adds: Effect;
  readonly example: RuleExample;
}

/** A rule that finds evidence in its subject. */
export interface EvidenceRule<Subject> extends Rule {
  /** What a weight decides is defined where the rules are applied. */
  readonly weight: number;
  readonly find: (subject: Subject) => readonly Omit<Evidence, "rule" | "weight">[];
}

/** Applies rules to a subject, in their order. The evidence names its rule. */
export function evidenceOf<Subject>(
  rules: readonly EvidenceRule<Subject>[],
  subject: Subject,
): readonly Evidence[] {
  return rules.flatMap(({ id, weight, find }) =>
    find(subject).map((evidence) => ({ ...evidence, rule: id, weight })),
  );
}

/** The evidence of the highest weight, which overrules the rest. */
export function strongestOf(evidence: readonly Evidence[]): readonly Evidence[] {
  const highest = Math.max(...evidence.map(({ weight = 0 }) => weight));
  return evidence.filter(({ weight = 0 }) => weight === highest);
}

/** Sum of the weights of all evidence. */
export const weightOf = (evidence: readonly Evidence[]): number =>
  evidence.reduce((sum, { weight = 0 }) => sum + weight, 0);
