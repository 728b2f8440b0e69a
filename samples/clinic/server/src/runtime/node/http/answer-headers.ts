import type { ResponseHeaders } from "../../client/types.js";

/**
 * Header lines as `fetch` would show them: every line counts, values of the same name are joined,
 * names are in lower case.
 */
export class AnswerHeaders implements ResponseHeaders {
  private readonly values = new Map<string, string>();
  private readonly cookies: string[] = [];

  /** @param raw name, value, name, value, as node:http has them */
  constructor(raw: readonly string[]) {
    for (let i = 0; i + 1 < raw.length; i += 2) this.add(raw[i]!.toLowerCase(), raw[i + 1]!);
  }

  get(name: string): string | null {
    return this.values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.values.has(name.toLowerCase());
  }

  getSetCookie(): string[] {
    return [...this.cookies];
  }

  /** Sorted by name; each cookie by itself. Fetch Standard, "sort and combine". */
  *[Symbol.iterator](): Iterator<[string, string]> {
    for (const name of [...this.values.keys()].sort()) {
      if (name !== "set-cookie") yield [name, this.values.get(name)!];
      else yield* this.cookies.map((cookie): [string, string] => [name, cookie]);
    }
  }

  private add(name: string, value: string): void {
    const before = this.values.get(name);
    this.values.set(name, before === undefined ? value : `${before}, ${value}`);
    if (name === "set-cookie") this.cookies.push(value);
  }
}
