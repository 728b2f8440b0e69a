/** Spellings of words in names and titles, as data. */
import { wordSet } from "./lexicon.js";

/** Common abbreviations. Used only where a word would be dropped otherwise. */
export const ABBREVIATIONS: Readonly<Record<string, string>> = {
  organization: "org",
  organizations: "orgs",
  repository: "repo",
  repositories: "repos",
  configuration: "config",
  configurations: "configs",
  application: "app",
  applications: "apps",
  environment: "env",
  environments: "envs",
  authentication: "auth",
  information: "info",
  specification: "spec",
  specifications: "specs",
  statistics: "stats",
};

/** Acronyms, written in capitals. */
export const ACRONYMS = wordSet(
  "acl ai api aws cd ci cms cpu crm css csv dns eur faq gps gpu html http https iban id ip iso json jwt",
  "kpi llm mfa oidc os otp pdf pr qr rbac saml sku sms sql ssh ssl sso tls ui uri url usd utc",
  "uuid vat vm xml",
);

/** Words with a special spelling. */
export const SPELLINGS: Readonly<Record<string, string>> = {
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

/** ASCII spelling of letters that Unicode does not decompose. */
export const LETTER_SPELLINGS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  ł: "l",
  Ł: "L",
  þ: "th",
  Þ: "TH",
  ı: "i",
  ħ: "h",
  Ħ: "H",
  ŋ: "ng",
  Ŋ: "NG",
};
