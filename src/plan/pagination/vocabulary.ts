// Words of parameters and fields about pagination. Patterns without the flag `i` match names that
// are split into lower-case words.

/** Inputs that take the number of a page. */
export const PAGE_NUMBER = /^(page|p|page (number|no|num|index)|current page)$/;

/** Inputs that take the number of items to skip. */
export const OFFSET =
  /^(offset|skip|start|start (index|at|from|row)|from|first result|page offset)$/;

/** Inputs about pages that are numbers even where their type is text. */
export const COUNTED_TEXT =
  /^(page|page (number|no|num|index|size)|current page|offset|skip|limit|per page|max results)$/;

/** Inputs that take the number of items of a page. */
export const PAGE_SIZE =
  /^(limit|per page|page (size|limit)|size|count|max|max results|results per page|take|top|rows|page items)$/;

/** Inputs that take the ID of the last item of a page. */
export const AFTER_ID = /^(starting after|start after|after|after id|last id|since id)$/;

/** Response fields that are true when another page follows. */
export const HAS_MORE =
  /^(has (more|next)|has next page|more|is truncated|truncated|has more (items|results|pages))$/;

/**
 * Response fields with the number of items, best first: those that the filters let through, all, and
 * a count that may be that of the page.
 */
export const TOTAL_COUNTS: readonly RegExp[] = [
  /^(filter(ed)? (count|total|records|items)|(total|records|count|items) filtered|total filtered (count|items|records))$/,
  /^(total|total (count|items|results|records|size|hits|elements|rows)|total item count|records total)$/,
  /^count$/,
];

const PAGE_POSITION_ALTERNATIVES = [
  "page|p|page (number|no|num|index|token|cursor)|current page",
  "(next |start |end )?cursor|(next|continuation) (token|key|page token)",
  "(starting |start |end )?(after|before)|offset|skip|start( index)?|marker|since",
  "last id|after id",
];
/** Inputs that select a page; not those for its size. */
export const PAGE_POSITION = new RegExp(`^(${PAGE_POSITION_ALTERNATIVES.join("|")})$`);

/** Objects that contain cursors and links. */
export const PAGINATION_OBJECT =
  /^(_?links?|meta(data)?|view|paging|pagination|page_?info|cursors?|response_?metadata)$/i;

/** Inputs that take a cursor, most common first. */
export const CURSOR_INPUTS = [
  "cursor",
  "page_token",
  "next_token",
  "pageToken",
  "nextToken",
  "continuation_token",
  "marker",
  "after",
  "start_cursor",
  "page_cursor",
];
