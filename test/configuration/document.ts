/** The document of the configuration example: a shop. */
export const SHOP = `openapi: 3.1.0
info: {title: Shop, version: "1"}
servers: [{url: "https://shop.example/v1"}]
security: [{token: []}]
paths:
  /products:
    parameters: &common
      - {name: X-Api-Version, in: header, required: true, schema: {type: string}}
      - {name: tenant_id, in: query, required: true, schema: {type: string}}
    get:
      operationId: listProducts
      parameters:
        - {name: category, in: query, schema: {type: string, enum: [all, shoes]}}
        - {name: offset, in: query, schema: {type: integer, default: 0}}
        - {name: limit, in: query, schema: {type: integer, default: 20}}
      responses: {"200": {description: ok, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Product"}}}}}}
  /products/search:
    parameters: *common
    get:
      operationId: searchProducts
      parameters: [{name: q, in: query, required: true, schema: {type: string}}]
      responses: {"200": {description: ok, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Product"}}}}}}
  /products/{product_id}:
    parameters: [{name: product_id, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getProduct
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Product"}}}}}
    delete:
      operationId: deleteProduct
      responses: {"204": {description: gone}}
  /orders:
    post:
      operationId: createOrder
      requestBody: {content: {application/json: {schema: {type: object, required: [product_id], properties: {product_id: {type: string}, note: {type: string}}}}}}
      responses: {"201": {description: ok, content: {application/json: {schema: {type: object, properties: {id: {type: string}}}}}}}
  /internal/health:
    get: {operationId: getHealth, responses: {"204": {description: ok}}}
  /admin/stats:
    get: {operationId: getStats, tags: [admin], responses: {"204": {description: ok}}}
components:
  securitySchemes: {token: {type: http, scheme: bearer}}
  schemas:
    Product: {type: object, properties: {id: {type: string}, name: {type: string}, price: {type: number}, stock: {type: integer}, cost: {type: number}}}
`;

/** Every key, as a person would write the file. */
export const CURATION = `# yaml-language-server: $schema=https://unpkg.com/mcp-gen/mcp-gen.schema.json
version: 1
spec: ./openapi.yaml                   # so that a bare \`mcp-gen\` regenerates
output: ./server
overlays: [./fixes.overlay.yaml]
namespace: shop
budget: {tools: 40, listTokens: 20000, resultTokens: 8000, onExceed: discovery}   # discovery | warn | error
select:
  default: include
  rules:
    - {match: {tags: [admin]}, include: false}
    - {match: {path: "/internal/**"}, include: false}
parameters:                            # for every operation that has them
  X-Api-Version: {fixed: "2026-01-01"}
  tenant_id: {env: SHOP_TENANT_ID}
errors:
  "401": "The shop rejected the credentials. Tell the user to check SHOP_TOKEN; do not retry."
tools:
  find_products:
    merge: [listProducts, searchProducts, getProduct]
    title: Find products
    description: Find products by ID, text or category.
    useWhen: the user names or describes a product
    inputs:
      q: {name: text, description: "Words to look for", examples: ["red shoes"]}
      category: {default: all}
    output: {pick: [id, name, price, stock]}
    pagination: {maxItems: 50}
    errors: {"404": "No product {product_id}. Call {tool:find_products} with text instead."}
  remove_product:
    operation: deleteProduct
    inputs: {product_id: {resolve: {via: find_products, match: name}}}
`;

export const OVERLAY = `overlay: 1.0.0
info: {title: Fixes, version: "1"}
actions: [{target: $.info, update: {description: A shop.}}]
`;
