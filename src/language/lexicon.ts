/**
 * Lexicon of tool names: lists of words, without rules. The rules are in the other files of this
 * folder and ask for the classes of words through `grammar.ts`.
 */

import {
  CONJUNCTIONS,
  COPULAS,
  PREPOSITIONS,
  PREPOSITIONS_WITH_COMPLEMENT,
} from "./function-words.js";
import { verbsOfClass } from "./verbs.js";

/** Set of the words in the given lines. */
export const wordSet = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.join(" ").split(" "));

// Verbs

/** Words that are verbs and hardly ever nouns, at any position of an operationId. */
export const UNAMBIGUOUS_VERBS = verbsOfClass("verb");

/** Words that are verbs or nouns, depending on their position. */
export const VERBS_OR_NOUNS = verbsOfClass("verbOrNoun");

/** Verbs that start sentences but rarely operationIds. */
export const SENTENCE_VERBS = verbsOfClass("sentence");

/** Verbs that also fit a GET: `/users/search`, `/pets/count`. */
export const GET_COMPATIBLE_VERBS = wordSet(
  "check compare count download export lookup preview query search",
);

/** Further verbs of a GET where a verb is expected: `/rules/test`. */
export const AMBIGUOUS_GET_VERBS = wordSet("diff filter test watch");

/** Verbs of reading. `find` can replace them in the name of a merged tool. */
export const READING_VERBS = wordSet(
  "browse fetch find get index list query read retrieve search show",
);

/** Verbs that add one item to a collection. */
export const ADDING_VERBS = wordSet("add create insert register save store submit upsert");

/** Verbs whose object gets a content that the caller gives. */
export const EDITING_VERBS = wordSet("change configure edit modify rename replace set update");

/** Verbs of methods that overwrite or empty what a getter reads: `setText`, `getText`. */
export const SETTER_VERBS = wordSet(
  "set update append prepend change edit modify put replace save write clear reset",
);

/** Verbs of removing for good. */
export const DELETING_VERBS = wordSet("delete destroy remove");

/** Verbs of reads whose object is one thing. */
export const VERBS_OF_ONE_READ = wordSet(
  "describe display fetch get read retrieve return show view",
);

/** Verbs by which an API reaches other systems, where an input is an address. */
export const FETCHING_VERBS = wordSet("browse crawl fetch import ping preview scrape");

/** Verbs whose object is one item unless it is a plural: `get pet` gets a pet. */
export const SINGLE_OBJECT_VERBS = wordSet(
  "get retrieve show view create update delete replace add remove fetch edit check send enable",
  "disable activate deactivate lock unlock suspend archive restore cancel close open start stop",
  "pause resume publish approve reject validate verify",
);

/** Verbs that say nothing about what happens. */
export const EMPTY_VERBS = wordSet("run call do execute process handle perform invoke manage");

/** Verbs of searching that another word can precede: `getSearchMovie`, `GET /search/movie`. */
export const SEARCH_VERBS = wordSet("discover lookup search");

/** Verbs that begin or end a session, and need no object. */
export const SESSION_VERBS = wordSet(
  "log_in log_off log_out login logout register sign_in sign_off sign_out sign_up signin signout signup",
);

/** Verbs whose object is the whole collection. */
export const COLLECTION_VERBS = wordSet(
  "clear compare count export import prune purge query reindex sync",
);

/** Verbs that are more often resources: `POST /commit` creates a commit. */
export const VERBS_OF_RESOURCES = wordSet(
  "commit dispute invite leave patch place pull push set split",
);

/** Verbs that the method of an operation implies, by method. They never name a resource. */
export const VERBS_OF_METHODS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["GET", wordSet("fetch get list read retrieve")],
  ["POST", wordSet("add create")],
  ["PUT", wordSet("replace set update")],
  ["PATCH", wordSet("update")],
  ["DELETE", wordSet("delete remove")],
]);

/** Verbs that a method implies. */
export const PLAIN_VERBS: ReadonlySet<string> = new Set(
  [...VERBS_OF_METHODS.values()].flatMap((verbs) => [...verbs]),
);

/** Verbs of methods that are not verbs of tools. */
export const METHOD_VERBS: ReadonlyMap<string, string> = new Map([
  ["PUT", "replace"],
  ["HEAD", "check"],
]);

