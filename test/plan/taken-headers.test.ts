/** Response headers beside a body, whose values other operations take. */
import { expect, test } from "vitest";
import { plan } from "../../src/plan/index.js";
import { api, ok, operation, parameter } from "./fixtures.js";

const signIn = (...names: readonly string[]) =>
  operation("POST /tokens", {
    operationId: "signIn",
    responses: [
      { ...ok({ type: "object" }), headers: names.map((name) => ({ name })) },
      { status: "401", contents: [], headers: [{ name: "X-Receipt" }] },
    ],
  });
const takes = (name: string) =>
  operation("GET /sessions", { parameters: [parameter(`header ${name}`)], responses: [] });

test.each<
  readonly [declared: readonly string[], taken: string, want: readonly string[] | undefined]
>([
  [["X-Subject-Token", "X-Other"], "x-subject-token", ["X-Subject-Token"]],
  [["ETag"], "If-Match", ["ETag"]],
  [["X-Other"], "X-Subject-Token", undefined],
  [["X-Other"], "X-Receipt", undefined],
])("of the headers %j, an operation takes %s", (declared, taken, want) => {
  const { tools } = plan(api([signIn(...declared), takes(taken)]));
  const bindings = tools.flatMap(({ definition }) => definition.operations);
  const binding = bindings.find(({ request }) => request.method === "POST");
  expect(binding?.response.headers).toEqual(want);
});
