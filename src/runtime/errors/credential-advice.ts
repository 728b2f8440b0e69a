/** Advice after 401 and 403, about the credentials that were sent. */
import { describeScopes } from "../auth/scopes.js";
import { capitalize, isObject, ownProperty } from "../data/values.js";
import { loginCommandOf } from "../api-definition.js";
import { rulesOf } from "../security-schemes.js";
import { credentialHeaderVariables } from "../request/origins.js";
import { inputOf } from "../request/parameter-source.js";
import type { ApiCall } from "../request/types.js";
import { deniesCredentials, isAboutMissing } from "./api-error/message-kind.js";
import {
  findMissing,
  formatValues,
  type GivenValue,
  otherIds,
  pathValues,
  rootOf,
} from "./evidence.js";
import type { ApiErrorByInput } from "./input-errors.js";
import { isSecretField } from "../schema/secret-name.js";
import { joinNames, presentInputs } from "./next-tools.js";
import { sourcesOfInputs } from "./other-tools.js";

/** Maximum number of inputs that are named. */
const MAX_NAMES = 4;

/** Advises after 401. */
export function unauthorizedAdvice(call: ApiCall, { message }: ApiErrorByInput): string {
  const { tool } = call;
  const sent = sentCredentials(call);
  const inputs = credentialInputs(call, message, sent !== undefined);
  if (inputs.length > 0 && SWITCHED_OFF.test(message))
    return `${REASON_GIVEN}. Tell the user; do not retry.`;
  if (inputs.length > 0) {
    const others = sent === undefined ? "; no other credentials were sent" : `, or ${sent.subject}`;
    const check =
      sent === undefined ? "" : ` If they are right, tell the user to check ${sent.check}.`;
    const correct = `Correct ${joinNames(inputs)}, or ask the user for the right values`;
    return `the API rejected ${joinNames(inputs)}${others}. ${correct}, then call ${tool.name} again.${check}`;
  }
  if (sent !== undefined && call.credentials?.isTokenDropped)
    return (
      `the API rejected the access token, which may have expired. The request was not repeated, ` +
      `because it may have taken effect. If it has not, call ${tool.name} once more: a new token ` +
      `will be sent. If that is rejected too, tell the user to check ${sent.check}.`
    );
  if (sent !== undefined && haveSucceeded(call))
    return (
      `the API does not accept ${sent.subject} for this call, although other calls with them ` +
      `succeeded. Tell the user what the API says; do not retry. If the other calls fail now, ` +
      `too, tell the user to check ${sent.check}.`
    );
  if (sent !== undefined)
    return `the API rejected ${sent.subject}. Tell the user to check ${sent.check}; do not retry.${prefixHint(call)}`;
  const setting = missingSetting(call);
  const missing = "the API requires credentials, and none were sent";
  const reason = setting.startsWith(" to set")
    ? ""
    : ": its description declares none for this operation";
  return `${missing}${reason}. Tell the user${setting}; do not retry.`;
}

const REASON_GIVEN = "the API refuses this call for the reason that it gives";

/** Advises after 403. Some APIs return it for invalid credentials or a missing resource. */
export function forbiddenAdvice(call: ApiCall, apiError: ApiErrorByInput): string {
  const { message } = apiError;
  const sent = sentCredentials(call);
  if (deniesCredentials(message) && sent !== undefined) return unauthorizedAdvice(call, apiError);
  const missing = call.credentials?.missingScopes ?? [];
  if (missing.length > 0)
    return (
      `the user's sign-in does not have ${describeScopes(missing)}. Tell the user to run ` +
      `${loginCommandOf(call.api)} and to grant it; call ${call.tool.name} again after that.`
    );
  if (isOtherReason(call, message))
    return hasBodyInput(call)
      ? `${REASON_GIVEN}; the same input fails again.`
      : `${REASON_GIVEN}. Tell the user; do not retry.`;
  const user =
    sent === undefined
      ? `tell the user${missingSetting(call)}`
      : `tell the user to check the permissions of ${sent.check}`;
  const ids = idsOf(call, message);
  const isKnown = ids.length === 0 && sent !== undefined && haveSucceeded(call);
  const refusal = refusalOf(call, sent, isKnown);
  if (ids.length > 0) return refusedIdAdvice(call, refusal, ids, user);
  if (hasBodyInput(call)) return `${refusal}. If the input is right, ${user}.${prefixHint(call)}`;
  return `${refusal}. ${capitalize(user)}${isKnown ? "" : "; do not retry"}.${prefixHint(call)}`;
}

