/** Tasks that show whether agents can use a server; loaded by `mcp-gen eval` only. */
export { modelApis, type ModelAccess } from "./agent/ask-model.js";
export { type Host, hosts } from "./agent/host-forms.js";
export { judgeTranscripts, TranscriptError } from "./transcript.js";
export { type AgentOptions, type AgentRun, costOfRun, runTasks } from "./agent/run-tasks.js";
export { checkTasks, type TaskCheck, titleOf } from "./check.js";
export { draftTasks, writeDraft } from "./draft.js";
export { readTasks } from "./read-tasks.js";
export { CallRecorder } from "./record.js";
export { junit, type TestCase } from "./report/junit.js";
export { EVAL_MARKER, type NamedRun, transcriptPage } from "./report/page.js";
export {
  attemptLines,
  checkLines,
  checkSummary,
  comparisonLines,
  scoreLines,
} from "./report/table.js";
export { compareRuns, scoresOf, totalScores } from "./scores.js";
export type { Task } from "./types.js";
