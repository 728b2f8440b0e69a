import { describe, expect, it } from "vitest";
import { synonymsOf } from "../../../src/plan/descriptions/content-words.js";
import { flattenMarkdown } from "../../../src/plan/text/markdown.js";
import { writeOpening } from "../../../src/plan/descriptions/opening.js";
import { cleanInputProse, cleanProse } from "../../../src/plan/descriptions/prose.js";
import { truncateText, splitSentence } from "../../../src/plan/text/sentences.js";

describe("flattenMarkdown", () => {
  it.each([
    { input: "Plain text.", expected: "Plain text." },
    { input: "See [the docs](https://x.y/z_(a)) now", expected: "See the docs now" },
    {
      input: "The list is [here](https://x.y/z), and <a href='https://x.y/q'>given here</a>.",
      expected: "The list is here (https://x.y/z), and given here (https://x.y/q).",
    },
    {
      input: "Join a space\nScopes: WRITE\nas in\nContent: x",
      expected: "Join a space. Scopes: WRITE as in Content: x",
    },
    { input: "A [ref][1] and ![img](a.png)", expected: "A ref and" },
    { input: "NB&semi; done", expected: "NB; done" },
    {
      input: "Starts a run. (-- api-linter: core::0136=disabled\n    why: it is. --) More.",
      expected: "Starts a run. More.",
    },
    { input: "C:\\new and a (-- b", expected: "C:\\new and a (-- b" },
    {
      input:
        'The <see cref="T:Shop.Order" /> of <paramref name="id"/>. <seealso cref="M:Shop.Get(System.Int32)" />',
      expected: "The Order of id.",
    },
    {
      input: 'Calls <see cref="M:Shop.Get(System.Int32)"/>, or <see href="x">that</see>',
      expected: "Calls Get, or that",
    },
    { input: "**bold**, __bold__, *it*, _it_ and `code`", expected: "bold, bold, it, it and code" },
    {
      input: "snake_case_names and 2 * 3 * 4 stay",
      expected: "snake_case_names and 2 * 3 * 4 stay",
    },
    {
      input: "# Title\n\nFirst line\nwraps here.\n\nSecond",
      expected: "Title: First line wraps here. Second",
    },
    { input: "Steps:\n- one\n- two\n\nDone", expected: "Steps: one, two. Done" },
    { input: "For example:\n\n[\n\n{'a' => 1}\n\n]", expected: "For example: [ {'a' => 1} ]" },
    { input: "1. one\n2. two", expected: "one. two" },
    { input: 'Before\n```json\n{"a": 1}\n```\nAfter', expected: "Before. After" },
    { input: "Kind:\n`1`: instant\n`8`: recurring", expected: "Kind: 1: instant. 8: recurring" },
    { input: "As here:\n```\n{}\n```\nAfter", expected: "As here. After" },
    { input: "First.<br/><strong>Examples:</strong><pre>{}</pre>", expected: "First." },
    { input: "First. Sample request:\n```\n{}\n```\nAfter", expected: "First. After" },
    { input: "First.<br/>Try something like: <pre>curl x</pre> After", expected: "First. After" },
    {
      input: "Retryable. The following codes may be returned if it fails.\n\n| a | b | c | d |\n",
      expected: "Retryable.",
    },
    { input: "such as *id, creator_id, etc …*.", expected: "such as id, creator_id, etc …." },
    { input: "The asterisk (*) matches: 'cat*'", expected: "The asterisk (*) matches: 'cat*'" },
    { input: "Pass '*' for all, or 'cat*'.", expected: "Pass '*' for all, or 'cat*'." },
    { input: "A policy, such as:\n```\n{}\n```\nAfter", expected: "A policy. After" },
    { input: "| a | b |\n|---|---|\n| 1 | 2 |\nAfter", expected: "After" },
    { input: "<p>One<br/>two</p><ul><li>x</li></ul>", expected: "One two. x." },
    { input: "a < b and <name> stay, <b>tags</b> go", expected: "a < b and <name> stay, tags go" },
    { input: "<!-- hidden -->Shown", expected: "Shown" },
    { input: "cost <currency>100</currency> of <name>", expected: "cost 100 of <name>" },
    {
      input: "all. **Note that\nthis is bold** too, and 2**3 is not",
      expected: "all. Note that this is bold too, and 2**3 is not",
    },
    {
      input: `<note><p>${"Long. ".repeat(80)}</p></note> <id>`,
      expected: `${"Long. ".repeat(80)}<id>`,
    },
    {
      input: "&#128640; and &#x1F680; and &#xD800; and &copy;",
      expected: "🚀 and 🚀 and &#xD800; and ©",
    },
    {
      input: "#### Returns\nReturns a pet.\n\n#### Limits\nTen a minute.",
      expected: "Returns a pet. Limits: Ten a minute.",
    },
    { input: "### One line", expected: "One line" },
    {
      input:
        "<h4>Description</h4>\n<p>Returns <b>buses</b>.</p>\n<h4>Response Elements</h4>\n<table><tr><td>x</td></tr></table>",
      expected: "Returns buses.",
    },
    {
      input: "Permissions:\n* `admin`\n* `write`\n\nAsk.",
      expected: "Permissions: admin, write. Ask.",
    },
    { input: "Sends events:\n\n- `a.b`\n- `c.d`", expected: "Sends events: a.b, c.d" },
    { input: "- Ends it.\n- Keeps all others apart", expected: "Ends it. Keeps all others apart" },
    { input: "<h2>Limits</h2>Ten a minute.", expected: "Limits: Ten a minute." },
    { input: "# A\n## B\nText\n## C\n\n| a |\n|---|", expected: "B: Text." },
    { input: "Most items. [paging](#section/Paging)", expected: "Most items." },
    {
      input: "See how [paging](#section/Paging) works. [A] stays.",
      expected: "See how paging works. [A] stays.",
    },
    { input: "use filter[status][oeq]=done", expected: "use filter[status][oeq]=done" },
    { input: "see [the guide][1] and [page][guide].", expected: "see the guide and page." },
    { input: "is wpa2 or **wpa3-psk. The password", expected: "is wpa2 or wpa3-psk. The password" },
    { input: "<script>alert(1)</script>Text", expected: "Text" },
    { input: "&lt;a&gt; &amp; &#39;b&#39;&nbsp;c", expected: "<a> & 'b' c" },
    { input: "> [!NOTE]\n> Careful", expected: "Careful" },
    { input: "escaped \\_under\\_", expected: "escaped _under_" },
    { input: "hidden\u200b\u202e\u{e0041}\u001b[2J text", expected: "hidden[2J text" },
    { input: "  spaced   out  ", expected: "spaced out" },
    { input: "", expected: "" },
  ])("$input", ({ input, expected }) => {
    expect(flattenMarkdown(input)).toBe(expected);
  });

  it.each([
    "(-- ",
    "{% ",
    "**a ",
    "[a](",
    "![a](",
    "<b ",
    "<b>",
    "</b>",
    "`",
    "_a ",
    "\\",
    "<!--",
    "```",
    "&#39",
    "| ",
  ])("is quick about %s without end", (piece) => {
    expect(flattenMarkdown(piece.repeat(100_000)).length).toBeLessThanOrEqual(6000);
  });
});

