/** Words between the parts of a phrasal verb: `log the user out`. */
const gap = String.raw`(?:[\w ]{0,30} )?`;

/** The start of an object. */
const owned = "(?:the|an?|my|our|this|that|these|those|your|his|her|their|all|every) ";

/** A participle at the end of a request: `get the contract signed`. */
const participle = String.raw`(?:\w{2,}ed|done|paid|sent|built|written|made)\b(?! \w+s\b)`;

/** Words for a value that passes a bound. */
const bound =
  "(?:low|high|below|above|exceeds?|too (?:many|much|often|few|little)|more than|less than|" +
  "fewer than|runs? out|full|empty|reach(?:es)?|drops?|falls?|over \\d)\\b";

/** Verbs of several words, and the words that tools use for them. */
const phrases: readonly (readonly [RegExp, string])[] = (
  [
    ["(?:stop|quit)(?:s|ped|ping)? (?=\\w+ing\\b)", "remove stop "],
    [
      "(?:text|e-?mail|mail|message|sms|fax)s? " +
        "(?=(?:me|us|him|her|them|everyone|everybody|all|every|each|the|an?|my|our|this|that)\\b)",
      "send $&to ",
    ],
    ["(?:put|set|change|switch)s? (?=[^,.;]{0,40}\\bback\\b)", "restore "],
    ["(?:ask|tell)s? (?=[^,.;]{0,40}\\bto join\\b)", "invite add member "],
    ["(?:hand|turn)(?:s|ed|ing)? in\\b", "submit submission"],
    [`get(?:s|ting)? (?=${owned}[\\w ]{1,30} ${participle})`, "request "],
    [
      "(?:what|how) (?:will|would|does|do|did)\\b(?=[^,.;]{1,40}\\blook(?: like)?\\b)",
      "preview render ",
    ],
    [`hand(?:s|ed|ing)? (?=${gap}back\\b)`, "return "],
    ["make sure(?: that)?\\b", ""],
    [
      "(?:everyone|everybody|anyone|people|who)(?: (?:that|who))?(?: (?:is|are|was|were))? " +
        "(?:in|on|from) (?=the |my |our |#)",
      "members of ",
    ],
    ["(?:bring|pull|loop)s? (?=(?:[\\w ]{1,30} )?in(?:to)?\\b)", "invite add "],
    [`(?:writ(?:es?|ten)|jot(?:s|ted)?|not(?:es?|ed)) (?=${gap}down\\b)`, "set note description "],
    ["dms?\\b", "direct message"],
    ["(?:have|has|need|got) to do\\b", "tasks assigned"],
    ["(?:break|split)s? (?=[^,.;]{0,30}\\b(?:into|up|down)\\b)", "split subtask "],
    ["(?:not|n't|never) (?:show(?:ed)? up|attend|c[oa]me|appear)\\b", "absentee missing"],
    [
      "(?:gets?|receives?) (?:an? )?(?:email|mail|message|text|sms|call)s? (?=(?:when|if)\\b)",
      "alert notification ",
    ],
    [`(?:check|tick|cross)(?:s|es|ed|ing)? (?=${gap}off\\b)`, "complete "],
    [`top(?:s|ped|ping)? (?=${gap}up\\b)`, "add balance "],
    ["hang(?:s|ing)? up\\b", "end call"],
    ["fill(?:s|ed|ing)? (?:in|out)\\b", "submit"],
    ["opt(?:s|ed|ing)? out\\b", "unsubscribe"],
    ["opt(?:s|ed|ing)? in\\b", "subscribe"],
    ["(?:give|pay|send)s? (?=[^,.;]{0,30}\\bback\\b)", "refund return "],
    ["go(?:es|ing)? back to\\b", "restore"],
    ["go(?:es|ing)? live\\b", "publish"],
    ["go(?:es|ing)? (?:through|over)\\b", "list"],
    ["(?:put|place)s? (?=[^,.;]{0,40}\\bon hold\\b)", "pause suspend "],
    ["(?:take|bring)s? (?=[^,.;]{0,30}\\b(?:down|offline)\\b)", "disable delete "],
    ["sign(?:s|ed|ing)? off\\b", "approve"],
    [
      "(?:stop|prevent|keep|block)s? (?=[^,.;]{0,40}\\bfrom (?:see|access|read|edit|view|open|chang|us)\\w*\\b)",
      "remove access permission ",
    ],
    ["stop(?:s|ped|ping)? (?:getting|receiving)\\b", "unsubscribe"],
    ["no longer\\b", "remove"],
    ["take(?:s|n)? (?=[^,.;]{0,20}\\b(?:access|permissions?|rights|roles?)\\b)", "revoke "],
    [
      "let (?=[^,.;]{0,30}\\b(?:see|view|read|edit|access|manage|open|use)\\b)",
      "grant access permission ",
    ],
    [
      "who (?:else )?(?:can|may|is allowed to|are allowed to) (?:see|view|read|edit|change|access|open|use)\\b",
      "who has collaborator access permission",
    ],
    ["who (?:else )?(?:can|may|is allowed to|are allowed to)\\b", "who has access permission"],
    ["as (?:an? )?(?:spreadsheet|excel|csv|pdf)(?: file)?\\b", "export download $&"],
    ["who (?:has|have|had) access\\b", "who has access permission"],
    ["who (?:changed|edited|deleted|modified|removed|created)\\b", "who audit log history"],
    [
      "share(?:s|d)? (?=[^,.;]{0,60}\\bwith (?:my (?:follow|fan|friend)\\w*|every|the world))",
      "repost ",
    ],
    ["share(?:s|d)? (?=[^,.;]{0,60}\\bwith\\b)", "share grant access permission "],
    ["in charge\\b", "owner"],
    ["how long\\b", "duration"],
    ["how many\\b", "count"],
    ["how often\\b", "count usage"],
    ["(?:go|get|be|is|are) (?:free|available|busy)\\b", "availability free busy"],
    ["(?:show|showed|shown|turn|turned) up\\b", "attend"],
    ["make(?:s)? (?=(?:the|it|this|that|these|those|my|our|his|her|their|all|every)\\b)", "set "],
    ["(?:open|start)s? (?=(?:an? )?new\\b|an?\\b)", "create "],
    [`(?:log|sign)(?:s|g?ed|g?ing)? ${gap}out\\b`, "logout"],
    ["(?:log|sign)(?:s|g?ed|g?ing)? in(?:to)?\\b", "login"],
    ["sign(?:s|ed|ing)? (?:(?:me|us|him|her|them) )?up\\b", "register"],
    [`set(?:s|ting)? (?=${gap}up\\b)`, "create "],
    ["get(?:s|ting)? rid of\\b", "delete"],
    [`(?:throw|take|kick)s?(?= ${gap}(?:out|away|off)\\b)`, "remove"],
    [`(?:bring|get)s? (?=${gap}back\\b)`, "restore "],
    [
      "(?:take(?:s|n)? back|undo|withdraw|reverse|remove|cancel) (?:(?:my|the|an?|this|that|his|her) )?" +
        "(like|pin|star|follow|mute|block|lock|vote|watch|flag|favorite|bookmark|repost|ban)s?\\b",
      "remove un$1 $1",
    ],
    ["takes? back\\b", "withdraw delete"],
    ["takes? (?=an? )", "create "],
    [`roll(?:s|ed|ing)? (?=${gap}back\\b)`, "rollback "],
    ["money back\\b", "refund"],
    [`shut(?:s|ting)? (?=${gap}down\\b)`, "stop close "],
    ["(?:turn|switch)(?:s|es|ed|ing)? (?:it )?on\\b", "enable"],
    [`(?:turn|switch)(?:s|es|ed|ing)? (?=${gap}on(?:[.,;!?]|$))`, "enable "],
    [`(?:turn|switch)(?:s|es|ed|ing)? (?=${gap}off\\b)`, "disable "],
    ["turn(?:s|ed|ing)? (?:it )?(?:up|down)\\b", "set volume level"],
    [`hand(?:s|ed|ing)? (?=${gap}over\\b|[\\w ]{0,30} to\\b)`, "transfer "],
    ["(?:say|write|mention)s? something (?:about|on|to)\\b", "comment on"],
    ["(?:move|send|transfer)s? (?=(?:[\\w.,]+ ){0,2}(?:money|funds|cash)\\b)", "create transfer "],
    ["keep (?=[\\w ]{1,20}\\b(?:posted|informed|updated)\\b)", "follow subscribe notify "],
    ["on[- ](?:call|duty)\\b", "oncall call"],
    ["(?:right now|at the moment|at present)\\b", "currently"],
    ["for good\\b", "permanently"],
    ["(?:before|until) (?=[^,.;]{1,30}\\bcan (?:start|begin|continue|go)\\b)", "dependencies "],
    ["take(?:s|n)? over\\b", "replace"],
    [`call(?:s|ed|ing)? (?=${gap}off\\b)`, "cancel "],
    [`put(?:s|ting)? (?=${gap}off\\b)`, "postpone "],
    ["look(?:s|ed|ing)? (?:up|for)\\b|search(?:es)? for\\b", "find"],
    ["find out\\b", "get"],
    ["back(?:s|ed|ing)? up\\b", "backup"],
    [`back(?:s|ed|ing)? (?=(?:${owned}[\\w ]{1,30}|it|them|everything|all) up\\b)`, "backup "],
    ["check(?:s|ed|ing)? out\\b", "checkout"],
    ["gives? (?=(?:[\\w ]{0,40} )?(?:access|permissions?|rights)\\b)", "grant "],
    ["who (?:am i|i am)\\b", "current user me"],
    [
      "(?:notify|notifies|e-?mail|text|message|tell|inform|alert|ping|call|warn|let me know) " +
        `(?=[^,.;]{0,60}\\b(?:if|when(?:ever)?)\\b[^,.;]{0,40}\\b${bound})`,
      "create threshold alerts ",
    ],
    [
      "(?:notify|notifies|e-?mail|text|message|tell|inform|alert|ping|call|warn|post|send|let me know) " +
        "(?=[^,.;]{0,60}\\b(?:when(?:ever)?|(?:after|on) (?:every|each|any))\\b)",
      "create webhook watch subscription ",
    ],
    ["tell (?!me\\b|us\\b)", "send message "],
    ["copy (?=[^,.;]{0,40}\\bout of\\b)", "download "],
  ] as const
).map(([pattern, replacement]) => [new RegExp(`\\b(?:${pattern})`, "gi"), replacement]);

