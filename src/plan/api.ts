import { sanitizeText, toSingleLine } from "../diagnostics/text.js";
import { omitUndefined } from "../json.js";
import type { ApiModel } from "../model/types.js";
import type { ApiDefinition, ServerDefinition } from "../runtime/api-definition.js";
import { apiDocumentation } from "./documentation.js";
import { otherSecretVariables } from "./secret-names.js";
import { type Environment, titleWords } from "./server-names.js";
import { documentedBasePath } from "./servers.js";
import { extractErrorCodes } from "./documented-errors.js";
import type { StatusTexts } from "./documented-statuses.js";
import { memberName } from "./membership.js";
import type { PlanOptions } from "./options.js";
import type { RequestMapping } from "../runtime/types.js";
import { findSecretConstants, markSecretHeaders } from "./security/constants.js";
import type { SecurityPlan } from "./security/index.js";
import { flattenMarkdown, removeComments } from "./text/markdown.js";
import { splitSentence, truncateText } from "./text/sentences.js";
import type { BudgetPlan } from "./types.js";

/** Decisions about the API as a whole. */
interface ApiSettings {
  readonly envPrefix: string;
  readonly servers: readonly ServerDefinition[];
  readonly hosts: readonly string[] | undefined;
  readonly security: SecurityPlan;
  readonly budget: BudgetPlan;
  readonly environment: Environment;
  /** Requests of all tools and workflows. */
  readonly requests: readonly RequestMapping[];
  /** Meanings of statuses that operations share. */
  readonly statuses?: StatusTexts | undefined;
  readonly instructions: string | undefined;
  readonly approve: ApiDefinition["approve"] | undefined;
  /** Tools that can be steps of one call. */
  readonly runSteps: ApiDefinition["runSteps"] | undefined;
}

/** Definition of the API in the generated server. */
export function apiDefinition(
  model: ApiModel,
  { namespace, configuration, membership }: PlanOptions,
  settings: ApiSettings,
): ApiDefinition {
  const { envPrefix, servers, hosts, security, budget, environment, statuses, instructions } =
    settings;
  const { limits, mode, listed } = budget;
  const server = configuration?.content.server ?? {};
  const constants = findSecretConstants(settings.requests);
  const secretParameters = otherSecretVariables(security.schemes, environment.list);
  return omitUndefined({
    name: membership
      ? memberName(model, membership)
      : (server.name ?? namespace ?? defaultServerName(model.title)),
    title: serverTitle(model, configuration),
    version: toSingleLine(model.version).slice(0, 60) || "0",
    instructions,
    documentation: server.documentation === false ? undefined : apiDocumentation(model),
    headers: markSecretHeaders(server.headers, { securitySchemes: security.schemes }),
    secretConstants: constants.length > 0 ? constants : undefined,
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
    approve: settings.approve,
    rawRequests: server.rawRequests || undefined,
    runSteps: settings.runSteps,
    readBack: typeof server.readBack === "boolean" ? server.readBack : undefined,
    followPages: server.followPages === false ? false : undefined,
    listBudget:
      mode === "tools" ? undefined : { tools: limits.tools, tokens: limits.listTokens, mode },
    listed: listed.length > 0 ? listed : undefined,
    maxResultTokens:
      configuration?.content.budget?.resultTokens === undefined ? undefined : limits.resultTokens,
  });
}

/** Title of the server: as configured, else the document's. */
export function serverTitle(model: ApiModel, configuration: PlanOptions["configuration"]): string {
  const title = toSingleLine(removeComments(model.title));
  return configuration?.content.server?.title ?? (truncateText(title, 100, false) || "API");
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

/** One line about the API: its summary, or the first sentence of its description. */
export function apiSummary(model: ApiModel): string {
  const [first] = splitSentence(flattenMarkdown(model.summary ?? model.description ?? ""));
  const text =
    first === ""
      ? `MCP server for ${toSingleLine(removeComments(model.title)) || "an API"}.`
      : first;
  return sanitizeText(truncateText(text, 200, false));
}
