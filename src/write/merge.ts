/**
 * The two sides of a text that git could not merge, with their conflict markers taken out;
 * undefined when there are none. https://git-scm.com/docs/git-merge#_how_conflicts_are_presented
 */
export function sidesOf(text: string): readonly [ours: string, theirs: string] | undefined {
  if (!/^<{7} /m.test(text)) return undefined;
  const ours: string[] = [];
  const theirs: string[] = [];
  let side: "both" | "ours" | "base" | "theirs" = "both";
  for (const line of text.split(/\r?\n/)) {
    const marker = /^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/.exec(line)?.[0][0];
    if (marker === "<") side = "ours";
    else if (marker === "|") side = "base";
    else if (marker === "=") side = "theirs";
    else if (marker === ">") side = "both";
    else {
      if (side === "both" || side === "ours") ours.push(line);
      if (side === "both" || side === "theirs") theirs.push(line);
    }
  }
  return [ours.join("\n"), theirs.join("\n")];
}
