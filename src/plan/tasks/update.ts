import type { JsonSchema } from "../../json.js";
import type { Subject } from "../kind.js";
import { resolve, type Schemas } from "../schema/refs.js";
import { sameJson } from "../schema/values.js";
import type { PlannedRequest, ToolContext } from "../tool.js";
import type { Refusal } from "./find.js";

/** A PATCH that stands for the PUT of the same path too. */
export interface Update {
  readonly patch: Subject;
  readonly put: Subject;
}

/** Pairs of PATCH and PUT on one path, in document order. */
export function updatePairs(subjects: readonly Subject[]): readonly Update[] {
  const puts = new Map(
    subjects
      .filter(({ operation }) => operation.method === "PUT" && !operation.fixedQuery)
      .map((subject) => [subject.operation.path, subject]),
  );
  return subjects.flatMap((patch) => {
    const put =
      patch.operation.method === "PATCH" && !patch.operation.fixedQuery
        ? puts.get(patch.operation.path)
        : undefined;
    return put ? [{ patch, put }] : [];
  });
}

/** Why a PUT is no other way to do what the PATCH does; undefined when it is. */
export function refuseUpdate(
  { patch, put }: Update,
  request: (subject: Subject) => PlannedRequest,
  { schemas, security }: ToolContext,
): Refusal | undefined {
  const refused = (why: string): Refusal => ({
    subject: put,
    base: patch,
    why,
    siblings: "update",
  });
  const [a, b] = [patch.operation, put.operation];
  if (!sameJson(security.ownOf(a), security.ownOf(b)))
    return refused("they need different credentials");
  if (!sameJson(a.servers, b.servers)) return refused("they are on different servers");
  if (a.deprecated !== b.deprecated) return refused("one of them is deprecated");
  const [body, other] = [request(patch).body?.content, request(put).body?.content];
  if (
    !body ||
    !other ||
    body.mediaType !== other.mediaType ||
    !body.schema ||
    !other.schema ||
    !sameBody(body.schema, other.schema, schemas)
  )
    return refused("their bodies differ");
  if (!sameJson(inputsOf(request(patch)), inputsOf(request(put))))
    return refused("their inputs differ");
  if (
    !sameJson(
      patch.json.map(({ schema }) => schema),
      put.json.map(({ schema }) => schema),
    )
  )
    return refused("their results differ");
  return undefined;
}

/**
 * The PATCH takes the same fields, and requires no more of them: Django's REST framework has a
 * `PatchedPet` beside each `Pet`.
 */
function sameBody(patch: JsonSchema, put: JsonSchema, schemas: Schemas): boolean {
  if (sameJson(patch, put)) return true;
  const [less, more] = [resolve(schemas, patch), resolve(schemas, put)];
  if (!less.properties || !more.properties) return false;
  return (
    (less.required ?? []).every((name) => more.required?.includes(name)) &&
    sameJson(fieldsAlone(less), fieldsAlone(more))
  );
}

/** A schema without what it is called and what it requires. */
function fieldsAlone({
  required: _,
  title: __,
  description: ___,
  ...rest
}: JsonSchema): JsonSchema {
  return rest;
}

/** Names and schemas of the inputs, without their words. */
function inputsOf({ inputs }: PlannedRequest): unknown {
  return Object.fromEntries(
    Object.entries(inputs.schema.properties ?? {}).map(([name, schema]) => [
      name,
      { ...(schema as JsonSchema), description: "" },
    ]),
  );
}
