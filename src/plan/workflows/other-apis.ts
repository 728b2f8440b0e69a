import { toSingleLine } from "../../diagnostics/text.js";
import { removeComments } from "../text/markdown.js";
import type { ApiModel, Operation } from "../../model/types.js";
import type { ApiDefinition } from "../../runtime/api-definition.js";
import type { SourceApi } from "../../workflow/index.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import { Environment } from "../server-names.js";
import { splitWords } from "../../language/words.js";
import type { Schemas } from "../schemas/refs.js";
import { planSecurity } from "../security/index.js";
import { otherSecretVariables } from "../secret-names.js";
import { hasSchemes, planApiServers, ServerPlanner } from "../servers.js";
import type { EnvironmentVariable } from "../types.js";
import type { StepContext, WorkflowMember } from "./step-context.js";

/** An API in addition to the document's API. */
export interface PlannedApi {
  readonly api: SourceApi;
  /** `^[a-z][a-z0-9_]*$` */
  readonly name: string;
  readonly definition: ApiDefinition;
  readonly environment: readonly EnvironmentVariable[];
  readonly context: StepContext;
  /** Tool of one of its operations, in a server of several APIs. */
  readonly toolOf?: WorkflowMember["toolOf"];
}

/** Context that all APIs of a server share. */
interface SharedApiContext {
  readonly schemas: Schemas;
  readonly prefix: string;
  /** Names of variables in use. Those of each planned API are added. */
  readonly taken: Set<string>;
  readonly diagnostics: DiagnosticCollector;
}

/**
 * Plans an API of a source description. Its base URL and credentials have variables of their own,
 * below the server's prefix: `<PREFIX>_<SOURCE>_BASE_URL`. No source takes a variable of the server
 * or of another source, whatever its name is: its document would choose whose secret is sent.
 */
export function planOtherApi(
  api: SourceApi,
  name: string,
  operations: readonly Operation[],
  shared: SharedApiContext,
): PlannedApi {
  const { schemas, taken } = shared;
  const model: ApiModel = { ...api.model, schemas };
  const diagnostics = shared.diagnostics.forFile(api.label);
  const environmentPrefix = freePrefix(
    `${shared.prefix}_${splitWords(name).join("_").toUpperCase() || "API"}`,
    taken,
  );
  const environment = new Environment(environmentPrefix, shared);
  const servers = new ServerPlanner(environment, hasSchemes(model));
  const apiServers = planApiServers(
    model,
    undefined,
    servers,
    environment,
    diagnostics,
    "Add an absolute URL to the servers of the document to fix it now.",
  );
  const security = planSecurity(model, operations, environment, diagnostics);
  for (const variable of environment.list) taken.add(variable.name);
  const secrets = otherSecretVariables(security.schemes, environment.list);
  const title = toSingleLine(removeComments(model.title)).slice(0, 100) || name;
  const definition: ApiDefinition = {
    name,
    title,
    version: toSingleLine(model.version).slice(0, 60) || "0",
    envPrefix: environmentPrefix,
    servers: apiServers,
    securitySchemes: security.schemes,
    ...(secrets.length > 0 && { secretParameters: secrets }),
    ...(security.defaultRequirement && { security: security.defaultRequirement }),
  };
  const context = {
    schemas,
    security,
    servers,
    hasBaseUrlOption: false,
    diagnostics,
    roles: { schemas, securitySchemes: security.schemes },
  };
  const variables = environment.list.map((variable) => ({
    ...variable,
    description: variable.description.replace("of the API", `of ${title}`),
    ...(variable.required && { required: false }),
  }));
  return { api, name, definition, environment: variables, context };
}

/** Prefix that no variable of the server starts with. */
function freePrefix(preferred: string, taken: ReadonlySet<string>): string {
  const clashes = (prefix: string): boolean =>
    [...taken].some((name) => name.startsWith(`${prefix}_`));
  for (let n = 1; ; n++) {
    const prefix = n === 1 ? preferred : `${preferred}${n}`;
    if (!clashes(prefix)) return prefix;
  }
}
