import { wordsOf } from "./words.js";

/**
 * Words that people and APIs use for about the same: of data and what is done with it in general,
 * and of no trade. A line is a group.
 */
const groups = `
list find
create add new make insert register
delete remove erase destroy drop discard clear
update edit change modify set replace rename
send submit publish deliver post
post create
cancel abort stop terminate
start begin launch run resume
image picture photo logo icon avatar thumbnail
user person people member account profile who
company organization business
comment review feedback note
similar like related recommendation suggestion
popular top best trending favorite
latest newest recent last new
price cost amount fee
buy purchase order
invoice bill
file document attachment upload
message chat text mail email
tag label keyword topic category genre
team group
task job issue ticket
status state
date time when schedule
place location address where
count number total many much
history log event activity
repo repository
org organization
app application
config configuration
env environment
doc document
msg message
img image
info information
admin administrator
param parameter
auth authentication
db database
`;

const byWord = new Map<string, readonly string[]>();
for (const group of groups.trim().split("\n")) {
  const words = wordsOf(group);
  for (const word of words)
    byWord.set(word, [
      ...new Set([...(byWord.get(word) ?? []), ...words.filter((other) => other !== word)]),
    ]);
}

/** Stems that mean about the same as a stem. */
export function related(stem: string): readonly string[] {
  return byWord.get(stem) ?? [];
}
