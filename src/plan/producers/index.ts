import type { Operation } from "../../model/types.js";
import type { Subject } from "../kind.js";
import type { Schemas } from "../schema/refs.js";
import { bonus } from "./bonus.js";
import { identityNeeded } from "./entity.js";
import { type Evidence, evidenceIndex, linkKeys } from "./evidence.js";

/**
 * A tool as far as finding producers goes: its name and the operations it stands for, the most
 * general first.
 */
export interface ProducerTool {
  readonly name: string;
  readonly subjects: readonly Subject[];
}

/**
 * A value that a tool needs: a path parameter, or a required parameter or field that is named like
 * an ID.
 */
export interface Need {
  readonly operation: Operation;
  readonly subject: Subject;
  readonly wireName: string;
  readonly place: "path" | "query" | "header" | "cookie" | "body" | "querystring";
}

export interface Producer {
  readonly tool: string;
  readonly score: number;
}

/** Below this the evidence is too thin to send an agent anywhere. */
const THRESHOLD = 5;
const MOST_NAMED = 3;
/** How far behind the best a producer may be. */
const NEARLY = 0.9;
/**
 * An entity that more tools than this identify says little; only the first in order are weighed.
 */
const MOST_WEIGHED = 400;

/**
 * Finds, for a needed ID, the tools whose results hold it. Evidence: the same compound property
 * name (3; 2 when the need is for a name or slug); an `id` under a schema, key or path of the same
 * entity (4; 5 when schema and path agree; 2 when deep); a list of the parent collection (+4);
 * searching and listing (+1.5), by words (+0.5), reading (+1); −0.75 per path parameter that the
 * producer itself needs, −4 when it needs the same one; a `link` of the document decides. Linear in
 * the size of the API: results are indexed by what they identify.
 */
export function producerIndex(
  tools: readonly ProducerTool[],
  schemas: Schemas,
): (need: Need, of: string) => readonly Producer[] {
  const { byEntity, links } = evidenceIndex(tools, schemas);
  const known = new Map<string, ReadonlyMap<number, number>>();
  const weighed = (need: Need): ReadonlyMap<number, number> => {
    const key = needKey(need);
    const scores = known.get(key) ?? weigh(need, byEntity);
    known.set(key, scores);
    return scores;
  };
  return (need, of) => {
    const linked = links.size === 0 ? [] : linkKeys(need).flatMap((key) => links.get(key) ?? []);
    const scores = weighed(need);
    return rank(
      linked.length === 0
        ? scores
        : new Map([...scores, ...linked.map((tool) => [tool, 100] as const)]),
      tools,
      of,
    );
  };
}

/**
 * Needs that are the same: a path parameter by the path up to it, anything else by its name.
 * Hundreds of operations share one.
 */
function needKey({ place, wireName, operation }: Need): string {
  if (place !== "path") return ` ${wireName}`;
  const marker = `{${wireName}}`;
  const end = operation.path.indexOf(marker) + marker.length;
  return `${operation.method === "PUT" && end === operation.path.length ? "PUT " : ""}${operation.path.slice(0, end)}`;
}

function weigh(
  need: Need,
  byEntity: ReadonlyMap<string, readonly Evidence[]>,
): ReadonlyMap<number, number> {
  const identity = identityNeeded(need);
  const best = new Map<number, number>();
  for (const evidence of (byEntity.get(identity.entity) ?? []).slice(0, MOST_WEIGHED)) {
    const score =
      evidence.score +
      bonus(need, evidence.subject) -
      (evidence.compound && identity.idWord === "" ? 1 : 0);
    if (score >= THRESHOLD && score > (best.get(evidence.tool) ?? 0))
      best.set(evidence.tool, score);
  }
  return best;
}

/**
 * The best, and those that are nearly as good: a weak one beside a strong one would only mislead.
 */
function rank(
  scores: ReadonlyMap<number, number>,
  tools: readonly ProducerTool[],
  of: string,
): readonly Producer[] {
  const best = Math.max(
    0,
    ...[...scores].filter(([tool]) => tools[tool]?.name !== of).map(([, score]) => score),
  );
  return [...scores]
    .filter(([, score]) => score >= best - NEARLY)
    .map(([tool, score]) => ({ tool: tools[tool]?.name ?? "", score }))
    .filter(({ tool }) => tool !== of)
    .sort((a, b) => b.score - a.score || (a.tool < b.tool ? -1 : 1))
    .slice(0, MOST_NAMED);
}
