// Output of the demo: plain text, with colors only on a terminal.
const colours = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code) => (text) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);
export const bold = paint(1);
export const dim = paint(2);
export const red = paint(31);
export const green = paint(32);
export const cyan = paint(36);

export const say = (line = "") => console.log(line);
/** Prints a heading. */
export const heading = (text) => say(`\n${bold(text)}`);
/** Prints one fact with its figures. */
export const fact = (what, detail) => say(`  ${what.padEnd(12)} ${detail}`);
/** Prints a quoted text, indented and truncated. */
export function quote(text, most = 8) {
  const lines = text.split("\n");
  for (const line of lines.slice(0, most))
    say(`    ${line.length > 150 ? `${line.slice(0, 149)}…` : line}`);
  if (lines.length > most) say(dim(`    … ${lines.length - most} more lines`));
}

/** Fails the demo if a condition does not hold. */
export function expect(condition, what) {
  if (condition) return;
  say(red(`\n✗ expected: ${what}`));
  throw new Error(`not as expected: ${what}`);
}
