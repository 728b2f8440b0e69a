/** Combines the metrics of several processes. */

/** A metric in the text format of Prometheus: its comments, and its lines. */
interface MetricText {
  readonly comments: readonly string[];
  readonly samples: string[];
}

/**
 * Joins the metrics of workers, each with its number as the label `worker`. The comments of a
 * metric stand once, before the lines of all workers.
 * @param texts metrics by number of the worker
 */
export function combineMetrics(texts: ReadonlyMap<number, string>): string {
  const metrics = new Map<string, MetricText>();
  for (const [worker, text] of texts)
    for (const block of text.split(/(?=^# HELP )/m)) addMetric(metrics, block, worker);
  const lines = [...metrics.values()].flatMap(({ comments, samples }) => [...comments, ...samples]);
  return lines.map((line) => `${line}\n`).join("");
}

function addMetric(metrics: Map<string, MetricText>, block: string, worker: number): void {
  const lines = block.split("\n").filter((line) => line !== "");
  const comments = lines.filter((line) => line.startsWith("#"));
  const [heading = ""] = comments;
  const metric = metrics.get(heading) ?? { comments, samples: [] };
  metrics.set(heading, metric);
  for (const line of lines)
    if (!line.startsWith("#")) metric.samples.push(withWorker(line, worker));
}

/** Adds the label to a line, which has labels or none. */
function withWorker(line: string, worker: number): string {
  const [, name = "", labels = "", value = ""] = /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  return `${name}{${[labels, `worker="${worker}"`].filter(Boolean).join(",")}} ${value}`;
}