const nobody = "(?:nobody|no one|no-one)(?: else)? (?:should|can|could|may|must|is|gets?)";

/** Idioms, and the words that tools use for what is meant. They are added. */
const idioms: readonly (readonly [RegExp, string])[] = (
  [
    [`${nobody}[^,.;]{0,25}\\b(?:chang|edit|touch|modif|alter|delet)\\w*`, "lock protect"],
    [
      `${nobody}[^,.;]{0,25}\\b(?:see|read|view|open|access|join|find)\\w*`,
      "private restrict permission",
    ],
    [
      "(?:don't|do not|doesn't|never|no longer|not)[^,.;]{0,15}" +
        "\\b(?:hear|bother|disturb|told|notified|(?:send|mail|email|text|call)s? (?:me|us))\\w*",
      "mute unsubscribe notification snooze",
    ],
    [
      "(?:only (?:let|allow)|(?:let|allow|permit) only|can only (?:see|read|view|use))",
      "allow restrict permission grant",
    ],
    [
      "(?:(?:that|which|who|i|we|he|she|they|somebody|someone) (?:(?:was|were|is|are|has|have|been|already|i|we|got) )*|(?<=^(?:all |the |my )*))(?:removed|deleted|erased|trashed|thrown away)\\b",
      "deleted removed trash",
    ],
    ["(?<!\\b(?:will|would|does|do|did)\\b.{1,40})look(?:s|ed|ing)? like\\b", "image photo"],
    ["how far (?:is|are|am|along|did|has|have)\\b", "progress status"],
    ["how (?:old|recent)\\b", "created age date"],
    ["how (?:big|large|small|full)\\b", "size usage capacity"],
    ["how (?:fast|slow|quick(?:ly)?)\\b", "performance latency speed"],
    ["how (?:busy|loaded)\\b", "usage load metric"],
    ["how (?:well|popular|good|bad)\\b", "statistics score rating"],
    ["how (?:far|close|near) (?:away|to|from)\\b", "distance"],
    ["how much (?:more|longer|[\\w ]{0,20}(?:left|remain))", "remaining limit quota"],
    ["(?:for now|for the time being|until further notice|temporarily)\\b", "disable suspend pause"],
    ["(?:always|every time|each time|automatically)\\b", "rule automatic"],
    ["(?:at once|in one go|all together)\\b", "bulk batch multiple"],
    ["(?:once more|one more time|another time|try again)\\b", "retry again repeat"],
    [
      "(?:never|not|n't) (?:arriv|get|got|receiv|reach|com)\\w*|did not get|got lost",
      "resend retry",
    ],
    [
      "(?:start|begin|do|go)(?:s|ing)? (?=[^,.;]{1,40}\\b(?:again|over|afresh|anew)\\b)",
      "reset restart ",
    ],
    ["point(?:s|ing)? (?=[^,.;]{1,40}\\b(?:at|to)\\b)", "dns record target "],
    ["(?:send|pass|route)s? (?=[^,.;]{1,40}\\bon to\\b)", "forward redirect "],
    ["(?:send|mail)s? (?=[^,.;]{1,40}\\bout\\b)", "publish deliver "],
    ["(?:send|ship)s? (?=[^,.;]{1,40}\\bback\\b)", "return "],
    ["(?:put|file|sort)s? (?=[^,.;]{1,40}\\b(?:under|into)\\b)", "categorize category move "],
    ["(?:put)s? (?=[^,.;]{1,40}\\b(?:away|in storage)\\b)", "archive "],
    ["put(?:s|ting)? (?=[^,.;]{1,40}\\b(?:up|online|live)\\b)", "publish create "],
    ["(?:lock|shut|keep|cut)s? (?=[^,.;]{1,40}\\b(?:out|off)\\b)", "disable block suspend "],
    ["(?:tear|wind|take)s? (?=[^,.;]{0,40}\\bdown\\b)", "delete stop "],
    ["(?:spin|fire|bring)s? (?=[^,.;]{0,40}\\bup\\b)", "create start "],
    ["phas(?:e|es|ing) (?=[^,.;]{0,40}\\bout\\b)", "deprecate "],
    ["(?:ramp|scale|speed)s? (?=[^,.;]{0,40}\\bup\\b)", "increase scale "],
    ["(?:hand|give)s? (?=[^,.;]{0,40}\\bout\\b)", "assign issue award "],
    ["(?:hook|wire|plug)(?:s|ed)? (?=[^,.;]{0,40}\\b(?:up|in|into|to)\\b)", "connect integration "],
    ["(?:make|made) (?=[^,.;]{1,40}\\bpart of\\b)", "add member "],
    ["(?:stand|fill|step)s? (?=[^,.;]{0,20}\\bin for\\b)", "override replace "],
    ["(?:take|takes|taking) part\\b", "participate join"],
    ["(?:leave|leaves|leaving) (?=[^,.;]{1,30}\\bout\\b)", "exclude "],
    [
      "(?:is|are|was|were) (?:over|done|finished|solved|fixed|dealt with)\\b",
      "resolve close complete",
    ],
    [
      "what (?:do|did|does) (?=[^,.;]{1,30}\\b(?:think|(?:say|write) (?:of|about))\\b)",
      "review rating comment feedback ",
    ],
    ["(?:percent|%|money) off\\b", "discount coupon"],
    ["side by side\\b", "compare diff"],
    ["(?:out of date|behind the times)\\b", "outdated old version"],
    ["(?:as|like|how) it was\\b|former state|earlier state", "restore revert version"],
    ["tak(?:e|es|ing) (?=[^,.;]{1,30}\\blive\\b)", "publish deploy "],
    ["mak(?:e|es|ing) (?=[^,.;]{1,30}\\b(?:public|private|visible|hidden)\\b)", "visibility "],
    ["cash(?:es|ing)? out\\b", "payout withdraw"],
    ["who (?:wrote|made|did|built|owns|sent)\\b", "author creator owner"],
    ["who (?:is|was|are) (?=[^,.;]{0,20}\\b(?:assigned|responsible)\\b)", "assignee owner "],
    ["(?:belongs?|belonging) to\\b", "member owner"],
    ["(?:junk|unwanted) (?:mail|message)s?\\b", "spam"],
    ["(?:over|in) the (?:last|past) (?=\\w)", "history "],
    ["(?:can|could) be (?:reached|seen) from\\b", "expose public"],
    ["(?:is|are) (?=[^,.;]{1,40}\\b(?:valid|correct|right)\\b)", "validate verify check "],
    ["let (?=[\\w# ]{1,30}\\bin(?:to)?\\b)", "add member invite"],
    ["(?:most(?= (?:this|last|of all)\\b|[.?!]?$)|most (?:often|frequently)\\b)", "top"],
    [
      "again (?:in|after) (?=[^,.;]{0,20}\\b(?:minute|hour|day|week)s?\\b)",
      "snooze delay postpone ",
    ],
    [
      "keep(?:s|ing)? (?=[^,.;]{1,40}\\bfor [\\w ]{1,12}(?:day|week|month|year)s?\\b)",
      "retain retention ",
    ],
    [
      "while (?=(?:we|i|they) (?:are |am )?(?:upgrad|updat|deploy|migrat|patch|mov|repair|work|fix|maintain)\\w*)",
      "maintenance window downtime ",
    ],
    [
      "(?:take|carry|bring|move)s? (?:[\\w ]{1,30} )?over (?=[^,.;]{1,60}\\bfrom\\b)",
      "copy transfer import ",
    ],
    [
      "(?:ids?|identifiers?|numbers?|names?)[^,.;]{0,30} (?:from|of|behind|for) (?:its|the|a|an|this) " +
        "(?:link|url|address)\\b",
      "resolve lookup",
    ],
    [
      "(?:switch|turn|enabl|disabl|activat|deactivat|publish|send|releas|chang)\\w*[^,.;]{0,40}" +
        "\\b(?:tomorrow|tonight|next (?:week|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|" +
        "on (?:mon|tues|wednes|thurs|fri|satur|sun)day|at midnight)\\b",
      "schedule scheduled",
    ],
    ["(?:never|not|n't|stop) show(?:ing)?\\b(?! up)", "ignore hide"],
    ["(?:whether|if) (?=[^,.;]{1,30}\\bworks?\\b)", "test ping "],
    ["(?:am|are|is) (?=[^,.;]{1,20}\\ballowed to\\b)", "check permission access "],
    ["what (?:would|will) (?:change|happen)\\b", "diff preview dry run plan"],
    [
      "make(?:s)? (?=[^,.;]{1,30}\\b(?:admin|administrator|owner|moderator|editor|viewer|guest)\\b)",
      "update role ",
    ],
    ["(?:(?:be|is|are|was|were|want [^,.;]{1,40}) gone)\\b", "delete"],
    ["(?:can't|cannot|can not|unable to|couldn't) (?:log|sign|get) in\\b", "password reset unlock"],
    ["(?:for|until|till) (?:later|tonight|another time)\\b", "later save bookmark"],
    ["com(?:es?|ing) up\\b", "upcoming scheduled next"],
    ["pull(?:s|ed|ing)? (?=[^,.;]{0,30}\\b(?:in|from)\\b)", "import "],
    ["(?:put|set|lay)s? (?=[^,.;]{0,40}\\b(?:aside|by)\\b)", "allocate reserve assign "],
    [
      "(?:notify|tell|inform|alert|warn|remind)s? " +
        "(?=[^,.;]{0,60}\\b(?:as soon as|the moment|once)\\b)",
      "alert notification trigger webhook ",
    ],
    ["talk(?:s|ed|ing)? about\\b", "trending topic conversation"],
    [
      "what (?:did|has|have|was|were) (?=[^,.;]{0,30}\\b(?:chang|happen|done|modif|edit)\\w*)",
      "history changes log ",
    ],
    ["(?:at|to|on) (?:the )?(?:very )?top\\b", "pin top"],
    ["(?:by (?:it|them)sel(?:f|ves)|on (?:its|their) own)\\b", "automatic timer schedule"],
    ["who works? (?:on|for|at|in)\\b", "members owner assigned"],
    ["how much (?:is|are|does|do|would|will)\\b", "price cost"],
    ["(?:in stock|still have|have left)\\b", "stock inventory count balance"],
    ["(?:get|keep)s? in touch\\b", "contact message"],
    ["run(?:s|ning)? out\\b", "expire limit"],
    ["get(?:s|ting)? (?=(?:[\\w]+ ){0,3}ready\\b)", "prepare create "],
    ["keep(?:s|ing)? (?:an eye on|track of)\\b", "watch monitor track"],
    ["(?:look(?:s|ed|ing)?|dig) into\\b", "get investigate"],
    ["(?:look(?:s|ed|ing)? after|tak(?:e|es|ing) care of)\\b", "manage assign"],
    ["(?:giv(?:e|es|ing) up|back(?:s|ing)? out|drop(?:s|ping)? out)\\b", "cancel withdraw leave"],
    [
      "(?:for|so that) (?:everyone|everybody|anyone|anybody)(?: to| can| may)? " +
        "(?:see|read|view)\\b",
      "public visibility permission",
    ],
    ["go(?:es|ne|ing)? (?:down|wrong)\\b", "incident error failure"],
    ["how (?=[^,.;]{1,40}\\b(?:doing|going|went|go)\\b)", "status report performance "],
    ["is (?=[^,.;]{1,40}\\b(?:up|working|alive|healthy)\\b)", "status health "],
    ["(?:start(?:s|ing)? over|from scratch)\\b", "reset recreate"],
    ["let (?=[^,.;]{1,20}\\bgo\\b)", "terminate offboard "],
    ["say(?:s|ing)? (?=(?:hello|hi|thanks|thank you|goodbye|sorry)\\b)", "send message "],
    ["get(?:s|ting)? back to\\b", "reply respond message"],
    ["(?:in my name|on (?:my|his|her|their) behalf)\\b", "delegate behalf"],
    [
      "(?:(?:i'm|i am|we are|we're|am) (?:away|off)|out of (?:the )?office|" +
        "on (?:vacation|holiday|leave))\\b",
      "vacation absence away autoreply",
    ],
    ["(?:by (?:mistake|accident)|accidentally)\\b", "undo restore cancel"],
    [
      "every (?:night|day|week|month|hour|morning|evening|monday|tuesday|wednesday|thursday|" +
        "friday|saturday|sunday)\\b",
      "schedule recurring",
    ],
  ] as const
).map(([pattern, added]) => [new RegExp(`\\b(?:${pattern})`, "gi"), added]);

