import { oneLine, quoteText } from "../../diagnostics/clean.js";
import type { SecurityScheme } from "../../model/types.js";
import type { SecuritySchemeDefinition } from "../../runtime/types.js";
import { flatten } from "../describe/markdown.js";
import { fit } from "../describe/sentences.js";
import type { Environment } from "../env.js";
import type { Findings } from "../findings.js";
import { wordsOf } from "../name/words.js";
import { defineFlows, defineOpenIdConnect } from "./oauth.js";

/** How the operations use a scheme. */
export interface SchemeUse {
  readonly name: string;
  /** All that some operation asks for. */
  readonly scopes: readonly string[];
  /** Most operations cannot be called without it. */
  readonly needed: boolean;
}

/**
 * Adds a variable for one of a scheme's values.
 * @param suffix its name behind that of the scheme
 * @param required `needed` of the scheme, when it is left out
 * @param secret true, when it is left out
 * @returns the name of the variable
 */
export type AddVariable = (
  suffix: string,
  what: string,
  options?: { readonly required?: boolean; readonly secret?: boolean },
) => string;

/** A scheme as the runtime knows it, and the variables that hold its credentials. */
export function defineScheme(
  scheme: SecurityScheme,
  use: SchemeUse,
  environment: Environment,
  findings: Findings,
): SecuritySchemeDefinition {
  const { name, needed } = use;
  const add: AddVariable = (suffix, what, { required = needed, secret = true } = {}) =>
    environment.add([suffix, qualified(name, suffix)], {
      description: about(what, name, scheme),
      required,
      secret,
    });
  switch (scheme.kind) {
    case "apiKey":
      return {
        kind: "apiKey",
        in: scheme.in,
        name: scheme.name,
        env: add(
          "api key",
          `API key, sent as the ${scheme.in === "query" ? "query parameter" : scheme.in} ${oneLine(scheme.name)}`,
        ),
      };
    case "mutualTLS":
      return {
        kind: "mutualTLS",
        certEnv: add("client cert", "Path of the client certificate (PEM)", PUBLIC),
        keyEnv: add("client key", "Path of the client certificate's private key (PEM)", PUBLIC),
      };
    case "openIdConnect":
      return defineOpenIdConnect(scheme.url, use, add);
    case "oauth2":
      return defineFlows(scheme, use, add);
    case "http":
      return defineHttp(name, scheme.scheme, add, findings);
  }
}

const PUBLIC = { secret: false };

function defineHttp(
  name: string,
  scheme: string,
  add: AddVariable,
  findings: Findings,
): SecuritySchemeDefinition {
  const lower = scheme.toLowerCase();
  if (lower === "basic")
    return {
      kind: "basic",
      usernameEnv: add("username", "User name", PUBLIC),
      passwordEnv: add("password", "Password"),
    };
  if (lower === "bearer") return { kind: "bearer", env: add("token", "Bearer token") };
  if (DIALOGUES.has(lower) || lower.startsWith("scram")) {
    findings.add(
      "plan-security-scheme",
      `The HTTP authentication scheme ${quoteText(scheme)} of ${quoteText(name)} needs a dialogue with the API; only fixed credentials can be sent.`,
      { pointer: "#" },
    );
  }
  return {
    kind: "http",
    scheme,
    env: add(
      "credentials",
      `Credentials of the HTTP authentication scheme ${oneLine(scheme)}, without the scheme name`,
    ),
  };
}

/** Schemes whose credentials depend on what the API said before. */
const DIALOGUES = new Set(["digest", "hoba", "negotiate", "mutual", "vapid"]);

/** `<scheme> token`, without saying token twice. */
function qualified(name: string, suffix: string): string {
  const words = wordsOf(name);
  const own = suffix.split(" ").filter((word) => !words.includes(word));
  return [...words, ...own].join(" ") || suffix;
}

function about(what: string, name: string, scheme: SecurityScheme): string {
  const text = fit(flatten(scheme.description ?? ""), 160, false);
  const said = text === "" ? `${what} (${oneLine(name)}).` : `${what} (${oneLine(name)}): ${text}`;
  return scheme.deprecated ? `${said} Deprecated.` : said;
}
