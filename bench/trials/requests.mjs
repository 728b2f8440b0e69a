/**
 * Requests that bring a live server into the state that its tasks start from.
 */

/**
 * A function that sends one request and returns its body, parsed if it is JSON.
 * @param {string} base URL that the paths are below
 * @param {Record<string, string>} headers credentials
 * @returns {(method: string, path: string, body?: unknown) => Promise<any>} rejects for an HTTP
 * error
 */
export function makeSender(base, headers) {
  return async (method, path, body) => {
    const isForm = body instanceof FormData;
    const type = body === undefined || isForm ? {} : { "content-type": "application/json" };
    const response = await fetch(base + path, {
      method,
      headers: { ...headers, ...type },
      ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return /json/.test(response.headers.get("content-type") ?? "") && text
      ? JSON.parse(text)
      : text;
  };
}

/** The numbers from one to a last one. */
export const upTo = (last) => Array.from({ length: last }, (_, index) => index + 1);
