import { quoteText } from "../../diagnostics/clean.js";
import { didYouMean } from "../../diagnostics/index.js";
import type { Operation, Parameter, RequestBody } from "../../model/types.js";
import type { BodyBinding, SendBinding, Wire, WireInput } from "../../runtime/types.js";
import type { Argument, ArgumentPlace, LinkedStep, Value } from "../../workflow/index.js";
import { planBody, wholeBody } from "../binding/body.js";
import { styleOf } from "../binding/wire.js";
import { parameterCandidate } from "../inputs/index.js";
import { roleOf, type RoleContext } from "../inputs/role.js";
import type { JsonSchema } from "../../json.js";
import { resolve, typesOf, type Schemas } from "../schema/refs.js";
import { successResponses } from "../schema/success.js";
import { ownServers, type ToolContext } from "../tool.js";
import { payloadOf } from "./payload.js";
import { inside } from "./schema-of.js";

/** What binding the steps of one API takes. */
export type StepContext = Pick<ToolContext, "schemas" | "security" | "servers" | "baseUrlGiven" | "findings"> & { readonly roles: RoleContext };

/** The request of a step, as data, and what it is given, by name. */
export interface BoundStep {
  readonly send: SendBinding;
  readonly input: readonly (readonly [string, Value])[];
}

type Section = "pathParams" | "query" | "headers" | "cookies";
const sections: Readonly<Record<Exclude<ArgumentPlace, "querystring">, Section>> = { path: "pathParams", query: "query", header: "headers", cookie: "cookies" };

/** Collects the wires of one request. */
interface Draft {
  readonly wires: Record<Section, Record<string, Wire>>;
  readonly input: (readonly [string, Value])[];
  querystring?: WireInput;
}

/** Binds the parameters and the body of a step to the request of its operation. What does not fit is reported where the step says it. */
export function bindStep(step: LinkedStep, operation: Operation, context: StepContext): BoundStep {
  const draft: Draft = { wires: { pathParams: {}, query: {}, headers: {}, cookies: {} }, input: [] };
  const given = distinct(step.arguments).map((argument) => spelled(argument, operation, context));
  const contentType = given.find(({ in: place, name }) => place === "header" && name.toLowerCase() === "content-type");
  for (const argument of given) if (argument !== contentType && argument.in !== undefined) bindArgument(argument, argument.in, operation, draft, context);
  for (const parameter of operation.parameters) if (!given.some((one) => isFor(one, parameter))) bindAbsent(parameter, step, operation, draft, context);
  const said = contentType?.value.kind === "literal" && typeof contentType.value.value === "string" ? contentType.value.value : undefined;
  const body = bindBody(step, operation, said, draft, context);
  const { fixedQuery } = operation;
  for (const [name, value] of fixedQuery ?? []) draft.wires.query[name] ??= { value };
  return { send: sendOf(operation, draft, body, given, context), input: draft.input };
}

/** Names of headers know no case: the last one counts. */
function distinct(all: readonly Argument[]): readonly Argument[] {
  const keyOf = ({ in: place, name }: Argument): string => `${place} ${place === "header" ? name.toLowerCase() : name}`;
  const last = new Map<string, Argument>();
  for (const argument of [...all].sort((a, b) => Number(b.inherited === true) - Number(a.inherited === true))) last.set(keyOf(argument), argument);
  return all.filter((argument) => last.get(keyOf(argument)) === argument);
}

/** A name that is a parameter's but for its spelling (`pet_id` for `petId`) is taken for it, where no other has it. */
function spelled(argument: Argument, { parameters, method, path }: Operation, { findings }: StepContext): Argument {
  const plain = (name: string): string => name.toLowerCase().replace(/[-_]/g, "");
  if (parameters.some((one) => isFor(argument, one))) return argument;
  const [only, second] = parameters.filter((one) => one.in === argument.in && plain(one.name) === plain(argument.name));
  if (!only || second) return argument;
  if (!argument.inherited) findings.add("workflow-parameter", `${quoteText(`${method} ${path}`)} has no ${only.in} parameter ${quoteText(argument.name)}; it is taken for ${quoteText(only.name)}.`, argument.place, `Write ${only.name}.`);
  return { ...argument, name: only.name };
}

