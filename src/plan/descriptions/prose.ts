/**
 * Prose of documents without parts that a model cannot use: references, transport, leading
 * identifiers.
 */
import { hasToolMark } from "../text/tool-marks.js";
import { canStartImperative, toImperative } from "../../language/grammar.js";
import { gerundToImperative } from "../../language/preamble.js";
import { flattenMarkdown, inlineCodeBlocks, inlineTables, listTables } from "../text/markdown.js";
import { splitSentence } from "../text/sentences.js";
import { anyOfPatterns, memoize, sequence } from "../../language/patterns.js";
import { withoutEncodingDemand } from "../text/url-encoding.js";

/** Sentences that refer to a page or a section that a model cannot open. */
const REFERENCE_START = anyOfPatterns(
  /(?:please |also |you can (?:also )?)?(?:see|refer to|consult|visit|check out)\b(?! if\b| whether\b)/,
  new RegExp(
    "(?:for|to find|find|get) " +
      "(?:(?:more|further|additional|detailed|complete|full|general|implementation) )*" +
      "(?:information|info|details|help|examples|documentation|an introduction)\\b.*" +
      "\\b(?:see|refer|read|check|visit|consult|available|here|found|at)\\b",
  ),
  /(?:to )?(?:learn|read) more\b/,
  /(?:for )?(?:more|further|additional) (?:information|info|details|documentation)\s*:/,
  /(?:more|further|additional) (?:information|info|details|documentation)\b/,
  /(?:please )?read (?:our|the) (?:\S+ )?(?:article|docs|documentation|guide|tutorial)s?\b/,
  /tutorials? (?:about|for|on|that|using)\b/,
  // `Examples of responses are below:`, without the examples
  /(?:an? |some |the )?(?:\w+ ){0,2}examples? (?:\w+ ){0,8}?(?:is|are) (?:shown |given |listed )?below[.:]$/,
  /this (?:api )?(?:operation|endpoint|method) has operation specific rate limits/,
  // The text of a class with several operations.
  /(?:an? |the )?(?:api )?(?:endpoint|view ?set) that allows \S+(?: \S+){0,5} to be \w+(?:,| or| and) /,
);
const REFERENCE = new RegExp(`^(?:\\(|note:? |important:? )?(?:${REFERENCE_START})`, "i");
const METHODS = "(?:GET|POST|PUT|PATCH|DELETE|HEAD)";
/**
 * Sentences about the transport of the request, which the server handles, and about requests
 * without a tool. A sentence with other facts stays: `The filters are overwritten by the PUT
 * request.`
 */
