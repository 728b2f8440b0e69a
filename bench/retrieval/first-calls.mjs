// Calls that are made from the signature alone: each input gets a value of the type that the
// signature writes. The tool's own validation tells whether such a call would be sent.
import { validateInput } from "../../dist/runtime/tools/validate-input.js";

/** True if a call with the required inputs of a signature is valid. */
export function isValidFirstCall(signature, { inputSchema }) {
  const reader = { text: signature.slice(signature.indexOf("(") + 1), position: 0 };
  const input = members(reader, ")");
  return input !== undefined && validateInput(inputSchema, input).ok;
}

/** The required members up to a closing bracket; undefined for a text that has been shortened. */
function members(reader, end) {
  const values = {};
  while (!take(reader, end)) {
    const [omission] = match(reader, /…\d+ more(?: optional(?:: [^)]*)?)?/y) ?? [];
    if (omission === undefined) {
      const [, quoted, plain, optional] =
        match(reader, /(?:"([^"]*)"|([\p{L}\p{N}_$]+))(\?)?: /uy) ?? [];
      const value = union(reader);
      match(reader, / = (?:"[^"]*"|[^,)}]+)/y);
      if (optional === undefined) values[quoted ?? plain] = value;
    }
    if (!take(reader, ", ") && !reader.text.startsWith(end, reader.position)) return undefined;
  }
  return values;
}

/** A value of the first alternative of a type. */
function union(reader) {
  const value = single(reader);
  while (match(reader, / [|&] /y)) if (!match(reader, /…\d+ more/y)) single(reader);
  return value;
}

function single(reader) {
  let value = element(reader);
  while (take(reader, "[]")) value = [value];
  return value;
}

function element(reader) {
  if (take(reader, "(")) {
    const value = union(reader);
    take(reader, ")");
    return value;
  }
  if (take(reader, "{")) return members(reader, "}");
  if (take(reader, "Record<string, ")) {
    union(reader);
    take(reader, ">");
    return {};
  }
  const [literal] = match(reader, /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null/y) ?? [];
  if (literal !== undefined) return JSON.parse(literal);
  const [, word, format] = match(reader, /(\w+)(?:<([\w-]+)>)?/y) ?? [];
  return format === undefined ? plainValues[word] : formatValues[format];
}

const plainValues = {
  string: "1",
  integer: 1,
  number: 1,
  boolean: true,
  null: null,
  object: {},
  unknown: "1",
};

const formatValues = {
  date: "2026-01-31",
  "date-time": "2026-01-31T10:00:00Z",
  time: "10:00:00Z",
  duration: "PT1H",
  email: "ada@example.com",
  uri: "https://example.com/",
  uuid: "6f1c2a3e-8f0b-4c1d-9a2e-3b4c5d6e7f80",
};

function take(reader, text) {
  if (!reader.text.startsWith(text, reader.position)) return false;
  reader.position += text.length;
  return true;
}

function match(reader, pattern) {
  pattern.lastIndex = reader.position;
  const found = pattern.exec(reader.text);
  if (found) reader.position = pattern.lastIndex;
  return found;
}
