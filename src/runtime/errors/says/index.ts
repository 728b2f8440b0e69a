import { parseMediaType, isJson, isText } from "../../read/media-type.js";
import { decodeText } from "../../read/text.js";
import type { ApiResponse } from "../../send/index.js";
import { clean } from "../../shape/clean.js";
import { challengeWords } from "./challenge.js";
import { type Complaint, readMessage, type Said } from "./message.js";
import { markupWords } from "./markup.js";

export type { Complaint, Said } from "./message.js";

/** Most of the API's own words that are passed on. */
const mostCharacters = 2000;
const mostComplaints = 20;

const nothing: Said = { words: "", complaints: [] };

/**
 * What the API says about its refusal: the message of the usual error shapes (problem details,
 * `message`, `error`, SOAP faults, pages) in one line, and what it says about single fields; both
 * empty when it says nothing. RFC 9457.
 */
export function whatApiSays(response: Pick<ApiResponse, "headers" | "body" | "size">): Said {
  const said = fitted(fromBody(response));
  return said.words || said.complaints.length > 0
    ? said
    : {
        words: cut(oneLine(challengeWords(response.headers.get("www-authenticate")))),
        complaints: [],
      };
}

/** What a JSON value that reports a failure says. */
export function whatValueSays(value: unknown): Said {
  return fitted(readMessage(value));
}

/** Text of a broken answer, fit to be quoted. */
export function excerpt(text: string): string {
  return cut(oneLine(markupWords(text)));
}

function fromBody({ headers, body, size }: Pick<ApiResponse, "headers" | "body" | "size">): Said {
  if (size === 0) return nothing;
  const { essence, charset } = parseMediaType(headers.get("content-type"));
  if (essence !== "" && !isJson(essence) && !isText(essence)) return nothing;
  const { text } = decodeText(body, charset);
  const value = parsed(text);
  return value === undefined ? { words: markupWords(text), complaints: [] } : readMessage(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function fitted({ words, complaints }: Said): Said {
  let left = mostCharacters;
  const kept: Complaint[] = [];
  for (const { place, words: about } of complaints.slice(0, mostComplaints)) {
    const complaint = {
      place: oneLine(place).slice(0, 200),
      words: cut(oneLine(about), Math.max(0, left)),
    };
    left -= complaint.place.length + complaint.words.length;
    if (left > 0) kept.push(complaint);
  }
  return { words: cut(oneLine(words)), complaints: kept };
}

function oneLine(text: string): string {
  return clean(text).replace(/\s+/g, " ").trim();
}

function cut(text: string, most = mostCharacters): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
