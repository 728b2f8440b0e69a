import { describe, expect, test } from "vitest";
import {
  createSearch,
  type StoredIndex,
  storeIndex,
} from "../../../src/runtime/discovery/search/index.js";
import { replacePhrasalVerbs } from "../../../src/runtime/discovery/search/phrasal-verbs.js";
import { alternativesOf } from "../../../src/runtime/discovery/search/vocabulary.js";
import { tokenize } from "../../../src/runtime/discovery/search/terms.js";
import type { AnyTool } from "../../../src/runtime/tools/definitions.js";
import type { ToolEffect } from "../../../src/runtime/types.js";
import { toolOf } from "../support/clinic.js";

describe("terms", () => {
  test.each<readonly [string, readonly string[]]>([
    ["list_orders", ["list", "order"]],
    ["GET /orders/{orderId}/lineItems", ["order", "order", "id", "lin", "item"]],
    ["HTTPServer2Go", ["http", "server2", "go"]],
    ["What is the status of my orders?", ["status", "order"]],
    ["create creates created creating creation", ["creat", "creat", "creat", "creat", "creat"]],
    ["company companies", ["compani", "compani"]],
    ["customers customer custom numbers", ["customer", "customer", "custom", "number"]],
    ["cancelled cancelling cancellation", ["cancel", "cancel", "cancel"]],
    ["subscribe subscription subscribers", ["subscrib", "subscrib", "subscrib"]],
    ["register registration registrants", ["registr", "registr", "registr"]],
    ["approve approval", ["approv", "approv"]],
    ["organise organizing favourite favorite", ["organiz", "organiz", "favorit", "favorit"]],
    ["user IDs, URLs", ["user", "id", "url"]],
    ["permit permissions settings", ["permit", "permit", "setting"]],
    ["Friday's plan", ["fridai", "plan"]],
    ["Café ÉCOLE", ["caf", "ecol"]],
    ["Überweisung prüfen", ["uberweisung", "prufen"]],
    ["注文を取り消す", ["注文", "文を", "を取", "取り", "り消", "消す"]],
    ["заказ отменить", ["заказ", "отменить"]],
    ["the of and", []],
    ["", []],
    ["__proto__ constructor", ["proto", "construct"]],
  ])("of %j", (text, want) =>
    expect(tokenize(text)).toEqual(
      want.map((word) => word.normalize("NFKD").replace(/\p{M}/gu, "")),
    ),
  );

  test("have synonyms in both directions", () => {
    const [picture, image] = tokenize("picture image");
    expect([...alternativesOf(picture as string).keys()]).toContain(image);
    expect([...alternativesOf(image as string).keys()]).toContain(picture);
    expect([...alternativesOf("constructor")]).toEqual([]);
  });

  test("of everyday language mean words of APIs, but not the reverse", () => {
    expect([...alternativesOf("film").keys()]).toContain("video");
    expect([...alternativesOf("video").keys()]).not.toContain("film");
  });

  test.each([
    ["shut down the pump", "stop close the pump"],
    // With the object between the verb and the particle, and in irregular forms.
    ["roll the app back to Monday", "rollback the app to Monday"],
    ["they took the old tag off", "they remove the old tag"],
    ["turn a flag on for everybody", "enable a flag for everybody"],
    ["turn it on", "enable it"],
    // A particle serves one verb.
    ["take the ticked items off", "remove the ticked items"],
    // A preposition is not a particle, and neither is a word of another part.
    ["sign the contract in the office", "sign the contract in the office"],
    ["roll the app, back in time", "roll the app, back in time"],
  ])("of phrasal verbs in %j: %j", (text, want) =>
    expect(replacePhrasalVerbs(text).replace(/\s+/g, " ").trim()).toBe(want),
  );
});

const text = { type: "string" } as const;
const send = (path: string, method = "GET") => ({ method, path });
const depotId = { ...text, description: "ID of the depot." };
const order = {
  type: "object",
  properties: {
    id: text,
    status: text,
    tracking: { type: "object", properties: { carrier: text } },
  },
};

const writes = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};

