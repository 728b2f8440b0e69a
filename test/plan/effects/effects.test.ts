import { describe, expect, it } from "vitest";
import { classifyOperation } from "../../../src/plan/classify.js";
import { explainEffects } from "../../../src/plan/effects/index.js";
import type { OperationEffects } from "../../../src/plan/operations/types.js";
import type { Operation } from "../../../src/model/types.js";
import type { JsonSchema } from "../../../src/json.js";
import { content, ok, operation, parameter } from "../fixtures.js";

const effectsOf = (at: string, given: Partial<Operation> = {}): OperationEffects =>
  classifyOperation(operation(at, given), {}).effects;

/** `R` reads, `D` destructive, `I` repeatable. */
const marks = ({ isReadOnly, isDestructive, isRepeatable }: OperationEffects): string =>
  `${isReadOnly ? "R" : "-"}${isDestructive ? "D" : "-"}${isRepeatable ? "I" : "-"}`;

const json = (properties: Record<string, JsonSchema>) => ({
  body: { required: true, contents: [content({ type: "object", properties })] },
});

const RETURNS = {
  summary: "Return a transfer",
  description: "Returns previously transferred funds.",
  responses: [ok({ type: "object" })],
};

describe("method and names", () => {
  it.each([
    { at: "GET /pets", want: "R-I" },
    { at: "HEAD /pets", want: "R-I" },
    { at: "QUERY /pets", want: "R-I" },
    { at: "POST /pets", want: "---" },
    { at: "PUT /pets/{id}", want: "--I" },
    { at: "PATCH /pets/{id}", want: "---" },
    { at: "DELETE /pets/{id}", want: "-DI" },
    { at: "PURGE /pets", want: "-D-" },
    { at: "POST /pets/search", want: "R-I" },
    { at: "POST /pets/count", want: "R-I" },
    { at: "POST /listTargets", want: "R-I" },
    // Verbs of other languages.
    { at: "POST /usuario", given: { summary: "Eliminar un usuario" }, want: "-D-" },
    { at: "POST /rechnung", given: { summary: "Rechnung löschen" }, want: "-D-" },
    { at: "POST /fatura", given: { summary: "Aprova uma fatura" }, want: "---" },
    {
      at: "POST /near-misses/request",
      given: { summary: "Find near misses matching the request", responses: RETURNS.responses },
      want: "R-I",
    },
    {
      at: "POST /range",
      given: { summary: "Get the keys in the range", responses: RETURNS.responses },
      want: "R-I",
    },
    {
      at: "POST /keys",
      given: { summary: "Get the keys of a user", responses: RETURNS.responses },
      want: "---",
    },
    {
      at: "POST /orders/cancel",
      given: { summary: "Find the orders to cancel", responses: RETURNS.responses },
      want: "-D-",
    },
    { at: "POST /orders/{id}/validate", want: "---" },
    { at: "POST /apis/{id}/download", want: "---" },
    { at: "POST /calls/{id}/analyze", want: "---" },
    { at: "POST /calls/{id}/reclassify", want: "---" },
    { at: "POST /calls/{id}/unmerge", want: "---" },
    { at: "POST /calls/{id}/unassign", want: "-D-" },
    { at: "POST /zap", want: "-D-" },
    { at: "POST /zaps", want: "---" },
    { at: "POST /zap", given: { responses: [ok(undefined, "201")] }, want: "---" },
    {
      at: "GET /jukebox",
      given: {
        summary: "Controls the jukebox",
        parameters: [
          parameter("query action", { required: true, schema: { enum: ["get", "start", "stop"] } }),
        ],
      },
      want: "---",
    },
    {
      at: "GET /jukebox/log",
      given: {
        summary: "The log",
        parameters: [parameter("query action", { schema: { enum: ["get", "start", "stop"] } })],
      },
      want: "R-I",
    },
    {
      at: "GET /podcasts/new",
      given: { summary: "Requests the server to check for new episodes" },
      want: "---",
    },
    {
      at: "GET /podcasts/all",
      given: { summary: "Requests the server to return all episodes" },
      want: "R-I",
    },
    {
      at: "GET /pods/{id}/{action}",
      given: { summary: "Perform an action on a pod", parameters: [parameter("path action")] },
      want: "-D-",
    },
    { at: "GET /patches/{id}", given: { operationId: "patch.one" }, want: "R-I" },
    { at: "GET /mesh", given: { summary: "Merge sites into a layer" }, want: "---" },
    { at: "GET /contactsSync", given: { summary: "Force Synchronization" }, want: "---" },
    { at: "GET /nlp/annotate", given: { summary: "Annotate a given text" }, want: "R-I" },
    { at: "GET /about/led", given: { summary: "Flash LED" }, want: "---" },
    { at: "GET /carts/{id}/checkout", given: { summary: "Place an order" }, want: "---" },
    { at: "GET /senders/verify/{token}", given: { summary: "Verify a sender" }, want: "---" },
    {
      at: "GET /items",
      given: { operationId: "batchDeleteItems", summary: "Perform several operations" },
      want: "-D-",
    },
    {
      at: "GET /items",
      given: { operationId: "removeItems", summary: "Perform several operations" },
      want: "-D-",
    },
    { at: "GET /keys/store.p12", want: "R-I" },
    { at: "GET /forms/{id}/draft.xlsx", want: "R-I" },
    {
      at: "GET /entities/{id}/diffs",
      given: {
        summary: "Getting changes between versions",
        description:
          "This returns the changes. This change object contains the old and new values.",
      },
      want: "R-I",
    },
    {
      at: "GET /assignments/{roleId}",
      given: {
        summary: "Seeing assignments of a role",
        description: "Like the assignments summary, but filtered by a role.",
      },
      want: "R-I",
    },
    { at: "GET /settings/update", want: "R-I" },
    { at: "GET /settings/update", given: { operationId: "settings_update" }, want: "R-I" },
    { at: "GET /posts/update", given: { operationId: "posts_update" }, want: "---" },
    { at: "GET /bookSeries", want: "R-I" },
    { at: "GET /copyPad", want: "---" },
    {
      at: "POST /texts/tokens",
      given: { summary: "Returns token counts of a text." },
      want: "R-I",
    },
    {
      at: "POST /stores/{id}/space",
      given: { summary: "Start a garbage collection" },
      want: "-D-",
    },
    {
      at: "PUT /walls/{id}",
      given: {
        summary: "Update a wall",
        description: "Note that attributes that are not provided will be reset.",
        ...json({ name: {} }),
      },
      want: "-DI",
    },
    {
      at: "PATCH /walls/{id}",
      given: {
        summary: "Update a wall",
        description: "If you omit an attribute, it is removed.",
        ...json({ name: {} }),
      },
      want: "-D-",
    },
    {
      at: "PATCH /walls/{id}",
      given: { summary: "Update a wall, replacing the full text", ...json({ name: {} }) },
      want: "---",
    },
    {
      at: "PUT /pages/{id}",
      given: {
        summary: "Replace a page",
        body: {
          required: true,
          contents: [content({ type: "object" }), content({ type: "string" }, "text/html")],
        },
      },
      want: "-DI",
    },
    ...[
      ["Refresh the cache", "---"],
      ["Refresh the cache and return its size", "---"],
      ["Get the user and refresh the session", "---"],
      ["Get the user and refresh its access token", "---"],
      ["Get the message and delete it", "-D-"],
      ["Get the cart and update the prices", "---"],
    ].map(([summary, want]) => ({ at: "GET /feeds/{id}", given: { summary }, want: `${want}` })),
    { at: "GET /moves/possible", given: { operationId: "canMoveItem" }, want: "R-I" },
    { at: "GET /guilds/prune", given: { operationId: "preview_prune_guild" }, want: "R-I" },
    { at: "GET /session/logout", given: { operationId: "getLogout" }, want: "---" },
    { at: "PUT /keys", given: { summary: "Create a key" }, want: "---" },
    { at: "PUT /jokes", given: { summary: "Add a new joke" }, want: "---" },
    {
      at: "POST /stories/{id}/events",
      given: { summary: "Manage events", ...json({ action: { enum: ["create", "delete"] } }) },
      want: "-D-",
    },
    { at: "PUT /keys/{id}", given: { summary: "Create a key" }, want: "--I" },
    { at: "PUT /keys", given: { summary: "Create or update a key" }, want: "--I" },
    { at: "POST /messages/{id}/read", want: "---" },
    { at: "POST /tasks/{id}/check", want: "---" },
    {
      at: "POST /tasks/{id}/check",
      given: { summary: "Check whether a task is complete" },
      want: "R-I",
    },
    { at: "POST /questions/{id}/rank", want: "---" },
    {
      at: "GET /user/self",
      given: { description: "Request the user object for an authorized account." },
      want: "R-I",
    },
    { at: "POST /reviews", given: { summary: "Run code review for a patch" }, want: "---" },
    { at: "POST /questions/{id}/rank", given: { summary: "Rank the answers" }, want: "R-I" },
    { at: "POST /visits/{id}/no-show", given: { operationId: "visit.noShow" }, want: "-D-" },
    { at: "POST /a", given: { summary: "Merge tickets. This cannot be undone." }, want: "-D-" },
    { at: "POST /pets/{id}/cancel", want: "-D-" },
    { at: "POST /vms/{id}/deallocate", want: "-D-" },
    { at: "POST /groups/{id}/dissolve", want: "-D-" },
    { at: "POST /assets/{id}/retire", want: "-D-" },
    // Nothing says what the call does.
    { at: "POST /balloons/{id}/deflate", want: "-D-" },
    { at: "POST /balloons/{id}/deflate", given: { operationId: "deflateBalloon" }, want: "-D-" },
    { at: "POST /balloons/{id}/photo", given: { responses: [ok({}, "201")] }, want: "---" },
    { at: "POST /balloons/{id}/photos", want: "---" },
    { at: "POST /pets/{id}/send", want: "---" },
    { at: "PUT /pets/{id}/restart", want: "-D-" },
    { at: "POST /containers/{id}/stop", want: "-D-" },
    { at: "POST /calls/{id}/end", given: { summary: "End a call" }, want: "-D-" },
    { at: "POST /trips/{id}/end", want: "---" },
    {
      at: "PUT /maintenancemode/{id}/end",
      given: { summary: "End maintenance mode" },
      want: "--I",
    },
    { at: "PATCH /time-entries/{id}/stop", given: { summary: "Stop a time entry" }, want: "---" },
    { at: "POST /transfers/{id}/returns", given: RETURNS, want: "---" },
    { at: "GET /deletePad", want: "-D-" },
    { at: "GET /appendText", want: "---" },
    { at: "GET /logout", want: "---" },
    { at: "GET /orderDetails", want: "R-I" },
    { at: "GET /orders/open", want: "R-I" },
    { at: "GET /sets", given: { operationId: "set_list" }, want: "R-I" },
    { at: "GET /copyPad", given: { operationId: "copyPadUsingGET" }, want: "---" },
    { at: "GET /copyPadWithoutHistory", want: "---" },
    { at: "GET /copyHistory", want: "R-I" },
    { at: "POST /endUserLicenses", given: { operationId: "endUserLicenses-create" }, want: "---" },
    {
      at: "GET /apps/{id}/endUserLicense",
      given: { operationId: "apps-endUserLicense-get" },
      want: "R-I",
    },
    { at: "POST /users", given: { operationId: "find_or_create_user" }, want: "---" },
    { at: "POST /lists/{id}/members", given: { operationId: "postListMember" }, want: "---" },
  ])("$at $given.operationId is $want", ({ at, given, want }) => {
    expect(marks(effectsOf(at, given))).toBe(want);
  });
});

