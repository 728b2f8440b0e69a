/** Values of texts that may be JSON. */

/** The value of a JSON text; undefined for any other text. */
export function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The list or object that a value is as JSON text; undefined for any other value. */
export function parseContainerText(value: unknown): unknown {
  return typeof value === "string" && /^\s*[[{]/.test(value) ? parseJsonText(value) : undefined;
}
