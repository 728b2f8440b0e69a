import { afterEach, describe, expect, test } from "vitest";
import { call, textOf, toolOf } from "../support/clinic.js";
import { reply, startUpstream, type Upstream } from "../support/upstream.js";

let upstream: Upstream;
afterEach(() => upstream.close());

const text = { type: "string" } as const;
const TEMPLATE = "https://git.example/{owner}/{repo}/issues/{number}";

/** The number and the other inputs as they are sent, or the text of the failure. */
async function send(args: object, templates = [TEMPLATE], isStrict = true): Promise<string> {
  upstream = await startUpstream(reply(200, {}));
  const tool = {
    ...toolOf({
      name: "get_issue",
      send: {
        path: "/{owner}/{repo}/{number}",
        pathParams: { owner: "owner", repo: "repo", number: "number" },
      },
      properties: {
        owner: text,
        repo: text,
        number: { anyOf: [{ type: "integer" }, { ...text, pattern: "^https?://" }] },
      },
      required: ["number"],
    }),
    urls: {
      number: {
        templates,
        needs: ["owner", "repo"],
        isNumber: ["number"],
        ...(isStrict && { isStrict: true as const }),
      },
    },
  };
  const result = await call(tool, args, { env: { CLINIC_BASE_URL: upstream.url } });
  return upstream.requests[0]?.url ?? textOf(result);
}

describe("a URL is read", () => {
  test.each<[given: object, want: string, templates?: string[]]>([
    [{ number: "https://git.example/ada/books/issues/7" }, "/ada/books/7"],
    [{ number: "https://GIT.example/ada/books/issues/7/" }, "/ada/books/7"],
    [{ number: " https://git.example/ada/books/issues/7#issuecomment-1 " }, "/ada/books/7"],
    [{ number: "https://git.example/ada/books/issues/7/events?page=2" }, "/ada/books/7"],
    [{ number: "https://git.example/a%20b/books/issues/7" }, "/a%20b/books/7"],
    [{ owner: "Ada", number: "https://git.example/ada/books/issues/7" }, "/ada/books/7"],
    [{ owner: "ada", repo: "books", number: 7 }, "/ada/books/7"],
    [
      { repo: "books", number: "https://ada.git.example/t/7" },
      "/ada/books/7",
      ["https://{owner}.git.example/t/{number}"],
    ],
    [
      { number: "https://git.example/ada/books/pull/7" },
      "/ada/books/7",
      [TEMPLATE, "https://git.example/{owner}/{repo}/pull/{number}"],
    ],
  ])("%j", async (given, want, templates) => expect(await send(given, templates)).toBe(want));
});

describe("a URL is refused", () => {
  test.each<[given: object, want: string]>([
    [
      { owner: "ada", repo: "books", number: "https://git.example/ada/books/pull/7" },
      `- number: is a URL of another form; pass ${TEMPLATE}, or the ID`,
    ],
    [
      { owner: "ada", repo: "books", number: "https://git.example.evil/ada/books/issues/7" },
      "- number: is a URL of another form",
    ],
    [
      { owner: "ada", repo: "books", number: "https://git.example/ada/books/issues/%ff" },
      "- number: is a URL of another form",
    ],
    [
      { owner: "bob", number: "https://git.example/ada/books/issues/7" },
      '- owner: is another one than "ada", which the URL of number has; leave it out',
    ],
    [{ repo: "books", number: 7 }, "- owner: is required, unless number is a URL"],
    [{ number: "https://git.example/ada/books/issues/seven" }, "- number: "],
  ])("%j", async (given, want) => expect(await send(given)).toContain(want));
});
