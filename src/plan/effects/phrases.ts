/** Phrases of documents as data. All match lower-case text. */
import { anyOfPatterns, sequence } from "../../language/patterns.js";

/** The effect can be taken back. */
export const REVERSIBLE = new RegExp(
  anyOfPatterns(
    /\b(?:can|may|could) (?:\w+ )?be (?:restored|recovered|undone|undeleted|reversed|reverted)\b/,
    /\b(?:can|may) (?:restore|recover|undelete|undo)\b/,
    /\bsoft[- ]?delet|\b(?:to|into) (?:the )?(?:trash|recycle bin|bin)\b/,
  ),
);

/** The sentence is about another operation, or is an instruction to the reader. */
export const ABOUT_ANOTHER = new RegExp(
  anyOfPatterns(
    sequence(
      /\b(?:instead|use|using|call|see|send|via|through)\b[^.]{0,60}\b/,
      /(?:endpoint|operation|method|api|call|action|request|resource|route|tool|instead)\b/,
    ),
    sequence(
      /^(?:to|in order to|if you (?:want|need|wish)(?: to)?)\b[^,]{0,100}, ?(?:please )?/,
      /(?:use|call|see|send|make|issue|perform|set|pass|specify|provide|you (?:can|must|should|need))\b/,
    ),
    /^(?:see|refer|use|please|you (?:can|must|should|need|may))\b/,
    /\b(?:get|post|put|patch|delete) (?:`|'|")?\/[a-z{]/,
    /\b(?:old|previous|deprecated) (?:\S+ )?(?:api|endpoint|method|operation)\b|\bdeprecated\b/,
    // A notice about the API itself: `The Authorizations API will be removed in November`.
    /\b(?:apis?|endpoints?|operations?)\b[^.,;]{0,40} (?:will be|is being|are being|was|were) removed\b/,
    /\bremoved (?:in|from|with) (?:an? |the )?(?:future|later|next|upcoming)\b/,
    /\bmake sure\b/,
  ),
);

/**
 * The sentence is about the API's processing of the request: `Tags in the text will be removed`.
 */
export const ABOUT_REQUEST = new RegExp(
  anyOfPatterns(
    sequence(
      /\b(?:html|markup|characters?|white ?space|spaces|line breaks|duplicates?)\b[^.]{0,60}\b/,
      /(?:removed|replaced|discarded|dropped)\b/,
    ),
    sequence(
      /(?<!not |n't |n’t )\b(?:submitted|supplied|sent|provided|passed|given)\b(?: \w+){0,4} /,
      /(?:will be|is|are|gets?) (?:removed|replaced|discarded|dropped)\b/,
    ),
  ),
);

/** The sentence is true only under a condition that the caller chooses, or later. */
export const CONDITIONAL = new RegExp(
  anyOfPatterns(
    sequence(
      /^(?:note:? (?:that )?)?/,
      new RegExp(
        `(?:${anyOfPatterns(
          /if|when|whenever|once|after|unless|set|setting|by (?:setting|default)/,
          /optionally|specify|pass|use/,
        )})\\b`,
      ),
      /(?!.{0,60}\b(?:already|existing|exists|exist|finished|finishes|completed?|completes|done)\b)/,
    ),
    /\b(?:if|when) (?:set|true|specified|enabled|`|this (?:is|flag|parameter|option))/,
    /\b(?:after|within) (?:\d+|a|an|one|two|the|some|several|their|its)\b/,
    /\bexpir(?:e|es|ed|y|ation)\b|\b(?:at|on|after|upon) the next\b/,
    /\b(?:until|whether|might|could)\b/,
  ),
);

