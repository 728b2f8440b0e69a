import { appendFileSync } from "node:fs";
import { test } from "vitest";

/** Notes what somebody reads: an agent, or the client in its name. */
export type Say = (text: string, situation?: string) => void;

const file = process.env["MCP_GEN_TRANSCRIPT"];

/**
 * One row of the expectations: a test that notes the texts that come of it. `npm run agent-texts`
 * prints them as a table.
 */
export function row(
  id: string,
  what: string,
  run: (say: Say) => Promise<void>,
  timeout?: number,
): void {
  let said = 0;
  const say: Say = (text, situation = "") => {
    said++;
    if (file) appendFileSync(file, `${JSON.stringify({ id, what, situation, text })}\n`);
  };
  const told = async (): Promise<void> => {
    await run(say);
    if (said === 0) say("(as it should be: nobody is told anything of this)");
  };
  test(`${id} ${what}`, told, timeout);
}
