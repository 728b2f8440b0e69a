/** The API of a small shop. */
const text = { type: "string" };
export const record = (properties: object, rest: object = {}): object => ({
  type: "object",
  properties,
  ...rest,
});
const json = (schema: object): object => ({ content: { "application/json": { schema } } });
const ok = (schema: object, status = 200): object => ({
  [status]: { description: "Done.", ...json(schema) },
});
const byId = { name: "id", in: "path", required: true, schema: text };
const product = record({ id: text, name: text, price: { type: "number" } });
const order = record({ id: text, status: text, total: { type: "number" } });

export const shopApi = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "https://shop.example" }],
  paths: {
    "/products": {
      get: {
        operationId: "listProducts",
        parameters: [{ name: "q", in: "query", schema: text }],
        responses: ok({ type: "array", items: product }),
      },
    },
    "/products/{id}": {
      get: { operationId: "getProduct", parameters: [byId], responses: ok(product) },
    },
    "/orders": {
      post: {
        operationId: "createOrder",
        requestBody: { required: true, ...json(record({ product: text, n: { type: "integer" } })) },
        responses: ok(order, 201),
      },
    },
    "/orders/{id}": {
      get: { operationId: "getOrder", parameters: [byId], responses: ok(order) },
      delete: {
        operationId: "deleteOrder",
        parameters: [byId],
        responses: { 204: { description: "Gone." } },
      },
    },
  },
};

export const step = (stepId: string, operationId: string, rest: object = {}): object => ({
  stepId,
  operationId,
  ...rest,
});
export const ofId = (value: unknown): object => ({ name: "id", in: "path", value });

/** An Arazzo document about the shop. */
export const aboutShop = (workflows: readonly object[], rest: object = {}): object => ({
  arazzo: "1.1.0",
  info: { title: "Tasks", version: "1" },
  sourceDescriptions: [{ name: "shop", url: "./shop.json", type: "openapi" }],
  workflows,
  ...rest,
});