describe("texts", () => {
  it.each([
    { at: "GET /restore/status", summary: "Retrieves the status of a restore", want: "R-I" },
    { at: "GET /x", summary: "Update history", want: "R-I" },
    { at: "GET /x", summary: "Orders for a customer", want: "R-I" },
    { at: "GET /triggers", summary: "Triggers in an app", want: "R-I" },
    { at: "GET /triggers", summary: "Triggers an app", want: "---" },
    { at: "GET /x", summary: "Generate a QR code of the ticket page", want: "R-I" },
    { at: "GET /x", summary: "Generate an access token", want: "---" },
    { at: "GET /x", summary: "Will reload the cluster", want: "---" },
    { at: "GET /x", summary: "Allows an app to request scopes", want: "---" },
    { at: "GET /x", summary: "Reverse geocode", want: "R-I" },
    { at: "GET /x", summary: "Reverse a payment", want: "---" },
    {
      at: "GET /x",
      summary: "Request the current time by the address of the request",
      want: "R-I",
    },
    { at: "GET /x", summary: "Request the deletion of a user", want: "-D-" },
    {
      at: "PUT /x",
      summary: "Vote for a show",
      description: "Set `voted_at` to `NULL` or leave it out to use the current time.",
      want: "--I",
    },
    { at: "GET /x", summary: "Triggers a build", want: "---" },
    { at: "GET /x", summary: "Log out", want: "---" },
    { at: "GET /notes", summary: "Manage the notes of a user", want: "R-I" },
    { at: "GET /manageUser", summary: "User", want: "---" },
    { at: "GET /x", summary: "Allows your app to request additional scopes", want: "---" },
    { at: "GET /x", summary: "Send analytics", want: "R-I" },
    {
      at: "GET /x",
      summary: "List messages",
      description: "It also marks them as read.",
      want: "---",
    },
    { at: "GET /x", summary: "Get the next job and remove it from the queue", want: "-D-" },
    { at: "POST /x", summary: "Search all pets", want: "R-I" },
    { at: "POST /x", summary: "Validate an address", want: "---" },
    { at: "POST /x", summary: "Validate whether an address exists", want: "R-I" },
    { at: "POST /x", summary: "Simulate that event which started", want: "---" },
    { at: "POST /x", summary: "Merge it. It takes time. Deletes the other team.", want: "-D-" },
    { at: "POST /x", summary: "Create a part without creating a task", want: "---" },
    { at: "POST /x", summary: "Create a sample invoice without creating it", want: "R-I" },
    { at: "GET /x", summary: "Load a booking", want: "R-I" },
    { at: "GET /x", summary: "Infer the gender of a name", want: "R-I" },
    { at: "GET /x", summary: "Tags that are used often", want: "R-I" },
    { at: "GET /x", summary: "Calls that start a job", want: "R-I" },
    { at: "GET /x", summary: "Sync products", want: "---" },
    { at: "GET /x", summary: "Perform multiple deletions", want: "R-I" },
    { at: "POST /x", summary: "`/credit/report` gets a report", want: "R-I" },
    { at: "POST /x", summary: "Send a request to /x to get all categories", want: "R-I" },
    { at: "POST /x", summary: "Return detailed information about a tag", want: "R-I" },
    { at: "POST /x", summary: "Batch get users", want: "R-I" },
    { at: "POST /x", summary: "Get aggregated metrics", want: "R-I" },
    { at: "POST /x", summary: "Endpoint for counting what is there, and setting it", want: "---" },
    { at: "POST /x", summary: "Get a single sign on link for a user", want: "---" },
    { at: "POST /x", summary: "Get calls made by a token", want: "R-I" },
    { at: "POST /x", summary: "Display a message", want: "---" },
    { at: "POST /x", summary: "Bulk lookup of names", want: "R-I" },
    { at: "POST /x", summary: "Return an order", want: "---" },
    { at: "POST /x", summary: "Send an email", want: "---" },
    { at: "POST /x", summary: "Rebuild a server", want: "-D-" },
    { at: "POST /x", summary: "Run a command in a container", want: "-D-" },
    { at: "POST /x", summary: "Attach to a container", want: "-D-" },
    { at: "POST /x", summary: "Attach a disk to a server", want: "---" },
    { at: "POST /x", summary: "Schedule the deletion of a key", want: "-D-" },
    { at: "POST /x", summary: "Restore from a backup", want: "-D-" },
    { at: "POST /x", summary: "Clean Air Act search", want: "-D-" },
    {
      at: "POST /x",
      summary: "Add a pet",
      description: "Adds a pet. This replaces the old endpoint.",
      want: "---",
    },
    { at: "POST /x", summary: "Restore a deleted pet", want: "---" },
    { at: "POST /x", summary: "Create a rule that deletes old objects", want: "---" },
    {
      at: "POST /x",
      summary: "Import pets",
      description: "Existing pets will be overwritten.",
      want: "-D-",
    },
    {
      at: "POST /x",
      summary: "Import pets",
      description: "Existing pets are not overwritten.",
      want: "---",
    },
    {
      at: "POST /x",
      summary: "Add a pet",
      description: "To delete all of the existing pets, use the purge operation.",
      want: "---",
    },
    { at: "PATCH /x", summary: "Update a pet", want: "---" },
    { at: "PUT /x", summary: "Star a pet", want: "--I" },
    { at: "DELETE /x", summary: "Unstar a pet", want: "--I" },
    { at: "DELETE /x", summary: "Remove a member from a team", want: "-DI" },
    { at: "DELETE /x", summary: "Disable alerts", want: "--I" },
    {
      at: "POST /x",
      summary: "Charge a card",
      description: "The call is idempotent.",
      want: "--I",
    },
  ])("$at: $summary is $want", ({ at, want, ...given }) => {
    expect(marks(effectsOf(at, { responses: [ok({ type: "object" })], ...given }))).toBe(want);
  });
});