/** The sentence speaks of a later time, or of an option of the request. */
export const LATER = new RegExp(
  anyOfPatterns(
    /\b(?:if|when) (?:set|true|specified|enabled|`|this (?:is|flag|parameter|option))/,
    /\b(?:after|within) (?:\d+|a|an|one|two|several) (?:\w+ )?(?:days?|hours?|minutes?|weeks?|months?|period)\b/,
    /\bset(?:ting)? \S+ to\b|\b\w+ ?= ?true\b/,
  ),
);

/** A second equal call has no further effect. */
export const IDEMPOTENT = /\bidempotent(?:ly)?\b(?! key)/;

/** Nothing is stored by the operation. */
export const NOTHING_STORED = new RegExp(
  anyOfPatterns(
    /\b(?:not|never) (?:be )?(?:saved|stored|persisted)\b/,
    /\bwithout (?:(?:actually )?(?:saving|storing|persisting)|actually (?:creating|sending)|(?:creating|sending) (?:it|them|one))\b/,
  ),
);

/** Values in the request, as objects of a conversion: `a number into its text`. */
export const INPUT_VALUE = new RegExp(
  anyOfPatterns(
    new RegExp(
      `\\b(?:${anyOfPatterns(
        /text|strings?|html|markdown|json|xml|csv|ya?ml|numbers?|values?|units?|amounts?/,
        /coordinates?|dates?|timestamps?|definitions?|colou?rs?/,
      )})\\b.* (?:to|into)\\b`,
    ),
    /\b(?:passed|given|provided|supplied|submitted|sent) (?:in|by|with|as)\b/,
  ),
);

/** Negation before a phrase, in the same clause. */
export const NEGATED =
  /\b(?:not|never|without|cannot|no|nor|neither|n't|n’t|prevents?|avoids?|rather than|instead of|before)\b[^,;:]*$/;

/** Things whose removal one call sets again: `Remove a star`. */
export const LIGHT_LINK = sequence(
  /^(?:\w+ ){0,3}?/,
  /(?:stars?|likes?|pins?|reactions?|follow(?:er|ing)?s?|favou?rites?|bookmarks?|votes?|mutes?)\b/,
);

/** Nouns of destroying actions: `Schedule a deletion`. */
export const DESTRUCTION = sequence(
  /^(?:an? |the |your )?(?:\w+ )?/,
  new RegExp(
    `(?:${anyOfPatterns(
      /deletion|removal|purge|erasure|termination|wipe|rollback|factory reset/,
      /garbage collection|clean-?up/,
      /delete (?:job|request|task|operation)/,
    )})\\b`,
  ),
);

/** People, whose anonymization loses their data. Copies of documents are anonymized, too. */
export const PERSON = sequence(
  /^(?:an? |the |this |all )?(?:\w+ )?/,
  /(?:accounts?|contacts?|customers?|members?|persons?|people|players?|profiles?|users?)\b/,
);

/** Owners whose verification is stored: `Verify an email address`. */
export const VERIFIED_OWNER =
  /\b(?:e-?mail|account|phone|user|registration|sender|sign|otp|code|address)\b/;

/** Tests whether a request for such a resource creates it: a token, a link. */
export const isCreatedByRequest = (object: string): boolean => CREATED_BY_REQUEST.test(object);

const CREATED_BY_REQUEST = sequence(
  /^(?:(?!list|info|status|details|containing|with|of|for|to|by|from)\w+ ){0,4}?/,
  new RegExp(
    `(?:${anyOfPatterns(
      /tokens?|sessions?|keys?|keypairs?|credentials?|otp|passwords?|secrets?|signatures?/,
      /jwt|licen[cs]es?|links?|urls?|upload/,
    )})\\b`,
  ),
  /(?! (?:counts?|details|history|info|list|metadata|prices?|status|usage)|s? in\b)/,
);

/** Nouns of reading actions: `Perform a search`. */
export const READING_NOUN =
  /^(?:an? |the )?(?:[a-z-]+ )?(?:search|query|lookup|introspection|validation|calculation|comparison|count)\b/;

/** Data that a GET requests: `Request the account details`. */
export const REQUESTED_DATA = new RegExp(
  `^(?:[\\w'’-]+ ){0,4}?(?:${anyOfPatterns(
    /info|information|details?|lists?|data|status|history|statistics|stats|metadata/,
    /objects?|records?|resources?|profiles?/,
  )})\\b`,
);

/** Credentials whose renewal ends the old one. */
export const CREDENTIAL = new RegExp(
  `\\b(?:${anyOfPatterns(
    /keys?|secrets?|tokens?|credentials?/,
    /(?:access|activation|auth|backup|connection|invit\w+|join|pin|recovery|security) codes?/,
    /invit\w+ (?:links?|urls?)/,
  )})\\b`,
);

/** Addresses and places that another user can take after they are released. */
export const ALLOCATION =
  /^(?:[\w-]+ ){0,4}?(?:ips?|addresses|numbers?|reservations?|allocations?|licen[cs]es?|seats?|leases?)\b/;

/** Data that is computed again from other data: `Rebuild the search index`. */
export const DERIVED_DATA =
  /\b(?:index(?:es)?|indices|caches?|previews?|thumbnails?|reports?|statistics|feeds?|sitemaps?|embeddings?)\b/;

/** Activities of people and modes that an API only records: to end one stores its end. */
export const RECORDED_ACTIVITY =
  /\b(?:breaks?|journeys?|modes?|rides?|shifts?|time (?:entr(?:y|ies)|logs?|records?|sheets?)|timers?|trips?|visits?|workouts?)\b/;

/** Fields of the request that are omitted: `leave it out`, `leave the field blank`. */
export const OMISSION = /^(?:[\w-]+ ){1,4}(?:out|off|blank|empty|null|unset|unchanged|as is)\b/;

/** States that a restoration returns to, so that the present state is lost. */
export const EARLIER_STATE =
  /^an? archive\b|\b(?:backups?|snapshots?|point in time|previous|earlier|revisions?|versions?)\b/;

/** Path of requests that hold code. */
export const FREE_CODE_PATH = /graphql|\bsql\b|\/(?:exec|eval)\b/i;

/** Field that holds code: SQL, a script, commands. */
export const FREE_CODE_FIELD =
  /^(?:sql|script|statements?|commands?|cmd|mutations?|stmt|graphql|cypher|code)$/i;

/** Text about a query that is code. */
export const FREE_CODE_TEXT =
  /\b(?:[a-z]*ql|cypher|mutations?|statements?|(?:java)?scripts?|commands?)\b/i;

/** Actions that run code of any effect. */
export const RUNS_CODE = new RegExp(
  `^(?:${anyOfPatterns(
    /exec\b|start (?:\w+ ){0,5}exec\b|attach to (?:\w+ ){0,2}(?:container|process)\b/,
    /(?:execute|run|eval) (?:\w+ ){0,3}commands?\b/,
    sequence(
      /(?:execute|run|eval|send|submit) (?:\w+ ){0,3}/,
      /(?:scripts?|code(?! (?:review|analysis|scan|check))|sql|statements?|shell|graphql|cypher)\b/,
    ),
  )})`,
);
