import type { OperationKind, Subject } from "../../kind.js";
import { isPlural } from "../inflect.js";
import { endsInParam } from "../path.js";
import { imperativeOf, isStrongVerb } from "../verbs.js";

const KIND_VERBS: Readonly<Record<OperationKind, string>> = {
  list: "list", get: "get", search: "search", create: "create", update: "update", replace: "replace", delete: "delete", action: "run",
};

/** The verb for an operation that brings none of its own: from what it says it does where its method says little, else from its kind. */
export function verbFor(subject: Subject): string {
  const { kind, operation, parts } = subject;
  const said = isGuess(subject) ? verbSaid(subject) : undefined;
  if (said !== undefined) return said;
  if (kind !== "action") return operation.method === "HEAD" ? "check" : KIND_VERBS[kind];
  if (operation.method === "PUT") return endsInParam(parts) ? "add" : "set";
  if (operation.method === "POST") return "create";
  return /^[A-Z]+$/.test(operation.method) ? operation.method.toLowerCase() : "run";
}

/** `POST /pets` creates; what `POST /pets/{id}` or `POST /ai/ask` does, or a PUT, is not said by method and path. */
function isGuess({ operation: { method }, parts }: Subject): boolean {
  const last = parts.at(-1);
  return method === "PUT" || (method === "POST" && (last?.kind === "param" || (last?.kind === "words" && !isPlural(last.words.at(-1) as string))));
}

/** What a PUT is called anyway. */
const OF_PUT = new Set(["create", "update", "replace", "modify", "edit", "change", "set", "put", "save", "add", "get", "return", "retrieve", "fetch"]);
/** Verbs that are nouns too, but hardly at the start of a sentence about a write. */
const WRITES = new Set(["upload", "import", "export", "transfer", "request", "copy", "check", "test", "share", "sign", "refund", "charge"]);

/** The first word of the summary, or of the description where there is none: `Restore file` → restore. */
function verbSaid({ operation: { method, summary, description } }: Subject): string | undefined {
  const text = summary?.trim() ? summary : description;
  const [, first = ""] = /^(?:\s|<p>)*([A-Za-z]{2,20})\s/.exec(text?.slice(0, 60) ?? "") ?? [];
  const word = first.toLowerCase();
  const verb = isStrongVerb(word) || WRITES.has(word) ? word : imperativeOf(word);
  if (verb === undefined || !(isStrongVerb(verb) || WRITES.has(verb))) return undefined;
  if (method === "PUT" && OF_PUT.has(verb)) return undefined;
  return verb === "retrieve" || verb === "fetch" ? "get" : verb;
}