/** Tools of a shop: some are similar, some depend on each other. */
const tools = [
  toolOf({
    name: "list_orders",
    title: "List orders",
    description: "List the orders of the shop.",
    toolset: "orders",
    send: send("/orders"),
    outputSchema: { type: "object", properties: { items: { type: "array", items: order } } },
  }),
  toolOf({
    name: "get_order",
    title: "Get an order",
    description: "Get an order.",
    toolset: "orders",
    send: send("/orders/{orderId}"),
    properties: { order_id: text },
    required: ["order_id"],
    producers: { order_id: ["list_orders"] },
    outputSchema: {
      $defs: { Order: order },
      type: "object",
      properties: { order: { $ref: "#/$defs/Order" } },
    },
  }),
  toolOf({
    name: "cancel_order",
    effect: "destroys",
    keywords: ["chargeback"],
    annotations: writes,
    title: "Cancel an order",
    description: "Stop an order before it is shipped.",
    toolset: "orders",
    send: send("/orders/{orderId}/cancel", "POST"),
    properties: { order_id: text },
    required: ["order_id"],
    producers: { order_id: ["list_orders"] },
  }),
  toolOf({
    name: "search_customers",
    title: "Search customers",
    description: "Find customers by name.",
    toolset: "customers",
    send: send("/customers/search"),
    properties: { q: text },
    required: ["q"],
  }),
  toolOf({
    name: "list_customers",
    title: "List customers",
    description: "List customers.",
    toolset: "customers",
    send: send("/customers"),
  }),
  toolOf({
    name: "list_invoices",
    title: "List invoices",
    description: "List what a customer has to pay.",
    toolset: "billing",
    send: send("/customers/{customerId}/invoices"),
    properties: { customer_id: { ...text, description: "ID of the customer." } },
    required: ["customer_id"],
    producers: { customer_id: ["list_customers", "search_customers"] },
  }),
  toolOf({
    name: "update_order_status",
    title: "Update the status of an order",
    description: "Set the status of an order.",
    toolset: "orders",
    effect: "changes",
    annotations: writes,
    send: send("/orders/{orderId}/status", "PUT"),
    properties: {
      order_id: text,
      status: { ...text, enum: ["packed", "shipped"], description: "State of the crate." },
    },
    required: ["order_id", "status"],
    producers: { order_id: ["list_orders"] },
  }),
  toolOf({
    name: "get_my_profile",
    title: "Get the profile",
    description: "Get the profile of the current user.",
    toolset: "customers",
    send: send("/me/profile"),
  }),
  toolOf({
    name: "get_profile",
    title: "Get a profile",
    description: "Get the profile of a customer.",
    toolset: "customers",
    send: send("/customers/{customerId}/profile"),
    properties: { customer_id: text },
    required: ["customer_id"],
    producers: { customer_id: ["search_customers"] },
  }),
  toolOf({
    name: "upload_product_picture",
    title: "Upload a picture",
    description: "Add a photo to a product.",
    toolset: "products",
    send: send("/products/{id}/images", "POST"),
  }),
  toolOf({
    name: "create_permission",
    title: "Create a permission",
    description: "Add a role for a user.",
    effect: "adds",
    annotations: writes,
    toolset: "products",
    send: send("/permissions", "POST"),
    properties: { warehouse: text, role: text },
    required: ["warehouse", "role"],
  }),
  toolOf({
    name: "list_warehouses",
    title: "倉庫の一覧",
    description: "倉庫をすべて返します。",
    toolset: "stock",
    send: send("/warehouses"),
  }),
];
/** Tools for phrases and values. */
const further = [
  ["set_domain", "Set the domain"],
  ["set_address", "Set the IP address"],
  ["empty_admin_archive", "Empty the archive", "/admin/archive"],
  ["empty_archive", "Empty the archive", "/archive"],
  ["list_removed_flags", "List removed flags"],
  ["list_collaborators", "List collaborators"],
  ["create_transfer", "Create a transfer"],
  ["repost_track", "Repost a track"],
  ["unlike_track", "Unlike a track"],
  ["test_hook", "Test a hook"],
  ["ignore_flag", "Ignore a flag"],
  ["get_tune", "Get a tune of a band"],
  ["list_band_tunes", "List the tunes of a band"],
  ["delete_flag", "Delete a flag"],
  ["schedule_pump_downtime", "Schedule a downtime of a pump"],
  ["update_pump", "Update a pump"],
  ["send_texts", "Send texts"],
  ["resend_hook", "Resend a hook"],
  ["create_share", "Share an album"],
  ["delete_share", "Delete a share of an album"],
  ["disable_flag", "Disable a flag"],
  ["create_backup", "Create a backup"],
  ["preview_brochure", "Preview a brochure"],
  ["get_brochure", "Get a brochure"],
  ["create_alert", "Create an alert"],
  ["create_webhook", "Create a webhook"],
  ["create_moderation", "Create a moderation"],
  ["get_link", "Get a link"],
  ["create_link", "Create a link"],
  ["rate_tune", "Rate a tune"],
  ["get_pump_failure", "Get the failure of a pump"],
  ["list_pending_brochures", "List pending brochures"],
].map(([name = "", title = "", path = "/things"]) =>
  toolOf({ name, title, description: title, send: send(path) }),
);
const offered = [...tools, ...further];
const search = createSearch(offered);
const find = (
  query: string,
  limit = 10,
  accepts: (name: string) => boolean = () => true,
): string[] =>
  search.find(query, { limit, accepts: ({ name }) => accepts(name) }).hits.map(({ name }) => name);