describe("whole requests", () => {
  it.each<{ at: string; summary: string; given?: Partial<Operation>; want: string }>([
    { at: "POST /convert", summary: "Convert a number into its text", want: "R-I" },
    { at: "POST /convert", summary: "Converts the definition passed in the body", want: "R-I" },
    { at: "POST /leads/{id}/convert", summary: "Convert a lead to a contact", want: "---" },
    { at: "POST /leads/convert", summary: "Convert a lead to a contact", want: "---" },
    {
      at: "POST /agents/{id}/update",
      summary: "Force an agent to update and restart",
      want: "-D-",
    },
    { at: "POST /users/{id}/follows", summary: "Causes a user to follow a list", want: "---" },
    { at: "POST /topups/reverse", summary: "Reversal of a topup", want: "-D-" },
    { at: "PUT /users/{id}/hide", summary: "Anonymize a user", want: "-DI" },
    { at: "POST /studies/{id}/copy", summary: "Anonymize a study", want: "---" },
    {
      at: "PUT /pets/{id}",
      summary: "Update a pet",
      given: { operationId: "replacePetById" },
      want: "--I",
    },
    {
      at: "POST /holders/close",
      summary: "Close an account",
      given: { description: "Closes the account. This state is final." },
      want: "-D-",
    },
    {
      at: "POST /posts",
      summary: "Publish a post",
      given: { description: "Adds a post. This action is final." },
      want: "-D-",
    },
    {
      at: "POST /favorites",
      summary: "Favorite a track",
      given: { description: "Adds it. N.B. HTML tags submitted in the title will be removed." },
      want: "---",
    },
    {
      at: "POST /authorizations",
      summary: "Create an authorization",
      given: { description: "The OAuth Authorizations API will be removed in November." },
      want: "---",
    },
    {
      at: "POST /tokens",
      summary: "Create a token",
      given: { description: "The scope is deprecated and will be removed in a future version." },
      want: "---",
    },
    {
      at: "POST /users/licenses",
      summary: "",
      given: { operationId: "endUserLicenses-create_instance" },
      want: "---",
    },
    { at: "DELETE /alerts", summary: "Disable alerts", want: "--I" },
    {
      at: "DELETE /archive/{name}",
      summary: "Archives a flag",
      given: { operationId: "deleteFlag" },
      want: "-DI",
    },
    {
      at: "DELETE /repos/{repo}/subscription",
      summary: "Unwatch a repo",
      given: { operationId: "deleteSubscription" },
      want: "--I",
    },
    {
      at: "POST /logout",
      summary: "Log out",
      given: { description: "Logs out (invalidates the token)." },
      want: "-D-",
    },
    {
      at: "POST /links",
      summary: "Create a link",
      given: { description: "Any previously created link is revoked." },
      want: "-D-",
    },
    { at: "POST /alerts/off", summary: "Turn off alerts of a device", want: "---" },
    { at: "POST /addresses/{ip}/release", summary: "Release a public IP address", want: "-D-" },
    { at: "POST /notes/{id}/release", summary: "Release a draft", want: "---" },
    { at: "POST /calls/{id}/hangup", summary: "Hang up the call", want: "-D-" },
    { at: "POST /archives/restore", summary: "Restore an archive", want: "-D-" },
    { at: "POST /stop", summary: "Stop recording the conference", want: "-D-" },
    { at: "POST /stop", summary: "Stop receiving messages", want: "---" },
    { at: "POST /members/{id}/ban", summary: "Ban a member", want: "-D-" },
    { at: "DELETE /blocks/{id}", summary: "Delete a block", want: "-DI" },
    { at: "DELETE /tags/{id}/pets", summary: "Untag a pet", want: "-DI" },
    { at: "POST /runners/remove-token", summary: "Create a remove token", want: "---" },
    {
      at: "POST /downloads",
      summary: "Start a download",
      given: { description: "When it is finished, the file will overwrite the former one." },
      want: "-D-",
    },
    { at: "POST /index", summary: "Rebuild the search index", want: "---" },
    {
      at: "POST /codes",
      summary: "Regenerate the connection code of a stream",
      want: "-D-",
    },
    {
      at: "POST /users",
      summary: "Create a user",
      given: { description: "Creates a temporary token. It will expire 30 minutes after." },
      want: "---",
    },
    {
      at: "POST /comments",
      summary: "Post a comment",
      given: { description: "DEPRECATED and WILL BE REMOVED in 9.0" },
      want: "---",
    },
    {
      at: "POST /members",
      summary: "Add a member",
      given: { description: "Adds a member, who can view, edit or delete a draft." },
      want: "---",
    },
    {
      at: "GET /activities",
      summary: "Get all activities",
      given: { description: "Start and end date times accept local times." },
      want: "R-I",
    },
    {
      at: "GET /programmes",
      summary: "Start here for metadata: brands, series and episodes",
      given: { operationId: "listProgrammes" },
      want: "R-I",
    },
    {
      at: "PUT /apps/{id}/commands",
      summary: "",
      given: {
        operationId: "bulk_set_commands",
        body: { required: true, contents: [content({ type: ["array", "null"], items: {} })] },
      },
      want: "-DI",
    },
    {
      at: "PUT /containers/{id}/archive",
      summary: "Extract an archive to a directory",
      given: { parameters: [parameter("query noOverwriteDir")] },
      want: "-DI",
    },
    {
      at: "POST /remove_pages",
      summary: "Remove pages from a PDF",
      given: {
        body: { required: true, contents: [content({ type: "object" }, "multipart/form-data")] },
        responses: [ok({}, "200", "application/pdf")],
      },
      want: "---",
    },
    { at: "GET /tweets/labels/stream", summary: "Tweets label stream", want: "R-I" },
    {
      at: "POST /checkin",
      summary: "Check into an item",
      given: { responses: [ok({ type: "object" })] },
      want: "---",
    },
    {
      at: "POST /income/check",
      summary: "Check eligibility",
      given: { description: "That information will be associated with the user." },
      want: "---",
    },
    { at: "PUT /counters/{id}", summary: "Increment a counter", want: "---" },
    {
      at: "POST /disks/{id}/resize",
      summary: "Resize a disk",
      given: { description: "This can cause data loss." },
      want: "-D-",
    },
    { at: "POST /rc/list", summary: "List commands", want: "R-I" },
    { at: "POST /servers/{id}/actions/attach_to_network", summary: "Attach a server", want: "---" },
    { at: "POST /containers/{id}/attach", summary: "Attach to a container", want: "-D-" },
    { at: "GET /session/connect", summary: "Attempts to retrieve a session", want: "R-I" },
    { at: "POST /realms/{id}/partial-export", summary: "Partial export of a realm", want: "---" },
  ])("$at $summary is $want", ({ at, summary, given, want }) => {
    expect(marks(effectsOf(at, { summary, ...given }))).toBe(want);
  });
});

