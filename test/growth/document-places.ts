/**
 * All texts and names of a document, an overlay, workflows and a configuration, as places of a
 * growing text.
 */
import { generateFrom } from "../fuzz/run-inputs.js";
import { bases, type Inputs } from "../fuzz/companions.js";
import { type Slot, slotsOf, valueAt, withKey, withValue } from "../fuzz/slots.js";

/** A place of a growing text, and the work that reads it. */
export interface Place {
  readonly name: string;
  /** The place needs text, not a piece that is repeated. */
  readonly work: (text: string) => Promise<unknown>;
}

/** Members whose values decide about the form of the document. A text there is an error at once. */
const STRUCTURE = new Set(
  "openapi overlay arazzo $ref in style type discriminator propertyName".split(" "),
);

/** Objects whose keys are names of the document. */
const NAMED = new Set(
  (
    "paths properties patternProperties $defs headers content links callbacks examples variables " +
    "scopes schemas parameters securitySchemes mapping encoding tools inputs outputs webhooks"
  ).split(" "),
);

/** Texts of the specification and extensions that the document of the fuzzer does not have. */
const furtherTexts = {
  jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
  info: {
    termsOfService: "https://kennel.example/terms",
    contact: { url: "https://kennel.example" },
    license: { url: "https://kennel.example/license" },
  },
  tags: [{ name: "cats", summary: "Cats", parent: "dogs", kind: "nav", "x-displayName": "Cats" }],
  paths: {
    "/cats": {
      get: {
        operationId: "listCats",
        tags: ["cats"],
        responses: {
          200: {
            description: "Cats",
            summary: "Cats",
            links: { Dog: { operationRef: "#/paths/~1dogs/get" } },
          },
        },
        "x-mcp": {
          name: "list_cats",
          description: "Lists cats.",
          useWhen: "Someone wants a cat",
          notFor: "Dogs",
          keywords: ["kitten"],
          toolset: "cats",
          errors: { 404: "No cats" },
        },
      },
      post: {
        operationId: "createCat",
        tags: ["cats"],
        requestBody: {
          content: {
            "application/json": {
              schema: {
                $comment: "A cat",
                type: "object",
                properties: {
                  photo: { type: "string", contentEncoding: "base64" },
                  mood: { type: "string", enum: ["a"], "x-enum-meanings": { a: "awake" } },
                },
              },
              examples: { two: { externalValue: "https://kennel.example/cat.json" } },
            },
          },
        },
        responses: { 204: { description: "Made" } },
        security: [{ bearer: [] }, { openId: [] }, { code: [] }],
        "x-speakeasy-mcp": { name: "create-cat", title: "Create a cat", description: "Creates." },
      },
    },
  },
  components: {
    securitySchemes: {
      bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      openId: { type: "openIdConnect", openIdConnectUrl: "https://auth.example/openid" },
      code: {
        type: "oauth2",
        flows: {
          authorizationCode: {
            authorizationUrl: "https://auth.example/authorize",
            tokenUrl: "https://auth.example/token",
            refreshUrl: "https://auth.example/refresh",
            scopes: { write: "Write" },
          },
        },
      },
    },
    schemas: {
      NewDog: {
        xml: { namespace: "https://kennel.example/xml", prefix: "k" },
        properties: {
          size: {
            "x-enum-varnames": ["A", "B", "C"],
            "x-enum-descriptions": ["one", "two", "three"],
            "x-ms-enum": { name: "Size", values: [{ value: 1, name: "A", description: "one" }] },
            "x-example": "2",
            "x-note": "note",
          },
        },
      },
    },
  },
};

/** A value with the members and items of another one. */
function merged(value: unknown, more: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(more)) return [...value, ...more];
  if (typeof value !== "object" || typeof more !== "object") return more;
  const entries = Object.entries(more as object).map(([key, member]) => [
    key,
    key in (value as object) ? merged(valueAt(value, [key]), member) : member,
  ]);
  return { ...value, ...(Object.fromEntries(entries) as object) };
}

const extended: Inputs = { ...bases, document: merged(bases.document, furtherTexts) };

const isText = (file: keyof Inputs, slot: Slot): boolean =>
  typeof valueAt(extended[file], slot) === "string" && !STRUCTURE.has(String(slot.at(-1)));

const isName = (slot: Slot): boolean =>
  typeof slot.at(-1) === "string" && NAMED.has(String(slot.at(-2)));

const editOf = (file: keyof Inputs, slots: readonly Slot[], edit: Edit): Place["work"] => {
  return (text) =>
    generateFrom({
      ...extended,
      [file]: slots.reduce((root, slot, i) => edit(root, slot, text, i), extended[file]),
    });
};

type Edit = (root: unknown, slot: Slot, text: string, index: number) => unknown;

const setText: Edit = (root, slot, text, i) =>
  withValue(root, slot, slot.at(-1) === "operationId" ? `${text}${i}` : text);
const setName: Edit = (root, slot, text, i) => withKey(root, slot, `${text}${i}`);

/** Texts of a file by the name of their member: all descriptions, all titles. */
function textPlaces(file: keyof Inputs): readonly Place[] {
  const slots = slotsOf(extended[file]).filter((slot) => isText(file, slot));
  const names = [...new Set(slots.map(memberOf))].sort();
  return names.map((name) => {
    const chosen = slots.filter((slot) => memberOf(slot) === name);
    return { name: `${file}: ${name}`, work: editOf(file, chosen, setText) };
  });
}

/** The last name of a slot. */
const memberOf = (slot: Slot): string => String(slot.findLast((key) => typeof key === "string"));

/** The names in a file, by the object that has them. Inner names first, whose slots stay. */
function namePlaces(file: keyof Inputs): readonly Place[] {
  const slots = slotsOf(extended[file])
    .filter(isName)
    .toSorted((a, b) => b.length - a.length);
  const parents = [...new Set(slots.map((slot) => String(slot.at(-2))))].sort();
  return parents.map((parent) => {
    const chosen = slots.filter((slot) => slot.at(-2) === parent);
    return { name: `${file}: names of ${parent}`, work: editOf(file, chosen, setName) };
  });
}

const files = ["document", "overlay", "workflows", "configuration"] as const;

export const documentPlaces: readonly Place[] = files.flatMap((file) => [
  ...textPlaces(file),
  ...namePlaces(file),
]);