describe("the best match", () => {
  test.each([
    ["cancel the order of yesterday", "cancel_order"],
    ["cancel_order", "cancel_order"],
    ["see what is new, then get an order", "get_order"],
    ["Get the order", "get_order"],
    // A name with exactly the terms of the query comes first.
    ["order", "get_order"],
    ["list orders", "list_orders"],
    ["find orders", "list_orders"],
    ["invoices of a customer", "list_invoices"],
    ["a customer by name", "search_customers"],
    // By fields of the result, also behind a reference.
    ["carrier of an order", "get_order"],
    // By the path.
    ["warehouse", "list_warehouses"],
    ["倉庫", "list_warehouses"],
    // By a synonym, a misspelled word, a prefix.
    ["bill", "list_invoices"],
    ["logo", "upload_product_picture"],
    ["invioces", "list_invoices"],
    ["wareho", "list_warehouses"],
    // By an everyday word.
    ["selfie", "upload_product_picture"],
    ["is this offensive", "create_moderation"],
    // By values and descriptions of inputs, and by the owner's words.
    ["packed", "update_order_status"],
    ["crate", "update_order_status"],
    ["chargeback", "cancel_order"],
    // By what the verb asks for.
    ["mark an order as shipped", "update_order_status"],
    ["call off the order", "cancel_order"],
    ["my profile", "get_my_profile"],
    ["the profile of a customer", "get_profile"],
    ["share the product with ada@example.com", "create_permission"],
    ["let Grace edit the product", "create_permission"],
    // By what a value is: a host name, an address, a channel, a user.
    ["point shop.example.com elsewhere", "set_domain"],
    ["allow 10.0.0.0/16", "set_address"],
    // The unqualified thing, unless the request names the qualifier.
    ["empty the archive", "empty_archive"],
    ["empty the archive as an administrator", "empty_admin_archive"],
    // By phrases, within a part of a sentence.
    ["who else can edit the document", "list_collaborators"],
    ["move some money to savings", "create_transfer"],
    ["share a track with my followers", "repost_track"],
    ["take back my like of a track", "unlike_track"],
    ["see whether a hook works", "test_hook"],
    ["never show this flag again", "ignore_flag"],
    ["switch the big flag off", "disable_flag"],
    ["back the albums up", "create_backup"],
    ["what would the brochure look like", "preview_brochure"],
    ["warn us when there are too many", "create_alert"],
    ["warn us when somebody comes", "create_webhook"],
    ["link where people can go", "get_link"],
    ["give the tune 8 out of 10", "rate_tune"],
    ["why did the pump break", "get_pump_failure"],
    ["brochures that were not printed yet", "list_pending_brochures"],
    // A verb before `that`, although it may be a noun.
    ["record that there is a link", "create_link"],
    // Things without a verb are read, also those that are called like a verb.
    ["flags that were removed", "list_removed_flags"],
    // By the thing that is asked for, rather than one that specifies it.
    ["tunes of a band", "list_band_tunes"],
    ["flags that somebody deleted", "list_removed_flags"],
    ["silence the pump while we upgrade it", "schedule_pump_downtime"],
    // By the request, more than by its reason.
    ["text a person that the order of yesterday is packed", "send_texts"],
    // By what is done once more, or no longer.
    ["deliver the hook again", "resend_hook"],
    ["stop sharing the album", "delete_share"],
    // By a step of a long task.
    [`${"We had a nice summer at the sea. ".repeat(90)}Cancel the order.`, "cancel_order"],
  ])("for %j: %s", (query, want) => expect(find(query)[0]).toBe(want));
});

