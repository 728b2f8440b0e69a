import type { Operation } from "../../model/types.js";
import type { Api } from "../../workflow/index.js";
import type { ToolPlan } from "../types.js";
import type { PlannedApi } from "./other-apis.js";

/** Where the one mock of all tests serves another API: under a path that no API has. */
export const mockPath = (name: string): string => `/~${name}`;

/**
 * Operations of other APIs as the mock serves them. Who may call them is tested with their own
 * server.
 */
export function mockOperations(
  others: readonly PlannedApi[],
  called: (api: Api) => readonly Operation[],
): Pick<ToolPlan["mock"], "operations" | "securitySchemes"> {
  const operations = others.flatMap(({ api, name }) =>
    called(api).map(({ security: _, servers: __, ...operation }): Operation => ({
      ...operation,
      path: mockPath(name) + operation.path,
    })),
  );
  return { operations, securitySchemes: {} };
}
