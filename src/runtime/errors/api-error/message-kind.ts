/** Subjects of an API's message, by its words: credentials, the input, a state, a fault. */

import { namesAfter } from "./name-lists.js";

const any = (...patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join("|"), "i");

/** Verbs of instructions. Only with an object or an adverb: "Update failed" is not an instruction. */
const VERBS =
  "use|try|stop|start|remove|delete|set|add|check|specify|provide|enable|disable|enter|contact|" +
  "upgrade|update|change|choose|create|include|increase|reduce|verify|configure|pass|wait|run|" +
  "ensure|make|see|visit|supply|select|send|log|sign|grant|rename|pull";
const OBJECTS =
  "an?|the|your|this|that|it|its|them|these|another|one|either|only|at|to|in|with|for|again|sure|" +
  "different|more|fewer|less|valid";

const INSTRUCTION = any(
  /\bplease\b/,
  /\b(?:use|try|choose|pass|send|call|specify)\b[^.;]{1,80}\binstead\b/,
  /\binstead,? (?:use|try|pass|send|call)\b/,
  /\byou (?:must|need to|have to|should|may want to|can(?! ?not\b| only\b))\b/,
  /\b(?:try|retry|retrying)(?: \w+)? (?:again|later|after|in \d)/,
  /\b(?:must|should|has to|have to) be (?:one of|in |between|at least|at most|less|greater|lower|higher|smaller|larger|within|either|equal|before|after|the same|no more)/,
  /\b(?:allowed|valid|permitted|supported|possible|accepted|available) (?:values?|options|types|choices|formats)\b/,
  /\bexpected (?:one of|values?)\b/,
  /\bdid you mean\b|\bmake sure\b|\bcontact (?:your|the|us|support|an?)\b/,
  new RegExp(
    `(?:^|[.:;,!)(-] ?|\\b(?:and|or|then) )(?:${VERBS}) (?:(?:${OBJECTS})\\b|--?\\w|["'\`<])`,
  ),
);

/** True if a message says what to do. Advice would only repeat or contradict it. */
export function isInstruction(message: string): boolean {
  return INSTRUCTION.test(message);
}

const PLAN_NAME = "plan|tier|edition|licen[cs]e|subscription";

