import type { Wire } from "../types.js";
import type { Call } from "./call.js";
import type { Complaint, Said } from "./says/index.js";

/** A complaint of the API about one of the tool's inputs. */
export interface InputComplaint {
  /** Path from the input: `address.city`. */
  readonly input: string;
  readonly words: string;
}

/** What the API says, with its names of fields as the names of inputs wherever they are known. */
export interface Understood {
  readonly words: string;
  readonly about: readonly InputComplaint[];
}

/**
 * Finds the inputs that the API complains about: it knows them by their names on the wire, the
 * agent by those of the tool.
 */
export function understood({ words, complaints }: Said, call: Call): Understood {
  const inputs = inputsByWireName(call);
  const about: InputComplaint[] = [];
  const others: string[] = [];
  for (const complaint of complaints) {
    const input = inputAt(complaint, inputs, call.send.body?.from);
    if (input === undefined) others.push(`${complaint.place}: ${complaint.words}`);
    else about.push({ input, words: complaint.words });
  }
  return { words: [words, ...others].filter(Boolean).join("; "), about };
}

/** Containers that APIs put before the name of a field; only a field's own name counts. */
const containers: ReadonlySet<string> = new Set([
  "",
  "$",
  "#",
  "body",
  "requestbody",
  "request",
  "query",
  "querystring",
  "path",
  "params",
  "header",
  "headers",
  "cookie",
  "payload",
  "data",
  "attributes",
  "input",
  "root",
]);

function inputAt(
  { place }: Complaint,
  inputs: ReadonlyMap<string, string>,
  whole: string | undefined,
): string | undefined {
  const inside = withoutContainers(place);
  const exact = inputs.get(plain(inside));
  if (exact !== undefined) return exact;
  const steps = inside
    .split(/[./[\]]+/)
    .filter(Boolean)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const input = inputs.get(plain(steps[0] ?? ""));
  if (input !== undefined) return [input, ...steps.slice(1)].join(".");
  return whole === undefined || steps.length === 0 ? undefined : [whole, ...steps].join(".");
}

/**
 * `body.email` → `email`, `#/data/attributes/title` → `title`; what is nothing but containers keeps
 * the last.
 */
function withoutContainers(place: string): string {
  for (let rest = place; ;) {
    const [, first = "", others = ""] = /^([^./]*)[./](.*)$/s.exec(rest) ?? [];
    if (others === "" || !containers.has(plain(first))) return rest;
    rest = others;
  }
}

/**
 * `petId`, `pet_id` and `Pet-Id` are one name: frameworks rename fields between the wire and their
 * messages.
 */
function plain(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, "");
}

function inputsByWireName({ send }: Call): ReadonlyMap<string, string> {
  const places = [send.pathParams, send.query, send.headers, send.cookies, send.body?.fields];
  const entries = places
    .flatMap((place) => Object.entries(place ?? {}))
    .flatMap(([name, wire]) => {
      const input = inputOf(wire);
      return input === undefined ? [] : [[plain(name), input] as const];
    });
  // Some frameworks speak of the fields as their own code calls them, which is often what the input
  // is called; the wire has the last word.
  return new Map([...entries.map(([, input]) => [plain(input), input] as const), ...entries]);
}

/** The input that a wire value comes from. */
export function inputOf(wire: Wire): string | undefined {
  if (typeof wire === "string") return wire;
  return "from" in wire ? wire.from : undefined;
}
