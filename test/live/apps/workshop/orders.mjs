// Orders of parts.
import { fail, find, newId, order, orders, parts, problem, withId } from "./store.mjs";

/** Adds the operations of orders to the application. */
export function addOrders(app) {
  app.get(
    "/orders",
    {
      schema: {
        summary: "List orders",
        tags: ["orders"],
        querystring: {
          type: "object",
          properties: {
            status: order.properties.status,
            page: { type: "integer", minimum: 1, default: 1 },
            pageSize: { type: "integer", minimum: 1, maximum: 50, default: 10 },
          },
        },
        response: {
          200: {
            description: "A page of orders",
            type: "object",
            properties: {
              total: { type: "integer", description: "Number of orders on all pages" },
              orders: { type: "array", items: { $ref: "Order#" } },
            },
          },
        },
      },
    },
    ({ query: { status, page, pageSize } }) => {
      const all = [...orders.values()].filter((one) => !status || one.status === status);
      return { total: all.length, orders: all.slice((page - 1) * pageSize, page * pageSize) };
    },
  );

  app.post(
    "/orders",
    {
      schema: {
        summary: "Order a part",
        tags: ["orders"],
        body: {
          type: "object",
          required: ["partId", "quantity"],
          additionalProperties: false,
          properties: { partId: { type: "string" }, quantity: { type: "integer", minimum: 1 } },
        },
        response: { 201: { description: "The order", $ref: "Order#" }, 404: problem, 422: problem },
      },
    },
    ({ body: { partId, quantity } }, reply) => {
      const { stock, ...rest } = find(parts, "part", partId);
      if (quantity > stock) throw fail(422, `Only ${stock} in the store`);
      parts.set(partId, { ...rest, stock: stock - quantity });
      const id = newId("order");
      orders.set(id, { id, partId, quantity, status: "open", createdAt: new Date().toISOString() });
      return reply.code(201).send(orders.get(id));
    },
  );

  app.post(
    "/orders/:orderId/cancel",
    {
      schema: {
        summary: "Cancel an order",
        tags: ["orders"],
        params: withId("orderId"),
        response: { 200: { description: "The order", $ref: "Order#" }, 404: problem, 409: problem },
      },
    },
    ({ params: { orderId } }) => {
      const old = find(orders, "order", orderId);
      if (old.status !== "open") throw fail(409, `The order is ${old.status}`);
      orders.set(orderId, { ...old, status: "cancelled" });
      return orders.get(orderId);
    },
  );

  app.post(
    "/orders/:orderId/label",
    {
      schema: {
        summary: "Print the label of an order",
        tags: ["orders"],
        params: withId("orderId"),
        response: { 200: { description: "Printed", type: "null" }, 503: problem },
      },
    },
    ({ params: { orderId } }, reply) => {
      find(orders, "order", orderId);
      void reply.header("retry-after", "60");
      throw fail(503, "The printer is out of paper");
    },
  );
}
