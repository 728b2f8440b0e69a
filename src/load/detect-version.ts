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
  const has = (key: string): boolean => getOwn(root, key) !== undefined;
  if (has("swaggerVersion"))
    return {
      code: "load-unsupported-version",
      message: `Swagger ${quoteText(String(root.swaggerVersion), 20)} is not supported`,
      hint: "Convert it first, for example with swagger-converter or api-spec-converter.",
    };
  if (has("asyncapi"))
    return {
      message: "This is an AsyncAPI document, not an OpenAPI document",
      hint: "Pass an OpenAPI document.",
    };
  if (has("arazzo"))
    return {
      message: "This is an Arazzo document (workflows), not an OpenAPI document",
      hint: "Pass the OpenAPI document that it refers to, and this one with --workflow.",
    };
  if (has("overlay"))
    return {
      message: "This is an OpenAPI Overlay, not an OpenAPI document",
      hint: "Pass the OpenAPI document that it applies to.",
    };
  if (isObject(root.info) && (has("item") || getOwn(root.info, "_postman_id") !== undefined))
    return { message: "This is a Postman collection", hint: "Export the API as OpenAPI first." };
  if (has("$schema") || (has("properties") && has("type")))
    return {
      message: 'This is a JSON Schema, not an OpenAPI document: it has no "openapi" at its root',
      hint: "Pass the OpenAPI document that uses it.",
    };
  return undefined;
}

function getOwn(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
