/** Local paths and URLs in an API's messages, whose segments are not values of the call. */
import type { ApiCall } from "../request/types.js";

/** Characters that end a path in a sentence. */
const PATH_END = /[\s"'`()<>,;=[\]{}|]/;

/** Start of an absolute path, also after a word: `/var/lib`, `C:\data`, `https://`, `open:/var`. */
const ABSOLUTE = /^(?:[\w.+-]{1,20}:|~|\.{1,2})?[\\/]/;

/** Origin of a URL. */
const ORIGIN = /^[\w.+-]{1,20}:[\\/]{2}[^\\/]{0,300}/;

/**
 * True if a value stands in a local path or URL of a message, which says nothing about the value:
 * `/var/lib/sites/web1/index.html: no such file`. The path of the request itself names its values,
 * and the file at the end of a path may be one.
 * @param before text before the value
 * @param after text after the value
 */
export function isInOtherPath(
  { request }: Pick<ApiCall, "request">,
  value: string,
  before: string,
  after: string,
): boolean {
  const start = before.split(PATH_END).at(-1) ?? "";
  if (!ABSOLUTE.test(start)) return false;
  const path = start.replace(ORIGIN, "");
  if (path === "/" || isOwnPath(request.url, path, value)) return false;
  const isFile = value.includes(".") && !/^[\\/]/.test(after);
  return !isFile;
}

/** True if the path of a request goes on with the value after the same segments, or could. */
function isOwnPath(url: string, path: string, value: string): boolean {
  const own = `${url.replace(ORIGIN, "").split("?")[0]}/`;
  const forms = [value, encodeURIComponent(value)];
  return own.endsWith(path) || forms.some((form) => own.includes(`${path}${form}/`));
}
