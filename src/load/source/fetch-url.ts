import type { Place } from "../../diagnostics/index.js";
import type { Limits } from "../limits.js";
import { failed, ok, type Outcome } from "../outcome.js";
import { collect } from "./collect.js";
import { tooLarge } from "./read-file.js";
import { publicUrl, redirectObjection, urlObjection } from "./url-rules.js";

export interface Fetched {
  readonly bytes: Uint8Array;
  /** Where the last redirect led. */
  readonly url: URL;
}

/** Further rule for every hop; gives a clause that says why not. */
export type HostRule = (url: URL) => string | undefined;

/**
 * Fetches a document over https (or loopback http) without credentials, within the limits.
 * Redirects are followed by hand, so that every hop obeys the same rules.
 */
export async function fetchUrl(
  start: URL,
  file: string,
  bounds: Limits,
  rule: HostRule = () => undefined,
): Promise<Outcome<Fetched>> {
  const place: Place = { file, pointer: "#" };
  const refused = urlObjection(start) ?? rule(start);
  if (refused)
    return failed(
      "load-url-refused",
      `The URL is not fetched: ${refused}`,
      place,
      start.protocol === "file:"
        ? "Pass its path."
        : "Use an https: URL, or download the document and pass the file.",
    );
  const signal = AbortSignal.timeout(bounds.milliseconds);
  let url = start;
  try {
    for (let hops = 0; hops <= bounds.redirects; hops++) {
      const response = await fetch(url, {
        redirect: "manual",
        signal,
        credentials: "omit",
        headers: { accept: "application/json, application/yaml, text/yaml, */*;q=0.8" },
      });
      const location =
        response.status >= 300 && response.status < 400 ? response.headers.get("location") : null;
      if (location === null) return await readBody(response, url, file, bounds.bytes);
      await response.body?.cancel();
      const next = redirectTarget(url, location, rule);
      if (typeof next === "string")
        return failed(
          "load-url-refused",
          `A redirect is not followed: ${next}`,
          place,
          "Download the document and pass the file.",
        );
      url = next;
    }
    return failed(
      "load-url-refused",
      `There are more than ${bounds.redirects} redirects`,
      place,
      "Pass the final address.",
    );
  } catch (error) {
    return failed(
      "load-fetch-failed",
      `The document could not be fetched: ${fetchCause(error, bounds)}`,
      place,
      "Check the address and the network.",
    );
  }
}

function redirectTarget(from: URL, location: string, rule: HostRule): URL | string {
  if (!URL.canParse(location, from.href)) return "its address is not a URL";
  const to = new URL(location, from);
  return redirectObjection(from, to) ?? rule(to) ?? to;
}

async function readBody(
  response: Response,
  url: URL,
  file: string,
  most: number,
): Promise<Outcome<Fetched>> {
  if (!response.ok) {
    await response.body?.cancel();
    const hint =
      response.status === 401 || response.status === 403
        ? "Download the document with your credentials and pass the file."
        : "Check the address.";
    return failed(
      "load-fetch-failed",
      `${publicUrl(url)} answered ${response.status}${response.statusText ? ` ${response.statusText}` : ""}`,
      { file, pointer: "#" },
      hint,
    );
  }
  if (!response.body) return ok({ bytes: new Uint8Array(), url });
  const bytes = await collect(response.body as unknown as AsyncIterable<Uint8Array>, most);
  return bytes ? ok({ bytes, url }) : tooLarge(file, most);
}

/**
 * A word for what went wrong; never the text of an error, which may hold more than the user typed.
 */
function fetchCause(error: unknown, bounds: Limits): string {
  const { name, cause } = error as {
    readonly name?: string;
    readonly cause?: { readonly code?: unknown };
  };
  if (name === "TimeoutError" || name === "AbortError")
    return `no complete answer within ${Math.round(bounds.milliseconds / 1000)} s`;
  const code = typeof cause?.code === "string" ? cause.code : undefined;
  const known: Record<string, string> = {
    ENOTFOUND: "the host name is unknown",
    EAI_AGAIN: "the host name could not be looked up",
    ECONNREFUSED: "the connection was refused",
    ECONNRESET: "the connection was closed",
    UND_ERR_SOCKET: "the connection was closed",
  };
  return (
    (code && known[code]) ?? (code ? `the connection failed (${code})` : "the connection failed")
  );
}
