/** Response bodies that are sequences of values. */

/**
 * A string with JSON lines is an example of the whole body. Any other string is one of its values.
 */
export function toJsonLines(value: unknown, before: string): string {
  if (typeof value === "string" && hasJsonLines(value)) return value;
  const lines = asArray(value).map((item) => `${before}${JSON.stringify(item)}\n`);
  return lines.join("");
}

function hasJsonLines(text: string): boolean {
  try {
    for (const line of text.split(/[\n\u001e]/u)) if (line.trim() !== "") JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** Server-sent events: objects with event fields, other values as data. */
export function toEvents(value: unknown): string {
  if (typeof value === "string") return value;
  const events = asArray(value).map((item) =>
    isEvent(item) ? eventFields(item) : `data: ${JSON.stringify(item)}\n`,
  );
  return events.map((event) => `${event}\n`).join("");
}

/** The lines of an event. A field with several lines is repeated. */
function eventFields(event: object): string {
  const fields = Object.entries(event).map(
    ([name, value]) => `${name}: ${asText(value).replaceAll("\n", `\n${name}: `)}\n`,
  );
  return fields.join("");
}

function isEvent(item: unknown): item is object {
  return (
    typeof item === "object" &&
    item !== null &&
    "data" in item &&
    Object.keys(item).every((key) => ["data", "event", "id", "retry"].includes(key))
  );
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

/** A value as text: a string as it is, others as JSON. */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
