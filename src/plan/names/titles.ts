import { isVerb } from "./grammar.js";

/** Short forms that people write in capitals. */
const ACRONYMS = new Set(
  "id url uri api http https html css json xml csv pdf sql ip dns tls ssl ssh sms mfa otp sso saml oidc jwt uuid aws gpu cpu ui os vm acl rbac pr ci cd kpi vat iban usd eur sku qr crm faq llm ai iso utc".split(
    " ",
  ),
);
const SPELLINGS: Readonly<Record<string, string>> = {
  ids: "IDs",
  urls: "URLs",
  uris: "URIs",
  apis: "APIs",
  ips: "IPs",
  oauth: "OAuth",
  oauth2: "OAuth 2",
  github: "GitHub",
  gitlab: "GitLab",
  graphql: "GraphQL",
};

/** One word of a title or label, with the capitals it is written with: `id` → `ID`. */
export function displayWord(word: string): string {
  return SPELLINGS[word] ?? (ACRONYMS.has(word) ? word.toUpperCase() : word);
}

/** Words as a phrase in sentence case: `list api keys` → `List API keys`. */
export function toSentenceCase(words: readonly string[]): string {
  const phrase = words.map(displayWord).join(" ");
  return phrase.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}

const MAX_TITLE_LENGTH = 60;

/** `Stop`, `Create one`: does not say what. */
function isVerbAlone(text: string): boolean {
  const [, word, count] = /^([A-Za-z]+)(?: (?:one|many|all))?( .*)?$/i.exec(text) ?? [];
  return word !== undefined && count === undefined && isVerb(word.toLowerCase());
}

/** A tool's title: the summary when it is short enough to be one, else the name in words. */
export function toolTitle(name: string, summary: string): string {
  const text = summary.replace(/[.。!]+$/, "");
  if (
    text === "" ||
    text.length > MAX_TITLE_LENGTH ||
    /[.!?]\s|https?:/.test(text) ||
    (name.includes("_") && isVerbAlone(text))
  )
    return toSentenceCase(name.split("_"));
  return /^[a-z](?:[a-z]|\s)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
