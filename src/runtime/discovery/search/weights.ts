import type { SearchField } from "./tool-facts.js";

/**
 * Weights of the ranking. They were chosen with `npm run bench:retrieval` on the documents of its
 * half `tune`, on RestBench, and on 317 queries over 34 other documents.
 */
export const weights = {
  /**
   * Share of an exact match that a synonym, the API's word for an everyday one, the start of a word
   * and a misspelled word get.
   */
  synonym: 0.45,
  everyday: 0.3,
  prefix: 0.5,
  misspelled: 0.4,
  /** Share of the other verbs of a family: `list` for `find`. */
  sameFamily: 0.9,
  /**
   * Exponents of facts of a tool for a clause, fitted by `npm run bench:fit` as a conditional logit
   * of the labelled tasks without the half `judge`. `removes` is further from 0 than the fit: a
   * removal that nobody asked for does more harm than another miss.
   */
  rank: {
    /** Share of the clause that the tool has anywhere, and in texts of high weight. */
    covered: 1.8,
    strong: 2,
    /** Share that its path has, and the first sentence of its description. */
    path: 2.5,
    summary: 2.5,
    /** Words that the clause does not have, by the logarithm of their number. */
    unasked: { name: -1.8, summary: -0.6 },
    nameLength: 0.3,
    /** The action of the clause. */
    act: 1.2,
    /** The kind of thing that the clause asks for, and a list if it is plural. */
    head: 1,
    plural: 1.2,
    /** A thing that only specifies it: `update_group` for members of a group. */
    specifier: -0.4,
    /** The user's own resources, for a clause about them. */
    own: 1.6,
    /** Tools that make something; most requests that do not read do so. */
    adds: 0.7,
    /** Tools that do not read, for a question. */
    changing: -2.3,
    /**
     * Another effect than the verb's: a read for a change, a change for a read, a removal for
     * another change, and the reverse.
     */
    otherEffect: { reads: -3.1, changes: -1.2, removes: -2.5, keeps: -2.4 },
  },
  /** Score of a term, as a share of its rarity, above which it counts in full: 1 / share. */
  strongTerm: 2.4,
  /** Root of the product of BM25F and the exponents. */
  steepness: 3,
  /** Share of a value of an enum that names the action: `reboot` as a kind of action. */
  enumAct: 0.7,
  /**
   * Evidence that an API is meant: the score of its best tool, how much more often its tools have
   * the words of a clause in their names and anywhere, and the share of the clause that its best
   * tool has. They are fitted as a logit of which API the tasks of the first half of `npm run
   * bench:union` mean.
   */
  api: { best: 1.29, names: 1.6, words: 0.8, covered: 1.6 },
  /** Exponent of the scores whose sum an API shares out among its tools. */
  apiSpread: 5,
  /**
   * Share of the best score from which the best tool of another API is about as likely: the least
   * at which the first half of the pairs keeps its top-3 and recall@10.
   */
  rival: 0.6,
  /** Share of the other APIs for a clause that names one. */
  unnamedApi: 0.1,
  /** Weights of terms of other clauses; the second for those that a pronoun may refer to. */
  context: 0.2,
  referredContext: 0.5,
  /** Most weight of terms of other clauses, as a share of that of the own terms. */
  maxContext: 0.6,
  /** Weight of the verb of a clause. Its objects are more specific. */
  verb: 0.8,
  /** Weight of words of a subordinate clause. */
  subordinate: 0.5,
  /** Weight of words of quoted texts. */
  quoted: 0.1,
  /** Weight of words of time, number and place, and of pronouns. */
  vague: 0.4,
  /** Weight of the word for people in a clause that names one. */
  person: 0.5,
  /** Least weight of a word that is taken for a thing, which needs a tool. */
  thing: 0.5,
  /** Share of a tool's score that its producers get; the second where a name must be looked up. */
  producer: 0.6,
  lookup: 1.1,
  /** Share of producers that do not search by text, and of each further producer of an input. */
  listing: 0.9,
  alternative: 0.9,
  /** Share of the producers of optional inputs. */
  optionalInput: 0.5,
  /** Share of the tool that lists the resource after which an input without a producer is named. */
  listByNoun: 0.6,
  /** Share of the tool that lists the things of which a tool changes one. */
  listByObject: 0.75,
  /** Share of the next tool for the same clause in a query of several. */
  sameClause: 0.6,
  /**
   * Share of each tool for the same kind of resource after two: `update_label`, `replace_label`.
   */
  sameObject: 0.95,
  /** The same in a query of several clauses after one, apart for tools that read and that write. */
  sameUse: 0.7,
  /** Share of the producers of a tool that a long task has contributed. */
  lookupPick: 0.5,
  /** Exponent by which the best scores of clauses are made equal. */
  normalization: 0.7,
  /** Share of a clause without a verb, which is more often context than a request. */
  narrative: 0.6,
} as const;

/** Weights of matches by field, and the number of terms at which the weight counts in full. */
export const fieldWeights: Readonly<
  Record<SearchField, readonly [weight: number, length: number]>
> = {
  name: [3, 3],
  title: [2, 4],
  summary: [1.5, 8],
  description: [0.5, 25],
  inputs: [0.65, 12],
  inputTexts: [0.4, 40],
  values: [0.7, 8],
  outputs: [0.4, 20],
  path: [1.5, 5],
  toolset: [0.6, 1.5],
  api: [1, 1],
  keywords: [3, 3],
};
