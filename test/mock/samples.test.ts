import { describe, expect, test } from "vitest";
import { generate } from "../../src/generate.js";
import { SchemaSet } from "../../src/mock/index.js";

/** The demo and the readers of the samples see these examples; each must be one. */
describe.each(["samples/clinic/openapi.yaml", "samples/legacy-orders/swagger.yaml"])(
  "%s",
  (document) => {
    test("every example satisfies its schema", async () => {
      const { plan } = await generate(document, undefined, { includeDeprecated: true });
      const { operations = [], schemas = {} } = plan?.mock ?? {};
      const [sent, received] = [
        new SchemaSet(schemas, "request"),
        new SchemaSet(schemas, "response"),
      ];
      const contents = operations.flatMap((o) => [
        ...(o.body?.contents ?? []).map((content) => ({ set: sent, content })),
        ...o.responses.flatMap((r) => r.contents).map((content) => ({ set: received, content })),
      ]);
      const faults = contents.flatMap(({ set, content }) =>
        (content.examples ?? []).flatMap((example) =>
          set.check(example, content.schema, content.location.pointer),
        ),
      );
      expect(faults).toEqual([]);
      expect(contents.filter(({ content }) => content.examples).length).toBeGreaterThan(2);
    });
  },
);