describe("the matches", () => {
  test("include producers of IDs, text searches first", () => {
    expect(find("invoices").slice(0, 3)).toEqual([
      "list_invoices",
      "search_customers",
      "list_customers",
    ]);
    expect(find("cancel")).toEqual(["cancel_order", "list_orders"]);
  });
  test("have the best of each step of a task", () => {
    const found = find("cancel the order, upload a picture and list the warehouses", 3);
    expect(found.toSorted()).toEqual(["cancel_order", "list_warehouses", "upload_product_picture"]);
  });
  test("of a long task begin with the best of each step, in its order", () => {
    const query = "list the warehouses. Upload a picture. Cancel the order";
    const want = ["list_warehouses", "upload_product_picture", "cancel_order"];
    const { hits, leads } = search.find(query, { accepts: () => true });
    expect(hits.slice(0, 3).map(({ name }) => name)).toEqual(want);
    expect(leads.map(({ name }) => name)).toEqual(want);
  });
  test.each([
    "create, list, update and delete notes of a van",
    "please create, list, update, delete notes of a van",
    "create/list/update/delete notes of a van",
  ])("have the tool of each verb that shares an object: %s", (query) => {
    const effects = {
      create: "adds",
      list: undefined,
      update: "changes",
      delete: "destroys",
    } as const;
    const tools = ["note", "van"].flatMap((noun) =>
      Object.entries(effects).map(([verb, effect]) =>
        toolOf({
          name: `${verb}_${noun}`,
          title: `${verb} ${noun}`,
          description: ".",
          ...(effect && { effect }),
        }),
      ),
    );
    const { leads } = createSearch(tools).find(query, { accepts: () => true });
    expect(leads.map(({ name }) => name)).toEqual([
      "create_note",
      "list_note",
      "update_note",
      "delete_note",
    ]);
  });
  test("include the search for a thing that is named", () =>
    expect(find('invoices of "Blue Ltd"', 2)).toEqual(["list_invoices", "search_customers"]));
  test("include the tool of a thing that the best ones lack", () => {
    const names = [...Array.from({ length: 9 }, (_, i) => `play_song_${i}`), "list_speakers"];
    const songs = names.map((name) =>
      toolOf({
        name,
        title: name,
        description: name.startsWith("play") ? "On a speaker." : "All.",
      }),
    );
    const { hits } = createSearch(songs).find("play a song on the speaker", {
      limit: 5,
      accepts: () => true,
    });
    expect(hits.map(({ name }) => name)).toContain("list_speakers");
  });
  test("include the list of the resource after which an input is named", () =>
    expect(find("create a permission", 2)).toEqual(["create_permission", "list_warehouses"]));
  test.each([
    ["that lists the things of which it changes one", { effect: "changes" }, "list_parcels"],
    ["of an optional input that is an ID", { properties: { to: depotId } }, "list_depots"],
  ] as const)("include the tool %s", (_, fields, want) => {
    const lists = ["list_parcels", "list_depots"].map((name) =>
      toolOf({ name, title: "A list", description: "Quartz." }),
    );
    const moving = toolOf({ name: "move_parcel", title: "Move", ...fields });
    const { hits } = createSearch([...lists, moving]).find("move", {
      limit: 3,
      accepts: () => true,
    });
    expect(hits.map(({ name }) => name)).toEqual(["move_parcel", want]);
  });
  test("have producers of required inputs before those of optional ones", () => {
    const lists = ["list_depots", "list_vans"].map((name) =>
      toolOf({ name, title: "A list", description: "Quartz." }),
    );
    const moving = toolOf({
      name: "move_parcel",
      title: "Move",
      effect: "adds",
      properties: { depot_id: text, van_id: text },
      required: ["van_id"],
      producers: { depot_id: ["list_depots"], van_id: ["list_vans"] },
    });
    const { hits } = createSearch([...lists, moving]).find("move", {
      limit: 3,
      accepts: () => true,
    });
    expect(hits.map(({ name }) => name)).toEqual(["move_parcel", "list_vans", "list_depots"]);
  });
  test("of a long task bring the producers of their inputs", () =>
    expect(find("cancel the order, upload a picture, and set the domain", 4)).toContain(
      "list_orders",
    ));
  test.each([
    ["two tools for one kind of thing", "quartz"],
    ["one tool that writes the same, in a task of several steps", "quartz. Zeppelin"],
  ])("do not crowd out others by more than %s", (_, query) => {
    const alike = ["edit_label", "move_label", "mark_label", "edit_file"].map((name) =>
      toolOf({
        name,
        title: "A tool",
        description: "For quartz.",
        effect: "changes",
      }),
    );
    const { hits } = createSearch(alike).find(query, { limit: 3, accepts: () => true });
    expect(hits.map(({ name }) => name)).toEqual(["edit_label", "move_label", "edit_file"]);
  });
  test.each([
    [10, "check stock"],
    [10, "check stock. Cancel the order"],
    [15, "check stock. Cancel the order. Delete the file"],
    [20, "check stock. Cancel the order. Delete the file. Move the van"],
    [20, "check stock. Cancel the order. Delete the file. Move the van. Add a road"],
  ])("are at most %i by default for %j", (want, query) => {
    const things = Array.from({ length: 40 }, (_, i) =>
      toolOf({ name: `list_stock_${i}`, title: "Stock", description: "Orders, files, vans." }),
    );
    expect(createSearch(things).find(query, { accepts: () => true }).hits).toHaveLength(want);
  });
  test.each([
    ["a question", "is the crane there", "list_cranes"],
    ["things with something after them", "harbour fees we charge", "list_harbour_fees"],
    ["a name", "add a boat", "create_boat"],
    ["an effect", "mark the boat as gone", "update_boat"],
  ])("follow %s", (_, query, best) => {
    const write = (name: string, title: string, effect: Exclude<ToolEffect, "reads">): AnyTool =>
      toolOf({ name, title, description: `${title}.`, annotations: writes, effect });
    const read = (name: string, title: string, path: string): AnyTool =>
      toolOf({ name, title, description: `${title}.`, send: send(path) });
    const tools = [
      write("create_crane", "Add a crane", "adds"),
      read("list_cranes", "List cranes", "/cranes"),
      write("create_harbour_fee", "Add a harbour fee", "adds"),
      read("list_harbour_fees", "List harbour fees", "/fees"),
      write("create_boat_license", "Add a boat license", "adds"),
      write("create_boat", "Add a boat", "adds"),
      write("sink_boat", "Sink a boat", "destroys"),
      write("update_boat", "Update a boat", "changes"),
    ];
    const { hits } = createSearch(tools).find(query, { limit: 1, accepts: () => true });
    expect(hits[0]?.name).toBe(best);
  });
  test("are filtered before they are limited", () => {
    expect(find("order", 1)).toHaveLength(1);
    expect(find("order", 1, (name) => name === "cancel_order")).toEqual(["cancel_order"]);
  });
  test("are empty for unknown words", () => {
    for (const query of ["zeppelin", "the", "!?", "🦄"]) expect(find(query)).toEqual([]);
  });
  test("have a stable order: equal scores in the order of the registry", () => {
    const twins = ["a", "b", "c"].map((name) =>
      toolOf({ name: `${name}_thing`, title: "Thing", description: "A thing." }),
    );
    expect(
      createSearch(twins)
        .find("thing", { limit: 3, accepts: () => true })
        .hits.map(({ name }) => name),
    ).toEqual(["a_thing", "b_thing", "c_thing"]);
    expect(
      createSearch(offered).find("order of a customer", { limit: 10, accepts: () => true }),
    ).toEqual(search.find("order of a customer", { limit: 10, accepts: () => true }));
  });
  test("are found for a very long query", () =>
    expect(find(`${"lorem ipsum ".repeat(80)} cancel the order`)[0]).toBe("cancel_order"));
});

