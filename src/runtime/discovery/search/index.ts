import type { AnyTool } from "../../tools/definitions.js";
import { mostMatches, usualMatches } from "../match-count.js";
import { joinApiNames, withoutLoneNames } from "./api-names.js";
import { missingTools } from "./missing-tools.js";
import { bestOf, objectOf, producersOf } from "./producers.js";
import { type Clause, parseQuery } from "./query.js";
import { type ApiTools, type MatchTerm, rankByApi } from "./rank-by-api.js";
import { noRivals, rivalsOf } from "./rivals.js";
import { rankClause, toolTerms, type ToolTerms } from "./rank-clause.js";
import {
  IndexBuilder,
  type StoredPostings,
  type TermIndex,
  type TermMatches,
} from "./term-index.js";
import { readTool, type ToolFacts } from "./tool-facts.js";
import { weights } from "./weights.js";

/**
 * Full-text search over tools. The first search loads this module. Servers that list their tools do
 * not load it.
 */
interface ToolSearch {
  find(query: string, options: SearchOptions): SearchResult;
}

interface SearchResult {
  /** The best matches, best first. A long task begins with those of its steps, in its order. */
  readonly hits: readonly SearchHit[];
  /** The best match of each step, and of each rival. */
  readonly leads: readonly SearchHit[];
  /** True if no match has most of the words of its step. */
  readonly isWeak: boolean;
  /** APIs that a query of one step means about as likely, whose first tools are in turn. */
  readonly rivals: readonly string[];
}

type SearchHit = Pick<AnyTool, "name" | "toolset" | "api">;

interface SearchOptions {
  /** The only API to search. Its tools are ranked as if the server had no others. */
  readonly api?: string;
  /** Most matches. The default grows with the number of clauses. */
  readonly limit?: number;
  accepts(tool: SearchHit): boolean;
}

/** An index as data, which `bundle.mjs` makes, so that the first search need not read the tools. */
export interface StoredIndex {
  readonly terms: readonly string[];
  readonly tools: readonly IndexedTool[];
}

/** A tool of a stored index. */
export interface IndexedTool extends SearchedTool {
  readonly postings: StoredPostings;
}

type SearchedTool = ToolFacts & ToolTerms;

/** Reads tools into an index as data. */
export function storeIndex(tools: Iterable<AnyTool>): StoredIndex {
  const builder = new IndexBuilder();
  const facts = Array.from(tools, (tool) => addTool(builder, tool));
  const { terms, postings } = builder.store();
  return { terms, tools: facts.map((one, i) => ({ ...one, postings: postings[i]! })) };
}

function addTool(builder: IndexBuilder, tool: AnyTool): SearchedTool {
  const { texts, words, facts } = readTool(tool);
  builder.add(texts);
  return { ...facts, ...toolTerms(words, (word) => builder.termsOf(word)) };
}

/**
 * Builds the index. It reads each tool once and keeps none, so that they can be garbage-collected.
 * @param tools tools, those of a stored index among them
 * @param terms terms of the stored index
 */
export function createSearch(
  tools: Iterable<AnyTool | IndexedTool>,
  terms: readonly string[] = [],
): ToolSearch {
  const builder = new IndexBuilder(terms);
  const facts: SearchedTool[] = [];
  for (const tool of tools)
    if ("postings" in tool) {
      const { postings, ...rest } = tool;
      builder.addPostings(postings);
      facts.push(rest);
    } else facts.push(addTool(builder, tool));
  const toolsOf = (positions: readonly number[]): ApiTools => ({
    positions,
    facts: positions.map((position) => facts[position]!),
    index: builder.build(positions),
  });
  const groups = positionsByApi(facts);
  const ofApi = remembered((name) => toolsOf(groups.get(name) ?? []));
  const apis = groups.size > 1 ? [...groups.keys()].map(ofApi) : [];
  const searchAll = searchOf(toolsOf([...facts.keys()]), apis);
  const searchOfApi = remembered((name) => searchOf(ofApi(name)));
  return {
    find: (query, options) =>
      (options.api === undefined ? searchAll : searchOfApi(options.api)).find(query, options),
  };
}

/** Positions of the tools of each API; tools of none are together. */
function positionsByApi(
  facts: readonly ToolFacts[],
): ReadonlyMap<string | undefined, readonly number[]> {
  const positions = new Map<string | undefined, number[]>();
  for (const [position, { api }] of facts.entries())
    if (!positions.get(api)?.push(position)) positions.set(api, [position]);
  return positions;
}

/** A function that is called once for each name. */
function remembered<T>(derive: (name?: string) => T): (name?: string) => T {
  const known = new Map<string | undefined, T>();
  return (name) => {
    const found = known.get(name) ?? derive(name);
    known.set(name, found);
    return found;
  };
}