/** Replaces verbs of several words by the words that tools use. */
export function normalizePhrases(text: string): string {
  const named = text.replace(/\bmake (?=\p{Lu}\p{Ll}+ an? )/gu, "set ");
  const known = idioms.reduce(
    (rest, [pattern, words]) => rest.replace(pattern, (found) => `${found.trimEnd()} ${words} `),
    named,
  );
  return phrases.reduce((rest, [pattern, words]) => rest.replace(pattern, words), known);
}

interface QuotedText {
  /** The text with the number of a quoted text, between section signs, in its place. */
  readonly text: string;
  readonly quotes: readonly string[];
}

/** A name that is not in quotation marks. */
const unquotedName = /\b(called|named|titled) (?!["'\u201c])([\p{L}\p{N}_.#-]+)/gu;

/** Takes quoted texts out of a query: they are names and values, which describe no tool. */
export function extractQuotes(query: string): QuotedText {
  const quotes: string[] = [];
  const named = query.replace(unquotedName, '$1 "$2"');
  const text = named.replace(
    /"([^"\n]{1,200})"|\u201c([^\u201d\n]{1,200})\u201d|(?<![\p{L}\p{N}])'([^'\n]{1,200})'(?![\p{L}\p{N}])/gu,
    (_, ...groups: unknown[]) => {
      quotes.push(groups.slice(0, 3).find((group) => typeof group === "string") as string);
      return ` \u00a7${quotes.length - 1}\u00a7 `;
    },
  );
  return { text, quotes };
}

