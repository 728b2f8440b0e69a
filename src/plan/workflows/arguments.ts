import { quoteText, suggestionFor } from "../../diagnostics/index.js";
import type { Operation, Parameter } from "../../model/types.js";
import type { Argument, ArgumentLocation } from "../../workflow/index.js";
import type { DiagnosticCollector } from "../diagnostics.js";
import type { RoleContext } from "../inputs/role-context.js";

/** Title of an operation in diagnostics. */
export const operationTitle = ({ method, path }: Operation): string =>
  quoteText(`${method} ${path}`);

/** Tests whether an argument is for a parameter. Names of headers compare without case. */
export function isForParameter({ in: location, name }: Argument, parameter: Parameter): boolean {
  return (
    location === parameter.in &&
    (location === "header"
      ? name.toLowerCase() === parameter.name.toLowerCase()
      : location === "querystring" || name === parameter.name)
  );
}

/** True for headers that documents do not declare, for credentials, and for the whole query. */
export function isAlwaysAllowed(
  name: string,
  location: ArgumentLocation,
  securitySchemes: RoleContext["securitySchemes"],
): boolean {
  return (
    location === "querystring" ||
    (location === "header" && /^(accept|authorization|user-agent)$/i.test(name)) ||
    Object.values(securitySchemes).some(
      (scheme) =>
        scheme.kind === "apiKey" &&
        scheme.in === location &&
        scheme.name.toLowerCase() === name.toLowerCase(),
    )
  );
}

/** Reports an argument that is sent although the operation does not declare it. */
export function reportUndeclaredParameter(
  argument: Argument,
  location: ArgumentLocation,
  operation: Operation,
  diagnostics: DiagnosticCollector,
): void {
  const known = operation.parameters
    .filter((parameter) => parameter.in === location)
    .map((parameter) => parameter.name);
  diagnostics.add(
    "workflow-parameter",
    `${operationTitle(operation)} does not declare the ${location} parameter ` +
      `${quoteText(argument.name)}${suggestionFor(argument.name, known) || "."} It is sent anyway.`,
    argument.location,
    known.length > 0 ? `It has ${known.join(", ")}.` : undefined,
  );
}

/**
 * Reports an argument without a path parameter: as superfluous if all parameters have values, else
 * as misspelled.
 */
export function reportUnknownPathParameter(
  { name, location }: Argument,
  provided: readonly Argument[],
  operation: Operation,
  diagnostics: DiagnosticCollector,
): void {
  const declared = operation.parameters.filter((parameter) => parameter.in === "path");
  const problem = `${operationTitle(operation)} has no path parameter ${quoteText(name)}`;
  if (
    declared.every((parameter) => provided.some((argument) => isForParameter(argument, parameter)))
  )
    diagnostics.add(
      "workflow-no-effect",
      `${problem}; it is left out.`,
      location,
      declared.length > 0
        ? `It has ${declared.map((parameter) => parameter.name).join(", ")}.`
        : "Remove it, or change its location.",
    );
  else
    diagnostics.add(
      "workflow-parameter-location",
      `${problem}${
        suggestionFor(
          name,
          declared.map((parameter) => parameter.name),
        ) || "."
      }`,
      location,
    );
}
