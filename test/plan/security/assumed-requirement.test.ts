import { expect, test } from "vitest";
import type { ConfigurationFile } from "../../../src/configuration/types.js";
import type { ApiModel, SecurityRequirement } from "../../../src/model/types.js";
import { DiagnosticCollector } from "../../../src/plan/diagnostics.js";
import { assumeRequirement } from "../../../src/plan/security/assumed-requirement.js";
import { api, operation } from "../fixtures.js";

const securitySchemes: ApiModel["securitySchemes"] = {
  key: { kind: "apiKey", in: "header", name: "X-Key" },
  oauth: { kind: "oauth2", flows: [] },
};

const keyed = { security: [{ key: [] }] };
const scoped = { security: [{ oauth: ["read"] }] };

interface Case {
  readonly operations: readonly { security?: readonly SecurityRequirement[] }[];
  readonly configured?: ConfigurationFile["security"];
  readonly want: readonly SecurityRequirement[];
  readonly codes?: readonly string[];
}

const assumed = ["plan-security-assumed"];

test.each<[string, Case]>([
  [
    "no operation",
    { operations: [{}, {}], want: [{ key: [] }, { oauth: [] }, {}], codes: assumed },
  ],
  ["half of them", { operations: [scoped, {}], want: [{ oauth: [] }, {}], codes: assumed }],
  ["a login among many", { operations: [keyed, keyed, keyed, keyed, {}], want: [] }],
  ["an explicit none", { operations: [{ security: [] }, { security: [] }], want: [] }],
  ["configured", { operations: [{}, keyed], configured: [{ key: [] }], want: [{ key: [] }] }],
  ["configured as none", { operations: [{}, {}], configured: [], want: [] }],
  [
    "configured with an unknown scheme",
    { operations: [{}], configured: [{ kye: [] }], want: [], codes: ["config-invalid-value"] },
  ],
])("credentials of operations without a requirement: %s", (_, given) => {
  const diagnostics = new DiagnosticCollector();
  const operations = given.operations.map((rest, i) => operation(`GET /r${i}`, rest));
  const configuration = given.configured && {
    content: { version: 1 as const, security: given.configured },
    locationOf: () => ({ pointer: "#" }),
  };
  const requirement = assumeRequirement(
    api(operations, { securitySchemes }),
    configuration,
    diagnostics,
  );
  expect(requirement).toEqual(given.want);
  expect(diagnostics.list.map(({ code }) => code)).toEqual(given.codes ?? []);
});
