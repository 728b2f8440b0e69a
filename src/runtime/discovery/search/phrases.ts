import { replacePhrasalVerbs } from "./phrasal-verbs.js";

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
    [`get(?:s|ting)? (?=${owned}[\\w ]{1,30} ${participle})`, "request "],
    [
      "(?:what|how) (?:will|would|does|do|did)\\b(?=[^,.;]{1,40}\\blook(?: like)?\\b)",
      "preview render ",
    ],
    [
      "(?:everyone|everybody|anyone|people|who)(?: (?:that|who))?(?: (?:is|are|was|were))? " +
        "(?:in|on|from) (?=the |my |our |#)",
      "members of ",
    ],
    ["(?:have|has|need|got) to do\\b", "tasks assigned"],
    [
      "(?:gets?|receives?) (?:an? )?(?:email|mail|message|text|sms|call)s? (?=(?:when|if)\\b)",
      "alert notification ",
    ],
    [
      "let (?=[^,.;]{0,30}\\b(?:see|view|read|edit|access|manage|open|use|push|write|upload|download|comment|approve|publish|merge|deploy)\\b)",
      "grant access permission ",
    ],
    [
      "who (?:else )?(?:can|may|is allowed to|are allowed to) (?:see|view|read|edit|change|access|open|use)\\b",
      "who has collaborator access permission",
    ],
    ["as (?:an? )?(?:spreadsheet|excel|csv|pdf)(?: file)?\\b", "export download $&"],
    ["who (?:changed|edited|deleted|modified|removed|created)\\b", "who audit log history"],
    [
      "share(?:s|d)? (?=[^,.;]{0,60}\\bwith (?:my (?:follow|fan|friend)\\w*|every|the world))",
      "repost ",
    ],
    ["share(?:s|d)? (?=[^,.;]{0,60}\\bwith\\b)", "share grant access permission "],
    ["how many\\b", "count"],
    ["(?:go|get|be|is|are) (?:free|available|busy)\\b", "availability free busy"],
    ["make(?:s)? (?=(?:the|it|this|that|these|those|my|our|his|her|their|all|every)\\b)", "set "],
    ["get(?:s|ting)? rid of\\b", "delete"],
    [
      "(?:take(?:s|n)? back|undo|withdraw|reverse|remove|cancel) (?:(?:my|the|an?|this|that|his|her) )?" +
        "(like|pin|star|follow|mute|block|lock|vote|watch|flag|favorite|bookmark|repost|ban)s?\\b",
      "remove un$1 $1",
    ],
    ["takes? (?=an? (?!look\\b)(?![^,.;]{1,40}\\b(?:away|back|down|off|out|over)\\b))", "create "],
    ["money back\\b", "refund"],
    ["(?:say|write|mention)s? something (?:about|on|to)\\b", "comment on"],
    ["(?:move|send|transfer)s? (?=(?:[\\w.,]+ ){0,2}(?:money|funds|cash)\\b)", "create transfer "],
    ["keep (?=[\\w ]{1,20}\\b(?:posted|informed|updated)\\b)", "follow subscribe notify "],
    ["on[- ](?:call|duty)\\b", "oncall call"],
    ["(?:right now|at the moment|at present)\\b", "currently"],
    ["(?:before|until) (?=[^,.;]{1,30}\\bcan (?:start|begin|continue|go)\\b)", "dependencies "],
    ["who (?:am i|i am)(?: (?:logged|signed) in(?: as)?)?\\b", "get the current user me"],
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