describe("references and transport sentences are removed", () => {
  it.each([
    {
      input: 'List pets. For more information, see "Media types." Sorted.',
      expected: "List pets. Sorted.",
    },
    {
      input: "Delete a pet. Please refer to the guide for details. See also the docs.",
      expected: "Delete a pet.",
    },
    { input: "Enable it using the `POST /pets/{id}/enable` endpoint. Done.", expected: "Done." },
    { input: "API endpoint that allows pets to be viewed or edited.", expected: "" },
    {
      input: "List pets. For more information: Overview. Tutorials using pets.",
      expected: "List pets.",
    },
    {
      input: "To show captions, use this PATCH to set default: true.",
      expected: "To show captions, use this PATCH to set default: true.",
    },
    {
      input: "Use this endpoint to feed a pet, or to close it, or to the owner.",
      expected: "Feed a pet, or close it, or to the owner.",
    },
    {
      input: "Skip. This endpoint is used for skipping the current track.",
      expected: "Skip. Skip the current track.",
    },
    {
      input: "Get a code. This request can be used to complete a form.",
      expected: "Get a code. This request can be used to complete a form.",
    },
    {
      input: "This endpoint is used for the seller to add notes.",
      expected: "This endpoint is used for the seller to add notes.",
    },
    { input: "Sorted. For implementation help, refer to the manual.", expected: "Sorted." },
    { input: '"Update a volume. Once."', expected: "Update a volume. Once." },
    { input: '"A" or "B"', expected: '"A" or "B"' },
    { input: "To get started, send a POST request. Sorted.", expected: "Sorted." },
    { input: "Sorted. Simply send a GET request to its link.", expected: "Sorted." },
    { input: "Sorted. This endpoint also supports the POST method.", expected: "Sorted." },
    { input: "Sorted. Look at it with a GET request to /v2/pets.", expected: "Sorted." },
    {
      input: "Sorted. The previous filters will be overwritten by those of the PUT request.",
      expected: "Sorted. The previous filters will be overwritten by those of the PUT request.",
    },
    {
      input: "A POST request to this endpoint initiates a new task that archives the pets.",
      expected: "Initiates a new task that archives the pets.",
    },
    {
      input: "This GET method lists the user's pets. A GET request is cheap.",
      expected: "Lists the user's pets. A GET request is cheap.",
    },
    {
      input: "A pet can be updated by making a PUT request on the URL for that pet. Sorted.",
      expected: "A pet can be updated. Sorted.",
    },
    {
      input: "To list neighbors (i.e. pets of one street), send a GET request to /v2/neighbors.",
      expected: "List neighbors (i.e. pets of one street).",
    },
    {
      input:
        "To upload a file to the API, you’ll need to send a request of type multipart/form-data. It may be large.",
      expected: "Upload a file to the API. It may be large.",
    },
    {
      input:
        "Get a blob. This endpoint supports the following custom media types. application/vnd.raw+json: Returns the raw data. Response will include body.",
      expected: "Get a blob.",
    },
    {
      input: "See if the pet is well. Read more books to it.",
      expected: "See if the pet is well.",
    },
    { input: "Sorted. This endpoint allows you to list pets.", expected: "Sorted. List pets." },
    {
      input: "### Description:\nAdds it.\n\n### Further Information:\nNone.\n\n### Limits\nTen.",
      expected: "Adds it. Limits: Ten.",
    },
    { input: "Sorted. Use this endpoint to list all pets.", expected: "Sorted. List all pets." },
    { input: "Using this endpoint you can feed a pet.", expected: "Feed a pet." },
    { input: "Using this endpoint it is possible to feed it.", expected: "Feed it." },
    { input: "Get information about a pet.", expected: "Get information about a pet." },
    { input: "Details about the pet are kept.", expected: "Details about the pet are kept." },
    {
      input: "Set the Content-Type header to text/csv. Rows are added.",
      expected: "Rows are added.",
    },
    {
      input:
        "Merges by strategy.\n\n| Strategy | Behavior |\n| --- | --- |\n| `drop` | Deleted after it |\n| keep | Stays |",
      expected: "Merges by strategy. drop: Deleted after it. keep: Stays.",
    },
    {
      input: "Filter by the media type of a list, and see more.",
      expected: "Filter by the media type of a list, and see more.",
    },
    {
      input: "**Description:** The operation removes a pet.",
      expected: "The operation removes a pet.",
    },
    {
      input: "Get sessions Returns a list of sessions",
      expected: "Get sessions. Returns a list of sessions",
    },
    { input: '"Gets a pet.', expected: "Gets a pet." },
    { input: "Of a group (tag).By default, all.", expected: "Of a group (tag). By default, all." },
    { input: "Uses System.In this way.", expected: "Uses System.In this way." },
    { input: "Gets a pet.\n### Components Used\n-[Pet](https://x.y)\n", expected: "Gets a pet." },
    { input: "Sends:\n| Key | Type |\n|---|---|\n| a | text |", expected: "Sends." },
  ])("$input", ({ input, expected }) => {
    expect(cleanProse(input)).toBe(expected);
  });

  it.each([
    {
      reason: "a table",
      rows: ["1 | Instant.", "2 | Later"],
      want: "Delivery: 1 = Instant; 2 = Later.",
    },
    {
      reason: "a long table",
      rows: Array.from({ length: 20 }, (_, i) => `${String(i)} | ${"x".repeat(50)}`),
      want: `Delivery: ${[0, 1, 2, 3].map((i) => `${String(i)} = ${"x".repeat(50)}`).join("; ")}; and 16 more.`,
    },
    { reason: "a table of fields", rows: [], want: "Delivery." },
  ])("keeps $reason in descriptions of inputs", ({ rows, want }) => {
    const head = rows.length === 0 ? "Field | Type" : "Code | Meaning";
    const table = [head, "--- | ---", ...rows].map((row) => `| ${row} |`).join("\n");
    expect(cleanInputProse(`Delivery:\n\n${table}\n`)).toBe(want);
  });

  it("keeps the first rows of a long table", () => {
    const rows = Array.from({ length: 30 }, (_, i) => `| ${String(i)} | ${"x".repeat(90)} |`);
    expect(cleanProse(`Codes.\n\n| Code | Meaning |\n|---|---|\n${rows.join("\n")}`)).toMatch(
      /^Codes\. 0: x{90}\. 1: x{90}\..* And 26 more\.$/,
    );
  });

  it("keeps paths and methods in descriptions of inputs", () => {
    expect(
      cleanInputProse(
        "The HTTP method of the callback: GET or POST request. See below for more details.",
      ),
    ).toBe("The HTTP method of the callback: GET or POST request.");
  });
});

