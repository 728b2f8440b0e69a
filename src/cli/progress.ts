/** Progress of a run, and the time of its stages. */
import { formatCount } from "../diagnostics/index.js";
import type { PipelineStage } from "../generate.js";
import type { Terminal } from "./terminal.js";

/** Called when a stage begins, with the number of things that it works on, if it is known. */
export type StageListener = (stage: PipelineStage, count?: number) => void;

const LABELS: Readonly<Record<PipelineStage, (count?: number) => string>> = {
  load: () => "Reading the document",
  model: () => "Reading the operations",
  plan: (count) =>
    `Planning ${count === undefined ? "the tools" : formatCount(count, "operation")}`,
  render: (count) => `Rendering ${count === undefined ? "the files" : formatCount(count, "tool")}`,
  write: (count) => `Writing ${count === undefined ? "the files" : formatCount(count, "file")}`,
};

/** Delay before progress is shown. */
const DELAY_MS = 1000;

/** Progress of a run. */
interface Progress {
  readonly stage: StageListener;
  /** Clears the progress line. */
  readonly end: () => void;
}

/**
 * Shows the current stage of a run that takes more than a second: twice a second, and when a stage
 * begins.
 * @param now milliseconds on any clock
 */
export function startProgress(
  { progress }: Terminal,
  now: () => number = () => performance.now(),
): Progress {
  if (!progress) return { stage: () => undefined, end: () => undefined };
  const started = now();
  let label = LABELS.load();
  let shown = false;
  const show = (): void => {
    const waited = now() - started;
    if (waited < DELAY_MS) return;
    shown = true;
    progress(`${label} … ${Math.floor(waited / 1000)} s`);
  };
  const timer = setInterval(show, 500);
  timer.unref();
  return {
    stage: (stage, count) => {
      label = LABELS[stage](count);
      show();
    },
    end: () => {
      clearInterval(timer);
      if (shown) progress();
    },
  };
}

/** Clocks in milliseconds. */
interface Clocks {
  /** Since the process began. */
  readonly elapsed: () => number;
  /** Time of the processor, of all threads. */
  readonly processor: () => number;
}

const processClocks: Clocks = {
  elapsed: () => process.uptime() * 1000,
  processor: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
};

/** Measures the stages of a run, for `--timings`. */
export class Timings {
  readonly #clocks: Clocks;
  readonly #began: {
    readonly name: string;
    readonly elapsed: number;
    readonly processor: number;
  }[];

  constructor(clocks: Clocks = processClocks) {
    this.#clocks = clocks;
    this.#began = [{ name: "start", elapsed: 0, processor: 0 }];
  }

  /** Ends the current stage and begins another. */
  readonly stage: StageListener = (stage) => this.begin(stage);

  begin(name: string): void {
    const { elapsed, processor } = this.#clocks;
    this.#began.push({ name, elapsed: elapsed(), processor: processor() });
  }

  /** Formats a table of the stages, and their sum. */
  format(): string {
    const end = { elapsed: this.#clocks.elapsed(), processor: this.#clocks.processor() };
    const rows = this.#began.map(({ name, ...from }, i) => {
      const to = this.#began[i + 1] ?? end;
      return timingRow(name, to.elapsed - from.elapsed, to.processor - from.processor);
    });
    const header = `${"stage".padEnd(8)}${"seconds".padStart(9)}${"of the processor".padStart(18)}\n`;
    return header + rows.join("") + timingRow("total", end.elapsed, end.processor);
  }
}

function timingRow(name: string, elapsed: number, processor: number): string {
  const seconds = (ms: number): string => (ms / 1000).toFixed(2);
  return `${name.padEnd(8)}${seconds(elapsed).padStart(9)}${seconds(processor).padStart(18)}\n`;
}
