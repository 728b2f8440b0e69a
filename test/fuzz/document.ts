/** Returns a small document that uses most fields of the specification, as a base for mutations. */
export const document = (): object => ({
  openapi: "3.1.0",
  info: {
    title: "Kennel",
    version: "1.0",
    summary: "Dogs",
    description: "Dogs and **owners**.",
    contact: { name: "A", email: "a@b.example" },
    license: { name: "MIT" },
  },
  servers: [
    {
      url: "https://{region}.kennel.example/v1",
      description: "Live",
      variables: { region: { default: "eu", enum: ["eu", "us"], description: "Where" } },
    },
  ],
  tags: [{ name: "dogs", description: "All about dogs" }],
  security: [{ key: [] }, { oauth: ["read"] }],
  paths: {
    "/dogs": {
      summary: "Dogs",
      parameters: [
        {
          name: "X-Trace",
          in: "header",
          description: "Trace",
          schema: { type: "string", pattern: "^[a-z]+$" },
        },
      ],
      get: {
        operationId: "listDogs",
        tags: ["dogs"],
        summary: "List dogs",
        description: "Lists dogs, `newest` first.",
        parameters: [
          {
            name: "limit",
            in: "query",
            description: "Most dogs",
            schema: { type: "integer", minimum: 1, maximum: 100, default: 20 },
          },
          {
            name: "filter",
            in: "query",
            style: "deepObject",
            explode: true,
            schema: {
              type: "object",
              properties: { breed: { type: "string", enum: ["pug", "beagle"] } },
            },
          },
          {
            name: "sort",
            in: "query",
            schema: { type: "array", items: { type: "string" }, minItems: 1 },
            example: ["name"],
          },
          { name: "session", in: "cookie", schema: { type: "string" } },
        ],
        responses: {
          200: {
            description: "Dogs",
            headers: { Link: { schema: { type: "string" }, description: "Pages" } },
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  properties: {
                    data: { type: "array", items: { $ref: "#/components/schemas/Dog" } },
                    next: { type: "string" },
                  },
                },
                examples: { one: { summary: "One", value: { data: [{ id: "d1", name: "Rex" }] } } },
              },
            },
          },
          404: { $ref: "#/components/responses/Missing" },
          default: { description: "Else" },
        },
      },
      post: {
        operationId: "createDog",
        tags: ["dogs"],
        summary: "Register a dog",
        requestBody: {
          description: "The dog",
          required: true,
          content: {
            "application/json": {
              schema: { $ref: "#/components/schemas/NewDog" },
              example: { name: "Rex" },
            },
          },
        },
        responses: {
          201: {
            description: "Made",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Dog" } } },
            links: {
              Get: {
                operationId: "getDog",
                parameters: { dogId: "$response.body#/id" },
                description: "Get it",
              },
            },
          },
        },
        callbacks: {
          done: { "{$request.body#/url}": { post: { responses: { 200: { description: "ok" } } } } },
        },
        "x-mcp": { title: "Register" },
      },
    },
    "/dogs/{dogId}": {
      parameters: [
        {
          name: "dogId",
          in: "path",
          required: true,
          schema: { type: "string", format: "uuid" },
          description: "Which dog",
        },
      ],
      get: {
        operationId: "getDog",
        tags: ["dogs"],
        summary: "Get a dog",
        responses: {
          200: {
            description: "A dog",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Dog" } } },
          },
        },
        externalDocs: { url: "https://docs.example", description: "More" },
      },
      put: {
        operationId: "replaceDog",
        requestBody: {
          content: { "application/xml": { schema: { $ref: "#/components/schemas/NewDog" } } },
        },
        responses: { 204: { description: "Done" } },
        servers: [{ url: "/other" }],
      },
      delete: { deprecated: true, security: [], responses: { 204: { description: "Gone" } } },
    },
    "/dogs/{dogId}/photo": {
      put: {
        parameters: [{ $ref: "#/components/parameters/DogId" }],
        requestBody: {
          content: {
            "multipart/form-data": {
              schema: {
                type: "object",
                properties: {
                  file: { type: "string", contentMediaType: "image/png" },
                  caption: { type: "string", maxLength: 20 },
                },
                required: ["file"],
              },
              encoding: {
                file: {
                  contentType: "image/png, image/jpeg",
                  headers: { "X-Size": { schema: { type: "integer" } } },
                },
              },
            },
          },
        },
        responses: { 200: { description: "Photo", content: { "image/png": {} } } },
      },
    },
  },
  webhooks: {
    dogLost: {
      post: {
        requestBody: { content: { "application/json": { schema: { type: "string" } } } },
        responses: { 200: { description: "ok" } },
      },
    },
  },
  components: {
    parameters: {
      DogId: {
        name: "dogId",
        in: "path",
        required: true,
        schema: { type: "string" },
        examples: { a: { value: "d1" } },
      },
    },
    responses: {
      Missing: {
        description: "No such dog",
        content: {
          "application/problem+json": {
            schema: { type: "object", properties: { title: { type: "string" } } },
          },
        },
      },
    },
    securitySchemes: {
      key: { type: "apiKey", in: "header", name: "X-Key", description: "A key" },
      oauth: {
        type: "oauth2",
        flows: {
          clientCredentials: { tokenUrl: "https://auth.example/token", scopes: { read: "Read" } },
        },
      },
      basic: { type: "http", scheme: "basic" },
    },
    schemas: {
      NewDog: {
        type: "object",
        title: "New dog",
        description: "What is known",
        required: ["name"],
        properties: {
          name: { type: "string", minLength: 1, description: "Name", examples: ["Rex"] },
          born: { type: ["string", "null"], format: "date" },
          kind: { const: "dog" },
          size: { enum: [1, 2, 3] },
        },
        additionalProperties: { type: "string" },
        xml: { name: "dog" },
      },
      Dog: {
        allOf: [
          { $ref: "#/components/schemas/NewDog" },
          {
            type: "object",
            properties: {
              id: { type: "string", readOnly: true },
              owner: { oneOf: [{ $ref: "#/components/schemas/Person" }, { type: "string" }] },
              pups: { type: "array", items: { $ref: "#/components/schemas/Dog" } },
            },
          },
        ],
      },
      Person: {
        type: "object",
        discriminator: { propertyName: "type", mapping: { vet: "#/components/schemas/Vet" } },
        properties: { type: { type: "string" }, secret: { type: "string", writeOnly: true } },
      },
      Vet: {
        allOf: [
          { $ref: "#/components/schemas/Person" },
          {
            patternProperties: { "^x": { type: "number", exclusiveMinimum: 0, multipleOf: 0.5 } },
            $defs: { A: { type: "string", default: "a" } },
          },
        ],
      },
    },
  },
});