describe("sentences", () => {
  it.each([
    { input: "One. Two.", expected: ["One.", "Two."] },
    { input: "Use e.g. a cat. Two", expected: ["Use e.g. a cat.", "Two"] },
    { input: "Version 1.5 is old. Two", expected: ["Version 1.5 is old.", "Two"] },
    { input: "第一句。第二句。", expected: ["第一句。", "第二句。"] },
    { input: "No end", expected: ["No end", ""] },
    { input: 'See "Media types." Two', expected: ['See "Media types."', "Two"] },
  ])("$input", ({ input, expected }) => {
    expect(splitSentence(input)).toEqual(expected);
  });

  it.each([
    { input: "Short.", max: 20, expected: "Short." },
    { input: "First one. Second one is long.", max: 25, expected: "First one. …[truncated]" },
    { input: "word ".repeat(10), max: 30, expected: "word word word …[truncated]" },
    { input: "x".repeat(40), max: 20, expected: "xxxxxxx …[truncated]" },
  ])("$input in $max", ({ input, max, expected }) => {
    expect(truncateText(input, max)).toBe(expected);
    expect(expected.length).toBeLessThanOrEqual(max);
  });

  it("never splits a surrogate pair", () => {
    for (let max = 14; max < 30; max++)
      expect(truncateText("😀".repeat(40), max)).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
  });
});