function isFor({ in: place, name }: Argument, parameter: Parameter): boolean {
  return place === parameter.in && (place === "header" ? name.toLowerCase() === parameter.name.toLowerCase() : place === "querystring" || name === parameter.name);
}

function bindArgument(argument: Argument, place: ArgumentPlace, operation: Operation, draft: Draft, { findings, roles }: StepContext): void {
  const { name, value, inherited } = argument;
  const parameter = operation.parameters.find((one) => isFor(argument, one));
  const title = `${operation.method} ${operation.path}`;
  if (!parameter && place === "path") {
    if (!inherited) findings.add("workflow-parameter-place", `${quoteText(title)} has no path parameter ${quoteText(name)}${didYouMean(name, operation.parameters.filter((one) => one.in === "path").map((one) => one.name)) || "."}`, argument.place);
    return;
  }
  const isCredential = Object.values(roles.securitySchemes).some((scheme) => scheme.kind === "apiKey" && scheme.in === place && scheme.name.toLowerCase() === name.toLowerCase());
  const isUsual = place === "querystring" || (place === "header" && /^(accept|authorization|user-agent)$/i.test(name));
  if (!parameter && !inherited && !isUsual && !isCredential) {
    const known = operation.parameters.filter((one) => one.in === place).map((one) => one.name);
    findings.add("workflow-parameter", `${quoteText(title)} does not declare the ${place} parameter ${quoteText(name)}${didYouMean(name, known) || "."} It is sent all the same.`, argument.place, known.length > 0 ? `It has ${known.join(", ")}.` : undefined);
  }
  const from = freeKey(name, place, draft);
  draft.input.push([from, value]);
  const wire: Wire = wireFor(from, parameter);
  if (place === "querystring") draft.querystring = typeof wire === "string" ? { from: wire } : (wire as WireInput);
  else draft.wires[sections[place]][parameter?.name ?? name] = place === "header" && isOwnersHeader(name) ? { from, byOwner: true } : wire;
}

const isOwnersHeader = (name: string): boolean => /^(accept|authorization|proxy-authorization|user-agent)$/i.test(name);

function wireFor(from: string, parameter: Parameter | undefined): Wire {
  const style = styleOf(parameter);
  return Object.keys(style).length > 0 ? { from, ...style } : from;
}

function freeKey(name: string, place: string, { input }: Draft): string {
  const taken = new Set(input.map(([key]) => key));
  return [name, `${place}_${name}`].find((key) => key !== "body" && key !== "__proto__" && !taken.has(key)) ?? `${place}_${name}_${input.length}`;
}

/** A parameter that the step says nothing about: what the server gives by itself, or the default of one that is needed. */
function bindAbsent(parameter: Parameter, step: LinkedStep, operation: Operation, draft: Draft, { schemas, roles, security, findings }: StepContext): void {
  if (parameter.in === "querystring") return;
  const candidate = parameterCandidate(parameter, schemas);
  const requirement = security.ownOf(operation) ?? security.common ?? [];
  const role = roleOf(candidate, roles, (scheme) => requirement.some((one) => Object.hasOwn(one, scheme)));
  const wires = draft.wires[sections[parameter.in]];
  const style = styleOf(parameter);
  if (role.kind === "constant") wires[parameter.name] = { value: role.value, ...style };
  else if (role.kind === "generated") wires[parameter.name] = { generate: "uuid" };
  else if (role.kind === "env") wires[parameter.name] = { env: role.env, ...(role.required && { required: true }), ...style };
  else if (role.kind === "input" && parameter.required) {
    const fallback = parameter.schema.default ?? resolve(schemas, parameter.schema).default;
    if (fallback !== undefined && fallback !== null) wires[parameter.name] = { value: fallback as never, ...style };
    else {
      findings.add("workflow-parameter", `The step ${quoteText(step.id)} gives no value to the ${parameter.in} parameter ${quoteText(parameter.name)}, which ${quoteText(`${operation.method} ${operation.path}`)} needs.`, step.place, "Add it to the parameters of the step.");
      wires[parameter.name] = wireFor(parameter.name, parameter);
    }
  }
}