describe("actions that the request chooses", () => {
  const type = (...values: string[]): JsonSchema => ({
    type: "object",
    properties: { type: { type: "string", enum: values } },
  });

  it.each<{ at: string; summary?: string; schema: JsonSchema; want: string }>([
    { at: "POST /servers/{id}/actions", schema: type("rename", "rebuild"), want: "-D-" },
    { at: "POST /servers/{id}/actions", schema: type("rename", "snapshot"), want: "---" },
    {
      at: "POST /servers/{id}/actions",
      schema: { oneOf: [type("power_off"), type("resize")] },
      want: "-D-",
    },
    { at: "POST /servers/{id}", schema: type("rename", "rebuild"), want: "---" },
    {
      at: "PUT /servers/{id}",
      summary: "Run an action on a server",
      schema: { type: "object", properties: { action: { enum: ["start", "stop"] } } },
      want: "-D-",
    },
    {
      at: "POST /filters",
      summary: "Create a filter",
      schema: { type: "object", properties: { action: { enum: ["delete", "label"] } } },
      want: "---",
    },
  ])("$at of $schema is $want", ({ at, summary, schema, want }) => {
    const body = { required: true, contents: [content(schema)] };
    expect(marks(effectsOf(at, { body, ...(summary && { summary }) }))).toBe(want);
  });
});