/** @param apis the tools by API, in a server of several */
function searchOf({ index, facts }: ApiTools, apis: readonly ApiTools[] = []): ToolSearch {
  const producers = producersOf(facts);
  const names = apis.flatMap(({ facts: [first] }) => first?.api ?? []);
  return {
    find(query, { limit: given, accepts }) {
      const isAccepted = (tool: number): boolean => accepts(facts[tool]!);
      const match = rememberMatches(index);
      const parsed = parseQuery(joinApiNames(query, names));
      const clauses = names.length > 0 ? withoutLoneNames(parsed, names) : parsed;
      const limit = given ?? defaultLimit(clauses, names.length);
      const isLong = clauses.length >= longTask;
      const rankings = clauses.map((clause): Ranking => {
        const joint = rankClause(clause, index, facts, match);
        const own = apis.length > 0 ? rankByApi(clause, joint, apis, match) : joint;
        const scores = isLong ? own : producers.raise(own, clause.hasName);
        const [best] = bestOf(own, 1);
        return {
          scores,
          weight: clause.effects ? 1 : weights.narrative,
          tools: bestOf(scores, limit * 2, isAccepted),
          isWeak: best === undefined || matchedShare(clause, best, match) < minShare,
        };
      });
      const lookupsOf: Lookups = (tool) =>
        isLong ? [...producers.of(tool)].filter(([lookup]) => isAccepted(lookup)) : [];
      const named = namedIn(query, facts).filter(isAccepted);
      // In a server of several APIs, the same words may name a tool of another one.
      const stepNames = apis.length > 0 ? [] : namedBySteps(query, facts).filter(isAccepted);
      const leads = leadsOf(rankings);
      const ranked = interleave(rankings, limit, facts, lookupsOf);
      const missing = missingTools(
        { clauses, scores: rankings.map(({ scores }) => scores), ranked, limit },
        { facts, match, isAccepted },
      );
      const found = [...ranked.slice(0, limit - missing.length), ...missing];
      const [ranking, other] = rankings;
      const rivals =
        named.length > 0 || !ranking || other
          ? noRivals
          : rivalsOf(clauses[0]!, ranking.scores, apis, { facts, match, isAccepted });
      const first = [...named, ...(isLong ? leads : []), ...stepNames, ...rivals.tools];
      const hits = [...new Set([...first, ...found])].slice(
        0,
        Math.max(limit, given ? 0 : named.length),
      );
      return {
        hits: hits.map((tool) => facts[tool]!),
        leads: [...new Set([...named, ...leads, ...rivals.tools.slice(0, rivals.apis.length)])].map(
          (tool) => facts[tool]!,
        ),
        isWeak: named.length === 0 && rankings.every(({ isWeak }) => isWeak),
        rivals: limit < rivals.apis.length ? [] : rivals.apis,
      };
    },
  };
}

/** The best tools of the clauses that request something, or of all clauses if none does. */
function leadsOf(rankings: readonly Ranking[]): readonly number[] {
  const requests = rankings.filter(({ weight }) => weight === 1);
  return (requests.length > 0 ? requests : rankings).flatMap(({ tools }) => tools.slice(0, 1));
}

/** Names in a query that are tools. */
const maxNamed = 20;

/**
 * Tools that a query names by their own names, also in camel case as documents have them, in its
 * order: agents search for names they know.
 */
function namedIn(query: string, facts: readonly ToolFacts[]): readonly number[] {
  const words = query.split(/\W+/).flatMap((word) => [word, inSnakeCase(word)]);
  return withNames(new Set(words), facts);
}

/** Tools whose names are the words of a step: `get the job`. */
function namedBySteps(query: string, facts: readonly ToolFacts[]): readonly number[] {
  const steps = query.toLowerCase().split(/[;,.\n]|\b(?:and|then)\b/);
  const names = steps.map((step) =>
    (step.match(/\w+/g) ?? []).filter((word) => !/^(?:an?|the)$/.test(word)).join("_"),
  );
  return withNames(new Set(names), facts);
}

/** The tools with some of the names, in the order of these. */
function withNames(names: ReadonlySet<string>, facts: readonly ToolFacts[]): readonly number[] {
  const byName = new Map(
    facts.flatMap(({ name }, i) =>
      name.includes("_") && names.has(name) ? [[name, i] as const] : [],
    ),
  );
  return [...names].flatMap((name) => byName.get(name) ?? []).slice(0, maxNamed);
}

