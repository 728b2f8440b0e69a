/**
 * Words that people and APIs use for about the same: of data and what is done with it in general, not of any trade.
 * Each line is a group of stems.
 */
const groups = `
get fetch read show retriev view display see
list brows all
find search look lookup queri
creat add new make insert regist
delet remov eras destroi drop discard
updat edit chang modifi set replac renam
send post submit publish
cancel abort stop terminat
imag pictur photo logo icon avatar thumbnail
user person peopl member account
compani organ busi
comment review feedback note
similar like relat recommend suggest
popular top best trend favorit
latest newest recent last new
price cost amount fee
purchas bui order
invoic bill
file document attach upload
messag chat text mail email
tag label keyword topic categori
group team
task job issu ticket
status state
date time when schedul
where place locat address
who person
count number total mani
histori log event activ
`;

const byWord = new Map<string, string[]>();
for (const group of groups.trim().split("\n")) {
  const words = group.split(" ");
  for (const word of words) byWord.set(word, [...(byWord.get(word) ?? []), ...words.filter((other) => other !== word)]);
}

/** Stems that mean about the same as a stem. */
export function related(stem: string): readonly string[] {
  return byWord.get(stem) ?? [];
}