test("a stored index, as JSON, finds the same as the tools and mixes with others", () => {
  const stored = JSON.parse(JSON.stringify(storeIndex(offered.slice(2)))) as StoredIndex;
  const mixed = createSearch([...offered.slice(0, 2), ...stored.tools], stored.terms);
  for (const query of ["cancel the order", "invoices", "mark an order as packed", "倉庫"]) {
    const options = { limit: 10, accepts: () => true };
    expect(mixed.find(query, options).hits.map(({ name }) => name)).toEqual(find(query));
  }
});

test("recursive schemas are supported", () => {
  const outputSchema = {
    type: "object",
    $defs: { Node: { type: "object", properties: { leaf: text, next: { $ref: "#/$defs/Node" } } } },
    properties: { node: { $ref: "#/$defs/Node" } },
  };
  const odd = [
    toolOf({ name: "get_node", outputSchema }),
    toolOf({
      name: "get_odd",
      outputSchema: {
        type: "object",
        properties: { a: { $ref: "#/$defs/__proto__" }, b: { $ref: "#" }, c: true },
      },
    }),
  ];
  expect(
    createSearch(odd)
      .find("leaf", { limit: 5, accepts: () => true })
      .hits.map(({ name }) => name),
  ).toEqual(["get_node"]);
});