describe("requests and responses", () => {
  it.each([
    { reason: "a job", given: { responses: [ok({ type: "object" }, "202")] }, want: "---" },
    { reason: "no result", given: { responses: [ok(undefined, "204")] }, want: "---" },
    { reason: "an undescribed result", given: { responses: [ok()] }, want: "R-I" },
    { reason: "a result", given: { responses: [ok({ type: "object" })] }, want: "R-I" },
    {
      reason: "a token",
      given: { responses: [ok({ type: "object", properties: { access_token: {} } })] },
      want: "---",
    },
    { reason: "SQL", given: json({ sql: {} }), want: "---" },
    { reason: "GraphQL", given: json({ query: { description: "A GraphQL query" } }), want: "---" },
    {
      reason: "a query",
      given: json({ query: { description: "Words to look for" } }),
      want: "R-I",
    },
  ])("a search with $reason is $want", ({ given, want }) => {
    const summary = "Search the data";
    expect(
      marks(effectsOf("POST /x", { responses: [ok({ type: "object" })], summary, ...given })),
    ).toBe(want);
  });
});

describe("irreversible and replacing", () => {
  it.each([
    { description: "This action cannot be undone.", want: true },
    { description: "Deleting a pet is irreversible.", want: true },
    { description: "Once deleted, a pet cannot be restored.", want: true },
    { description: "Permanently deletes a pet.", want: true },
    { description: "Deletes a pet.", want: false },
    { description: "Closing the shop cannot be undone.", want: false },
    { description: "To permanently delete it, use the purge operation.", want: false },
    { description: "Permanently deleted after 30 days.", want: false },
    { description: "Permanently deletes a pet. It can be restored by support.", want: false },
  ])("$description is irreversible: $want", ({ description, want }) => {
    const { isIrreversible } = effectsOf("DELETE /pets/{id}", {
      summary: "Delete a pet",
      description,
    });
    expect(isIrreversible).toBe(want);
  });

  it.each([
    { summary: "Replace all tags", want: true },
    {
      summary: "Set the tags",
      description: "Tags that are not included will be removed.",
      want: true,
    },
    { summary: "Set the tags", want: false },
    { summary: "Update the tags", description: "This replaces all tags.", want: false },
  ])("$summary $description replaces all: $want", ({ want, ...given }) => {
    expect(effectsOf("PUT /pets/{id}/tags", { ...json({ tags: {} }), ...given }).replacesAll).toBe(
      want,
    );
  });
});

