import { defineCustomTool } from "../runtime/index.js";
import type { FindBooksOutput } from "../tools/books/find_books.js";

interface SuggestBookInput {
  /** An author the reader likes. */
  author: string;
}

interface SuggestBookOutput {
  suggestion: string;
}

/** A tool that the API does not have, made of one that it has. */
export const suggestBook = defineCustomTool<SuggestBookInput, SuggestBookOutput>({
  name: "suggest_book",
  title: "Suggest a book",
  description: "Suggest one book by an author that the reader can take home now. Returns one sentence.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  inputSchema: {
    type: "object",
    properties: { author: { type: "string", description: "An author the reader likes." } },
    required: ["author"],
    additionalProperties: false,
  },
  outputSchema: { type: "object", properties: { suggestion: { type: "string" } }, required: ["suggestion"] },
  async run({ author }, call) {
    call.progress(`Looking for books by ${author}.`);
    const { structuredContent, isError } = await call.callTool("find_books", { author });
    if (isError) return { suggestion: "The catalogue cannot be asked now; try again later." };
    const { items } = structuredContent as unknown as FindBooksOutput;
    const book = items.find(({ available }) => available);
    return { suggestion: book ? `${book.title} by ${book.author} is in the house.` : `Nothing by ${author} is in the house now.` };
  },
});
