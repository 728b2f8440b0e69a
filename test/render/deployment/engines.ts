import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { parseAllDocuments } from "yaml";

/** A JSON Schema, as far as it is changed here. */
interface Schema {
  properties?: object;
  additionalProperties?: unknown;
  [keyword: string]: unknown;
}

function readSchema(name: string): { definitions: Record<string, Schema> } {
  const path = join(import.meta.dirname, "schema", `${name}.json`);
  return JSON.parse(readFileSync(path, "utf8")) as { definitions: Record<string, Schema> };
}

// Extracts of several drafts that use the common keywords only.
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });

function compile({ $schema: _, ...schema }: Schema): ValidateFunction {
  return ajv.compile(schema);
}

const compose = compile({ ...readSchema("compose") });
const wrangler = compile({ ...readSchema("wrangler") });

/** The API server rejects unknown fields (`fieldValidation: Strict`), its schemas do not. */
const kubernetes = Object.fromEntries(
  Object.entries(readSchema("kubernetes").definitions).map(([name, schema]) => [
    name,
    schema.properties ? { ...schema, additionalProperties: false } : schema,
  ]),
);

const kinds: Readonly<Record<string, string>> = {
  "apps/v1 Deployment": "io.k8s.api.apps.v1.Deployment",
  "v1 Service": "io.k8s.api.core.v1.Service",
  "autoscaling/v2 HorizontalPodAutoscaler": "io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler",
  "policy/v1 PodDisruptionBudget": "io.k8s.api.policy.v1.PodDisruptionBudget",
  "networking.k8s.io/v1 NetworkPolicy": "io.k8s.api.networking.v1.NetworkPolicy",
};

const resources = new Map(
  Object.entries(kinds).map(([kind, name]) => [
    kind,
    ajv.compile({ definitions: kubernetes, $ref: `#/definitions/${name}` }),
  ]),
);
resources.set(
  "v1 PersistentVolumeClaim",
  ajv.compile({
    definitions: kubernetes,
    required: ["metadata", "spec"],
    properties: {
      apiVersion: {},
      kind: {},
      metadata: { type: "object" },
      spec: { $ref: "#/definitions/io.k8s.api.core.v1.PersistentVolumeClaimSpec" },
    },
    additionalProperties: false,
  }),
);

/** A parsed resource of Kubernetes. */
export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: Readonly<Record<string, unknown>>;
}

/** The documents of a YAML file. Duplicate keys and unknown anchors throw. */
export function yamlDocuments(text: string): readonly unknown[] {
  return parseAllDocuments(text, { strict: true }).map((document) => {
    if ("errors" in document && document.errors[0]) throw document.errors[0];
    return (document as { toJS(): unknown }).toJS();
  });
}

/** Faults of a file in the eyes of its engine; empty for a valid one. */
export function faultsOf(path: string, text: string): readonly string[] {
  if (path === "wrangler.jsonc") return check(wrangler, JSON.parse(text), path);
  const documents = yamlDocuments(text);
  if (path === "compose.yaml") return documents.flatMap((one) => check(compose, one, path));
  return documents.flatMap((one) => {
    const { apiVersion, kind } = one as Resource;
    const validate = resources.get(`${apiVersion} ${kind}`);
    return validate ? check(validate, one, kind) : [`${apiVersion} ${kind}: unknown kind`];
  });
}

function check(validate: ValidateFunction, value: unknown, name: string): readonly string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => `${name}${fault(error)}`);
}

function fault({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath} ${message} ${JSON.stringify(params)}`;
}
