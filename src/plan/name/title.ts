import { isVerb } from "./verbs.js";

/** Short forms that people write in capitals. */
const CAPITALS = new Set(
  "id url uri api http https html css json xml csv pdf sql ip dns tls ssl ssh sms mfa otp sso saml oidc jwt uuid aws gpu cpu ui os vm acl rbac pr ci cd kpi vat iban usd eur sku qr crm faq llm ai iso utc".split(
    " ",
  ),
);
const SPELLED: Readonly<Record<string, string>> = {
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
export function spell(word: string): string {
  return SPELLED[word] ?? (CAPITALS.has(word) ? word.toUpperCase() : word);
}

/** Words as a phrase in sentence case: `list api keys` → `List API keys`. */
export function sentenceCase(words: readonly string[]): string {
  const phrase = words.map(spell).join(" ");
  return phrase.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}

const MAX_TITLE = 60;

/** `Stop`, `Create one`: does not say what. */
function isVerbAlone(text: string): boolean {
  const [, word, count] = /^([A-Za-z]+)(?: (?:one|many|all))?( .*)?$/i.exec(text) ?? [];
  return word !== undefined && count === undefined && isVerb(word.toLowerCase());
}

/** A tool's title: the summary when it is short enough to be one, else the name in words. */
export function titleOf(name: string, summary: string): string {
  const text = summary.replace(/[.。!]+$/, "");
  if (
    text === "" ||
    text.length > MAX_TITLE ||
    /[.!?]\s|https?:/.test(text) ||
    (name.includes("_") && isVerbAlone(text))
  )
    return sentenceCase(name.split("_"));
  return /^[a-z](?:[a-z]|\s)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