/** Idioms, and the words that tools use for what is meant. They are added. */
const idioms: readonly (readonly [RegExp, string])[] = (
  [
    [
      "(?:(?:that|which|who|i|we|he|she|they|somebody|someone) (?:(?:was|were|is|are|has|have|been|already|i|we|got) )*|(?<=^(?:all |the |my )*))(?:removed|deleted|erased|trashed|thrown away)\\b",
      "deleted removed trash",
    ],
    ["(?<!\\b(?:will|would|does|do|did)\\b.{1,40})look(?:s|ed|ing)? like\\b", "image photo"],
    ["how far (?:is|are|am|along|did|has|have)\\b", "progress status"],
    ["(?:for now|for the time being|until further notice|temporarily)\\b", "disable suspend pause"],
    ["(?:always|every time|each time|automatically)\\b", "rule automatic"],
    ["(?:at once|in one go|all together)\\b", "bulk batch multiple"],
    [
      "(?:start|begin|do|go)(?:s|ing)? (?=[^,.;]{1,40}\\b(?:again|over|afresh|anew)\\b)",
      "reset restart ",
    ],
    ["point(?:s|ing)? (?=[^,.;]{1,40}\\b(?:at|to)\\b)", "dns record target "],
    ["(?:send|pass|route)s? (?=[^,.;]{1,40}\\bon to\\b)", "forward redirect "],
    ["(?:put|file|sort)s? (?=[^,.;]{1,40}\\b(?:under|into)\\b)", "categorize category move "],
    [
      "(?:am|is|are|was|were) (?:over|done|finished|solved|fixed|dealt with)\\b",
      "resolve close complete",
    ],
    [
      "what (?:do|did|does) (?=[^,.;]{1,30}\\b(?:think|(?:say|write) (?:of|about))\\b)",
      "review rating comment feedback ",
    ],
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
    [
      "make(?:s)? (?=[^,.;]{1,30}\\b(?:admin|administrator|owner|moderator|editor|viewer|guest)\\b)",
      "update role ",
    ],
    ["com(?:es?|ing) up\\b", "upcoming scheduled next"],
    ["(?:in stock|still have|have left)\\b", "stock inventory count balance"],
    ["keep(?:s|ing)? (?:an eye on|track of)\\b", "watch monitor track"],
    ["how (?=[^,.;]{1,40}\\b(?:doing|going|went|go)\\b)", "status report performance "],
    ["is (?=[^,.;]{1,40}\\b(?:up|working|alive|healthy)\\b)", "status health "],
    [
      "(?:(?:i'm|i am|we are|we're|am) (?:away|off)|out of (?:the )?office|" +
        "on (?:vacation|holiday|leave))\\b",
      "vacation absence away autoreply",
    ],
    [
      "(?:(?:has|have|is|are|was|were|did)(?:n't| not)\\b[^,.;]{0,40}\\byet\\b|still (?:ha(?:ve|s)|needs?) to\\b)",
      "pending awaiting outstanding incomplete",
    ],
    ["\\d+ (?:out of \\d+|stars?)\\b", "rating rate"],
    [
      "give(?:s)? (?=[^,.;]{1,30}\\b(?:another|new|different|better|other) (?:name|title)\\b)",
      "rename update ",
    ],
    [
      "give(?:s)? (?=[^,.;]{1,30}\\b(?:more|less|fewer|bigger|smaller)\\b)",
      "change resize update ",
    ],
    ["\\d+ ?(?:[MGT]B|(?:mega|giga|tera)bytes?)\\b", "storage quota size"],
    [
      "what (?:do|did|does) (?:people|readers|users|others|they|customers|clients|guests|fans|viewers) " +
        "(?:say|write|think)\\b",
      "comment review feedback",
    ],
    [
      "(?:nobody|no one)(?: else)? (?:should|may|can|must|is allowed)\\b",
      "rule protection restrict policy",
    ],
    ["keep(?:s)? (?:only )?the [^,.;]{0,20}\\b(?:newest|latest|last)\\b", "retention policy"],
    [
      "why (?:did|does|do|is|was|were|are|has|have)\\b(?=[^,.;]{1,50}\\b(?:fail|break|broke|crash|stop|reject|refus|declin|bounc)\\w*)",
      "error reason failure",
    ],
    ["for later\\b", "bookmark watchlist queue"],
    ["how (?:busy|loaded|full)\\b", "metrics usage utilization"],
    [
      "what (?:may|can|is|are) (?=[^,.;]{1,30}\\b(?:see|do|access|edit|open|use|read|change)\\b)",
      "permissions access ",
    ],
    ["(?:so far|up to now|until now)\\b", "history"],
    [
      "(?<!\\b(?:i|we|they|he|she|it|you|that|which|who) )no longer (?=\\w)",
      "stop remove disable ",
    ],
    ["belongs? (?:to|in|under) (?:another|a different|other)\\b", "update change move"],
    [
      "(?:say|said|says) yes to\\b|(?:give|gave) (?:the )?(?:go-ahead|green light)\\b",
      "accept approve",
    ],
    ["(?:say|said|says) no to\\b", "reject decline"],
    ["ask(?:s)? (?=[^,.;]{1,40}\\bquestion)", "message conversation contact "],
    ["(?:get in touch with|reach out to)\\b", "message contact send"],
    ["on (?:its|the|his|her|their) way\\b", "ship tracking transit"],
    ["(?:looks like|is) (?:an? )?(?:scam|spam|fake|fraud)\\b", "report flag abuse"],
    ["in the (?:middle of|works)\\b|under way|in progress", "active current running"],
    ["at the (?:start|beginning)\\b", "opening initial"],
    ["what(?: is|'s) new\\b|anything new\\b", "latest feed notification"],
    ["(?:in charge of|responsible for)\\b", "owner assignee manager"],
    [
      "how (?:long|many (?:hours|minutes|days)) (?:did|does|do|was|is|are|have|has)\\b",
      "duration time",
    ],
    ["(?:in|into) (?:another|a different|other) languages?\\b", "translation language"],
    ["(?:running|nearly|almost) (?:out|low|gone|empty)\\b", "low stock threshold"],
    ["as a starting point\\b|based on (?:an?|the) (?:old|existing|last)", "copy clone duplicate"],
    ["(?:only for me|just me|nobody else)\\b", "private visibility"],
    [
      "(?:for|to) (?:everyone|everybody|the (?:public|world)) to (?:see|read|use|view)\\b",
      "public visibility",
    ],
    ["to the (?:top|front|bottom|end)\\b", "position reorder sort"],
    ["best[- ]?(?:selling|rated|sellers?)\\b", "top popular ranking"],
    ["(?:nearest|closest|near (?:me|here|by))\\b", "location nearby search"],
    ["in the (?:mail|post)\\b", "ship shipment"],
    ["how (?:old|big|large|heavy|tall) (?:is|are)\\b", "detail size"],
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
  const replaced = phrases.reduce((rest, [pattern, words]) => rest.replace(pattern, words), known);
  return replacePhrasalVerbs(replaced);
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
