export const PAGE_NUMBER = /^(page|p|page (number|no|num|index)|current page)$/;

export const OFFSET =
  /^(offset|skip|start|start (index|at|from|row)|from|first result|page offset)$/;

export const PAGE_SIZE =
  /^(limit|per page|page (size|limit)|size|count|max|max results|results per page|take|top|rows|page items)$/;

export const AFTER_ID = /^(starting after|start after|after|after id|last id|since id)$/;

export const HAS_MORE =
  /^(has (more|next)|has next page|more|is truncated|truncated|has more (items|results|pages))$/;

export const TOTAL_COUNT =
  /^(total|total (count|items|results|records|size)|count|total item count)$/;

/** Inputs that say which page, not how large it is. */
export const PAGE_POSITION =
  /^(page|p|page (number|no|num|index|token|cursor)|current page|(next |start |end )?cursor|(next|continuation) (token|key|page token)|(starting |start |end )?(after|before)|offset|skip|start( index)?|marker|since|last id|after id)$/;

/** A word that only inputs about pages have in their names. */
export const PAGE_PARAMETER = /page|cursor|offset|skip|after|marker|token|start|next/i;

/** Objects that hold what leads to the next page. */
export const PAGINATION_OBJECT =
  /^(_?links?|meta(data)?|paging|pagination|page_?info|cursors?|response_?metadata)$/i;

/** Inputs that take a cursor, the usual ones first. */
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
