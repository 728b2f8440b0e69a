/** Estimates of the durations of requests, from those before. */

/** Mean of durations, and their mean deviation, in milliseconds. */
interface Estimate {
  readonly mean: number;
  readonly deviation: number;
}

/** Smoothing and bound of the retransmission timer of TCP. RFC 6298, section 2. */
const meanGain = 1 / 8;
const deviationGain = 1 / 4;
const deviations = 4;
/**
 * Smallest deviations, as shares of the mean: an API that always takes as long may take longer. A
 * request that cannot be repeated has a wider margin, because nobody knows the effect of a cut one.
 */
const minDeviation = 1 / 8;
const minDeviationOfWrites = 1 / 4;
/**
 * Largest margin of a request that can be repeated, as a share of the mean. After a pause of the
 * process, the deviation is large, and a call with most of its time left must not be refused.
 */
const maxMarginOfReads = 1;
/** Deviation that the first duration is taken to have, as a share of it. */
const firstDeviation = 1 / 4;

/**
 * Rounds of concurrent requests after which slow ones are believed to be the speed of the API. A
 * burst of calls keeps the process busy, and makes the whole first round slow.
 */
const roundsOfDoubt = 8;

/** Durations of requests in milliseconds, by tool and of all. */
export interface Durations {
  /** Adds the duration of a request that took as long as its tool does. */
  add(tool: string, ms: number): void;
  /** Adds the time for which a request had a permit, however it ended. */
  addPermitTime(ms: number): void;
  /** Time within which nearly all requests of a tool end, or of all tools. Absent if unknown. */
  usual(tool: string, isRepeatable: boolean): number | undefined;
  /** Mean time for which requests have a permit; 0 if unknown. */
  meanPermitTime(): number;
  /** Time for which the quickest of the latest requests had a permit; near 0 while in doubt. */
  quickPermitTime(): number;
}

/**
 * Creates estimates that follow the durations of the latest requests.
 * @param permits maximum of concurrent requests
 */
export function createDurations(permits: number): Durations {
  const byTool = new Map<string, Estimate>();
  let all: Estimate | undefined;
  let permitTime: Estimate | undefined;
  let quick = 0;
  return {
    add(tool, ms) {
      byTool.set(tool, follow(byTool.get(tool), ms));
      all = follow(all, ms);
    },
    addPermitTime(ms) {
      permitTime = follow(permitTime, ms);
      quick = Math.min(ms, quick + (ms - quick) / (roundsOfDoubt * permits));
    },
    usual(tool, isRepeatable) {
      const estimate = byTool.get(tool) ?? all;
      if (!estimate) return undefined;
      const { mean, deviation } = estimate;
      const min = mean * (isRepeatable ? minDeviation : minDeviationOfWrites);
      const margin = deviations * Math.max(deviation, min);
      return mean + (isRepeatable ? Math.min(margin, maxMarginOfReads * mean) : margin);
    },
    meanPermitTime: () => permitTime?.mean ?? 0,
    quickPermitTime: () => quick,
  };
}

function follow(estimate: Estimate | undefined, ms: number): Estimate {
  if (!estimate) return { mean: ms, deviation: ms * firstDeviation };
  const { mean, deviation } = estimate;
  return {
    mean: mean + meanGain * (ms - mean),
    deviation: deviation + deviationGain * (Math.abs(ms - mean) - deviation),
  };
}
