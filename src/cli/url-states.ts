/** States of URLs that a run fetched, to find out whether their content is still the same. */
import { limits } from "../load/limits.js";
import { isAllowedHost } from "../load/refs/file-store.js";
import { type FetchedDocument, fetchUrl } from "../load/source/fetch-url.js";
import { isUrl } from "./configuration.js";
import { readDocumentHeader } from "./document-header.js";
import { documentsOf, type ResolvedCommand } from "./resolved-command.js";
import { sha256 } from "./user-cache.js";

/** Content behind a URL. */
export interface UrlState {
  readonly requested: string;
  /** URL after redirects. */
  readonly url: string;
  readonly etag?: string;
  readonly digest: string;
}

/** @returns undefined after a failed request, whose result may differ next time */
export function urlState(
  requested: URL,
  fetched: FetchedDocument | undefined,
): UrlState | undefined {
  if (!fetched) return undefined;
  const { url, etag, bytes } = fetched;
  return {
    requested: requested.href,
    url: url.href,
    digest: sha256(bytes),
    ...(etag !== undefined && { etag }),
  };
}

/** Requests every URL again, with its entity tag, under the rules of the run. */
export async function areUrlsUnchanged(
  states: readonly UrlState[],
  run: ResolvedCommand,
): Promise<boolean> {
  for (const state of states) if (!(await isSame(state, run))) return false;
  return true;
}

async function isSame(
  { requested, url, etag, digest }: UrlState,
  run: ResolvedCommand,
): Promise<boolean> {
  const { options, configuration } = run;
  const hosts = options.allowRemoteRefs ?? configuration?.settings.allowRemoteRefs;
  const isDocument = documentsOf(run).some(
    (source) => isUrl(source) && requested === new URL(source).href,
  );
  const header = readDocumentHeader(process.env);
  const { value } = await fetchUrl(new URL(requested), "URL", limits, {
    ...(etag !== undefined && { etag }),
    ...(isDocument
      ? { header: header === "invalid" ? undefined : header }
      : { rule: (hop) => (isAllowedHost(hop, hosts) ? undefined : "its host is not allowed") }),
  });
  if (value?.url.href !== url) return false;
  return value.isUnmodified === true || sha256(value.bytes) === digest;
}
