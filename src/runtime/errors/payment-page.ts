/** The page on which a user pays, as a 402 names it. RFC 9110, section 15.5.3. */
import { isObject } from "../data/values.js";
import type { ApiResponse } from "../request/types.js";
import { responseValue } from "./api-error/extract.js";

/** Names of fields with such a page: `checkout_url`, `hostedInvoiceUrl`. */
const PAGE_FIELD =
  /^(?:hosted_?|customer_?)?(?:pay(?:ment)?|checkout|invoice|billing|upgrade|subscri(?:be|ption)|purchase|top_?up)_?(?:page_?|link_?)?(?:url|uri|link|href|page)$/i;

/** Fields with a URL that only the words beside it explain. */
const PLAIN_FIELD = /^(?:url|uri|link|href|location|redirect_?ur[li])$/i;

/** Words of payment. */
const PAYMENT = /\b(?:pay(?:ment|able|ing)?|checkout|invoice|billing|upgrade|purchase|top[ -]?up)/i;

/** Maximum number of values of a body that are read, and of characters of a URL. */
const [MAX_PAGE_VALUES, MAX_PAGE_URL] = [200, 2_000];

/** Reads the URL of the page from the body or the headers; undefined for other statuses. */
export function paymentPage(
  response: Pick<ApiResponse, "status" | "headers" | "body" | "size">,
): string | undefined {
  if (response.status !== 402) return undefined;
  return pageIn(responseValue(response)) ?? pageOfHeaders(response.headers);
}

/** Reads objects from the top down. Words of payment in a field explain a plain URL beside it. */
function pageIn(root: unknown): string | undefined {
  const queue: (readonly [value: unknown, isAboutPayment: boolean])[] = [[root, false]];
  for (const [value, isAboutPayment] of queue) {
    if (queue.length > MAX_PAGE_VALUES) return undefined;
    if (Array.isArray(value)) queue.push(...value.map((item) => [item, isAboutPayment] as const));
    if (!isObject(value) || Array.isArray(value)) continue;
    const fields = Object.entries(value);
    const texts = fields.filter(
      ([, text]) => typeof text === "string" && safeUrl(text) === undefined,
    );
    const isTold =
      isAboutPayment || texts.some(([, text]) => PAYMENT.test(`${text}`.slice(0, 500)));
    const urls = [PAGE_FIELD, ...(isTold ? [PLAIN_FIELD] : [])].flatMap((names) =>
      fields.flatMap(([name, url]) => (names.test(name) ? (safeUrl(url) ?? []) : [])),
    );
    if (urls.length > 0) return urls[0];
    queue.push(...fields.map(([name, inner]) => [inner, PAYMENT.test(spacedName(name))] as const));
  }
  return undefined;
}

const spacedName = (name: string): string => name.slice(0, 100).replaceAll("_", " ");

/** The target of `Link` with `rel="payment"`, or the `Location`. */
function pageOfHeaders(headers: ApiResponse["headers"]): string | undefined {
  for (const link of (headers.get("link") ?? "").slice(0, MAX_PAGE_URL).split(",")) {
    const [target = "", ...parameters] = link.split(";");
    const url = /^\s*<([^<>]+)>\s*$/.exec(target)?.[1];
    const isPayment = parameters.some((one) => /^\s*rel=/i.test(one) && PAYMENT.test(one));
    if (isPayment && safeUrl(url) !== undefined) return safeUrl(url);
  }
  return safeUrl(headers.get("location"));
}

/** A URL that a person may open: by HTTPS, and without credentials in it. */
function safeUrl(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > MAX_PAGE_URL || !URL.canParse(value))
    return undefined;
  const { protocol, username, password } = new URL(value);
  return protocol === "https:" && username + password === "" ? value : undefined;
}
