import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../../src/json.js";
import type { Operation } from "../../../src/model/types.js";
import { plan } from "../../../src/plan/index.js";
import {
  entityOfPath,
  entityOfSchema,
  parseIdentityName,
} from "../../../src/plan/producers/resources.js";
import { parsePathTemplate } from "../../../src/plan/operations/path.js";
import { api, content, inputsOf, json, ok, operation, parameter } from "../fixtures.js";

describe("identity of a name", () => {
  it.each([
    ["petId", "pet", "id"],
    ["pet_ids", "pet", "id"],
    ["id", "", "id"],
    ["AccountSid", "account", "sid"],
    ["pet", "pet", ""],
    ["bank_account_id", "bank_account", "id"],
    ["issue_number", "issue", "number"],
  ])("%s", (name, entity, idWord) => expect(parseIdentityName(name)).toEqual({ entity, idWord }));

  it.each([
    ["Pet", "pet"],
    ["PetSummary", "pet"],
    ["PetListResponse", "pet"],
    ["objs_user", "user"],
    ["BankAccount2", "bank_account"],
    ["Response", "response"],
  ])("a schema called %s is about a %s", (name, expected) =>
    expect(entityOfSchema(name)).toBe(expected),
  );

  it.each([
    ["/pets", "pet"],
    ["/owners/{id}/pets", "pet"],
    ["/pets/{id}", "pet"],
    ["/users.list", "user"],
    ["/conversations.members", "member"],
    ["/owner/list_pets", "pet"],
    ["/api/get-pets", "pet"],
    ["/list-item", "list_item"],
    ["/search.messages", "search"],
    ["/tv/top_rated", "tv"],
    ["/{id}", ""],
  ])("%s is about a %s", (path, expected) =>
    expect(entityOfPath(parsePathTemplate(path))).toBe(expected),
  );
});

const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const listOf = (name: string): JsonSchema => ({ type: "array", items: ref(name) });
const id: JsonSchema = { type: "string" };
const schemas: Record<string, JsonSchema> = {
  Pet: { type: "object", properties: { id, ownerId: id, tags: listOf("Tag") } },
  Owner: { type: "object", properties: { id } },
  Visit: { type: "object", properties: { id, petId: id } },
  Tag: { type: "object", properties: { id } },
  Zone: { type: "object", properties: { id } },
  Service: { type: "object", properties: { id } },
  Type: { type: "object", properties: { id } },
  Flag: { type: "object", properties: { key: id } },
  Rule: { type: "object", properties: { key: id } },
  UpcomingMeeting: { type: "object", properties: { meetingId: id, subject: id } },
  Branch: { type: "object", properties: { name: { type: "string" } } },
};
const listPets = operation("GET /pets", {
  operationId: "listPets",
  responses: [ok(listOf("Pet"))],
});
const listOwners = operation("GET /owners", {
  operationId: "listOwners",
  responses: [
    ok({ type: "object", properties: { data: listOf("Owner"), total: { type: "integer" } } }),
  ],
});
const listVisits = operation("GET /visits", {
  operationId: "listVisits",
  responses: [ok(listOf("Visit"))],
});

/** A list of things that have a list in their inner objects. */
const nested = ([key = "", ...others]: readonly string[], list: JsonSchema): JsonSchema => {
  const inner = others.length > 0 ? nested(others, list).items! : { properties: { rules: list } };
  return {
    type: "array",
    items: { type: "object", properties: { id, [key]: inner as JsonSchema } },
  };
};

const requiring = (name: string): JsonSchema => ({
  type: "object",
  properties: { [name]: id },
  required: [name],
});
const ticketBody = { contents: [content(requiring("ticket_id"))], required: true };
const ticket: JsonSchema = { type: "object", properties: { ticket_id: id, status: id } };

const described = (operations: readonly Operation[], input: string): string =>
  inputsOf(plan(api(operations, { schemas })).tools[0] ?? expect.fail("no tool"))[input]
    ?.description ?? "";

