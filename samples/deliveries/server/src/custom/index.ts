// This file is yours: mcp-gen wrote it once and does not change it again.
import { customToolsFor, type Hooks, ToolError } from "../runtime/index.js";
import type { Tools } from "../tools/index.js";

const defineCustomTool = customToolsFor<Tools>();

/** One task across both APIs. Each request has the credentials of its own API only. */
const locateOrder = defineCustomTool({
  name: "locate_order",
  title: "Locate an order",
  description:
    "Locate the parcel of an order. Returns the status of the order and, once it is shipped, the " +
    "state, the place and the expected day of its parcel.",
  annotations: { readOnlyHint: true, openWorldHint: false },
  inputSchema: {
    type: "object",
    properties: { orderId: { type: "string", description: "ID of the order." } },
    required: ["orderId"],
    additionalProperties: false,
  },
  async run({ orderId }, call) {
    const { items } = await call.tools.find_orders({ orderId });
    const [order] = items;
    if (!order) throw new ToolError(`There is no order ${orderId}. Find it with find_orders.`);
    if (order.trackingNumber === undefined) return { status: order.status };
    const parcel = await call.tools.get_parcel({ trackingNumber: order.trackingNumber });
    return { status: order.status, parcel };
  },
});

const hooks: Hooks<Tools> = {
  tools: [locateOrder],
  // A hook of one tool has the types of its API.
  on: {
    get_parcel: {
      afterResponse: (parcel) => ({ ...parcel, place: parcel.place?.trim() }),
    },
  },
};

export default hooks;