const TRANSPORT = new RegExp(
  anyOfPatterns(
    new RegExp(`\\b${METHODS} (?:to\\b|or (?:GET|POST|PUT|PATCH)\\b|\\/)`),
    new RegExp(`\\b${METHODS} (?:request|call|operation)s? (?:to|on|against) (?:the )?[\`"]?\\/`),
    new RegExp(
      "(?:^|, )(?:(?:[Pp]lease|[Ss]imply|[Jj]ust|[Tt]hen) ){0,2}" +
        "(?:[Dd]o|[Ii]ssue|[Mm]ake|[Pp]erform|[Ss]end|[Ss]ubmit|[Uu]se) " +
        `(?:(?:an?|the|this|HTTP) ){0,2}${METHODS}\\b`,
    ),
    new RegExp(
      "^(?:It|(?:The|This) \\w+) (?:also )?(?:accepts?|supports?|uses?) " +
        `(?:(?:an?|the|HTTP) ){0,2}${METHODS} (?:method|request|verb)s?\\.?$`,
    ),
    /\b(?:Content-Type|Content-Length|Accept|Authorization|User-Agent)\b[`"]? (?:request )?header/,
    /multipart\/form-data|x-www-form-urlencoded|HTTP client|\bSNI\b|\bcustom media types?\b|\b[Cc]url\b/,
    /^application\/[\w.+-]+: /,
    // `Alternate route: /v2/pets/.`
    /^(?:\w+ ){0,3}\w+: \/\S+$/,
    /^Response will include \w+(?:, \w+)*(?:,? and \w+)?\.$/,
  ),
);
/** `can be updated by making a PUT request on the URL for that project` → can be updated. */
const BY_REQUEST = sequence(
  /(?<=[a-z)]) by (?:issuing|making|passing|performing|sending|submitting) an? (?:HTTP )?/,
  new RegExp(`${METHODS} (?:call|request)`),
  /(?: (?:against|on|to) (?:this endpoint|the (?:endpoint|resource|URL) (?:for|of) (?:that|the|this) \w+(?: \w+)?(?=[.,])|\/\S*[\w}]))?/,
);
/** `A POST request to this endpoint initiates …`. */
const BY_METHOD = sequence(
  /^(?:An?|The|This) (?:HTTP )?/,
  new RegExp(`${METHODS} (?:call|method|request)`),
  /(?: (?:made )?(?:on|to) (?:the|this) (?:endpoint|resource|URL))?(?: will)? (?=([a-z]+) )/,
);
/**
 * Words of which every removed sentence has at least one. Texts without them are not split into
 * sentences.
 */
const SUSPECT_WORDS = anyOfPatterns(
  /see|refer|consult|visit|check out|information|info|details|help|examples?|documentation/,
  /introduction|more|rate limits|GET|POST|PUT|PATCH|DELETE|HEAD|Content-Type|Content-Length/,
  /Accept|Authorization|User-Agent|form-data|urlencoded|HTTP client|SNI|media types?|encod\w+|escap\w+|curl/,
  /application|Response will include|(?:use|call) this \w+ to|using this/,
  /this (?:api )?\w+ (?:allows|lets|enables|is used|can be used)|that allows/,
);
const SUSPECT = new RegExp(`\\b(?:${SUSPECT_WORDS})\\b|: \\/`, "i");
const MAX_SENTENCE_LENGTH = 500;

/**
 * Plain text of a document about an operation, without references to other pages and without
 * sentences about the transport.
 */
export const cleanProse = memoize((markdown) => {
  const text = flattenMarkdown(listTables(markdown))
    .replace(HEADING, "")
    .replace(LOST_STOP, ".")
    .replace(LOST_SPACE, "$& ")
    .replace(/^"([^"]+)"?$/, "$1");
  return SUSPECT.test(text) ? filterOperationText(text) : text;
});

/** `Description: The operation removes a goal`: the heading of the text itself. */
const HEADING = /^(?:description|overview|summary|what): (?=[A-Z])/i;

/** `Get sessions Returns a list of sessions`: a generator joined two sentences. */
const LOST_STOP = /(?<=[a-z’)])(?= (?:Returns (?:an?|all|the|[a-z]+ for)|This [a-z]+s) )/g;

/** `by category (tag).By default, …`: a full stop without a space after it. */
const LOST_SPACE =
  /(?<= \(?[a-z]{2,20}\)?\.)(?=(?:All|An?|By|For|If|In|It|Note|Only|Returns|The|This|To|Use|When|You)[ ,])/g;

/** Memoized, because hundreds of operations share the same sentences. */
const filterOperationText = memoize((text) =>
  filterSentences(text, (whole, isFirst) => {
    const sentence = withoutMethod(whole);
    if (hasToolMark(sentence)) return sentence;
    if (REFERENCE.test(sentence)) return undefined;
    if (TRANSPORT.test(sentence)) return purposeOf(sentence);
    return (
      withoutEncodingDemand(
        isFirst || !OPTIONAL_USE.test(sentence) ? stripUsePhrase(sentence) : sentence,
      ) || undefined
    );
  }),
);

const OPERATION = "this (?:api )?(?:endpoint|operation|method|api|call|function|request)";
const USE_PHRASE = new RegExp(
  `^(?:(?:use|call) ${OPERATION} to|using ${OPERATION},? (?:you can|it is possible to)|${OPERATION} (?:allows (?:you|users?|one) to|lets you|` +
    "enables (?:you|users?) to|(?:is|can be) used (?:to|for(?= [a-z]+ing\\b)))) (?=[a-z])",
  "i",
);

/** Removes the phrase about the method from a sentence that says what it does. */
function withoutMethod(sentence: string): string {
  const [start = "", verb = ""] = BY_METHOD.exec(sentence) ?? [];
  if (toImperative(verb) === undefined && !canStartImperative(verb))
    return sentence.replace(BY_REQUEST, "");
  return sentence.charAt(start.length).toUpperCase() + sentence.slice(start.length + 1);
}

/** A further use, not the purpose: `This request can be used to complete a form`. */
const OPTIONAL_USE = /^this \w+ can be used to\b/i;

/** `Use this endpoint to list pets` and `This endpoint is used for listing pets` → `List pets`. */
function stripUsePhrase(sentence: string): string {
  const rest = sentence.replace(USE_PHRASE, "");
  if (rest === sentence) return sentence;
  // `Use this endpoint to update it, or to close it`
  const purpose = gerundToImperative(rest).replace(
    /(?<= (?:and|or) )to ([a-z]+)(?= )/g,
    (phrase, word: string) => (canStartImperative(word) ? word : phrase),
  );
  return purpose.charAt(0).toUpperCase() + purpose.slice(1);
}

/**
 * `To upload a file, you’ll need to send a request of type …` → `Upload a file.` A sentence about
 * values of the request stays: `To show captions, use this PATCH to set default: true.`
 */
function purposeOf(sentence: string): string | undefined {
  const [start, purpose = ""] = PURPOSE.exec(sentence) ?? [];
  if (start === undefined) return undefined;
  return ABOUT_VALUES.test(sentence.slice(start.length))
    ? sentence
    : `${purpose.charAt(0).toUpperCase()}${purpose.slice(1)}.`;
}

const PURPOSE =
  /^to (?!get started|do (?:so|this|that|it)\b)([a-z]+ (?:[^,.()]|\([^()]{1,120}\)){3,80}), /i;

const ABOUT_VALUES = /\b(?:true|false|null)\b/;

/**
 * Plain text of a document about one input. Sentences about paths and headers stay, because they
 * can describe its value.
 */
export function cleanInputProse(markdown: string): string {
  const text = flattenMarkdown(inlineTables(inlineCodeBlocks(markdown)));
  return SUSPECT.test(text) ? filterInputText(text) : text;
}

const filterInputText = memoize((text) =>
  filterSentences(text, (sentence) =>
    REFERENCE.test(sentence) && !hasToolMark(sentence) ? undefined : sentence,
  ),
);

function filterSentences(
  text: string,
  rewrite: (sentence: string, isFirst: boolean) => string | undefined,
): string {
  const sentences: string[] = [];
  for (let rest = text; rest !== "";) {
    const [sentence, after] = splitSentence(rest);
    const rewritten =
      sentence.length > MAX_SENTENCE_LENGTH ? sentence : rewrite(sentence, rest === text);
    if (rewritten !== undefined) sentences.push(rewritten);
    rest = after;
  }
  return sentences.join(" ");
}