describe("the opening sentence", () => {
  it.each([
    {
      summary: "Kontaktide nimekiri",
      description: "Väljastab kontaktid.",
      expected: "Kontaktide nimekiri.",
      rest: "Väljastab kontaktid.",
    },
    { summary: "List pets", description: "", expected: "List pets.", rest: "" },
    { summary: "Lists pets.", description: "", expected: "List pets.", rest: "" },
    { summary: "Pet details", description: "", expected: "Get pet details.", rest: "" },
    {
      summary: "Adopts/moves/returns pets",
      description: "",
      expected: "Adopt/move/return pets.",
      rest: "",
    },
    {
      summary: "Shows a pet and provides reasons",
      description: "",
      expected: "Show a pet and provide reasons.",
      rest: "",
    },
    { summary: "A single pet", description: "", expected: "Get a single pet.", rest: "" },
    { summary: "Use to delete a pet", description: "", expected: "Delete a pet.", rest: "" },
    {
      summary: "Syncs a bank then imports transactions",
      description: "",
      expected: "Sync a bank then import transactions.",
      rest: "",
    },
    {
      summary: "Given the ID of a pet, returns its visits",
      description: "",
      expected: "Get pet.",
      rest: "Given the ID of a pet, returns its visits.",
    },
    {
      summary: "Search API for 'Pet' type",
      description: "API to search for pets of type Pet",
      expected: "Search for pets of type Pet.",
      rest: "",
    },
    {
      summary: "Update a pet",
      description: "Update a pet, such as its name. Slow.",
      expected: "Update a pet, such as its name.",
      rest: "Slow.",
    },
    {
      summary: "Used for checking whether a pet is free, and returning it",
      description: "",
      expected: "Check whether a pet is free, and return it.",
      rest: "",
    },
    {
      summary: "Refresh a token to join a room",
      description: "Synchronously refresh a token to join a room. Slow.",
      expected: "Synchronously refresh a token to join a room.",
      rest: "Slow.",
    },
    {
      summary: "Takes a pet and uses the name to find others",
      description: "",
      expected: "Take a pet and use the name to find others.",
      rest: "",
    },
    {
      summary: "Get visits of a pet",
      description: "List visits of the given pet. Sorted.",
      expected: "List visits of the given pet.",
      rest: "Sorted.",
    },
    {
      summary: "Send a pet to the vet, by post",
      description: "Sends a pet to the specified vet. Slow.",
      expected: "Send a pet to the vet, by post.",
      rest: "Slow.",
    },
    {
      summary: "Delete pet",
      description: "Endpoint used to delete a pet.",
      expected: "Delete a pet.",
      rest: "",
    },
    { summary: "Signs in a pet", description: "", expected: "Sign in a pet.", rest: "" },
    {
      summary: "Takes the name of a pet and returns an image",
      description: "",
      expected: "Take the name of a pet and return an image.",
      rest: "",
    },
    {
      summary: "A listing of all pets",
      description: "",
      expected: "Get a listing of all pets.",
      rest: "",
    },
    {
      summary: "addToGroup",
      description: "Adds a pet to a group.",
      expected: "Add a pet to a group.",
      rest: "",
    },
    { summary: "", description: "Returns a pet. More.", expected: "Get a pet.", rest: "More." },
    { summary: "", description: "", expected: "Get pet.", rest: "" },
    {
      summary: "",
      description: "This endpoint allows you to fetch a pet.",
      expected: "Fetch a pet.",
      rest: "",
    },
    {
      summary: "",
      description: "Invoking this request retrieves a pet.",
      expected: "Retrieve a pet.",
      rest: "",
    },
    {
      summary: "",
      description: "FetchPet can be used to fetch a pet.",
      expected: "Fetch a pet.",
      rest: "",
    },
    {
      summary: "",
      description: "Use this endpoint to delete a pet.",
      expected: "Delete a pet.",
      rest: "",
    },
    {
      summary: "",
      description: "A list of pets by name.",
      expected: "Get a list of pets by name.",
      rest: "",
    },
    {
      summary: "",
      description: "Presents a payment method.",
      expected: "Present a payment method.",
      rest: "",
    },
    {
      summary: "",
      description: "Users with access may see it.",
      expected: "Get pet: Users with access may see it.",
      rest: "",
    },
    {
      summary: "Delete pet",
      description: "Deletes a pet. It is gone.",
      expected: "Delete a pet.",
      rest: "It is gone.",
    },
    {
      summary: "Get a pet",
      description: "Get a pet by its ID",
      expected: "Get a pet by its ID.",
      rest: "",
    },
    {
      summary: "Retrieve pets",
      description: "This operation retrieves a list of all of the pets. More.",
      expected: "Retrieve a list of all of the pets.",
      rest: "More.",
    },
    {
      summary: "Create a pet",
      description: "Use this endpoint to create a pet.",
      expected: "Create a pet.",
      rest: "",
    },
    {
      summary: "Get pets",
      description: "Responds with all pets of the clinic.",
      expected: "Get all pets of the clinic.",
      rest: "",
    },
    {
      summary: "Delete a pet",
      description: "This operation is idempotent.",
      expected: "Delete a pet.",
      rest: "This operation is idempotent.",
    },
    {
      summary: "Pets widget",
      description: "Visualizes a pet as HTML. More.",
      expected: "Visualize a pet as HTML.",
      rest: "Pets widget. More.",
    },
    {
      summary: "Pets widget",
      description: "Render the pet as HTML. More.",
      expected: "Render the pet as HTML.",
      rest: "Pets widget. More.",
    },
    {
      summary: "Pet rendering",
      description: "Render the pet.",
      expected: "Render the pet.",
      rest: "Pet rendering.",
    },
    {
      summary: "partially update the specified Pod",
      description: "",
      expected: "Partially update the specified Pod.",
      rest: "",
    },
    { summary: "Family of pets", description: "", expected: "Get family of pets.", rest: "" },
    {
      summary: "Get a pet",
      description: "Only owners may.",
      expected: "Get a pet.",
      rest: "Only owners may.",
    },
    { summary: "获取宠物", description: "", expected: "获取宠物。", rest: "" },
    { summary: "Un-pins an item", description: "", expected: "Un-pin an item.", rest: "" },
    {
      summary: "An API method that allows admins to set a name.",
      description: "",
      expected: "Set a name.",
      rest: "",
    },
    {
      summary: "Marked a user as active.",
      description: "",
      expected: "Mark a user as active.",
      rest: "",
    },
    { summary: "Re-run a workflow", description: "", expected: "Re-run a workflow.", rest: "" },
    { summary: "Thatches a roof", description: "", expected: "Thatch a roof.", rest: "" },
    {
      summary: "",
      description: "Uploads or creates a file.",
      expected: "Upload or create a file.",
      rest: "",
    },
    {
      summary: "",
      description: "Activates, deactivates, and queries alarms of a cluster.",
      expected: "Activate, deactivate, and query alarms of a cluster.",
      rest: "",
    },
    {
      summary: "",
      description: "Enables a workflow and sets its state.",
      expected: "Enable a workflow and set its state.",
      rest: "",
    },
    {
      summary: "",
      description: "Searches for messages matching a query.",
      expected: "Search for messages matching a query.",
      rest: "",
    },
    {
      summary: "Create a pet. This starts a life.",
      description: "create a pet. This starts a life. Really.",
      expected: "Create a pet. This starts a life.",
      rest: "Really.",
    },
    {
      summary: "",
      description: "Starting a new project? We recommend cats. Gets a pet.",
      expected: "Get pet.",
      rest: "Starting a new project? We recommend cats. Gets a pet.",
    },
    {
      summary: "Fetch pet",
      description: "This GET-Method returns the details of one animal. More.",
      expected: "Get the details of one animal.",
      rest: "More.",
    },
    {
      summary: "Get pet",
      description: `Gets an animal with ${"very ".repeat(20)}long fur, whether it is a pet or not.`,
      expected: `Get an animal with ${"very ".repeat(20)}long fur, whether it is a pet or not.`,
      rest: "",
    },
    {
      summary: "Get a pet",
      description: "The API returns a 301 Moved Permanently status if the pet has moved.",
      expected: "Get a pet.",
      rest: "The API returns a 301 Moved Permanently status if the pet has moved.",
    },
    {
      summary: "",
      description: "NOTE: Admins only.",
      expected: "Get pet.",
      rest: "NOTE: Admins only.",
    },
    {
      summary: "[2 CREDITS] Groom a pet, or two",
      description: "More",
      expected: "Groom a pet, or two.",
      rest: "More. [2 CREDITS].",
    },
    {
      summary: "SHARED PETS - Gets a pet",
      description: "SHARED PETS - Gets a pet of a shop",
      expected: "Get a pet of a shop.",
      rest: "SHARED PETS.",
    },
    {
      summary: "",
      description: "GetPet endpoint: Returns a pet.",
      expected: "Get a pet.",
      rest: "",
    },
    {
      summary: "Groom a pet's coat",
      description: "Pet's coat. Daily.",
      expected: "Groom a pet's coat.",
      rest: "Daily.",
    },
    {
      summary: "Groom a pet's coat",
      description: "Pet's tail. Daily.",
      expected: "Groom a pet's coat.",
      rest: "Pet's tail. Daily.",
    },
    {
      summary: "Listet alle Haustiere der Praxis auf",
      description: "Nur für Ärzte.",
      expected: "Listet alle Haustiere der Praxis auf.",
      rest: "Nur für Ärzte.",
    },
    {
      summary: "Récupère les animaux du propriétaire",
      description: "",
      expected: "Récupère les animaux du propriétaire.",
      rest: "",
    },
    { summary: "Crear una mascota", description: "", expected: "Crear una mascota.", rest: "" },
    {
      summary: "ペットを取得する",
      description: "IDで検索します。存在しない場合はエラーです。",
      expected: "ペットを取得する。",
      rest: "IDで検索します。存在しない場合はエラーです。",
    },
    {
      summary: "",
      description: "返回宠物列表。按名称排序。",
      expected: "返回宠物列表。",
      rest: "按名称排序。",
    },
  ])("$summary | $description", ({ summary, description, expected, rest }) => {
    expect(writeOpening("get_pet", summary, description)).toEqual({ first: expected, rest });
  });

  it.each([
    ["peddle_goods", "Peddle goods of a stall", "Peddle goods of a stall."],
    ["list_users", "Request users", "Get users."],
    ["get_user", "Request the retrieval of a user", "Get a user."],
    ["return_transfer", "Return a transfer", "Return a transfer."],
    ["apply_filters", "Apply filters to a response", "Apply filters to a response."],
    ["request_ride", "Request a ride", "Request a ride."],
    ["list_favourites", "Favourite Tracks or Clips", "List Favourite Tracks or Clips."],
    ["get_stream", "Stream n responses", "Stream n responses."],
    ["get_change", "Represents a change of a file", "Get change."],
    [
      "share_post",
      "Immediately shares a post and edits its time",
      "Immediately share a post and edit its time.",
    ],
    ["check_is_prime", "Checks whether a number is a prime", "Check whether a number is a prime."],
    ["get_currency", "Spells out the number", "Spell out the number."],
    ["search_pets", "Provides the ability to search for pets", "Search for pets."],
    ["list_pets", "Provides an easy way to list pets", "List pets."],
    ["list_pets", "This endpoint provides a list of pets", "Get a list of pets."],
    ["provide_feedback", "Provides feedback on a pet", "Provide feedback on a pet."],
    ["search_series", "Allows the user to search for a series", "Search for a series."],
    [
      "delete_account",
      "The delete account service is used to delete an account",
      "Delete an account.",
    ],
    ["get_map", "The purpose of the GET_MAP service is to display shops", "Display shops."],
    ["add_contacts", "Bulk add contacts of a user", "Bulk add contacts of a user."],
    ["list_orders", "Bulk download of orders", "List bulk download of orders."],
    ["list_items", "Miscellaneous new items", "List items: Miscellaneous new items."],
    ["peddle_goods", "Peddling of goods", "Peddle goods: Peddling of goods."],
    ["shipping_order", "Shipping updates", "Shipping order: Shipping updates."],
    ["list_forecasts", "Returns 72 hours of forecasts", "Get 72 hours of forecasts."],
    ["list_fans", "Lists fans of a repo and sorts them", "List fans of a repo and sort them."],
    [
      "simulate_evolution_random",
      "Simulates the evolution of one or several portfolios over one or several periods of time, " +
        "which are rebalanced toward random weights at the beginning of each period",
      "Simulate the evolution of one or several portfolios over one or several periods of time, " +
        "which are rebalanced toward random weights at the beginning of each period.",
    ],
  ])("%s of %s", (name, text, want) => expect(writeOpening(name, text, "").first).toBe(want));

  it("is short and followed by the long sentence", () => {
    const long = `Get a pet, ${"with all that belongs to it, ".repeat(8)}at once`;
    const { first, rest } = writeOpening("get_pet", long, "");
    expect(first.length).toBeLessThanOrEqual(121);
    expect(rest).toBe(`${long}.`);
  });
});

it("has synonyms of one effect only", () => {
  expect(synonymsOf("add")).toEqual(["add", "create"]);
  expect(synonymsOf("delete")).toEqual(["delete"]);
  expect(synonymsOf("paint")).toEqual(["paint"]);
});
