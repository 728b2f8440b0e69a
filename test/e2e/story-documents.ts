/** A small API, before and after half a year of changes. */
export const before = `openapi: 3.1.0
info: {title: Bakery, version: 1.0.0}
servers: [{url: "https://bakery.example/v1"}]
tags: [{name: cakes}, {name: orders}]
paths:
  /cakes:
    get:
      operationId: listCakes
      tags: [cakes]
      summary: List cakes
      parameters:
        - {name: size, in: query, schema: {type: string, enum: [small, medium, large]}}
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}
      responses: {"200": {description: Cakes, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Cake"}}}}}}
  /orders:
    post:
      operationId: createOrder
      tags: [orders]
      summary: Order a cake
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [cakeId], properties: {cakeId: {type: string}, note: {type: string}}}}}}
      responses: {"201": {description: Ordered, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}}
  /orders/{orderId}/receipt:
    get:
      operationId: getReceipt
      tags: [orders]
      summary: Get the receipt of an order
      parameters: [{name: orderId, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: A receipt, content: {application/json: {schema: {type: object, properties: {total: {type: number}}}}}}}
  /ovens:
    get:
      operationId: listOvens
      tags: [ovens]
      summary: List ovens
      responses: {"200": {description: Ovens, content: {application/json: {schema: {type: array, items: {type: object, properties: {id: {type: string}, warm: {type: boolean}}}}}}}}
components:
  schemas:
    Cake: {type: object, properties: {id: {type: string}, name: {type: string}, size: {type: string}}}
    Order: {type: object, properties: {id: {type: string}, cakeId: {type: string}, status: {type: string}}}
`;

/** Adds, renames and removes operations, and restricts inputs. */
export const after = before
  .replace("enum: [small, medium, large]", "enum: [small, large]")
  .replace("required: [cakeId]", "required: [cakeId, pickup]")
  .replace("note: {type: string}}", "note: {type: string}, pickup: {type: string, format: date}}")
  .replace("operationId: getReceipt", "operationId: getInvoice")
  .replace(
    / {2}\/ovens:[\s\S]*?(?=components:)/,
    `  /cakes/{cakeId}/reviews:
    get:
      operationId: listReviews
      tags: [cakes]
      summary: List reviews of a cake
      parameters: [{name: cakeId, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: Reviews, content: {application/json: {schema: {type: array, items: {type: object, properties: {stars: {type: integer}}}}}}}}
`,
  );
