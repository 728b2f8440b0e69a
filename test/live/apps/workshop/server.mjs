// A small application of Fastify, which writes its OpenAPI document itself: parts of a workshop,
// their manuals, and orders of them. Arguments: the port. It keeps its data in memory.
import multipart from "@fastify/multipart";
import swagger from "@fastify/swagger";
import fastify from "fastify";
import { addOrders } from "./orders.mjs";
import { addParts } from "./parts.mjs";
import { fail, order, part } from "./store.mjs";

const app = fastify({ ajv: { customOptions: { removeAdditional: false } } });
await app.register(multipart);
await app.register(swagger, {
  openapi: {
    openapi: "3.0.3",
    info: { title: "Workshop store", version: "1.0.0" },
    components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
    security: [{ token: [] }],
  },
});
app.addSchema(part);
app.addSchema(order);

app.addHook("onRequest", async (request) => {
  if (request.url.startsWith("/openapi.json") || request.url === "/health") return;
  const token = request.headers.authorization?.replace(/^Bearer /, "");
  if (token === undefined) throw fail(401, "Missing token");
  if (token === "reader" && request.method !== "GET") throw fail(403, "This token may only read");
  if (!["reader", "writer"].includes(token)) throw fail(401, "Unknown token");
});

app.get("/openapi.json", { schema: { hide: true } }, () => app.swagger());
app.get("/health", { schema: { summary: "Health of the store", security: [] } }, () => ({
  ok: true,
}));

addParts(app);
addOrders(app);
await app.listen({ host: "127.0.0.1", port: Number(process.argv[2]) });
