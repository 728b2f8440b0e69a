import type { PipelineStage } from "../generate.js";
import type { Terminal } from "./terminal.js";

const STAGE_LABELS: Readonly<Record<PipelineStage, string>> = {
  load: "Reading the document",
  plan: "Planning the tools",
  render: "Making the files",
  write: "Writing the files",
};

/** Sooner, there is nothing to wait for. */
const DELAY_MS = 1000;

/** What is shown to somebody who waits. */
export interface Progress {
  readonly stage: (stage: PipelineStage) => void;
  /** Takes everything away that was shown. */
  readonly end: () => void;
}

/**
 * Shows where a run is, once it takes over a second: while it waits for files and networks twice a
 * second, and whenever a stage begins.
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