describe("kinds of effects", () => {
  it.each([
    { at: "POST /pets", want: "adds" },
    { at: "POST /pets", given: { operationId: "postPets" }, want: "adds" },
    {
      at: "POST /beds/{id}/water",
      given: { operationId: "BedsController_water" },
      want: "changes",
    },
    { at: "POST /trips/{id}/end", want: "changes" },
  ])("$at is $want", ({ at, given, want }) => {
    expect(effectsOf(at, given).effect).toBe(want);
  });
});

describe("evidence", () => {
  it("has the words of the document", () => {
    expect(
      effectsOf("DELETE /pets/{id}", { operationId: "removePet", summary: "Delete a pet for good" })
        .evidence,
    ).toEqual([
      { source: "method", effect: "destroys", words: "DELETE" },
      { source: "summary", effect: "destroys", words: "delete a pet for" },
      { source: "operationId", effect: "removes", words: "remove pet" },
    ]);
  });

  it.each([
    { at: "GET /x", summary: "Triggers a build", want: ["GET", "trigger a build"] },
    {
      at: "POST /x",
      summary: "Search pets",
      operationId: "createSearch",
      want: ["search pets", "create search"],
    },
    { at: "GET /x", summary: "Get a pet", want: undefined },
    { at: "POST /x", summary: "Add a pet", want: undefined },
  ])("$at $summary contradicts: $want", ({ at, want, ...given }) => {
    expect(effectsOf(at, given).conflict?.map(({ words }) => words)).toEqual(want);
  });

  it.each([
    {
      at: "GET /x",
      summary: "Trigger a build",
      want: 'Not read-only, because the summary says "trigger a build".',
    },
    {
      at: "POST /x",
      summary: "Search pets",
      want: 'Read-only, because the summary says "search pets".',
    },
    {
      at: "POST /x",
      summary: "Reset a pet",
      want: 'Destructive, because the summary says "reset a pet".',
    },
    {
      at: "DELETE /x",
      summary: "Unstar a pet",
      want: 'Not destructive, because the summary says "unstar a pet".',
    },
    { at: "GET /x", summary: "Get a pet", want: undefined },
    { at: "DELETE /x", summary: "Delete a pet", want: undefined },
  ])("explains $at $summary: $want", ({ at, want, ...given }) => {
    expect(explainEffects(effectsOf(at, given))).toBe(want);
  });

  it("explains nothing without evidence", () => {
    expect(explainEffects({ ...effectsOf("GET /x", {}), evidence: [] })).toBeUndefined();
  });
});
