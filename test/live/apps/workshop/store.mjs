// Data and schemas of the workshop.
export const parts = new Map();
export const orders = new Map();
export const manuals = new Map();
let next = 1;

export const problem = {
  type: "object",
  properties: {
    statusCode: { type: "integer" },
    error: { type: "string" },
    message: { type: "string" },
  },
};
export const partFields = {
  sku: {
    type: "string",
    pattern: "^[A-Z]{2}-[0-9]{4}$",
    description: "Stock keeping unit, unique",
  },
  name: { type: "string", minLength: 1, maxLength: 60 },
  stock: { type: "integer", minimum: 0, description: "Number in the store" },
  price: { type: "number", minimum: 0, description: "Euros for one" },
  category: { type: "string", enum: ["fastener", "tool", "consumable"] },
};
export const part = {
  $id: "Part",
  type: "object",
  properties: { id: { type: "string" }, ...partFields },
};
export const order = {
  $id: "Order",
  type: "object",
  properties: {
    id: { type: "string" },
    partId: { type: "string" },
    quantity: { type: "integer" },
    status: { type: "string", enum: ["open", "shipped", "cancelled"] },
    createdAt: { type: "string", format: "date-time" },
  },
};
export const withId = (name) => ({
  type: "object",
  required: [name],
  properties: { [name]: { type: "string" } },
});

/** An ID that was not used before. */
export function newId(kind) {
  return `${kind}_${next++}`;
}

export function fail(statusCode, message) {
  return Object.assign(new Error(message), { statusCode });
}

export function find(map, kind, id) {
  if (!map.has(id)) throw fail(404, `There is no ${kind} ${id}`);
  return map.get(id);
}
