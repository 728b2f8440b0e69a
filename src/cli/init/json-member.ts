/** Edits of single members in the text of a JSON file, of which everything else stays as it is. */

/** A member of an object: the offsets of its name and its value in the text. */
interface Member {
  readonly name: string;
  readonly start: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** An object in the text: the offsets of its braces, and its members. */
interface ObjectSpan {
  readonly start: number;
  readonly end: number;
  readonly members: readonly Member[];
}

/**
 * Sets a member of an object that is a member of the root: `mcpServers.clinic`. Numbers, escapes,
 * duplicate names and white space of the rest are kept, which parsing and writing would change.
 * @param text valid JSON, whose root and outer member are objects where they are present
 */
export function setJsonMember(
  text: string,
  [outer, inner]: readonly [string, string],
  value: object,
): string {
  const root = objectAt(text, skipSpace(text, 0));
  const parent = findMember(root, outer);
  if (!parent) return addMember(text, root, outer, { [inner]: value });
  return setMember(text, objectAt(text, parent.valueStart), inner, value);
}

/** Sets a member of the root, as `setJsonMember` does. */
export function setRootMember(text: string, name: string, value: object): string {
  const root = objectAt(text, skipSpace(text, 0));
  return setMember(text, root, name, value);
}

function setMember(text: string, span: ObjectSpan, name: string, value: object): string {
  const member = findMember(span, name);
  if (!member) return addMember(text, span, name, value);
  const written = writeValue(text, value, indentationOf(text, member.start));
  return text.slice(0, member.valueStart) + written + text.slice(member.valueEnd);
}

/** The last of several members of a name, as JSON parsers take it. */
function findMember({ members }: ObjectSpan, name: string): Member | undefined {
  return members.findLast((member) => member.name === name);
}

/** Adds a member after the others, on a line of its own with the indentation of the file. */
function addMember(text: string, span: ObjectSpan, name: string, value: object): string {
  const last = span.members.at(-1);
  const newline = lineBreakOf(text);
  const outer = indentationOf(text, span.start);
  const isOnLine = last !== undefined && text.slice(span.start, last.start).includes("\n");
  const indent = isOnLine ? indentationOf(text, last.start) : outer + indentStep(text);
  const member = `${newline}${indent}${JSON.stringify(name)}: ${writeValue(text, value, indent)}`;
  const head = last ? `${text.slice(0, last.valueEnd)},` : text.slice(0, span.start + 1);
  const space = isOnLine ? text.slice(last.valueEnd, span.end) : newline + outer;
  return head + member + space + text.slice(span.end);
}

function writeValue(text: string, value: object, indent: string): string {
  const lines = JSON.stringify(value, null, indentStep(text)).split("\n");
  return lines.join(lineBreakOf(text) + indent);
}

const lineBreakOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n");

/** The indentation of the first indented line. */
function indentStep(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
}

/** White space at the start of the line of an offset. */
function indentationOf(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)![0];
}

/** Reads the members of the object at an offset. */
function objectAt(text: string, start: number): ObjectSpan {
  const members: Member[] = [];
  let at = skipSpace(text, start + 1);
  while (text[at] !== "}") {
    const nameEnd = skipString(text, at);
    const valueStart = skipSpace(text, skipSpace(text, nameEnd) + 1);
    const valueEnd = skipValue(text, valueStart);
    const name = JSON.parse(text.slice(at, nameEnd)) as string;
    members.push({ name, start: at, valueStart, valueEnd });
    at = skipSpace(text, valueEnd);
    if (text[at] === ",") at = skipSpace(text, at + 1);
  }
  return { start, end: at, members };
}

function skipSpace(text: string, at: number): number {
  let end = at;
  while (/\s/.test(text[end] ?? "")) end++;
  return end;
}

function skipString(text: string, at: number): number {
  let end = at + 1;
  while (text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
  return end + 1;
}

/** Skips a value: to the bracket that closes it, or to the end of a string, number or word. */
function skipValue(text: string, at: number): number {
  let depth = 0;
  let end = at;
  do {
    const character = text[end] ?? "";
    if (character === '"') end = skipString(text, end);
    else {
      if ("{[".includes(character)) depth++;
      if ("}]".includes(character)) depth--;
      end++;
    }
  } while (end < text.length && (depth > 0 || !/[\s,}\]]/.test(text[end] ?? "")));
  return end;
}
