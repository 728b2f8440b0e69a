import { cleanText, oneLine, quoteText } from "../diagnostics/clean.js";
import type { ApiModel } from "../model/types.js";
import type { ApiDefinition, ServerDefinition } from "../runtime/types.js";
import { flatten } from "./describe/markdown.js";
import { ended, fit, splitSentence } from "./describe/sentences.js";
import type { Environment } from "./env.js";
import type { Findings } from "./findings.js";
import { titleWords } from "./package-name.js";
import type { SecurityPlan } from "./security/index.js";
import { isCallable, type ServerPlanner } from "./servers.js";
import type { BudgetPlan, PlanOptions } from "./types.js";

const MAX_INSTRUCTIONS = 600;

/**
 * The servers of the API, and the variable that overrides them: required when there is none that
 * can be called.
 */
export function apiServers(
  model: ApiModel,
  options: PlanOptions,
  planner: ServerPlanner,
  environment: Environment,
  findings: Findings,
): readonly ServerDefinition[] {
  const given = options.baseUrl;
  const usable =
    given === undefined ? model.servers.filter(isCallable) : [{ url: given, variables: {} }];
  const relative = model.servers.find((server) => !isCallable(server));
  const basePath =
    relative && /^\/[^/]/.test(relative.url)
      ? ` It must end in the base path ${oneLine(relative.url)}.`
      : "";
  environment.add(["base url"], {
    description:
      usable.length > 0
        ? "Base URL of the API, instead of the document's."
        : `Base URL of the API.${basePath}`,
    required: usable.length === 0,
    secret: false,
    example: oneLine(usable[0]?.url ?? "https://api.example.com"),
  });
  if (usable.length === 0) reportMissing(relative?.url, findings);
  return planner.callable(usable);
}

function reportMissing(relative: string | undefined, findings: Findings): void {
  const why =
    relative === undefined
      ? "The document names no server"
      : `The server ${quoteText(relative)} is no absolute http or https URL`;
  findings.add(
    "plan-no-server",
    `${why}; the base URL must be set when the server runs.`,
    { pointer: "#/servers" },
    "Use --base-url to fix it now.",
  );
}

/** What was decided about the API as a whole. */
export interface ApiDecisions {
  readonly envPrefix: string;
  readonly servers: readonly ServerDefinition[];
  readonly security: SecurityPlan;
  readonly budget: BudgetPlan;
  readonly environment: Environment;
}

/** Variables with secrets that belong to no security scheme. */
function secretsBeside(schemes: SecurityPlan["schemes"], { list }: Environment): readonly string[] {
  const declared = new Set(
    Object.values(schemes).flatMap((scheme): unknown[] => Object.values(scheme)),
  );
  return list.flatMap(({ name, secret }) => (secret && !declared.has(name) ? [name] : []));
}

/** What the generated server knows about its API as a whole. */
export function apiDefinition(
  model: ApiModel,
  { namespace, curation }: PlanOptions,
  { envPrefix, servers, security, budget, environment }: ApiDecisions,
): ApiDefinition {
  const { limits, mode } = budget;
  const title = fit(oneLine(model.title), 100, false) || "API";
  const secretParameters = secretsBeside(security.schemes, environment);
  return {
    name: namespace ?? (titleWords(model.title).join("-").slice(0, 60).replace(/-+$/, "") || "api"),
    title,
    version: oneLine(model.version).slice(0, 60) || "0",
    instructions: instructionsOf(model, title),
    envPrefix,
    servers,
    securitySchemes: security.schemes,
    ...(secretParameters.length > 0 && { secretParameters }),
    ...(security.common && { security: security.common }),
    ...(namespace !== undefined && { namespace }),
    ...(mode === "discovery" && { listBudget: { tools: limits.tools, tokens: limits.listTokens } }),
    ...(curation?.curation.budget?.resultTokens !== undefined && {
      resultTokens: limits.resultTokens,
    }),
  };
}

function instructionsOf(model: ApiModel, title: string): string {
  const text = flatten(model.summary ?? model.description ?? "");
  return fit(
    text === "" ? `Tools for ${title}.` : `Tools for ${title}: ${ended(text)}`,
    MAX_INSTRUCTIONS,
  );
}

/** One line about the API: its summary, or the first sentence of its description. */
export function summaryOf(model: ApiModel): string {
  const [first] = splitSentence(flatten(model.summary ?? model.description ?? ""));
  const text = first === "" ? `MCP server for ${oneLine(model.title) || "an API"}.` : first;
  return cleanText(fit(text, 200, false));
}
