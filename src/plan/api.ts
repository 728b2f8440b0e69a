import { sanitizeText, toSingleLine } from "../diagnostics/text.js";
import { omitUndefined } from "../json.js";
import type { ApiModel } from "../model/types.js";
import type { ApiDefinition, ServerDefinition } from "../runtime/api-definition.js";
import { otherSecretVariables } from "./secret-names.js";
import { type Environment, titleWords } from "./server-names.js";
import { documentedBasePath } from "./servers.js";
import { extractErrorCodes } from "./documented-errors.js";
import type { StatusTexts } from "./documented-statuses.js";
import type { PlanOptions } from "./options.js";
import type { SecurityPlan } from "./security/index.js";
import { flattenMarkdown, removeComments } from "./text/markdown.js";
import { splitSentence, toSentence, truncateText } from "./text/sentences.js";
import type { BudgetPlan } from "./types.js";

const MAX_INSTRUCTIONS = 600;

/** Decisions about the API as a whole. */
interface ApiSettings {
  readonly envPrefix: string;
  readonly servers: readonly ServerDefinition[];
  readonly hosts: readonly string[] | undefined;
  readonly security: SecurityPlan;
  readonly budget: BudgetPlan;
  readonly environment: Environment;
  /** Meanings of statuses that operations share. */
  readonly statuses?: StatusTexts | undefined;
  /** True if a tool takes fields that the document lacks. */
  readonly hasOpenInputs: boolean;
  /** Sentences of many tools. */
  readonly sharedSentences: readonly string[];
}

/** Definition of the API in the generated server. */
export function apiDefinition(
  model: ApiModel,
  { namespace, configuration }: PlanOptions,
  {
    envPrefix,
    servers,
    hosts,
    security,
    budget,
    environment,
    statuses,
    hasOpenInputs,
    sharedSentences,
  }: ApiSettings,
): ApiDefinition {
  const { limits, mode } = budget;
  const server = configuration?.content.server ?? {};
  const documentTitle = toSingleLine(removeComments(model.title));
  const title = server.title ?? (truncateText(documentTitle, 100, false) || "API");
  const secretParameters = otherSecretVariables(security.schemes, environment.list);
  return omitUndefined({
    name: server.name ?? namespace ?? defaultServerName(model.title),
    title,
    version: toSingleLine(model.version).slice(0, 60) || "0",
    instructions:
      server.instructions ??
      [
        serverInstructions(model, title, hasOpenInputs),
        ...(sharedSentences.length > 0 ? ["Several tools state:", ...sharedSentences] : []),
      ].join(" "),
    headers: server.headers,
    envPrefix,
    servers,
    hosts,
    basePath: servers.length === 0 ? documentedBasePath(model.servers[0]) || undefined : undefined,
    securitySchemes: security.schemes,
    secretParameters: secretParameters.length > 0 ? secretParameters : undefined,
    security: security.defaultRequirement,
    errorCodes: apiErrorCodes(model),
    statuses,
    namespace,
    strictInputs: server.strictInputs || undefined,
    rawRequests: server.rawRequests || undefined,
    readBack: server.readBack === false ? false : undefined,
    followPages: server.followPages === false ? false : undefined,
    listBudget:
      mode === "discovery" ? { tools: limits.tools, tokens: limits.listTokens } : undefined,
    maxResultTokens:
      configuration?.content.budget?.resultTokens === undefined ? undefined : limits.resultTokens,
  });
}

/** Error codes that the text about the API explains. */
function apiErrorCodes({
  description = "",
}: ApiModel): Readonly<Record<string, string>> | undefined {
  const { codes } = extractErrorCodes(description, false);
  return codes.size === 0 ? undefined : Object.fromEntries(codes);
}

function defaultServerName(title: string): string {
  return (
    titleWords(title)
      .join("-")
      .slice(0, 60)
      .replace(/(?<!-)-+$/, "") || "api"
  );
}

const OPEN_INPUTS =
  "If the API needs a field of the body that a tool does not list, pass it like an input.";

function serverInstructions(model: ApiModel, title: string, hasOpenInputs: boolean): string {
  const text = flattenMarkdown(model.summary ?? model.description ?? "");
  const about = truncateText(
    text === "" ? `Tools for ${title}.` : `Tools for ${title}: ${toSentence(text)}`,
    MAX_INSTRUCTIONS,
  );
  return hasOpenInputs ? `${about} ${OPEN_INPUTS}` : about;
}

/** One line about the API: its summary, or the first sentence of its description. */
export function apiSummary(model: ApiModel): string {
  const [first] = splitSentence(flattenMarkdown(model.summary ?? model.description ?? ""));
  const text =
    first === ""
      ? `MCP server for ${toSingleLine(removeComments(model.title)) || "an API"}.`
      : first;
  return sanitizeText(truncateText(text, 200, false));
}
