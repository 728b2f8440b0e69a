import { appendFileSync } from "node:fs";
import { test } from "vitest";

/** Records a text that an agent, or its client, reads. */
export type RecordText = (text: string, situation?: string) => void;

const file = process.env["MCP_GEN_TRANSCRIPT"];

/**
 * Declares a test that records the texts which it produces. `npm run agent-texts` prints them as a
 * table.
 */
export function scenario(
  id: string,
  title: string,
  run: (record: RecordText) => Promise<void>,
  timeout?: number,
): void {
  let count = 0;
  const record: RecordText = (text, situation = "") => {
    count++;
    if (file) appendFileSync(file, `${JSON.stringify({ id, title, situation, text })}\n`);
  };
  const runAndRecord = async (): Promise<void> => {
    await run(record);
    if (count === 0) record("(as expected: no text is reported)");
  };
  test(`${id} ${title}`, runAndRecord, timeout);
}