function bindBody(step: LinkedStep, operation: Operation, said: string | undefined, draft: Draft, { schemas, findings }: StepContext): BodyBinding | undefined {
  const { body } = step;
  if (!body) {
    if (operation.body?.required) findings.add("workflow-parameter", `The step ${quoteText(step.id)} gives no body, which ${quoteText(`${operation.method} ${operation.path}`)} needs.`, step.place, "Add a requestBody to the step.");
    return undefined;
  }
  const declared = operation.body && contentFor(operation.body, body.contentType ?? said);
  if (!operation.body) findings.add("workflow-body", `${quoteText(`${operation.method} ${operation.path}`)} declares no body; that of the step is sent all the same.`, body.place);
  else if (!declared) findings.add("workflow-body", `${quoteText(`${operation.method} ${operation.path}`)} does not declare a body of ${quoteText(body.contentType ?? said ?? "")}; it is sent all the same.`, body.place, `It takes ${operation.body.contents.map(({ mediaType }) => mediaType).join(", ")}.`);
  const plan = declared && planBody({ ...operation, body: declared }, schemas, findings);
  const mediaType = plan?.content.mediaType ?? body.contentType ?? said ?? "application/json";
  const binding = plan ? wholeBody(plan, "body") : { contentType: mediaType, from: "body" };
  const payload = payloadOf(body, mediaType);
  if (payload.isText && body.replacements.length > 0 && /[/+]xml\b/.test(mediaType)) findings.add("workflow-xpath", `The body of ${quoteText(`${operation.method} ${operation.path}`)} is XML, in which targets are XPath. XPath is not served.`, body.place, "Put the values into the payload by expressions in braces.");
  else if (payload.fault) findings.add("workflow-body", `The payload of the step ${quoteText(step.id)} ${payload.fault}; it is sent as one text.`, body.place);
  const schema = plan?.content.schema;
  draft.input.push(["body", schema ? typed(payload.value, schema, schemas) : payload.value]);
  if (!payload.isText) return { ...binding, required: true };
  const { xml: _, ...asText } = binding;
  return { ...asText, required: true };
}

/** `"{$inputs.count}"` in the place of a number is that number: a text would be refused. */
function typed(value: Value, schema: JsonSchema, schemas: Schemas): Value {
  if (value.kind === "record") return { kind: "record", entries: value.entries.map(([key, part]) => [key, typed(part, inside(schema, [key], schemas), schemas)] as const) };
  if (value.kind === "list") return { kind: "list", items: value.items.map((item, i) => typed(item, inside(schema, [String(i)], schemas), schemas)) };
  const [only, ...more] = value.kind === "template" ? value.parts : [];
  if (value.kind !== "template" || only === undefined || typeof only === "string" || more.length > 0) return value;
  const types = typesOf(resolve(schemas, schema));
  return types.length > 0 && !types.includes("string") ? { kind: "expression", expression: only, place: value.place } : value;
}

function contentFor(body: RequestBody, mediaType: string | undefined): RequestBody | undefined {
  if (mediaType === undefined) return body;
  const essence = (text: string): string => (text.split(";", 1)[0] as string).trim().toLowerCase();
  const contents = body.contents.filter((content) => essence(content.mediaType) === essence(mediaType));
  return contents.length > 0 ? { ...body, contents } : undefined;
}

function sendOf(operation: Operation, { wires, querystring }: Draft, body: BodyBinding | undefined, given: readonly Argument[], context: StepContext): SendBinding {
  const servers = ownServers(operation, context as unknown as ToolContext);
  const own = context.security.ownOf(operation);
  const brings = given.some(({ in: place, name }) => place === "header" && name.toLowerCase() === "authorization");
  const security = brings ? [] : own;
  const saysAccept = Object.keys(wires.headers).some((name) => name.toLowerCase() === "accept");
  const accept = saysAccept ? [] : [...new Set(successResponses(operation.responses).flatMap(({ contents }) => contents.map(({ mediaType }) => mediaType)))].slice(0, 5);
  const filled = (Object.keys(wires) as Section[]).filter((section) => Object.keys(wires[section]).length > 0);
  return {
    method: operation.method, path: operation.path, ...(servers.length > 0 && { servers }),
    ...Object.fromEntries(filled.map((section) => [section, wires[section]])),
    ...(querystring && { querystring }), ...(body && { body }), ...(accept.length > 0 && { accept }), ...(security && { security }),
  };
}
