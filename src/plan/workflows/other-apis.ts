import { oneLine } from "../../diagnostics/clean.js";
import type { ApiModel, Operation } from "../../model/types.js";
import type { ApiDefinition } from "../../runtime/types.js";
import type { Api } from "../../workflow/index.js";
import { apiServers } from "../api.js";
import { Environment } from "../env.js";
import type { Findings } from "../findings.js";
import { wordsOf } from "../name/words.js";
import type { Schemas } from "../schema/refs.js";
import { planSecurity } from "../security/index.js";
import { ServerPlanner } from "../servers.js";
import type { EnvironmentVariable } from "../types.js";
import type { StepContext } from "./bind-step.js";

/** An API beside the document's, ready to be called. */
export interface PlannedApi {
  readonly api: Api;
  /** `^[a-z][a-z0-9_]*$` */
  readonly name: string;
  readonly definition: ApiDefinition;
  readonly environment: readonly EnvironmentVariable[];
  readonly context: StepContext;
}

/** What the APIs of one server share. */
export interface ApiSurroundings {
  readonly schemas: Schemas;
  readonly prefix: string;
  /** Names of variables that mean something else. */
  readonly taken: ReadonlySet<string>;
  readonly findings: Findings;
}

/**
 * Plans an API of a source description: its base URL and its credentials come from variables of
 * their own, below those of the server: `<PREFIX>_<SOURCE>_BASE_URL`.
 */
export function planApi(
  api: Api,
  name: string,
  operations: readonly Operation[],
  around: ApiSurroundings,
): PlannedApi {
  const { schemas, taken } = around;
  const model: ApiModel = { ...api.model, schemas };
  const findings = around.findings.of(api.label);
  const own = freePrefix(
    `${around.prefix}_${wordsOf(name).join("_").toUpperCase() || "API"}`,
    taken,
  );
  const environment = new Environment(own);
  const servers = new ServerPlanner(environment);
  const addresses = apiServers(model, {}, servers, environment, findings);
  const security = planSecurity(model, operations, environment, findings);
  const title = oneLine(model.title).slice(0, 100) || name;
  const definition: ApiDefinition = {
    name,
    title,
    version: oneLine(model.version).slice(0, 60) || "0",
    envPrefix: own,
    servers: addresses,
    securitySchemes: security.schemes,
    ...(security.common && { security: security.common }),
  };
  const context = {
    schemas,
    security,
    servers,
    baseUrlGiven: false,
    findings,
    roles: { schemas, securitySchemes: security.schemes },
  };
  const variables = environment.list.map((one) => ({
    ...one,
    description: one.description.replace("of the API", `of ${title}`),
    ...(one.required && { required: false }),
  }));
  return { api, name, definition, environment: variables, context };
}

/** No variable of the server may be taken for one of this API. */
function freePrefix(wanted: string, taken: ReadonlySet<string>): string {
  const clashes = (prefix: string): boolean =>
    [...taken].some((name) => name.startsWith(`${prefix}_`));
  for (let n = 1; ; n++) {
    const prefix = n === 1 ? wanted : `${wanted}${n}`;
    if (!clashes(prefix)) return prefix;
  }
}