/** The refusal of a call as a clause. A body leaves its reason open. */
function refusalOf(call: ApiCall, sent: SentPhrase | undefined, haveWorked: boolean): string {
  if (sent === undefined) return "the API refuses this call, and no credentials were sent with it";
  if (hasBodyInput(call))
    return "these credentials lack permission, or the API refuses something in the input";
  return haveWorked
    ? "the API refuses this call, although other calls with these credentials succeeded"
    : "these credentials lack permission";
}

/** Advises after a refusal that may mean an absent item. */
function refusedIdAdvice(
  call: ApiCall,
  refusal: string,
  ids: readonly GivenValue[],
  user: string,
): string {
  return [
    `${refusal}, or there is no such ID: ${formatValues(ids, "or")}.`,
    ...sourcesOfInputs(call, [...new Set(ids.map(rootOf))]).map((source) => `${source}.`),
    `Do not call ${call.tool.name} again with the same input; if the value is right, ${user}.${prefixHint(call)}`,
  ].join(" ");
}

/** True if a call has sent an input in its body. */
function hasBodyInput({ mapping: { body }, input }: ApiCall): boolean {
  const sources = [body?.from, ...Object.values(body?.fields ?? {})];
  return sources.some((source) => {
    const name = source === undefined ? undefined : inputOf(source);
    return name !== undefined && input[name] !== undefined;
  });
}

/** Messages about permissions. */
const PERMISSION =
  /permi|authori[sz]|access|privilege|\brole\b|scope|forbid|not allowed|\bmay not\b|denied|refused|credential|admin|\bacl\b|policy/gi;

