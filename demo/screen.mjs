// How the demo talks: plain text everywhere, colours only for a person at a terminal.
const colours = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code) => (text) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
export const bold = paint(1);
export const dim = paint(2);
export const red = paint(31);
export const green = paint(32);
export const cyan = paint(36);

export const say = (line = "") => console.log(line);
/** A part of the story. */
export const heading = (text) => say(`\n${bold(text)}`);
/** One fact under it: what, and the figures. */
export const fact = (what, detail) => say(`  ${what.padEnd(12)} ${detail}`);
/** Text of another voice, indented and cut to what a reader takes in. */
export function quote(text, most = 8) {
  const lines = text.split("\n");
  for (const line of lines.slice(0, most))
    say(`    ${line.length > 150 ? `${line.slice(0, 149)}…` : line}`);
  if (lines.length > most) say(dim(`    … ${lines.length - most} more lines`));
}

/** Ends the demo as failed when something is not as it should be. */
export function expect(condition, what) {
  if (condition) return;
  say(red(`\n✗ expected: ${what}`));
  throw new Error(`not as expected: ${what}`);
}
