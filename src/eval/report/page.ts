/** The transcripts of a run as an HTML page. */
import { hash } from "node:crypto";
import { style } from "../../render/report/assets.js";
import {
  code,
  markup,
  type Markup,
  Markup as Trusted,
  table,
} from "../../render/report/elements.js";
import type { TranscriptEntry } from "../agent/run-task.js";
import type { AgentRun, JudgedAttempt, TaskRun } from "../agent/run-tasks.js";
import { type Scores, scoresOf, totalScores } from "../scores.js";

/** Marks a page of transcripts, which the next run may replace. */
export const EVAL_MARKER = '<meta name="generator" content="mcp-gen eval">';

/** A run with its heading. */
export interface NamedRun {
  readonly name: string;
  readonly run: AgentRun;
}

/** Renders runs as one page without external resources and without scripts. */
export function transcriptPage(title: string, runs: readonly NamedRun[]): string {
  const policy =
    `default-src 'none'; style-src 'sha256-${hash("sha256", STYLE, "base64")}'; ` +
    `base-uri 'none'; form-action 'none'`;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${new Trusted(EVAL_MARKER)}
<meta http-equiv="Content-Security-Policy" content="${new Trusted(policy)}">
<title>${title}: tasks</title>
<style>${new Trusted(STYLE)}</style>
</head>
<body>
<header><h1>${title} <small>tasks</small></h1></header>
${runs.map(runSection)}
</body>
</html>
`.text;
}

const STYLE = `${style}
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .25rem 0; font-size: .85rem; }
pre { max-height: 30rem; overflow: auto; }
.done summary::before { content: "✓ "; color: var(--accent); }
.failed summary::before { content: "✗ "; color: var(--bad); }
.error { color: var(--bad); }
`;

function runSection({ name, run }: NamedRun): Markup {
  const total = totalScores(run);
  return markup`<section>
<h2>${name}</h2>
${total && scoreTable([{ label: "all tasks", scores: total }])}
${run.stopped !== undefined && markup`<p class="error">${run.stopped}.</p>`}
${run.tasks.map(taskSection)}
</section>`;
}

function scoreTable(rows: readonly { readonly label: string; readonly scores: Scores }[]): Markup {
  const headings = ["", "done", "tools", "inputs", "wasted calls", "tokens read", "tokens written"];
  return table(
    "scores",
    headings,
    rows.map(({ label, scores }) => ({
      cells: [
        label,
        scores.done.toFixed(2),
        scores.tools.toFixed(2),
        scores.inputs.toFixed(2),
        scores.wasted.toFixed(1),
        Math.round(scores.inputTokens),
        Math.round(scores.outputTokens),
      ],
    })),
  );
}

function taskSection({ task, attempts }: TaskRun): Markup {
  const scores = scoresOf(attempts);
  return markup`<article>
<h3>${task.say}</h3>
${scores && scoreTable([{ label: `${attempts.length} attempts`, scores }])}
${attempts.map(attemptSection)}
</article>`;
}

function attemptSection({ judgement, transcript, stopped }: JudgedAttempt, index: number): Markup {
  const state = judgement.isDone ? "done" : "failed";
  return markup`<details class="${state}"${!judgement.isDone && new Trusted(" open")}>
<summary>Attempt ${index + 1}${stopped !== undefined && `: ${stopped}`}</summary>
<ul>${judgement.problems.map((problem) => markup`<li class="error">${problem}</li>`)}</ul>
${transcript.map(entry)}
</details>`;
}

function entry(one: TranscriptEntry): Markup {
  if (one.kind === "text") return markup`<blockquote>${one.text}</blockquote>`;
  const { name, input, result, isError } = one;
  return markup`<p>${code(name)} ${code(JSON.stringify(input))}</p>
<pre${isError && new Trusted(' class="error"')}>${result}</pre>`;
}