describe("several APIs", () => {
  const orders = ["list_orders", "cancel_order", "get_order_status"];
  const bound = (api: string, names: readonly string[], prefix = "") =>
    names.map((name) =>
      toolOf({ name: prefix + name, title: name.replaceAll("_", " "), toolset: api, api }),
    );
  const shop = bound("shop", orders);
  // Everything here is about orders, which makes the word frequent in the server.
  const other = bound("depot", ["list_order_boxes", "create_order", "list_orders"], "depot_");
  const namesFor = (tools: ReturnType<typeof bound>, query: string, api?: string) =>
    createSearch(tools)
      .find(query, { ...(api !== undefined && { api }), accepts: () => true })
      .hits.map(({ name }) => name);

  test.each(["status of an order", "list orders", "cancel", "depot orders"])(
    "%j in one API has the ranking that the API has alone",
    (query) => {
      expect(namesFor([...other, ...shop], query, "shop")).toEqual(namesFor(shop, query));
      expect(namesFor([...shop, ...other], query, "depot")).toEqual(namesFor(other, query));
    },
  );

  test.each(["door, window", "the report of door and window"])(
    "tools of another API do not change the order of those of an API: %j",
    (query) => {
      const house = bound("house", ["get_door_report", "get_window_report", "get_window_sum"]);
      const hotel = bound("hotel", ["get_door", "get_door_key", "get_door_lock"], "hotel_");
      const names = namesFor([...house, ...hotel], query);
      expect(names.filter((name) => !name.startsWith("hotel"))).toEqual(namesFor(house, query));
    },
  );

  test("a misspelled word is one that the API has, whatever others have", () => {
    const orderly = bound("hotel", ["list_ordrs"]);
    expect(namesFor([...shop, ...orderly], "ordrs", "shop")).toEqual(namesFor(shop, "ordrs"));
  });

  test("the name of an API in the query brings its tools first", () => {
    expect(namesFor([...shop, ...other], "list orders of the depot")[0]).toBe("depot_list_orders");
    expect(namesFor([...other, ...shop], "list orders of the shop")[0]).toBe("list_orders");
  });

  test.each([
    "list orders in GitHub",
    "list orders in Git Hub",
    "GitHub: list orders",
    "In GitHub, list orders",
    "list orders with the GITHUB API",
  ])("the name of an API is read as one word in any spelling: %j", (query) => {
    const hub = bound("github_api", ["list_orders", "list_order_boxes"], "github_");
    const depot = bound("depot", ["list_orders", "find_order_hub"], "depot_");
    expect(namesFor([...depot, ...hub], query)[0]).toBe("github_list_orders");
  });

  test("a named API comes first, although a tool of another has more of the words", () => {
    const boxes = [...bound("shop", ["list_open_boxes", "list_boxes"]), ...other];
    const query = "list open boxes in the depot";
    expect(namesFor(boxes, query)[0]).toBe("depot_list_order_boxes");
  });

  const searchOf = (tools: ReturnType<typeof bound>, query: string, limit?: number) => {
    const options = { accepts: () => true, ...(limit !== undefined && { limit }) };
    const { hits, rivals } = createSearch(tools).find(query, options);
    return { names: hits.map(({ name }) => name), rivals };
  };

  test("two APIs that fit about equally begin the answer in turn", () => {
    const { names, rivals } = searchOf([...shop, ...other], "list orders");
    expect([...rivals].sort()).toEqual(["depot", "shop"]);
    expect(names.slice(0, 2).sort()).toEqual(["depot_list_orders", "list_orders"]);
    expect(
      names
        .slice(2, 4)
        .map((name) => name.startsWith("depot"))
        .sort(),
    ).toEqual([false, true]);
  });

  test.each(["cancel an order", "list orders in the depot", "list_orders"])(
    "a query that means one API names no others: %j",
    (query) => expect(searchOf([...shop, ...other], query).rivals).toEqual([]),
  );

  test.each([
    ["list users", ["crowd", "lone"]],
    ["find the users", ["crowd", "lone"]],
    ["users", ["crowd", "lone"]],
    ["list users of a group", []],
    ["list users in crowd", []],
  ])(
    "names that say exactly what a query does are rivals, however frequent a word is: %j",
    (query, want) => {
      const users = Array.from({ length: 60 }, (_, i) => `list_users_of_group_${i}`);
      const things = Array.from({ length: 60 }, (_, i) => `list_things_${i}`);
      const crowd = bound("crowd", ["find_users", ...users]);
      const lone = bound("lone", ["list_users", ...things], "lone_");
      const { names, rivals } = searchOf([...crowd, ...lone], query);
      expect([...rivals].sort()).toEqual(want);
      if (want.length > 0)
        expect(names.slice(0, 2).sort()).toEqual(["find_users", "lone_list_users"]);
    },
  );

  test("an answer of one tool names no others", () => {
    expect(searchOf([...shop, ...other], "list orders", 1).rivals).toEqual([]);
  });

  test("an answer names at most three of many APIs", () => {
    const many = ["one", "two", "three", "four", "five"].flatMap((api) =>
      bound(api, orders, `${api}_`),
    );
    expect(searchOf(many, "list orders").rivals).toHaveLength(3);
  });

  test("the size of an API does not decide", () => {
    const things = Array.from({ length: 90 }, (_, i) => `list_things_${i}`);
    const small = bound("small", ["list_widgets", "delete_widget"]);
    const large = bound("large", [...things, "get_thing_widget"], "large_");
    expect(searchOf([...large, ...small], "remove a widget").names[0]).toBe("delete_widget");
  });

  test("an answer has two tools more than that of one API", () => {
    const many = Array.from({ length: 30 }, (_, i) => `list_orders_${i}`);
    expect(searchOf(bound("shop", many), "list orders").names).toHaveLength(10);
    expect(searchOf([...bound("shop", many), ...other], "list orders").names).toHaveLength(12);
  });

  test("each step of a task goes to the API that it names", () => {
    const query = "list orders in the depot, then cancel an order in the shop";
    const cancelling = [...bound("depot", ["list_orders", "cancel_order"], "depot_"), ...shop];
    expect(namesFor(cancelling, query).slice(0, 2).sort()).toEqual([
      "cancel_order",
      "depot_list_orders",
    ]);
  });
});
