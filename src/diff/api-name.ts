/** Names of APIs among those of tools, which contain no spaces. */

/** The document's API. */
export const API = "the API";

/** Another API that workflows call. */
export function otherApi(name: string): string {
  return `${API} ${name}`;
}
