import type { PipelineStage } from "../generate.js";
import type { Terminal } from "./terminal.js";

const STAGE_LABELS: Readonly<Record<PipelineStage, string>> = {
  load: "Reading the document",
  plan: "Planning the tools",
  render: "Making the files",
  write: "Writing the files",
};

/** Delay before progress is shown. */
const DELAY_MS = 1000;

/** Progress of a run. */
export interface Progress {
  readonly stage: (stage: PipelineStage) => void;
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
  let current: PipelineStage = "load";
  let shown = false;
  const show = (): void => {
    const waited = now() - started;
    if (waited < DELAY_MS) return;
    shown = true;
    progress(`${STAGE_LABELS[current]} … ${Math.floor(waited / 1000)} s`);
  };
  const timer = setInterval(show, 500);
  timer.unref();
  return {
    stage: (stage) => {
      current = stage;
      show();
    },
    end: () => {
      clearInterval(timer);
      if (shown) progress();
    },
  };
}