const PLAN = any(
  new RegExp(
    `\\b(?:${PLAN_NAME})\\b.{0,30}\\b(?:not|n't) (?:allow|include|support|permit|cover|have)`,
  ),
  new RegExp(
    `\\b(?:available|included|supported|enabled|allowed|permitted|unavailable)\\b.{0,40}\\b(?:${PLAN_NAME})\\b`,
  ),
  new RegExp(`\\bupgrad(?:e|ing)\\b.{0,60}\\b(?:${PLAN_NAME}|account)\\b`),
  new RegExp(
    `\\b(?:requires?|needs?|without|no valid|missing|invalid|expired) (?:an? )?(?:[\\w-]{1,30} ){0,3}(?:licen[cs]e|subscription)\\b`,
  ),
  /\b(?:licen[cs]e|subscription) (?:has |is )?(?:expired|invalid|required|missing)/,
  /\bunlicen[cs]ed\b|(?:\bnot|n't) (?:\w+ )?licen[cs]ed\b/,
  /\bfeature\b.{0,60}\b(?:(?:not|n't) (?:\w+ )?(?:enabled|available|included|licen[cs]ed|activated|supported)|disabled|unavailable)\b/,
  /\b(?:enterprise|premium|paid)[- ](?:only|feature|plan|edition|tier|version|licen[cs]e)\b/,
);

/** True if a message says that a licence, a plan or a switched-off feature prevents the call. */
export function isAboutPlan(message: string): boolean {
  return PLAN.test(message);
}

const LIMITED = "quota|credits?|balance|usage limit|monthly limit|daily limit|plan limit";
const USED_UP =
  "exceed(?:s|ed|ing)?|exhausted|reached|insufficient|used up|depleted|run out|ran out|out of";

const QUOTA = any(
  new RegExp(`\\b(?:${LIMITED})\\b.{0,40}\\b(?:${USED_UP})\\b`),
  new RegExp(`\\b(?:${USED_UP}|no more|no remaining)\\b.{0,40}\\b(?:${LIMITED})\\b`),
  /\binsufficient_(?:quota|credits|balance)\b/,
);

/** A quota that is new after a short time, which a wait resolves. */
const SHORT_PERIOD = /\b(?:per|a|each|every) (?:second|minute|hour|user)\b|\brate.?limit/i;

/** True if a message says that a quota or a balance is used up. */
export function isAboutQuota(message: string): boolean {
  return QUOTA.test(message) && !SHORT_PERIOD.test(message);
}

const CREDENTIAL = any(
  /\b(?:auth\w*|tokens?|credentials?|api.?keys?|passwords?|signatures?|log(?:ged)? ?in|sign(?:ed)? ?in|bearer|jwt)\b/,
  // A session of another kind is a thing that the API manages: `no exec session with ID e1`.
  /(?:^|\b(?:the|your|user|login|active|current|valid|invalid|expired|no|missing|unknown) |["'`:_-]) ?session(?:s|_?id)?\b/,
  /\bsession (?:has |is |was )?(?:id|tokens?|cookie|key|expired|invalid|not|timed|closed|required|missing)\b/,
);

/** True if a message speaks of credentials. */
export function isAboutCredentials(message: string): boolean {
  return CREDENTIAL.test(message);
}

const SECRET = "token|(?:api|app).?key|credentials?|signature";
const NOT_VALID = "invalid|expired|incorrect|wrong|revoked|missing";

const DENIED = any(
  /\b(?:not authenticated|un(?:authenticated|authori[sz]ed)|not authed|not logged in|invalid auth)\b/,
  /\bauth(?:entication|ori[sz]ation) (?:is )?(?:failed|required|invalid)/,
  /\b(?:bad|incorrect|invalid|wrong) (?:user(?: ?name)?|login|e-?mail) ?(?:or|and|\/) ?password\b/,
  new RegExp(
    `(?:${NOT_VALID}|unknown|no)(?: (?:access|api|auth|bearer|session|or wrong))* (?:${SECRET})`,
  ),
  new RegExp(
    `(?:(?:access|auth|api|^).?(?:key|token)|credentials?|signature).{0,24}(?:${NOT_VALID}|(?:not|no longer) valid)`,
  ),
);

/** True if a message says that credentials are absent or not valid, as opposed to not sufficient. */
export function deniesCredentials(message: string): boolean {
  return DENIED.test(message.replaceAll("_", " "));
}

const INPUT_PART =
  "parameter|argument|field|property|attribute|value|input|query|filter|body|payload|json|request|" +
  "format|name|id|uuid|identifier|type|date|reference|syntax|option|key|url|path|matcher|expression|" +
  "character|header|cron|tag|column|keyword|regex\\w*|config\\w*|number|range|specification|spec";

const INPUT = any(
  /\b(?:is|are|must be|should be|has to be|have to be|has not been|not|n't) (?:required|provided|specified|supplied|mandatory)\b/,
  /\b(?:must|may|can|should|is|are|was)(?: ?not| ?n't)? ?(?:be )?(?:empty|blank|null|nil|negative)\b/,
  /\bmust (?:not )?(?:have|contain|match|start|end|be)\b(?! (?:logged|authen|author|an? admin|enabled|running|active|closed|deleted|removed|stopped)\b)/,
  /\bis an? \w{2,20},? (?:and )?not an? \w/,
  /\brequires property\b|\bhave required property\b|\bunknown field\b|\bfield required\b/,
  /\b(?:cannot|could not|can't|couldn't|unable to|failed to|error|while) (?:unmarshal|parse|parsing|decode|deserialize)\b/,
  /(?:\bnot|n't) (?:an? )?(?:valid|number|integer|string|boolean|date)\b/,
  /\bno [\w-]{1,60}(?: (?:or|nor|and) [\w-]{1,60}| ids?)? (?:(?:was|were) )?(?:given|provided|specified|supplied)\b/,
  /(?:\bnot|n't) match\b|\bout of range\b|\btoo (?:long|short|large|small|many|few)\b/,
  new RegExp(
    `\\b(?:missing|required|invalid|unknown|unexpected|unrecognized|malformed|illegal|bad|unsupported)\\b.{0,40}\\b(?:${INPUT_PART})s?\\b`,
  ),
  /(?:^|: )invalid\b/,
  /\bspecified\b.{0,60}\bis (?:invalid|not valid)\b/,
  /\bexpect(?:ed|ing) to find\b/,
  /\bnot (?:in the (?:correct|right|expected) format|within the (?:permissible|permitted|allowed))\b/,
  // Exceptions about values that were passed in.
  /\b(?:IllegalArgument|NumberFormat|DateTimeParse|InvalidFormat|MismatchedInput|ArgumentOutOfRange)Exception\b/,
  // Constraints of databases on values.
  /\b(?:check|not.?null) constraint\b|\bhas no default value\b|\bdoesn't have a default value\b/,
  /\binsert (?:or update on table|statement conflicted)\b.{0,200}\bforeign key constraint\b|\bchild row\b/,
  /\bfor input string\b|\bcould not be parsed\b|\b(?:cannot|can't) be (?:cast|converted) to\b/,
);

/** Messages of nothing but "Invalid data supplied": words that name neither an input nor a reason. */
const VAGUE =
  /^(?:error: ?)?(?:(?:invalid|bad|wrong|incorrect|malformed|illegal) (?:data|input|request|parameters?|params|arguments?|payload|values?)|(?:data|input|request|parameters?|payload|values?)(?: is| are)? (?:invalid|incorrect|malformed|not valid)|(?:request |input )?validation (?:failed|error))(?: (?:data|input|parameters?|payload|supplied|provided|given|received|sent|error))*[.!]?$/i;

/** True if a message only says that something about the input is wrong. */
export const isVague = (message: string): boolean => VAGUE.test(message.trim());

/** Faults of a server, and of servers behind it, that contain the same words. */
const SERVER_FAULT = any(
  /\binvalid (?:memory|state|response|upstream|certificate|server|pointer)/,
  /\bunexpected (?:error|end|eof|response|condition)/,
  /\bcertificate\b|\b(?:upstream|gateway|backend)\b/,
  /\bnull ?pointer|\bnil pointer|\bundefined\b|\bNoneType\b/,
  /\bis not (?:a function|iterable)\b|\bcannot read propert|\bhas no attribute\b/,
  // Node.js names the argument of its own function: `ERR_INVALID_ARG_TYPE`.
  /\bargument must be (?:of type|an instance)\b/,
);

/** True if a message says that something about the input is wrong or absent. */
export function isAboutInput(message: string): boolean {
  return INPUT.test(message) && !CREDENTIAL.test(message) && !SERVER_FAULT.test(message);
}

const MISSING = any(
  /\bnot.?found\b|(?:\bnot|n't) (?:exist|find|be found)\b/,
  /\bno such\b|\bno .{1,40} (?:found|exists?)\b|\bno query results\b|\bnot known\b/,
);

/** True if a message says that something does not exist. */
export function isAboutMissing(message: string): boolean {
  return MISSING.test(message);
}

const STATE = any(
  /\balready (?:\w+ )?(?:exists?|in use|taken|allocated|running|started|stopped|registered|used)\b/,
  /\b(?:is|are|was|were) already \w/,
  /\b(?:is|are) not (?:running|paused|stopped|started|active|mounted|attached|connected|locked)\b/,
  /\bcan only \w+ [^.]{1,80}\bstate\b|\bstate (?:is|must be|should be|improper)\b/,
  /\b(?:improper|wrong|incorrect|illegal) state\b/,
  /\b(?:bucket|collection|container|directory|folder|group|project|queue)\b.{0,40}\bnot empty\b/,
  /\bin use\b|\bduplicate\b|\bhas to be unique\b|\bnot unique\b|\bunique constraint\b/,
  // Databases about a row that others refer to.
  /\bupdate or delete on table\b.{0,200}\bforeign key constraint\b|\bparent row\b/,
  /\breference constraint\b|\bstill referenced\b|\bforeign key constraint failed\b/,
);

/** True if a message says that the state of a resource prevents the call. */
export function isAboutState(message: string): boolean {
  return STATE.test(message);
}

/** True if a message says that the API, or what the call is about, cannot do this at all. */
export function isAboutSupport(message: string): boolean {
  return /(?:\bnot|n't) support(?:ed)?\b|\bnot (?:yet )?implemented\b/i.test(message);
}

/** True for the message of an exception in the code of an API. */
export const isException = (message: string): boolean =>
  /exception|traceback|stack ?trace|\bpanic|n(?:il|ull) ?pointer|\b(?:Type|Key|Value|Attribute|Reference)Error\b/i.test(
    message,
  );

/** Faults that pass: of load, of time and of servers behind the API. */
const PASSING_TEXT = any(
  /time.?d?.?out|deadline|unavailable|temporar|overload|\bbusy\b|later|\bagain\b|internal|unexpected/,
  /something went wrong|connection|upstream|gateway|server error|exception/,
  /unknown error|crash|capacity|maintenance|\bdown\b|traceback|stack ?trace|\bpanic/,
  /n(?:il|ull) ?pointer|\bfault\b/,
);

/** True if a message is absent, or gives no other reason than a fault of the server. */
export function isPassingFault(message: string): boolean {
  return /^(?:\W*|\w{1,20})$/.test(message.trim()) || PASSING_TEXT.test(message);
}

/**
 * Words before the name of an input that is wrong: `Unknown driver`, `unsupported type`. Before a
 * quoted value, the name may have two words: `unknown pool type 'x'`.
 */
const WRONG =
  /\b(?:unknown|invalid|unsupported|illegal|bad|wrong|unrecognized|malformed)\s+(?:([a-z]{1,40} [a-z]{1,40})(?=:? ["'`])|["'`]?([\w.-]{1,60}))/gi;

/** Names after "unknown", "invalid" and the like, as the message spells them. */
export function wrongNames(message: string): readonly string[] {
  const text = message.slice(0, 2000);
  return [...text.matchAll(WRONG)].flatMap(({ 0: all, 1: compound, 2: name = "", index }) => [
    compound?.replace(" ", "_") ?? name,
    ...namesAfter(text, index + all.length),
  ]);
}

/** Messages that only routers write, about the path of the request as it was sent. */
export const ROUTER = any(
  /^cannot (?:get|head|post|put|patch|delete) \//,
  /^route (?:get|head|post|put|patch|delete):\/.{0,2000} not found$/,
  /^(?:404 )?page not found\.?$/,
  /^no route matched with those values$/,
  /^no static resource /,
  // A server that dispatches by the path quotes it.
  /^(?:could(?: not|n't) find|no such|unknown) (?:method|endpoint|route)(?: ["'`]?[\w.-]*(?:\/[\w.-]+)+["'`]?)?\.?$/,
  /^(?:method|endpoint) not found\.?$/,
);

/** Messages of routers and web servers, which know no path of this form. */
export const NO_ROUTE = any(
  /\b(?:page|route|url|uri|path|endpoint)\b.{0,60}\b(?:not (?:be )?found|(?:does not|doesn't) exist)\b/,
  /\bno (?:such |matching )?(?:route|endpoint)/,
  /^cannot (?:get|head|post|put|patch|delete) \//,
);
