import { appendFileSync } from "node:fs";
import { test } from "vitest";

/** Notes what somebody reads: an agent, or the client in its name. */
export type Say = (text: string, situation?: string) => void;

const file = process.env["MCP_GEN_TRANSCRIPT"];

/** One row of the expectations: a test that notes the texts that come of it. `npm run agent-texts` prints them as a table. */
export function row(id: string, what: string, run: (say: Say) => Promise<void>, timeout?: number): void {
  const say: Say = (text, situation = "") => {
    if (file) appendFileSync(file, `${JSON.stringify({ id, what, situation, text })}\n`);
  };
  test(`${id} ${what}`, () => run(say), timeout);
}
