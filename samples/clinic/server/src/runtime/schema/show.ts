/**
 * A value in a few words, to stand in a sentence: `"activ"`, `500`, `null`, `an object`, `a list of
 * 3`.
 */
export function show(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === "object" && value !== null ? "an object" : String(value);
}

/** Text in quotes: in one line, short, and whole characters only. */
function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text).replace(
    /\\ud[89a-f]../g,
    "\ufffd",
  );
}
