// This file is yours: mcp-gen wrote it once and does not change it again.
import type { Hooks } from "../runtime/index.js";
import type { Tools } from "../tools/index.js";
import { signed } from "./signature.js";
import { suggestBook } from "./suggest-book.js";

/** The town hall decides them; the API knows only last year's. */
const openingHours = {
  weekday: { open: true, from: "09:00", to: "19:00" },
  saturday: { open: true, from: "10:00", to: "14:00" },
  sunday: { open: false },
} as const;

const hooks: Hooks<Tools> = {
  // A tool of the library's own, beside the generated ones.
  tools: [suggestBook],

  // Hooks of single tools. Their inputs and outputs have the types of the generated tools: a wrong name, input or output does not compile.
  on: {
    get_opening_hours: {
      run: ({ day }) => openingHours[day],
    },
    find_books: {
      // Readers do not need to know where the staff keeps a book, and want what they can take home first.
      afterResponse: ({ items }) => ({
        items: items.map(({ shelfmark, ...book }) => book).sort((a, b) => Number(b.available ?? false) - Number(a.available ?? false)),
      }),
    },
    create_loan: {
      // The API wants loans signed.
      beforeRequest: (request, { env }) => signed(request, env["LIBRARY_SIGNING_KEY"] ?? ""),
      mapError: (text, failure, { input }) =>
        failure.kind === "status" && failure.response.status === 409
          ? `Somebody else has ${input.bookId}.\nNext: offer the member another book; find_books with author shows which are available.`
          : text,
    },
  },

  // Hooks of every tool come after those.
  beforeRequest: (request) => ({ ...request, headers: [...request.headers, ["X-Desk", "mcp"]] }),
  afterResponse: (result, { tool }) =>
    tool.annotations.readOnlyHint ? result : { ...result, content: [...result.content, { type: "text", text: "The desk has been told." }] },
  mapError: (text) => `${text}\nThe desk can help: extension 12.`,
};

export default hooks;
