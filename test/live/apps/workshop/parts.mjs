// Parts and their manuals.
import {
  fail,
  find,
  manuals,
  newId,
  orders,
  partFields,
  parts,
  problem,
  withId,
} from "./store.mjs";

function assertFreeSku(sku, id) {
  for (const other of parts.values())
    if (other.sku === sku && other.id !== id)
      throw fail(409, `The part ${other.id} has the SKU ${sku} already`);
}

async function storeManual(request) {
  find(parts, "part", request.params.partId);
  const file = await request.file();
  if (!file) throw fail(400, "The form has no file");
  const bytes = await file.toBuffer();
  manuals.set(request.params.partId, { bytes, type: file.mimetype });
  return { bytes: bytes.length };
}

/** Adds the operations of parts to the application. */
export function addParts(app) {
  app.get(
    "/parts",
    {
      schema: {
        summary: "List parts",
        tags: ["parts"],
        querystring: {
          type: "object",
          properties: {
            q: { type: "string", description: "Words in the name" },
            category: partFields.category,
            limit: { type: "integer", minimum: 1, maximum: 100, default: 20 },
            cursor: { type: "string", description: "nextCursor of the page before" },
          },
        },
        response: {
          200: {
            description: "A page of parts",
            type: "object",
            properties: {
              items: { type: "array", items: { $ref: "Part#" } },
              nextCursor: { type: "string", nullable: true },
            },
          },
        },
      },
    },
    ({ query: { q = "", category, limit, cursor } }) => {
      const all = [...parts.values()].filter(
        (one) => one.name.includes(q) && (!category || one.category === category),
      );
      const start = cursor === undefined ? 0 : Number(Buffer.from(cursor, "base64url").toString());
      if (!Number.isInteger(start)) throw fail(400, "The cursor is not one of this list");
      const end = start + limit;
      const nextCursor = end < all.length ? Buffer.from(String(end)).toString("base64url") : null;
      return { items: all.slice(start, end), nextCursor };
    },
  );

  app.post(
    "/parts",
    {
      schema: {
        summary: "Create a part",
        tags: ["parts"],
        body: {
          type: "object",
          required: ["sku", "name", "category"],
          additionalProperties: false,
          properties: partFields,
        },
        response: { 201: { description: "The part", $ref: "Part#" }, 409: problem },
      },
    },
    ({ body }, reply) => {
      assertFreeSku(body.sku);
      const id = newId("part");
      parts.set(id, { id, stock: 0, price: 0, ...body });
      return reply.code(201).send(parts.get(id));
    },
  );

  app.get(
    "/parts/:partId",
    {
      schema: {
        summary: "Get a part",
        tags: ["parts"],
        params: withId("partId"),
        response: { 200: { description: "The part", $ref: "Part#" }, 404: problem },
      },
    },
    ({ params }) => find(parts, "part", params.partId),
  );

  app.patch(
    "/parts/:partId",
    {
      schema: {
        summary: "Change a part",
        tags: ["parts"],
        params: withId("partId"),
        body: { type: "object", additionalProperties: false, properties: partFields },
        response: { 200: { description: "The part", $ref: "Part#" }, 404: problem, 409: problem },
      },
    },
    ({ params: { partId }, body }) => {
      const old = find(parts, "part", partId);
      if (body.sku) assertFreeSku(body.sku, partId);
      parts.set(partId, { ...old, ...body });
      return parts.get(partId);
    },
  );

  app.delete(
    "/parts/:partId",
    {
      schema: {
        summary: "Delete a part",
        tags: ["parts"],
        params: withId("partId"),
        response: { 204: { description: "Deleted", type: "null" }, 404: problem, 409: problem },
      },
    },
    ({ params: { partId } }, reply) => {
      find(parts, "part", partId);
      const open = [...orders.values()].find(
        (one) => one.partId === partId && one.status === "open",
      );
      if (open) throw fail(409, `The order ${open.id} needs this part`);
      parts.delete(partId);
      return reply.code(204).send();
    },
  );

  app.put(
    "/parts/:partId/manual",
    {
      validatorCompiler: () => () => true,
      schema: {
        summary: "Upload the manual of a part",
        tags: ["manuals"],
        consumes: ["multipart/form-data"],
        params: withId("partId"),
        body: {
          type: "object",
          required: ["file"],
          properties: { file: { type: "string", format: "binary" } },
        },
        response: {
          200: {
            description: "Stored",
            type: "object",
            properties: { bytes: { type: "integer" } },
          },
          404: problem,
        },
      },
    },
    (request) => storeManual(request),
  );

  app.get(
    "/parts/:partId/manual",
    {
      schema: {
        summary: "Download the manual of a part",
        tags: ["manuals"],
        params: withId("partId"),
        produces: ["application/octet-stream"],
        response: {
          200: {
            description: "The manual",
            content: {
              "application/octet-stream": { schema: { type: "string", format: "binary" } },
            },
          },
          404: problem,
        },
      },
    },
    ({ params }, reply) => {
      find(parts, "part", params.partId);
      const { bytes, type } = find(manuals, "manual of", params.partId);
      return reply.type(type).send(bytes);
    },
  );
}
