/** Phrases that are evidence of an effect, as rows. All match lower-case text. */
import { anyOfPatterns, anyOfPhrases, sequence } from "../../language/patterns.js";
import type { Effect } from "../operations/types.js";
import type { Rule, RuleExample } from "./rule.js";

/** A phrase that is evidence in any sentence about the operation itself. */
export interface PhraseRule extends Rule {
  readonly pattern: RegExp;
}

function phrase(id: string, adds: Effect, pattern: RegExp, example: RuleExample): PhraseRule {
  return { id, looksAt: "text", adds, pattern, example };
}

/** Matches what any of the rules matches. */
function anyPhrase(rules: readonly PhraseRule[]): RegExp {
  return new RegExp(anyOfPatterns(...rules.map(({ pattern }) => pattern)));
}

/** The operation causes a loss of data, regardless of its verb. */
const LOSS_RULES: readonly PhraseRule[] = [
  phrase(
    "is-lost",
    "destroys",
    /\b(?:is|are|gets?|will be|(?<!can )be)(?: \w+ly)? (?:lost|erased|wiped|destroyed|overwritten|purged|discarded)\b/,
    ["POST /sites/{id}/theme", "Apply a theme\nThe earlier theme is lost.", "-D-"],
  ),
  phrase(
    "will-be-deleted",
    "destroys",
    sequence(
      /\b(?:will|shall|is going to|are going to)(?: also)? be(?: \w+ly)? /,
      /(?:deleted|removed|terminated|dropped|cleared|revoked|invalidated|replaced|shut down)\b/,
    ),
    ["POST /teams/{id}/merge", "Merge two teams\nThe second team will be deleted.", "-D-"],
  ),
  phrase(
    "overwrites",
    "destroys",
    /\b(?:overwrites?|overwriting|erases?|erasing|wipes?|wiping|destroys?|purges?)(?= \w)/,
    ["POST /pages/{id}/copy", "Copy a page\nThe copy overwrites pages of that name.", "-D-"],
  ),
  phrase(
    "replaces-existing",
    "destroys",
    sequence(
      /\b(?:replaces?|replacing|deletes?|deleting|removes?|removing|clears?|invalidates?) /,
      /(?:all|any|every|each|the|your|its|their)(?: of)?(?: the)? /,
      /(?:existing|current|previous|previously|entire|whole|other|old|data|remaining|contents?)\b/,
    ),
    ["POST /pages/{id}/tags", "Add tags, replacing all existing tags", "-D-"],
  ),
  phrase(
    "makes-equal",
    "destroys",
    sequence(
      /\bmak(?:es?|ing) (?:the |its? |a )?(?:\w+ ){1,3}/,
      /(?:match|mirror|identical to|equal to|(?:a|the same) copy of|the same as)(?= (?:the|that|its?|your) )/,
    ),
    ["POST /folders/{id}/sync", "Sync a folder\nMakes the target match the source.", "-D-"],
  ),
  phrase(
    "ends-credentials",
    "destroys",
    sequence(
      new RegExp(
        `\\b(?:${anyOfPatterns(
          /deletes?|deleting|destroys?|invalidates?|invalidating|revokes?|revoking/,
          /rotates?|rotating|regenerates?|regenerating/,
        )}) `,
      ),
      /(?:[a-z'’]+ ){0,3}\w*(?:tokens?|sessions?|secrets?|api keys?|credentials)\b/,
    ),
    ["POST /users/{id}/lock", "Lock a user, which revokes all of his sessions", "-D-"],
  ),
  phrase(
    "former-is-invalid",
    "destroys",
    sequence(
      /\b(?:existing|previous|previously \w+|old|other) (?:\w+ ){1,4}(?:is|are|gets?|becomes?)(?: \w+ly)? /,
      /(?:cancell?ed|deleted|invalid|invalidated|removed|replaced|revoked|terminated)\b/,
    ),
    ["POST /links", "Create a link\nThe previous link becomes invalid.", "-D-"],
  ),
  phrase(
    "data-loss",
    "destroys",
    /\bdata loss\b|\bloss of data\b|\bdestructive\b|\byou(?:'ll|’ll| will| may| would) lose\b/,
    ["POST /disks/{id}/resize", "Resize a disk\nThis is a destructive operation.", "-D-"],
  ),
];

/** The effect stays for good. */
const IRREVERSIBLE_RULES: readonly PhraseRule[] = [
  phrase(
    "irreversible",
    "destroys",
    /\birreversibl[ey]\b|\bunrecoverabl[ey]\b|\birrevocabl[ey]\b|\bnon-?reversible\b|\bno (?:undo|way back|recovery)\b/,
    ["POST /cases/{id}/close", "Close a case\nThis is irreversible.", "-D-"],
  ),
  phrase(
    "cannot-be-undone",
    "destroys",
    sequence(
      /\b(?:can ?not|can't|can’t|can never|could not|may not|not possible to|no way to|impossible to)(?: \w+){0,2}? /,
      /(?:undo|undone|reverse|reversed|revert|reverted|recover|recovered|restore|restored|undeleted?)\b/,
    ),
    ["POST /cases/{id}/close", "Close a case\nThis cannot be undone.", "-D-"],
  ),
  phrase(
    "permanently-deletes",
    "destroys",
    /\bpermanent(?:ly)? (?:delet|remov|eras|destroy|purg|wip|los|cancel|clos)\w*/,
    ["POST /cases/{id}/state", "Update a case\nThis permanently closes it.", "-D-"],
  ),
  phrase(
    "is-final",
    "destroys",
    /\b(?:state|status|action|change|decision|operation) is (?:final|permanent)\b/,
    ["POST /cases/{id}/close", "Close a case\nThe action is final.", "-D-"],
  ),
];

export const IRREVERSIBLE = anyPhrase(IRREVERSIBLE_RULES);

/** Statements that omitted values are lost, whatever the verb and the method. */
const OMISSION_RULES: readonly PhraseRule[] = [
  phrase(
    "not-given-is-removed",
    "destroys",
    sequence(
      /\b(?:not|aren't|isn't) (?:\w+ )?/,
      /(?:included|specified|provided|given|present|passed|sent|supplied|listed)\b[^.]{0,80}\b/,
      /(?:removed|deleted|lost|cleared|reset|unset|erased|dropped|nulled|set to null)\b/,
    ),
    [
      "PUT /pages/{id}",
      "Save a page\nFields that are not sent are cleared.",
      "-DIA",
      { body: "title" },
    ],
  ),
  phrase(
    "omitted-is-removed",
    "destroys",
    sequence(
      /\b(?:omit|omits|omitted|omitting|missing|unspecified)\b[^.]{0,60}\b/,
      /(?:removed|deleted|lost|cleared|reset|unset|erased|dropped)\b/,
    ),
    ["PUT /pages/{id}", "Save a page\nOmitted fields are cleared.", "-DIA", { body: "title" }],
  ),
];

/** Statements that a request replaces what exists. */
const REPLACING_RULES: readonly PhraseRule[] = [
  phrase(
    "replaces-entire",
    "destroys",
    sequence(
      /\b(?:replaces?|replacing|overwrites?|overwriting|replace) (?:the )?/,
      /(?:entire|whole|complete|full|all|every|any|existing|current|previous|list of)\b/,
    ),
    ["PUT /pages/{id}", "Save a page, replacing the full text", "-DIA", { body: "title" }],
  ),
  phrase(
    "removes-previous",
    "destroys",
    /\bremoves? (?:any|all|the) (?:previous|existing|current)\b/,
    ["PUT /pages/{id}", "Save a page, which removes the previous text", "-DIA", { body: "title" }],
  ),
];

export const REPLACES_ALL = anyPhrase([...OMISSION_RULES, ...REPLACING_RULES]);

/** A GET with a side effect that its verb does not express. */
const SIDE_EFFECT_RULES: readonly PhraseRule[] = [
  phrase(
    "marks-as-read",
    "changes",
    /\bmark(?:s|ed|ing)? (?:\w+ ){0,4}as (?:read|seen|delivered|viewed|played|done)\b/,
    ["GET /messages", "List messages\nMessages are marked as read.", "---"],
  ),
];

/** A POST that reads says nothing of the kind. */
const STORING_RULES: readonly PhraseRule[] = [
  phrase(
    "will-be-stored",
    "adds",
    new RegExp(
      `\\b(?:will|shall)(?: also| then)? be(?: \\w+ly)? (?:${anyOfPhrases(
        "added, associated, attached, billed, charged, created, debited, deducted, emailed, enqueued",
        "persisted, published, queued, recorded, registered, saved, scheduled, sent, started, stored",
        "triggered, updated",
      )})\\b`,
    ),
    ["POST /addresses/search", "Search addresses\nThe query will be stored.", "---"],
  ),
];

/** Rules about phrases by the sentences that they are looked for in. */
export const phraseRules = {
  /** Of unsafe methods. */
  loss: LOSS_RULES,
  /** Of unsafe methods that change or start something. */
  irreversible: IRREVERSIBLE_RULES,
  /** Of requests whose body may replace what exists. */
  replacing: REPLACING_RULES,
  /** Of requests that update. */
  omission: OMISSION_RULES,
  /** Of safe methods. */
  sideEffect: SIDE_EFFECT_RULES,
  /** Of a POST that otherwise reads. */
  storing: STORING_RULES,
};
