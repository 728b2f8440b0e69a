/**
 * Texts of `npm run growth` that stress the matchers of texts: each kind of piece, repeated n times
 * in one text field of a document, or in all of them.
 */

/** Pieces of texts: what is repeated, between a beginning and an end. */
export const pieces = {
  "line breaks": ["a", "\n", "a"],
  blanks: ["a", " \t", "a"],
  capitals: ["Aa", "A", "."],
  "a long word": ["", "a", "!"],
  digits: ["1", "0", "x"],
  "double quotes": ["", '"', "a"],
  "quotes and backslashes": ['"', '\\"', "a"],
  backslashes: ["", "\\", "a"],
  "single quotes": ["", "'a ", ""],
  backticks: ["", "`a ", ""],
  asterisks: ["", "*a ", ""],
  "opening brackets": ["", "[", "a"],
  "opening braces": ["", "{", "a"],
  "opening parentheses": ["", "(a ", ""],
  "links without an end": ["", "[a](", ""],
  "tags without an end": ["", "<p ", ""],
  "scripts without an end": ["", "<script>", ""],
  "comments without an end": ["", "<!-- ", ""],
  "notes without an end": ["", "(-- ", ""],
  "rows of a table": ["| a | b |\n|---|---|\n", "| a | b |\n", ""],
  "items of a list": ["Errors:\n", "- a_b: c\n", ""],
  sentences: ["", "The operation is not deleted. ", ""],
  clauses: ["", "if the value is set, ", "it is removed"],
  "words of effects": ["", "delete the api removed ", ""],
  references: ["", "See GET /a/{b} and `list_pets` ", ""],
  "full stops": ["a", ".", "a"],
  commas: ["a", ",", "a"],
  slashes: ["a", "/", "a"],
  hyphens: ["a", "-", "a"],
  underscores: ["a", "_", "a"],
  "percent signs": ["", "%41", ""],
  entities: ["", "&amp;", ""],
  "wide characters": ["", "\u4e2d\u3002", ""],
};

export function textOf(piece, n) {
  const [start, part, end] = pieces[piece];
  return `${start}${part.repeat(n)}${end}`;
}

/** Text fields of a document: each writes a text into a document that `baseDocument` created. */
export const fields = {
  title: (d, t) => (d.info.title = t),
  "description of the API": (d, t) => (d.info.description = t),
  "version of the API": (d, t) => (d.info.version = t),
  "summary of an operation": (d, t) => (operationOf(d).summary = t),
  "description of an operation": (d, t) => (operationOf(d).description = t),
  "description of a read operation": (d, t) => (d.paths["/pets/{id}"].get.description = t),
  operationId: (d, t) => (operationOf(d).operationId = t),
  "name of a tag": (d, t) => (operationOf(d).tags = [t]),
  "description of a tag": (d, t) => (d.tags = [{ name: "pets", description: t }]),
  "name of a parameter": (d, t) => (parameterOf(d).name = t),
  "description of a parameter": (d, t) => (parameterOf(d).description = t),
  "values of an enum": (d, t) => (parameterOf(d).schema = { type: "string", enum: ["a", t] }),
  "default of a parameter": (d, t) => (parameterOf(d).schema = { type: "string", default: t }),
  "example of a parameter": (d, t) => (parameterOf(d).example = t),
  "pattern of a parameter": (d, t) => (parameterOf(d).schema = { type: "string", pattern: t }),
  "format of a parameter": (d, t) => (parameterOf(d).schema = { type: "string", format: t }),
  "title of a schema": (d, t) => (schemaOf(d).title = t),
  "description of a schema": (d, t) => (schemaOf(d).description = t),
  "name of a property": (d, t) => (schemaOf(d).properties[t] = { type: "string" }),
  "description of a property": (d, t) => (schemaOf(d).properties.name.description = t),
  "example of a property": (d, t) => (schemaOf(d).properties.name.example = t),
  "description of a response": (d, t) => (operationOf(d).responses["200"].description = t),
  "description of an error": (d, t) => (operationOf(d).responses["404"].description = t),
  "description of a request body": (d, t) => (operationOf(d).requestBody.description = t),
  "media type": (d, t) => (operationOf(d).requestBody.content = { [t]: { schema: {} } }),
  "URL of a server": (d, t) => (d.servers[0].url = `https://a.example/${t}`),
  "description of a server": (d, t) => (d.servers[0].description = t),
  "a path": (d, t) => (d.paths[`/x/${t}`] = { get: { responses: operationOf(d).responses } }),
  "name of a security scheme": (d, t) =>
    (d.components.securitySchemes[t] = { type: "http", scheme: "bearer" }),
  "description of a security scheme": (d, t) => (d.components.securitySchemes.key.description = t),
  "name of a schema": (d, t) => (d.components.schemas[t] = { type: "string" }),
  "an extension": (d, t) => (operationOf(d)["x-note"] = t),
  "the extension x-mcp": (d, t) => (operationOf(d)["x-mcp"] = { description: t, name: t }),
  "external documentation": (d, t) => (operationOf(d).externalDocs = { url: t, description: t }),
};

const operationOf = (document) => document.paths["/pets"].post;
const parameterOf = (document) => operationOf(document).parameters[0];
const schemaOf = (document) => document.components.schemas.Pet;

export function baseDocument() {
  const pet = { $ref: "#/components/schemas/Pet" };
  const content = { "application/json": { schema: pet } };
  const responses = { 200: { description: "ok", content }, 404: { description: "none" } };
  const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
  return {
    openapi: "3.1.0",
    info: { title: "Pets", version: "1" },
    servers: [{ url: "https://api.example" }],
    security: [{ key: [] }],
    paths: {
      "/pets": {
        post: {
          operationId: "createPet",
          parameters: [{ name: "kind", in: "query", schema: { type: "string" } }],
          requestBody: { content },
          responses,
        },
      },
      "/pets/{id}": { get: { operationId: "getPet", parameters: [id], responses } },
    },
    components: {
      schemas: { Pet: { type: "object", properties: { name: { type: "string" } } } },
      securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } },
    },
  };
}

/** A document with a text of n pieces in one field, or in each of several. */
export function documentWithText(piece, n, names = Object.keys(fields)) {
  const document = baseDocument();
  for (const name of names) fields[name](document, textOf(piece, n));
  return document;
}

/** Rows of `npm run growth`: each piece in each field. */
export const cases = Object.keys(fields).flatMap((field) =>
  Object.keys(pieces).map((piece) => [
    `text: ${piece} in ${field}`,
    2_000,
    (n) => ({ document: documentWithText(piece, n, [field]) }),
  ]),
);