describe("sources of IDs", () => {
  it.each<readonly [string, readonly Operation[], string, string]>([
    [
      "the list of the parent collection",
      [operation("DELETE /pets/{petId}"), listPets, listVisits],
      "petId",
      "Get it from list_pets.",
    ],
    [
      "a list of things in one state, before a creation",
      [
        operation("DELETE /meetings/{meetingId}"),
        operation("POST /meetings", { responses: [ok(ref("UpcomingMeeting"))] }),
        operation("GET /upcomingMeetings", { responses: [ok(listOf("UpcomingMeeting"))] }),
      ],
      "meetingId",
      "Get it from list_upcoming_meetings or create_meeting.",
    ],
    [
      "neither a random item nor a search by the IDs themselves",
      [
        operation("DELETE /pets/{petId}"),
        operation("GET /pets/random", { responses: [ok(listOf("Pet"))] }),
        operation("GET /leaderboards/pets", { responses: [ok(listOf("Pet"))] }),
        operation("GET /pets", {
          operationId: "getPets",
          summary: "Get the pets of the provided IDs",
          parameters: [parameter("query ids")],
          responses: [ok(listOf("Pet"))],
        }),
        operation("GET /owners/{ownerId}/pets", {
          operationId: "getOwnerPets",
          responses: [ok(listOf("Pet"))],
        }),
      ],
      "petId",
      "Get it from list_owner_pets.",
    ],
    [
      "nothing for the ID of what a call stores",
      [
        operation("PUT /pets/{petId}", {
          parameters: [parameter("path petId", { description: "The ID of the pet to store." })],
        }),
        listPets,
      ],
      "petId",
      "The ID of the pet to store.",
    ],
    [
      "nothing for the ID of what a call creates",
      [operation("POST /pets", json({ properties: { petId: {} }, required: ["petId"] })), listPets],
      "petId",
      "",
    ],
    [
      "the list for the ID of what a call adds to another thing",
      [
        operation(
          "POST /owners/{ownerId}/pets",
          json({ properties: { petId: {} }, required: ["petId"] }),
        ),
        listPets,
      ],
      "petId",
      "Get it from list_pets.",
    ],
    [
      "nothing for a name that the caller chooses",
      [
        operation("POST /pets/{name}", {
          parameters: [parameter("path name", { description: "The name of the new pet" })],
        }),
        listPets,
      ],
      "name",
      "The name of the new pet",
    ],
    [
      "nothing for an identifier that may be a new one",
      [
        operation("PUT /pets/{id}", {
          parameters: [parameter("path id", { description: "Identifier of the new/updated pet" })],
        }),
        listPets,
      ],
      "id",
      "Identifier of the new/updated pet",
    ],
    [
      "no list of present items, for the restoration of a deleted one",
      [
        operation("POST /pets/{petId}", {
          summary: "Restore a pet",
          description: "Restores a pet that was moved to the trash.",
        }),
        listPets,
      ],
      "petId",
      "",
    ],
    [
      "nothing for a value that its segment names",
      [
        operation("DELETE /visits/start/{start}"),
        operation("POST /timer/start", {
          operationId: "addStart",
          summary: "Add a start",
          responses: [ok(ref("Visit"))],
        }),
      ],
      "start",
      "",
    ],
    [
      "the list, for a bare id",
      [operation("DELETE /pets/{id}"), listPets, listOwners],
      "id",
      "ID of the pet. Get it from list_pets.",
    ],
    [
      "another path of the same thing",
      [operation("POST /appointments/{petId}"), listPets],
      "petId",
      "Get it from list_pets.",
    ],
    [
      "a list in an envelope",
      [operation("DELETE /owners/{ownerId}"), listOwners],
      "ownerId",
      "Get it from list_owners.",
    ],
    [
      "the users, for a username that is added to another list",
      [
        operation("PUT /pets/{petId}/sitters/{username}"),
        operation("GET /pets/{petId}/sitters", {
          operationId: "listSitters",
          responses: [ok(listOf("Owner"))],
        }),
        operation("GET /users", { operationId: "listUsers", responses: [ok(listOf("Owner"))] }),
      ],
      "username",
      "Get it from list_users.",
    ],
    [
      "the things of the path, for a username that is theirs",
      [
        operation("GET /bridges/{username}", {
          parameters: [
            parameter("path username", { description: "The MAC address of the bridge." }),
          ],
        }),
        operation("GET /bridges", {
          operationId: "listBridges",
          responses: [ok(listOf("Owner"))],
        }),
        operation("GET /users", { operationId: "listUsers", responses: [ok(listOf("Owner"))] }),
      ],
      "username",
      "The MAC address of the bridge. Get it from list_bridges.",
    ],
    [
      "no list of what stands before another word of the path",
      [
        operation("DELETE /user/starred/{owner}/{toy}"),
        operation("GET /users", { operationId: "listUsers", responses: [ok(listOf("Owner"))] }),
        operation("GET /toys", { operationId: "listToys", responses: [ok(listOf("Tag"))] }),
      ],
      "toy",
      "Get it from list_toys.",
    ],
    [
      "no list of the things between it and a compound that ends with its name",
      [
        operation("DELETE /shop-toys/owners/{owner}/{toy_id}"),
        operation("GET /owners", { operationId: "listOwners", responses: [ok(listOf("Owner"))] }),
      ],
      "toy_id",
      "",
    ],
    [
      "no list that needs it",
      [
        operation("GET /owners/by/code/{code}"),
        operation("GET /owners/by", {
          operationId: "listOwnersByCode",
          parameters: [parameter("query codes", { required: true })],
          responses: [ok(listOf("Owner"))],
        }),
      ],
      "code",
      "Code of the owner.",
    ],
    [
      "no answer that has an ID of its HTTP exchange",
      [
        operation("GET /manifests/requests/{manifest_request_id}"),
        operation("GET /owners", {
          operationId: "listOwners",
          responses: [
            ok({ type: "object", properties: { owners: listOf("Owner"), request_id: id } }),
          ],
        }),
      ],
      "manifest_request_id",
      "",
    ],
    [
      "nothing, from the reference of another resource",
      [operation("GET /x/{petId}"), listVisits],
      "petId",
      "",
    ],
    [
      "nothing, from what replaces all",
      [
        operation("GET /zones/{zoneId}"),
        operation("POST /zones", {
          summary: "Replace all zones",
          responses: [ok(listOf("Zone"))],
        }),
      ],
      "zoneId",
      "",
    ],
    [
      "nothing, from an update",
      [
        operation("GET /zones/{zoneId}"),
        operation("PATCH /zones", { responses: [ok(listOf("Zone"))] }),
      ],
      "zoneId",
      "",
    ],
    [
      "nothing, from what gets one thing by its ID in the query",
      [
        operation("POST /visits/{pet}", { responses: [ok(ref("Visit"))] }),
        operation("GET /pet", {
          operationId: "getPet",
          parameters: [{ ...parameter("query id"), required: true }],
          responses: [ok(ref("Pet"))],
        }),
      ],
      "pet",
      "",
    ],
    [
      "nothing, from what needs the same ID",
      [
        operation("GET /zones/{zoneId}"),
        operation("GET /teams/{zoneId}/zones", { responses: [ok(listOf("Zone"))] }),
      ],
      "zoneId",
      "",
    ],
    [
      "the list whose path names its form, before the search",
      [
        operation("DELETE /zones/{name}"),
        operation("GET /zones/search", {
          operationId: "searchZones",
          responses: [ok(listOf("Branch"))],
        }),
        operation("GET /zones/json", { operationId: "listZones", responses: [ok(listOf("Zone"))] }),
      ],
      "name",
      "Name of the zone. Get it from list_zones or search_zones.",
    ],
    [
      "names that exist, where the caller may choose another one",
      [
        operation("PUT /zones/{name}"),
        operation("GET /zones", { operationId: "listZones", responses: [ok(listOf("Zone"))] }),
      ],
      "name",
      "Name of the zone. list_zones lists those that exist.",
    ],
    [
      "things of the label in the path, not of its collection",
      [
        operation("GET /places/by-zone/{region}/{name}"),
        operation("GET /places", { operationId: "listPlaces", responses: [ok(listOf("Place"))] }),
        operation("GET /zones", { operationId: "listZones", responses: [ok(listOf("Zone"))] }),
      ],
      "name",
      "Get it from list_zones.",
    ],
    [
      "names that exist, where a POST creates another one",
      [
        operation("POST /zones/{name}", { summary: "Create a zone" }),
        operation("GET /zones", { operationId: "listZones", responses: [ok(listOf("Zone"))] }),
      ],
      "name",
      "Name of the zone. list_zones lists those that exist.",
    ],
    [
      "the source of a name with which a POST does something else",
      [
        operation("POST /zones/{name}", { summary: "Restart a zone" }),
        operation("GET /zones", { operationId: "listZones", responses: [ok(listOf("Zone"))] }),
      ],
      "name",
      "Name of the zone. Get it from list_zones.",
    ],
    [
      "an ID of a PUT, which the caller does not choose",
      [operation("PUT /pets/{petId}"), listPets],
      "petId",
      "Get it from list_pets.",
    ],
    [
      "the list before the search of its path",
      [
        operation("DELETE /zones/{name}"),
        operation("POST /zones/search", {
          operationId: "searchZones",
          summary: "Search zones",
          responses: [ok(listOf("Tag"))],
        }),
        operation("GET /zones", { operationId: "listZones", responses: [ok(listOf("Zone"))] }),
      ],
      "name",
      "Name of the zone. Get it from list_zones or search_zones.",
    ],
    [
      "an untyped list, by its name",
      [
        operation("GET /zone.one", {
          parameters: [parameter("query zoneId", { required: true })],
        }),
        operation("GET /zone.all", { operationId: "zone-all" }),
      ],
      "zoneId",
      "Get it from list_zones.",
    ],
    [
      "a required field of the body",
      [
        operation(
          "POST /visits",
          json({ type: "object", properties: { pet_id: id }, required: ["pet_id"] }),
        ),
        listPets,
      ],
      "pet_id",
      "Get it from list_pets.",
    ],
    [
      "the read before the value, whose result names such things, before a list elsewhere",
      [
        operation("DELETE /rgw/user/{uid}"),
        operation("GET /rgw/user", {
          operationId: "getRgwUser",
          summary: "Show accounts",
          responses: [ok({ type: "object", properties: { list_of_users: { type: "array" } } })],
        }),
        operation("GET /user", {
          operationId: "listUsers",
          summary: "List users",
          responses: [ok(listOf("Owner"))],
        }),
      ],
      "uid",
      "Get it from get_rgw_user.",
    ],
    [
      "the untyped read before the value whose text has several things",
      [
        operation("DELETE /rgw/user/{uid}"),
        operation("GET /rgw/user", { operationId: "getRgwUser", summary: "Display RGW users" }),
        operation("GET /user", {
          operationId: "listUsers",
          summary: "List users",
          responses: [ok(listOf("Owner"))],
        }),
      ],
      "uid",
      "Get it from get_rgw_users.",
    ],
    [
      "a list elsewhere, where the read before the value returns one thing",
      [
        operation("DELETE /rgw/user/{uid}"),
        operation("GET /rgw/user", { summary: "Get the user", responses: [ok(ref("Owner"))] }),
        operation("GET /user", {
          operationId: "listUsers",
          summary: "List users",
          responses: [ok(listOf("Owner"))],
        }),
      ],
      "uid",
      "Get it from list_users.",
    ],
    [
      "the read of the same thing by its name, not its creation",
      [
        operation(
          "PUT /bucket/{bucket}",
          json({ type: "object", properties: { bucket_id: id }, required: ["bucket_id"] }),
        ),
        operation("GET /bucket/{bucket}", { responses: [ok({})] }),
        operation("POST /bucket", { responses: [ok({})] }),
      ],
      "bucket_id",
      "Get it from get_bucket.",
    ],
    [
      "nothing for one of two values, of a read that returns a field of its own name",
      [
        operation("PUT /board/{row}/{column}"),
        operation("GET /board", {
          summary: "Get the whole board",
          responses: [ok({ type: "object", properties: { board: { type: "array" } } })],
        }),
      ],
      "row",
      "",
    ],
    [
      "the words of a segment that is not a verb",
      [operation("DELETE /crush_rule/{name}")],
      "name",
      "Name of the crush rule.",
    ],
    [
      "a required parameter",
      [
        operation("GET /report", { parameters: [parameter("query ownerId", { required: true })] }),
        listOwners,
      ],
      "ownerId",
      "Get it from list_owners.",
    ],
    [
      "the list of its path, whatever its name is",
      [operation("DELETE /pets/{pet_gid}"), listPets, listVisits],
      "pet_gid",
      "Get it from list_pets.",
    ],
    [
      "the search of its path",
      [
        operation("DELETE /rooms/{slug}"),
        operation("POST /rooms/search", {
          operationId: "searchRooms",
          responses: [ok(listOf("Tag"))],
        }),
      ],
      "slug",
      "Slug of the room. Get it from search_rooms.",
    ],
    [
      "the only creation of its path",
      [
        operation("GET /exports/{id}"),
        operation("POST /exports", { operationId: "startExport", responses: [ok(ref("Tag"))] }),
      ],
      "id",
      "ID of the export. Get it from start_export.",
    ],
    [
      "no creation that returns nothing",
      [
        operation("GET /exports/{id}"),
        operation("POST /exports", {
          operationId: "startExport",
          responses: [ok({ type: "object", description: "Nothing" })],
        }),
      ],
      "id",
      "ID of the export.",
    ],
    [
      "a list elsewhere rather than the creation of its path",
      [
        operation("DELETE /rooms/{roomId}"),
        operation("POST /rooms", { operationId: "createRoom", responses: [ok(ref("Tag"))] }),
        operation("GET /hotels/{hotelId}/rooms", {
          operationId: "listRooms",
          responses: [ok(listOf("Tag"))],
        }),
      ],
      "roomId",
      "Get it from list_rooms.",
    ],
    [
      "its own list, although another collection has the short name",
      [
        operation("PUT /toy_pets/{petId}", json({ type: "object", properties: { name: id } })),
        operation("GET /toy_pets", { operationId: "listToys", responses: [ok(listOf("Tag"))] }),
        listPets,
      ],
      "petId",
      "Get it from list_toys.",
    ],
    [
      "a list of the same parent, for what joins another list of it",
      [
        operation("POST /owners/{ownerId}/adoptions/{petId}"),
        operation("GET /owners/{ownerId}/pets", {
          operationId: "listOwnerPets",
          responses: [ok(listOf("Pet"))],
        }),
        operation("POST /owners/{ownerId}/pets", {
          operationId: "addPet",
          responses: [ok(ref("Pet"))],
        }),
      ],
      "petId",
      "Get it from list_owner_pets.",
    ],
    [
      "a list elsewhere, for what joins a list",
      [
        operation("PUT /albums/{albumId}/pets/{petId}"),
        operation("GET /albums/{albumId}/pets", {
          operationId: "listAlbumPets",
          responses: [ok(listOf("Pet"))],
        }),
        listPets,
      ],
      "petId",
      "Get it from list_pets.",
    ],
    [
      "the caller, for a user",
      [
        operation("GET /users/{userId}"),
        operation("GET /me", { operationId: "getMe", responses: [ok(ref("Owner"))] }),
      ],
      "userId",
      "Get it from get_me.",
    ],
    [
      "the resource that its text names",
      [
        operation(
          "POST /visits",
          json({
            type: "object",
            properties: { assignee_id: { type: "string", description: "ID of the pet to treat." } },
            required: ["assignee_id"],
          }),
        ),
        listPets,
      ],
      "assignee_id",
      "ID of the pet to treat. Get it from list_pets.",
    ],
    ["nothing, for a property of an item", [operation("GET /pets/{color}"), listPets], "color", ""],
    [
      "nothing, for a choice",
      [
        operation("GET /pets/{id}", {
          parameters: [parameter("path id", { schema: { type: "string", enum: ["a", "b"] } })],
        }),
        listPets,
      ],
      "id",
      "ID of the pet.",
    ],
    [
      "the list of services, whose path starts like that of all services",
      [
        operation("DELETE /services/{id}"),
        operation("GET /services", {
          operationId: "listServices",
          responses: [ok(listOf("Service"))],
        }),
      ],
      "id",
      "ID of the service. Get it from list_services.",
    ],
    [
      "nothing, for what is to join a list of others",
      [
        operation("PUT /rooms/{roomId}/bans/{petId}"),
        operation("GET /rooms/{roomId}/bans", {
          operationId: "listBans",
          responses: [
            ok({ type: "array", items: { type: "object", properties: { pet: ref("Pet") } } }),
          ],
        }),
      ],
      "petId",
      "",
    ],
    [
      "nothing, for what is to join its own list",
      [
        operation("PUT /follows/pets/{petId}", { summary: "Follow a pet" }),
        operation("GET /follows/pets", {
          summary: "List followed pets",
          responses: [ok(listOf("Pet"))],
        }),
      ],
      "petId",
      "",
    ],
    [
      "no list of what was put aside, when there is another",
      [
        operation("DELETE /pets/{petId}"),
        operation("GET /trash/pets", { operationId: "listTrash", responses: [ok(listOf("Pet"))] }),
        operation("GET /my/pets", { operationId: "listMine", responses: [ok(listOf("Pet"))] }),
      ],
      "petId",
      "Get it from list_mine.",
    ],
    [
      "one list, for a filter",
      [operation("GET /report", { parameters: [parameter("query ownerId")] }), listOwners],
      "ownerId",
      "Get it from list_owners.",
    ],
    [
      "nothing, for what is no ID",
      [
        operation("GET /report", { parameters: [parameter("query owner", { required: true })] }),
        listOwners,
      ],
      "owner",
      "",
    ],
    ...(
      [
        ["the list, for a name whose text states an ID", "Owner ID of the report."],
        ["nothing, for a text that states no ID", "The owner of the report."],
      ] as const
    ).map(([title, description]): readonly [string, readonly Operation[], string, string] => [
      title,
      [
        operation("GET /report", {
          parameters: [parameter("query owner", { required: true, description })],
        }),
        listOwners,
      ],
      "owner",
      title.startsWith("the list") ? `${description} Get it from list_owners.` : description,
    ]),
    [
      "the method that lists a thing, for methods after a point",
      [
        operation("POST /owners.greet", {
          parameters: [parameter("query pet_id", { required: true })],
        }),
        operation("GET /owners.pets", { operationId: "ownPets", responses: [ok(listOf("Pet"))] }),
        operation("GET /pets.owners", {
          operationId: "ownersOf",
          responses: [ok(listOf("Owner"))],
        }),
      ],
      "pet_id",
      "Get it from list_own_pets.",
    ],
    [
      "nothing, for something unknown",
      [operation("DELETE /rooms/{roomId}"), listPets],
      "roomId",
      "",
    ],
    [
      "nothing, for what is deep inside",
      [operation("DELETE /tags/{tagId}"), listPets],
      "tagId",
      "",
    ],
    [
      "nothing, from what takes it",
      [
        operation("DELETE /pets/{petId}"),
        operation("GET /pets/{petId}", { operationId: "getPet", responses: [ok(ref("Pet"))] }),
      ],
      "petId",
      "",
    ],
    [
      "nothing, from what deletes",
      [
        operation("GET /pets/{petId}"),
        operation("DELETE /pets", { responses: [ok(listOf("Pet"))] }),
      ],
      "petId",
      "",
    ],
    [
      "a list whose items have the value as a field",
      [
        operation("POST /copies/{barcode}/withdraw"),
        operation("GET /pets/{petId}/copies", {
          operationId: "listCopies",
          responses: [
            ok({
              type: "array",
              items: { type: "object", properties: { barcode: { type: "string" } } },
            }),
          ],
        }),
      ],
      "barcode",
      "Get it from list_copies.",
    ],
    [
      "the list, for a required field that the text calls an ID",
      [
        operation("POST /tickets.close", {
          ...json({
            type: "object",
            required: ["ticket"],
            properties: { ticket: { type: "string", description: "ID of the ticket to close" } },
          }),
        }),
        operation("POST /tickets.list", {
          operationId: "tickets_list",
          responses: [ok(listOf("Pet"))],
        }),
      ],
      "ticket",
      "ID of the ticket to close. Get it from list_tickets.",
    ],
    [
      "no list of another resource that has the ID in a nested object",
      [
        operation("DELETE /applications/{client_id}"),
        operation("GET /issues", {
          operationId: "listIssues",
          responses: [
            ok({
              type: "array",
              items: {
                type: "object",
                properties: { id, app: { type: "object", properties: { client_id: id } } },
              },
            }),
          ],
        }),
      ],
      "client_id",
      "",
    ],
    [
      "no call that needs the ID itself, in its body",
      [
        operation("POST /ticket/close", { body: ticketBody }),
        operation("POST /ticket/get", { body: ticketBody, responses: [ok(ticket)] }),
        operation("POST /ticket/list", {
          responses: [ok({ type: "object", properties: { tickets: { items: ticket } } })],
        }),
      ],
      "ticket_id",
      "Get it from list_tickets.",
    ],
    [
      "the list of the same thing before that of another one",
      [
        operation("POST /accounts", {
          body: { contents: [content(requiring("type_id"))], required: true },
        }),
        operation("GET /accounts/types", { responses: [ok(listOf("Type"))] }),
        operation("GET /hooks/types", { responses: [ok(listOf("Type"))] }),
      ],
      "type_id",
      "Get it from list_account_types.",
    ],
    [
      "a list that the text states, below a parameter",
      [
        operation("DELETE /flags/{projectKey}/{flagKey}"),
        operation("GET /flags/{projectKey}", {
          operationId: "getFlags",
          summary: "Get a list of all flags",
          responses: [
            ok({ type: "object", properties: { _links: {}, flags: listOf("Flag"), a: id } }),
          ],
        }),
      ],
      "flagKey",
      "Get it from list_flags.",
    ],
    [
      "a read that contains such things, beside the creation",
      [
        operation("DELETE /zones/{zoneKey}/rules/{ruleKey}"),
        operation("POST /zones/{zoneKey}/rules", { responses: [ok(ref("Rule"))] }),
        operation("GET /zones", {
          responses: [
            ok({
              type: "array",
              items: { type: "object", properties: { id, rules: listOf("Rule") } },
            }),
          ],
        }),
      ],
      "ruleKey",
      "Get it from list_zones or create_zone_rule.",
    ],
    [
      "a read of one thing that lists such things beside it, before the creation",
      [
        operation("DELETE /zones/{zoneKey}/rules/{ruleKey}"),
        operation("POST /zones/{zoneKey}/rules", { responses: [ok(ref("Rule"))] }),
        operation("GET /zones/{zoneKey}", {
          responses: [
            ok({
              type: "object",
              properties: {
                item: ref("Owner"),
                included: { type: "object", properties: { rules: listOf("Rule") } },
              },
            }),
          ],
        }),
      ],
      "ruleKey",
      "Get it from get_zone or create_zone_rule.",
    ],
    [
      "no read in whose results such things are too deep",
      [
        operation("DELETE /zones/{zoneKey}/rules/{ruleKey}"),
        operation("POST /zones/{zoneKey}/rules", { responses: [ok(ref("Rule"))] }),
        operation("GET /zones", { responses: [ok(nested(["a", "b"], listOf("Rule")))] }),
      ],
      "ruleKey",
      "Get it from create_zone_rule.",
    ],
    [
      "the caller, for the user of a filter",
      [
        operation("GET /report", { parameters: [parameter("query userId", { required: true })] }),
        operation("GET /me", { operationId: "getMe", responses: [ok(ref("Owner"))] }),
      ],
      "userId",
      "Get it from get_me.",
    ],
    [
      "the list that only a text names",
      [
        operation("DELETE /crew/{crewId}"),
        operation("GET /crew", {
          description: "Return a collection of crew.",
          responses: [ok({ type: "object" })],
        }),
      ],
      "crewId",
      "Get it from list_crews.",
    ],
    [
      "no creation of what a tenth of the tools need",
      [
        operation("DELETE /tenants/{tenantId}"),
        operation("POST /tenants", { responses: [ok(ref("Owner"))] }),
        ...Array.from({ length: 9 }, (_, i) =>
          operation(`DELETE /tenants/{tenantId}/${"abcdefghi"[i]}x`),
        ),
      ],
      "tenantId",
      "",
    ],
    [
      "a link of the document",
      [
        operation("DELETE /rooms/{roomId}", { operationId: "deleteRoom" }),
        operation("POST /beds", {
          operationId: "createBed",
          links: [
            {
              name: "room",
              operationId: "deleteRoom",
              parameters: { roomId: "$response.body#/in" },
            },
          ],
        }),
      ],
      "roomId",
      "Get it from create_bed.",
    ],
  ])("%s", (_, operations, input, expected) => expect(described(operations, input)).toBe(expected));

  it("names at most three, the best first", () => {
    const more = ["a", "b", "c", "d"].map((name) =>
      operation(`GET /${name}/pets`, {
        operationId: `listPetsOf${name.toUpperCase()}x`,
        responses: [ok(listOf("Pet"))],
      }),
    );
    const text = described([operation("POST /appointments/{petId}"), ...more], "petId");
    expect(text.match(/list_pets/g)).toHaveLength(3);
  });

  it("is left out if it needs a value that only the tool itself returns", () => {
    const getPet = operation("GET /rooms/{petRoomId}/pet", { responses: [ok(ref("Pet"))] });
    const room = operation("GET /pets/{petId}/room", {
      responses: [ok({ type: "object", properties: { petRoomId: { type: "string" } } })],
    });
    for (const { definition } of plan(api([getPet, room], { schemas })).tools)
      expect(definition.producers).toBeUndefined();
  });

  it("is not confused by names of Object.prototype", () => {
    const names = ["constructor", "__proto__", "toString"];
    const made = plan(
      api(
        names.map((name) =>
          operation(`GET /${name}/{${name}}`, {
            responses: [
              ok({
                type: "object",
                properties: JSON.parse(`{"${name}_id": {"type": "string"}}`) as Record<
                  string,
                  JsonSchema
                >,
              }),
            ],
          }),
        ),
      ),
    );
    expect(made.tools).toHaveLength(3);
  });
});

