import { describe, expect, it } from "vitest";
import { flattenMarkdown } from "../../../src/plan/text/markdown.js";
import { writeOpening } from "../../../src/plan/descriptions/opening.js";
import { cleanInputProse, cleanProse } from "../../../src/plan/descriptions/prose.js";
import { truncateText, splitSentence } from "../../../src/plan/text/sentences.js";

describe("Markdown and HTML become sentences", () => {
  it.each([
    { given: "Plain text.", want: "Plain text." },
    { given: "See [the docs](https://x.y/z_(a)) now", want: "See the docs now" },
    { given: "A [ref][1] and ![img](a.png)", want: "A ref and" },
    {
      given: "Starts a run. (-- api-linter: core::0136=disabled\n    why: it is. --) More.",
      want: "Starts a run. More.",
    },
    {
      given: '{% admonition type="info" name="`x`" %}\nOnly once.\n{% /admonition %}\nThen again',
      want: "Only once. Then again",
    },
    { given: "Operate a question \\n which operation", want: "Operate a question which operation" },
    { given: "C:\\new and a (-- b", want: "C:\\new and a (-- b" },
    { given: "**bold**, __bold__, *it*, _it_ and `code`", want: "bold, bold, it, it and code" },
    { given: "snake_case_names and 2 * 3 * 4 stay", want: "snake_case_names and 2 * 3 * 4 stay" },
    {
      given: "# Title\n\nFirst line\nwraps here.\n\nSecond",
      want: "Title. First line wraps here. Second",
    },
    { given: "Steps:\n- one\n- two\n\nDone", want: "Steps: one. two. Done" },
    { given: "1. one\n2. two", want: "one. two" },
    { given: 'Before\n```json\n{"a": 1}\n```\nAfter', want: "Before. After" },
    { given: "| a | b |\n|---|---|\n| 1 | 2 |\nAfter", want: "After" },
    { given: "<p>One<br/>two</p><ul><li>x</li></ul>", want: "One two. x." },
    { given: "a < b and <name> stay, <b>tags</b> go", want: "a < b and <name> stay, tags go" },
    { given: "<!-- hidden -->Shown", want: "Shown" },
    { given: "cost <currency>100</currency> of <name>", want: "cost 100 of <name>" },
    {
      given: "all. **Note that\nthis is bold** too, and 2**3 is not",
      want: "all. Note that this is bold too, and 2**3 is not",
    },
    {
      given: `<note><p>${"Long. ".repeat(80)}</p></note> <id>`,
      want: `${"Long. ".repeat(80)}<id>`,
    },
    {
      given: "&#128640; and &#x1F680; and &#xD800; and &copy;",
      want: "🚀 and 🚀 and &#xD800; and ©",
    },
    {
      given: "#### Returns\nReturns a pet.\n\n#### Limits\nTen a minute.",
      want: "Returns a pet. Limits. Ten a minute.",
    },
    { given: "### One line", want: "One line" },
    {
      given:
        "<h4>Description</h4>\n<p>Returns <b>buses</b>.</p>\n<h4>Response Elements</h4>\n<table><tr><td>x</td></tr></table>",
      want: "Returns buses.",
    },
    { given: "<h2>Limits</h2>Ten a minute.", want: "Limits. Ten a minute." },
    { given: "# A\n## B\nText\n## C\n\n| a |\n|---|", want: "B. Text." },
    { given: "Most items. [paging](#section/Paging)", want: "Most items." },
    {
      given: "See how [paging](#section/Paging) works. [A] stays.",
      want: "See how paging works. [A] stays.",
    },
    { given: "is wpa2 or **wpa3-psk. The password", want: "is wpa2 or wpa3-psk. The password" },
    { given: "<script>alert(1)</script>Text", want: "Text" },
    { given: "&lt;a&gt; &amp; &#39;b&#39;&nbsp;c", want: "<a> & 'b' c" },
    { given: "> [!NOTE]\n> Careful", want: "Careful" },
    { given: "escaped \\_under\\_", want: "escaped _under_" },
    { given: "hidden\u200b\u202e\u{e0041}\u001b[2J text", want: "hidden[2J text" },
    { given: "  spaced   out  ", want: "spaced out" },
    { given: "", want: "" },
  ])("$given", ({ given, want }) => {
    expect(flattenMarkdown(given)).toBe(want);
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

describe("what only a reader of the page could use goes", () => {
  it.each([
    {
      given: 'List pets. For more information, see "Media types." Sorted.',
      want: "List pets. Sorted.",
    },
    {
      given: "Delete a pet. Please refer to the guide for details. See also the docs.",
      want: "Delete a pet.",
    },
    { given: "Enable it using the `POST /pets/{id}/enable` endpoint. Done.", want: "Done." },
    {
      given:
        "To upload a file to the API, you’ll need to send a request of type multipart/form-data. It may be large.",
      want: "Upload a file to the API. It may be large.",
    },
    {
      given:
        "Get a blob. This endpoint supports the following custom media types. application/vnd.raw+json: Returns the raw data. Response will include body.",
      want: "Get a blob.",
    },
    { given: "See if the pet is well. Read more books to it.", want: "See if the pet is well." },
    { given: "Sorted. Use this endpoint to list all pets.", want: "Sorted. List all pets." },
    { given: "Get information about a pet.", want: "Get information about a pet." },
    { given: "Details about the pet are kept.", want: "Details about the pet are kept." },
    { given: "Set the Content-Type header to text/csv. Rows are added.", want: "Rows are added." },
  ])("$given", ({ given, want }) => {
    expect(cleanProse(given)).toBe(want);
  });

  it("but an input may be a path or a method", () => {
    expect(
      cleanInputProse(
        "The HTTP method of the callback: GET or POST request. See below for more details.",
      ),
    ).toBe("The HTTP method of the callback: GET or POST request.");
  });
});

describe("sentences", () => {
  it.each([
    { given: "One. Two.", want: ["One.", "Two."] },
    { given: "Use e.g. a cat. Two", want: ["Use e.g. a cat.", "Two"] },
    { given: "Version 1.5 is old. Two", want: ["Version 1.5 is old.", "Two"] },
    { given: "第一句。第二句。", want: ["第一句。", "第二句。"] },
    { given: "No end", want: ["No end", ""] },
    { given: 'See "Media types." Two', want: ['See "Media types."', "Two"] },
  ])("$given", ({ given, want }) => {
    expect(splitSentence(given)).toEqual(want);
  });

  it.each([
    { given: "Short.", max: 20, want: "Short." },
    { given: "First one. Second one is long.", max: 25, want: "First one. …[truncated]" },
    { given: "word ".repeat(10), max: 30, want: "word word word …[truncated]" },
    { given: "x".repeat(40), max: 20, want: "xxxxxxx …[truncated]" },
  ])("$given in $max", ({ given, max, want }) => {
    expect(truncateText(given, max)).toBe(want);
    expect(want.length).toBeLessThanOrEqual(max);
  });

  it("never cuts a character in half", () => {
    for (let max = 14; max < 30; max++)
      expect(truncateText("😀".repeat(40), max)).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
  });
});

describe("the opening sentence", () => {
  it.each([
    { summary: "List pets", description: "", want: "List pets.", rest: "" },
    { summary: "Lists pets.", description: "", want: "List pets.", rest: "" },
    { summary: "Pet details", description: "", want: "Get pet: Pet details.", rest: "" },
    { summary: "", description: "Returns a pet. More.", want: "Return a pet.", rest: "More." },
    { summary: "", description: "", want: "Get pet.", rest: "" },
    {
      summary: "",
      description: "This endpoint allows you to fetch a pet.",
      want: "Fetch a pet.",
      rest: "",
    },
    {
      summary: "",
      description: "Use this endpoint to delete a pet.",
      want: "Delete a pet.",
      rest: "",
    },
    {
      summary: "",
      description: "A list of pets by name.",
      want: "Return a list of pets by name.",
      rest: "",
    },
    {
      summary: "",
      description: "Presents a payment method.",
      want: "Present a payment method.",
      rest: "",
    },
    {
      summary: "",
      description: "Users with access may see it.",
      want: "Get pet: Users with access may see it.",
      rest: "",
    },
    {
      summary: "Delete pet",
      description: "Deletes a pet. It is gone.",
      want: "Delete a pet.",
      rest: "It is gone.",
    },
    {
      summary: "Get a pet",
      description: "Get a pet by its ID",
      want: "Get a pet by its ID.",
      rest: "",
    },
    {
      summary: "Retrieve pets",
      description: "This operation retrieves a list of all of the pets. More.",
      want: "Retrieve a list of all of the pets.",
      rest: "More.",
    },
    {
      summary: "Create a pet",
      description: "Use this endpoint to create a pet.",
      want: "Create a pet.",
      rest: "",
    },
    {
      summary: "Get pets",
      description: "Responds with all pets of the clinic.",
      want: "Return all pets of the clinic.",
      rest: "",
    },
    {
      summary: "Delete a pet",
      description: "This operation is idempotent.",
      want: "Delete a pet.",
      rest: "This operation is idempotent.",
    },
    {
      summary: "Pets widget",
      description: "Visualizes a pet as HTML. More.",
      want: "Visualize a pet as HTML.",
      rest: "Pets widget. More.",
    },
    {
      summary: "Pets widget",
      description: "Render the pet as HTML. More.",
      want: "Render the pet as HTML.",
      rest: "Pets widget. More.",
    },
    {
      summary: "Pet rendering",
      description: "Render the pet.",
      want: "Render the pet.",
      rest: "Pet rendering.",
    },
    {
      summary: "partially update the specified Pod",
      description: "",
      want: "Partially update the specified Pod.",
      rest: "",
    },
    { summary: "Family of pets", description: "", want: "Get pet: Family of pets.", rest: "" },
    {
      summary: "Get a pet",
      description: "Only owners may.",
      want: "Get a pet.",
      rest: "Only owners may.",
    },
    { summary: "获取宠物", description: "", want: "获取宠物。", rest: "" },
    { summary: "Un-pins an item", description: "", want: "Un-pin an item.", rest: "" },
    {
      summary: "An API method that allows admins to set a name.",
      description: "",
      want: "Set a name.",
      rest: "",
    },
    {
      summary: "Marked a user as active.",
      description: "",
      want: "Mark a user as active.",
      rest: "",
    },
    { summary: "Re-run a workflow", description: "", want: "Re-run a workflow.", rest: "" },
    {
      summary: "",
      description: "Uploads or creates a file.",
      want: "Upload or create a file.",
      rest: "",
    },
    {
      summary: "",
      description: "Enables a workflow and sets its state.",
      want: "Enable a workflow and set its state.",
      rest: "",
    },
    {
      summary: "",
      description: "Searches for messages matching a query.",
      want: "Search for messages matching a query.",
      rest: "",
    },
    {
      summary: "Create a pet. This starts a life.",
      description: "create a pet. This starts a life. Really.",
      want: "Create a pet. This starts a life.",
      rest: "Really.",
    },
    {
      summary: "",
      description: "Starting a new project? We recommend cats. Gets a pet.",
      want: "Get pet.",
      rest: "Starting a new project? We recommend cats. Gets a pet.",
    },
    {
      summary: "",
      description: "NOTE: Admins only.",
      want: "Get pet.",
      rest: "NOTE: Admins only.",
    },
    {
      summary: "Listet alle Haustiere der Praxis auf",
      description: "Nur für Ärzte.",
      want: "Listet alle Haustiere der Praxis auf.",
      rest: "Nur für Ärzte.",
    },
    {
      summary: "Récupère les animaux du propriétaire",
      description: "",
      want: "Récupère les animaux du propriétaire.",
      rest: "",
    },
    { summary: "Crear una mascota", description: "", want: "Crear una mascota.", rest: "" },
    {
      summary: "ペットを取得する",
      description: "IDで検索します。存在しない場合はエラーです。",
      want: "ペットを取得する。",
      rest: "IDで検索します。存在しない場合はエラーです。",
    },
    {
      summary: "",
      description: "返回宠物列表。按名称排序。",
      want: "返回宠物列表。",
      rest: "按名称排序。",
    },
  ])("$summary | $description", ({ summary, description, want, rest }) => {
    expect(writeOpening("get_pet", summary, description)).toEqual({ first: want, rest });
  });

  it.each([
    {
      text: `Listet alle Haustiere der Praxis mit ihren Besitzern auf, ${"und zwar nach dem Namen sortiert ".repeat(5)}`,
      want: "Listet alle Haustiere der Praxis mit ihren Besitzern auf.",
    },
    {
      text: `診療所に登録されているすべてのペットを飼い主の情報と一緒に取得します、${"そして名前の順に並べます".repeat(12)}`,
      want: "診療所に登録されているすべてのペットを飼い主の情報と一緒に取得します。",
    },
  ])("is cut in its own language: $want", ({ text, want }) => {
    const { first, rest } = writeOpening("list_pets", text, "");
    expect(first).toBe(want);
    expect(rest.length).toBeGreaterThan(30);
  });

  it("is short, and says the long one behind", () => {
    const long = `Get a pet, ${"with all that belongs to it, ".repeat(8)}at once`;
    const { first, rest } = writeOpening("get_pet", long, "");
    expect(first.length).toBeLessThanOrEqual(121);
    expect(rest).toBe(`${long}.`);
  });
});