/** Names in capitals inside a sentence, and those after a number sign: `Ada`, `#general`. */
export function properNames(text: string): readonly string[] {
  const capitalized = text.matchAll(
    /(?<=[\p{Ll}\p{N},:] )\p{Lu}[\p{L}'\u2019-]+(?:(?: of| the| and| de| in|) \p{Lu}[\p{L}'\u2019-]+)*/gu,
  );
  const tagged = text.matchAll(/(?<=^|\s)#\p{L}[\p{L}\p{N}_-]*/gu);
  return [...capitalized, ...tagged]
    .map(([name]) => name)
    .filter((name) => !/^\p{Lu}{2,}$/u.test(name));
}

/** A name that is probably a person's: `give Ada`, `Ada Lovelace's`, `written by Ada`. */
const personName = new RegExp(
  "\\b(?:let|give|make|ask|tell|invite|promote|hire|fire|thank|assign|remind|" +
    "(?:direct|writ|play|creat|produc|post|own|assign|mad)\\p{L}* (?:by|to)) \\p{Lu}\\p{Ll}+|" +
    "\\p{Lu}\\p{Ll}+ \\p{Lu}\\p{L}+['\u2019]s\\b",
  "u",
);

/** True if a text names a person. */
export const namesPerson = (text: string): boolean => personName.test(text);

const fileNames =
  /[\w-]+\.(?:pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|csv|txt|md|zip|mp[34]|json)\b/gi;

/** Replaces values by the words for their kind. */
export function replaceValues(text: string): string {
  return text
    .replace(/\u00a7\d+\u00a7/g, " ")
    .replace(/[\w.+-]+@[\w-]+\.[\w.-]+/g, " email ")
    .replace(/https?:\/\/\S+/g, " url ")
    .replace(fileNames, " file ")
    .replace(/(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?:\/\d+)?(?![\w.])/g, " ip address ")
    .replace(/(?<![\w.])(?:[a-z\d-]+\.)+[a-z]{2,}(?![\w.]*\w)/gi, " domain ")
    .replace(/(?<=^|\s)#(?=\p{L})/gu, " channel ")
    .replace(/(?<=^|\s)@(?=\p{L})/gu, " user ")
    .replace(/\b(?:called|named|titled)\b/g, " ")
    .replace(/(?<![\p{L}\p{N}])[#$\u20ac]?[\d.,:/-]*\d[\d.,:/-]*%?(?![\p{L}\p{N}])/gu, " ");
}