/** Messages about a part of the API, or an account, that somebody has switched off. */
const SWITCHED_OFF =
  /\b(?:disabled|deactivated|suspended|archived|read-only|locked out|(?:not|n't) (?:been |yet )?(?:enabled|activated|approved|confirmed|validated|verified)|(?:turned|switched) off)\b/i;

/**
 * True if a message gives a reason for 403 other than permissions and an absent item. A word of the
 * path names what the call is about: `Built-in role cannot be deleted`.
 */
function isOtherReason({ mapping }: ApiCall, message: string): boolean {
  const hasReason = message.trim().split(/\s+/).length > 2;
  if (!hasReason || isAboutMissing(message)) return false;
  const path = mapping.path.toLowerCase();
  const words = message.toLowerCase().match(PERMISSION) ?? [];
  return SWITCHED_OFF.test(message) || words.every((word) => path.includes(word));
}

/**
 * The IDs of a call that may be wrong: those that the message names, otherwise all that no earlier
 * call has shown. Servers hide absent items.
 */
function idsOf(call: ApiCall, message: string): readonly GivenValue[] {
  const { named } = findMissing(call, message);
  if (named.length > 0) return named;
  const isKnown = (one: GivenValue): boolean =>
    call.foundInputs?.includes(rootOf(one)) === true ||
    call.earlier?.hasAccepted(one.path, one.value) === true;
  return [...pathValues(call), ...otherIds(call)].filter((one) => !isKnown(one));
}

interface SentPhrase {
  /** Rejected credentials, as the subject of a sentence: `the credentials`. */
  readonly subject: string;
  /** Setting for the user to check: `CLINIC_TOKEN`. */
  readonly check: string;
}

/** The credentials that were sent with a call; `undefined` if none were. */
function sentCredentials({ credentials }: ApiCall): SentPhrase | undefined {
  const { variables = [], headers = [] } = credentials ?? {};
  const header = headers.length === 1 ? "the header" : "the headers";
  const forwarded =
    headers.length > 0 ? `${header} ${joinNames(headers)} of its client` : undefined;
  const configured = variables.length > 0 ? joinNames(variables) : undefined;
  const check = [forwarded, configured].filter(Boolean).join(", and ");
  if (check === "") return undefined;
  return {
    subject: forwarded === undefined ? "the credentials" : `the credentials in ${check}`,
    check,
  };
}

/**
 * Inputs of a sign-in: those that hold credentials, and those that say whose they are. The password
 * of a new user, for example, is none that the API compares, unless the message names it.
 */
function credentialInputs(call: ApiCall, message: string, areSent: boolean): readonly string[] {
  const given = presentInputs(call);
  const properties = call.tool.inputSchema["properties"];
  const isSecret = (name: string): boolean =>
    isSecretField(name, isObject(properties) ? properties[name] : undefined) ||
    hasSecret(call.input[name]);
  const secrets = given.filter(isSecret);
  const isNamed = (name: string): boolean => message.toLowerCase().includes(name.toLowerCase());
  const signsIn = SIGN_IN.test(`${call.tool.name} ${call.mapping.path}`) || secrets.some(isNamed);
  if (secrets.length === 0 || (areSent && !signsIn)) return [];
  return given.filter((name) => secrets.includes(name) || OWNER.test(name)).slice(0, MAX_NAMES);
}

/** Words of operations that compare credentials. */
const SIGN_IN = /(?:log|sign)[_-]?in|auth(?!ors?\b)|credential|password|session|token|unlock/i;

/** Names of inputs that say whose credentials a sign-in has. */
const OWNER = /user|login|mail|account|client|phone|identi|^name$/i;

/** Maximum nesting of an input in which credentials are looked for. */
const MAX_DEPTH = 5;

/** True if an object has a text that its name calls a secret: `{"user": {"password": "…"}}`. */
const hasSecret = (value: unknown, depth = 0): boolean =>
  depth < MAX_DEPTH &&
  isObject(value) &&
  Object.entries(value).some(
    ([name, part]) =>
      (typeof part === "string" && isSecretField(name, undefined)) || hasSecret(part, depth + 1),
  );

/** True if calls with the same credentials have succeeded since the start of the server. */
function haveSucceeded({ credentials, earlier }: ApiCall): boolean {
  return credentials !== undefined && earlier?.haveSucceeded(credentials) === true;
}

/** Warns about a key that is a whole `Authorization` header without a scheme. RFC 9110, section 11.6.2. */
function prefixHint(call: ApiCall): string {
  const { api, credentials } = call;
  if (!credentials?.hasBareAuthorization || haveSucceeded(call)) return "";
  const scheme = Object.values(api.securitySchemes).find(
    (candidate) =>
      candidate.kind === "apiKey" &&
      candidate.in === "header" &&
      candidate.name.toLowerCase() === "authorization" &&
      credentials?.variables.includes(candidate.env),
  );
  if (scheme?.kind !== "apiKey") return "";
  return ` ${scheme.env} is the whole Authorization header: the API may expect a prefix such as Bearer in it.`;
}

/**
 * Lists the environment variables that an operation declares: `A, or B and C`. Empty when it
 * declares none.
 */
function declaredVariables({ api, mapping }: ApiCall): string {
  const stated = mapping.isSecurityUnstated ? mapping.likelySecurity : mapping.security;
  const alternatives = (stated ?? api.security ?? []).map((requirement) =>
    Object.keys(requirement).flatMap((name) => {
      const scheme = ownProperty(api.securitySchemes, name);
      return scheme ? rulesOf(scheme).advice(scheme) : [];
    }),
  );
  const phrases = alternatives.map((names) => names.join(" and ")).filter(Boolean);
  return [...new Set(phrases)].join(", or ");
}

/**
 * The end of a clause about the user of a server that sent no credentials: the variables to set, or
 * the setting that adds a header which the document lacks.
 */
function missingSetting(call: ApiCall): string {
  const { api } = call;
  const named = [declaredVariables(call), ...credentialHeaderVariables(api)].filter(Boolean);
  if (named.length > 0) return ` to set ${named.join(", or ")}`;
  return Object.keys(api.securitySchemes).length > 0
    ? ""
    : " that `server.headers` in mcp-gen.yaml can send a header such as Authorization";
}