/** Controller methods of Rails and Laravel. */
export const CONTROLLER_VERBS: ReadonlyMap<string, string> = new Map([
  ["GET index", "list"],
  ["GET show", "get"],
  ["HEAD head", "check"],
  ["POST store", "create"],
]);

/** Suffixes that Django REST framework appends, by method. */
export const DJANGO_ACTIONS: Readonly<Record<string, readonly string[]>> = {
  GET: ["retrieve"],
  POST: ["create"],
  PUT: ["update"],
  PATCH: ["partial", "update"],
  DELETE: ["destroy"],
};

/** Particles of phrasal verbs, by verb: `log in`, `check out`. */
export const PARTICLES: Readonly<Record<string, string>> = {
  log: "in out off on",
  sign: "in out up off on",
  check: "in into out",
  opt: "in out",
  power: "on off up down",
  turn: "on off",
  scale: "up down in out",
  roll: "back out",
  shut: "down",
  clean: "up",
  look: "up",
  fail: "over back",
  wake: "up",
};

// Nouns and adjectives

/** Words that select items and precede their noun: `/movies/popular` → popular movies. */
export const ADJECTIVES = wordSet(
  "active airing annual available banned blocked current daily default disabled enabled favorite",
  "featured hourly inactive latest local monthly now overdue past pending playing popular private",
  "public rated recent related remote scheduled similar simple starred today top trending unread",
  "upcoming weekly yearly",
);

/** Adjectives and quantifiers that only select items. */
export const SELECTOR_ADJECTIVES = wordSet(
  "active all available current inactive latest pending popular recent trending upcoming",
);

/** Nouns that stay plural before another noun: `settings page`. */
export const PLURAL_MODIFIERS = wordSet("extras goods savings settings sports");

/** Nouns for facts about one thing. */
export const NOUNS_OF_FACTS = wordSet("detail details info information overview status summary");

/** Segments before a parameter that say which value it takes: `/companies/url/{url}`. */
export const IDENTIFYING_KEYS = wordSet("id uuid guid slug url uri");

/** Such segments that can also be resources: `/users/email/{email}`. */
export const TEXT_KEYS = wordSet(
  "barcode code domain ean email handle isbn key name number phone sku symbol ticker username",
);

// Function words

/** Words that can follow a verb without being its object: `list-for-repo`, `getById`. */
export const CONNECTIVES: ReadonlySet<string> = new Set([
  ...PREPOSITIONS_WITH_COMPLEMENT,
  ...PREPOSITIONS,
  ...CONJUNCTIONS,
  ...COPULAS,
]);

/**
 * Words at which no shortened name ends. Unshortened names may end in `of`, `by`, `and`, `or`:
 * `allOf`, `sortBy`.
 */
export const DANGLING_WORDS: ReadonlySet<string> = new Set([
  ...PREPOSITIONS_WITH_COMPLEMENT,
  ...CONJUNCTIONS,
  "by",
  "of",
]);

/** Words for the manner of the next verb: `bulk delete`. */
export const ADVERBS = wordSet("batch bulk force partial soft");

/** Adverbials that follow the object, so that the verb comes first. */
export const ADVERBIAL_PHRASES: ReadonlyMap<string | undefined, readonly string[]> = new Map([
  ["bulk", ["in", "bulk"]],
  ["batch", ["in", "batch"]],
  ["partial", ["partially"]],
]);

/** Words that an article can follow and that are not verbs. */
export const NON_VERBS = wordSet(
  "all also and any are as at both by for from given if in is not of on only or per that the",
  "this to was when with",
);

// Words without meaning in a name

/** Last words of class names that carry no meaning. */
export const CONTROLLER_WORDS = wordSet(
  "api apis client controller ctrl endpoint endpoints handler resource rest router routes",
  "service",
);

/** Suffixes of functions in web frameworks. */
export const FUNCTION_SUFFIXES = wordSet("api controller endpoint handler route");

/** Groups of operationIds without meaning. */
export const NOISE_GROUPS = wordSet("api default main public rest root");

/** First path segments without meaning: `/api/v1/pets` is about pets. */
export const NOISE_SEGMENTS = wordSet("alpha api apis beta json odata rest rpc services");