describe("a list of things of another kind", () => {
  const text: JsonSchema = { type: "string" };
  const thing = (...fields: readonly string[]): JsonSchema => ({
    type: "object",
    properties: Object.fromEntries(fields.map((name) => [name, text])),
  });
  const image = thing("id", "size", "created", "tags", "labels");
  const found = thing("name", "star_count", "is_official");
  const items = (item: JsonSchema) => ({ responses: [ok({ type: "array", items: item })] });
  const producersOf = (operations: readonly Operation[]) =>
    plan(api(operations), { granularity: "operation" })
      .tools.find(({ definition }) => definition.name === "get_image")
      ?.inputs.find(({ name }) => name === "name")?.producers;
  const get = operation("GET /images/{name}", { operationId: "get image", responses: [ok(image)] });
  const list = operation("GET /images", items(image));

  it.each<readonly [name: string, operations: readonly Operation[], want: readonly string[]]>([
    ["a search", [operation("GET /images/search", items(found)), list], ["list_images"]],
    [
      "of the same kind is named",
      [operation("GET /images/search", items(thing("size", "tags"))), list],
      ["list_images", "search_images"],
    ],
    [
      "that has such things inside is named",
      [
        operation(
          "GET /images/search",
          items({ type: "object", properties: { rank: text, score: text, image } }),
        ),
        list,
      ],
      ["list_images", "search_images"],
    ],
    [
      "without the list of the API",
      [operation("GET /images/search", items(found))],
      ["search_images"],
    ],
  ])("%s", (_, operations, want) => expect(producersOf([get, ...operations])).toEqual(want));

  it("comes after the creation", () => {
    const create = operation("POST /images", { ...json(image), responses: [ok(image)] });
    const elsewhere = operation("GET /registry/images", items(found));
    expect(producersOf([get, create, elsewhere])).toContain("create_image");
    expect(producersOf([get, elsewhere])).toEqual(["list_registry_images"]);
  });
});
