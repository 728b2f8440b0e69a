import { parseJson, type ParsedJson } from "./json.js";

/** Media types of one value after the other. OpenAPI 3.2, "Sequential Media Types". */
export function isSequence(essence: string): boolean {
  return (
    essence === "text/event-stream" ||
    /\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines)$|[/+]json-seq$/.test(essence)
  );
}

/**
 * The values of a sequence as a list.
 * @throws SyntaxError when a record is not JSON
 */
export function parseSequence(text: string, essence: string): ParsedJson {
  if (essence === "text/event-stream") return { value: events(text), exact: false };
  const records = text
    .split(essence.endsWith("json-seq") ? "\u001e" : "\n")
    .filter((record) => record.trim() !== "")
    .map(parseJson);
  return { value: records.map(({ value }) => value), exact: records.some(({ exact }) => exact) };
}

interface Event {
  data: string;
  event?: string;
  id?: string;
  retry?: number;
}

/** WHATWG HTML, section 9.2.6. An event that no empty line ends is none. */
function events(text: string): readonly Event[] {
  const blocks = text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/);
  const found: Event[] = [];
  let fields: [name: string, value: string][] = [];
  for (const line of blocks) {
    if (line === "") {
      const event = eventOf(fields);
      if (event) found.push(event);
      fields = [];
    } else if (!line.startsWith(":")) {
      const [, name = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      fields.push([name, value]);
    }
  }
  return found;
}

function eventOf(fields: readonly (readonly [name: string, value: string])[]): Event | undefined {
  const data = fields.filter(([name]) => name === "data");
  if (data.length === 0) return undefined;
  const made: Event = { data: data.map(([, value]) => value).join("\n") };
  for (const [name, value] of fields) {
    if (name === "event" || name === "id") made[name] = value;
    if (name === "retry" && /^\d+$/.test(value)) made.retry = Number(value);
  }
  return made;
}