/** `getPadID` → get_pad_id */
const inSnakeCase = (word: string): string =>
  word.replace(/([a-z0-9])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$&_").toLowerCase();

/**
 * Most matches by default: the usual ones, and more for tasks of three or more steps and for
 * requests of many words, whose steps are not said.
 */
function defaultLimit(clauses: readonly Clause[], apiCount: number): number {
  const words = clauses.flatMap(({ terms }) => [...terms.values()]).filter((one) => one === 1);
  const least = usualMatches(apiCount);
  const extra = least - usualMatches(1);
  const matches = Math.max(least, 5 * clauses.length + extra, 2 * words.length + 2 + extra);
  return Math.min(matches, mostMatches);
}

/** Clauses of a long task. Its ranked tools bring their producers; in others these are ranked. */
const longTask = 3;

/** Matches of terms, each found once: the clauses of a query share most of theirs. */
function rememberMatches(index: TermIndex): MatchTerm {
  const known = new Map<string, TermMatches>();
  return (term, isVerb) => {
    const key = isVerb ? `${term}!` : term;
    const found = known.get(key) ?? index.match(term, isVerb);
    known.set(key, found);
    return found;
  };
}

interface Ranking {
  readonly scores: Float64Array;
  /** Share of a clause without a verb, which is more often context than a request. */
  readonly weight: number;
  readonly tools: readonly number[];
  readonly isWeak: boolean;
}

/** Share of the words of a clause below which a match is weak. */
const minShare = 0.4;

function matchedShare({ terms, act }: Clause, tool: number, match: MatchTerm): number {
  let total = 0;
  let matched = 0;
  for (const [term, weight] of terms) {
    total += weight;
    if (match(term, term === act).scores[tool]! > 0) matched += weight;
  }
  return matched / total;
}

/** The ranking of a clause while tools are picked from it. */
interface Queue {
  readonly candidates: readonly Candidate[];
  /** Numbers of picked tools by family. */
  readonly counts: Map<string, number>;
  share: number;
}

interface Candidate {
  readonly tool: number;
  readonly score: number;
  /** Tools that displace others. */
  readonly family: string;
}

function queueOf(
  { scores, tools, weight }: Ranking,
  facts: readonly ToolFacts[],
  familyOf: (tool: ToolFacts) => string,
): Queue {
  const share = weight * (scores[tools[0] ?? 0] ?? 0) ** -weights.normalization;
  const candidates = tools.map((tool): Candidate => {
    return { tool, score: scores[tool]! * share, family: familyOf(facts[tool]!) };
  });
  return { candidates, counts: new Map(), share: 1 };
}

/** Tools about one kind of thing, of which the first two displace no others. */
const thingFamily = {
  of: (tool: ToolFacts): string => `${tool.api ?? ""} ${objectOf(tool)}`,
  share: (count: number): number => weights.sameObject ** Math.max(0, count - 1),
};

/** Tools that read one kind of thing, or write it: `update_label` and `replace_label`. */
const useFamily = {
  of: (tool: ToolFacts): string =>
    `${tool.api ?? ""} ${tool.effect === "reads" ? "read" : "write"} ${objectOf(tool)}`,
  share: (count: number): number => weights.sameUse ** count,
};

/** The next tool, with the queue that it comes from unless it is a lookup. */
interface Choice {
  readonly tool: number;
  readonly score: number;
  readonly from?: Queue;
  readonly family?: string;
}

type Lookups = (tool: number) => readonly (readonly [tool: number, share: number])[];

/**
 * Merges the rankings of clauses. Each tool that a clause contributes lowers its further ones, so
 * that no step of a task displaces the others. So does each tool of a family.
 * @param lookupsOf tools that a picked tool brings
 */
function interleave(
  rankings: readonly Ranking[],
  limit: number,
  facts: readonly ToolFacts[],
  lookupsOf: Lookups,
): readonly number[] {
  const family = rankings.length > 1 ? useFamily : thingFamily;
  const queues = rankings.map((ranking) => queueOf(ranking, facts, family.of));
  const lookups = new Map<number, number>();
  const picked = new Set<number>();
  while (picked.size < limit) {
    const next = bestChoice(queues, lookups, picked, family.share);
    if (!next) break;
    const { tool, score, from, family: own = "" } = next;
    picked.add(tool);
    if (!from) continue;
    from.share *= weights.sameClause;
    from.counts.set(own, (from.counts.get(own) ?? 0) + 1);
    addLookups(lookups, score, lookupsOf(tool), picked);
  }
  return [...picked];
}

function bestChoice(
  queues: readonly Queue[],
  lookups: ReadonlyMap<number, number>,
  picked: ReadonlySet<number>,
  familyShare: (count: number) => number,
): Choice | undefined {
  let best: Choice | undefined;
  const consider = (choice: Choice): void => {
    if (choice.score > (best?.score ?? 0) && !picked.has(choice.tool)) best = choice;
  };
  for (const from of queues)
    for (const candidate of from.candidates) {
      const share = from.share * familyShare(from.counts.get(candidate.family) ?? 0);
      consider({ ...candidate, score: candidate.score * share, from });
    }
  for (const [tool, score] of lookups) consider({ tool, score });
  return best;
}

/** Adds the lookups of a picked tool, unless one of them is picked. */
function addLookups(
  lookups: Map<number, number>,
  score: number,
  found: ReturnType<Lookups>,
  picked: ReadonlySet<number>,
): void {
  if (found.some(([tool]) => picked.has(tool))) return;
  for (const [tool, share] of found)
    lookups.set(tool, (lookups.get(tool) ?? 0) + score * share * weights.lookupPick);
}
