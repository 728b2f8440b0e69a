import {
  describeType,
  diagnostic,
  type Diagnostic,
  type DiagnosticCode,
  quoteText,
  type SourceLocation,
} from "../diagnostics/index.js";
import { isObject } from "../json.js";
import { failure, type Outcome, type SpecVersion, success } from "./types.js";

interface DetectedVersion {
  readonly version: SpecVersion;
  readonly warnings: readonly Diagnostic[];
}

/**
 * Detects the OpenAPI version of a document. Patch numbers are ignored. A version that is a number
 * (`openapi: 3.1` in YAML) is accepted with a warning.
 */
export function detectVersion(root: unknown, file: string): Outcome<DetectedVersion> {
  const location: SourceLocation = { file, pointer: "#" };
  if (!isObject(root))
    return failure(
      "load-not-openapi",
      `The document is ${root == null ? "empty (null)" : describeType(root)}, not an object`,
      location,
      "Pass an OpenAPI document.",
    );
  if (getOwn(root, "openapi") !== undefined)
    return openApiVersion(root.openapi, { file, pointer: "#/openapi" });
  if (getOwn(root, "swagger") !== undefined)
    return swaggerVersion(root.swagger, { file, pointer: "#/swagger" });
  const otherFormat = recognizeOtherFormat(root);
  if (otherFormat)
    return failure(
      otherFormat.code ?? "load-not-openapi",
      otherFormat.message,
      location,
      otherFormat.hint,
    );
  return failure(
    "load-not-openapi",
    'This is not an OpenAPI document: it has neither "openapi" nor "swagger" at its root',
    location,
    'Add the version, such as "openapi": "3.1.0", or pass another file.',
  );
}

function openApiVersion(value: unknown, location: SourceLocation): Outcome<DetectedVersion> {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  const version = /^3\.[012](?=\.|$)/.exec(value === 3 ? "3.0" : text)?.[0] as
    | SpecVersion
    | undefined;
  if (!version) return unsupported("OpenAPI", value, location);
  const loose = typeof value === "number" ? numberWarning(value, `${version}.0`, location) : [];
  return success({ version, warnings: loose });
}

function swaggerVersion(value: unknown, location: SourceLocation): Outcome<DetectedVersion> {
  if (value === "2.0") return success({ version: "2.0", warnings: [] });
  if (value === 2)
    return success({ version: "2.0", warnings: numberWarning(value, "2.0", location) });
  if (value === "2")
    return success({
      version: "2.0",
      warnings: [
        diagnostic(
          "load-version-format",
          'The version "2" is read as "2.0"',
          location,
          'Write swagger: "2.0".',
        ),
      ],
    });
  return unsupported("Swagger", value, location);
}

function numberWarning(value: number, version: string, location: SourceLocation): Diagnostic[] {
  return [
    diagnostic(
      "load-version-format",
      `The version ${value} is a number and is read as "${version}"`,
      location,
      `Put it in quotes: "${version}".`,
    ),
  ];
}

const SUPPORTED_VERSIONS_HINT = "Use a document of Swagger 2.0 or OpenAPI 3.0, 3.1 or 3.2.";

function unsupported(
  name: "OpenAPI" | "Swagger",
  value: unknown,
  location: SourceLocation,
): Outcome<never> {
  if (typeof value !== "string" && typeof value !== "number")
    return failure(
      "load-unsupported-version",
      `The version must be a string, but is ${describeType(value)}`,
      location,
      SUPPORTED_VERSIONS_HINT,
    );
  const shown = typeof value === "string" ? quoteText(value, 20) : String(value);
  if (name === "Swagger" && String(value).startsWith("3")) {
    return failure(
      "load-unsupported-version",
      `Swagger ${shown} does not exist: version 3 is named OpenAPI`,
      location,
      'Write openapi: "3.0.3" instead if the rest of the document is OpenAPI 3.',
    );
  }
  const hint =
    name === "Swagger" && String(value).startsWith("1")
      ? "Convert it first, for example with swagger-converter or api-spec-converter."
      : SUPPORTED_VERSIONS_HINT;
  return failure("load-unsupported-version", `${name} ${shown} is not supported`, location, hint);
}

interface OtherFormat {
  readonly code?: DiagnosticCode;
  readonly message: string;
  readonly hint: string;
}

/** Recognizes other formats that are often passed by mistake. */
function recognizeOtherFormat(root: Record<string, unknown>): OtherFormat | undefined {
  const version = getOwn(root, "swaggerVersion");
  if (version !== undefined)
    return {
      code: "load-unsupported-version",
      message: `Swagger ${quoteText(String(version), 20)} is not supported`,
      hint: "Convert it first, for example with swagger-converter or api-spec-converter.",
    };
  const format = OTHER_FORMATS.find(({ matches }) => matches(root));
  return (
    format && {
      message: `This is ${format.name}, not an OpenAPI document`,
      hint: format.hint ?? "Pass an OpenAPI document.",
    }
  );
}

const EXPORT_HINT = "Export the API as OpenAPI first.";

/** Formats by the keys at the root of a document. */
const OTHER_FORMATS: readonly {
  readonly name: string;
  readonly matches: (root: Record<string, unknown>) => boolean;
  readonly hint?: string;
}[] = [
  { name: "an AsyncAPI document", matches: (root) => has(root, "asyncapi") },
  {
    name: "an Arazzo document (workflows)",
    matches: (root) => has(root, "arazzo"),
    hint: "Pass the OpenAPI document that it refers to, and this one with --workflow.",
  },
  {
    name: "an OpenAPI Overlay",
    matches: (root) => has(root, "overlay"),
    hint: "Pass the OpenAPI document that it applies to, and this one with --overlay.",
  },
  {
    name: "a Postman collection",
    matches: ({ info, item }) => isObject(info) && (item !== undefined || has(info, "_postman_id")),
    hint: EXPORT_HINT,
  },
  {
    name: "an Insomnia export",
    matches: (root) => has(root, "__export_format") || /insomnia/.test(String(root.type)),
    hint: EXPORT_HINT,
  },
  { name: "a log of HTTP requests (HAR)", matches: (root) => has(root.log, "entries") },
  {
    name: "a GraphQL schema",
    matches: (root) => has(root, "__schema") || has(root.data, "__schema"),
  },
  {
    name: "a configuration of mcp-gen",
    matches: (root) => has(root, "version") && (has(root, "spec") || has(root, "tools")),
    hint: "Pass it with --config.",
  },
  {
    name: "a JSON Schema",
    matches: (root) => has(root, "$schema") || (has(root, "properties") && has(root, "type")),
    hint: "Pass the OpenAPI document that uses it.",
  },
];

function has(value: unknown, key: string): boolean {
  return isObject(value) && getOwn(value, key) !== undefined;
}

function getOwn(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
