import { describe, expect, it } from "vitest";
import type { Operation } from "../../../src/model/types.js";
import { createCrossReferences } from "../../../src/plan/cross-references/link.js";
import { plan } from "../../../src/plan/index.js";
import type { PlannedTool } from "../../../src/plan/types.js";
import { api, ok, operation, parameter } from "../fixtures.js";

const images = { type: "array", items: { type: "object", properties: { id: {}, name: {} } } };
const others = [
  operation("GET /v1/images", {
    operationId: "listImages",
    summary: "List all images",
    responses: [ok(images)],
  }),
  operation("GET /v1/isos/{isoId}", { operationId: "getIso", responses: [ok({})] }),
  operation("DELETE /v1/isos/{isoId}", { operationId: "deleteIso", responses: [ok({})] }),
];

/** The tool of `POST /servers` in an API with images. */
function serverTool(rest: Partial<Operation>): PlannedTool {
  const server = operation("POST /v1/servers", {
    operationId: "createServer",
    summary: "Create a server",
    ...rest,
  });
  const tool = plan(api([...others, server])).tools.find(
    ({ definition }) => definition.name === "create_server",
  );
  return tool ?? expect.fail("no tool");
}

describe("references to operations in texts", () => {
  it.each([
    ["Images come from `GET /images`.", "Images come from list_images."],
    ["Images come from the GET /v1/images endpoint.", "Images come from list_images."],
    ["Images come from **GET** `/api/v1/images`.", "Images come from list_images."],
    ["Use GET https://api.example.com/v1/images first.", "Use list_images first."],
    ["The image, from listImages or ListIsos.", "The image, from list_images or ListIsos."],
    ["A listImages$id of list_images.", "A listImages$id of list_images."],
    ["Prefer the `/images` endpoint.", "Prefer list_images."],
    ["Use `/v1/images` first.", "Use list_images first."],
    ["It is like `/v1/images` of old.", "It is like /v1/images of old."],
    ["Prefer the `/isos/{id}` endpoint.", "Prefer the /isos/{id} endpoint."],
    ["See [List all images](https://docs.example.com/#x).", "See list_images."],
    ["Use the [list](#operation/listImages) operation first.", "Use list_images first."],
    ["Use the `listImages` operation.", "Use list_images."],
    ["Use the [images](#operation/listImages) of today.", "Use the images (list_images) of today."],
    ["Reads [it](#tag/Image/paths/~1v1~1images/get).", "Reads it (list_images)."],
    ['Take one of the "List all images" endpoint.', "Take one of list_images."],
    ['It is called "List all images" there.', 'It is called "List all images" there.'],
    ["Undo it with `DELETE /isos/:id` later.", "Undo it with delete_iso later."],
    ["Needs the field `getIso`.", "Needs the field getIso."],
    ["It is [signed](#section/Signing).", "It is signed."],
  ])("%s", (text, expected) => {
    const { description } = serverTool({ description: `Costs money. ${text}` }).definition;
    expect(description).toBe(`Create a server. Costs money. ${expected}`);
  });

  it.each([
    ["To read one, use the `GET` method.", "To read one, use get_iso."],
    ["Prefer reading it using GET method.", "Prefer reading it using get_iso."],
    ["Clients use the DELETE method of old.", "Clients use the DELETE method of old."],
    ["Clients use the PUT method.", "Clients use the PUT method."],
  ])("to another method of the same path: %s", (text, expected) => {
    const { tools } = plan(
      api([
        ...others.slice(0, 2),
        operation("DELETE /v1/isos/{isoId}", {
          operationId: "deleteIso",
          description: `Deletes an ISO. ${text}`,
          responses: [ok({})],
        }),
      ]),
    );
    const tool = tools.find(({ definition }) => definition.name === "delete_iso");
    expect(tool?.definition.description).toContain(expected);
  });

  it("drop sentences about the operation itself and about unknown ones", () => {
    const text =
      "Costs money. Send it with POST /v1/servers. Not with GET /unknown. Or curl -X GET https://api.example.com/v1/images .";
    expect(serverTool({ description: text }).definition.description).toBe(
      "Create a server. Costs money.",
    );
  });

  it("make the named tool the producer of an input", () => {
    const tool = serverTool({
      parameters: [
        parameter("query image", { description: "Image as listed in `GET /images`" }),
        parameter("query iso", { description: "As deleted by `DELETE /isos/{id}`" }),
      ],
    });
    expect(
      tool.inputs.map(({ name, description, producers }) => [name, description, producers]),
    ).toEqual([
      ["image", "Image as listed in list_images", ["list_images"]],
      ["iso", "As deleted by delete_iso", undefined],
    ]);
    expect(tool.definition.producers).toEqual({ image: ["list_images"] });
  });

  it("name no producer that needs the value itself", () => {
    const tool = serverTool({
      parameters: [parameter("query isoId", { description: "See `GET /isos/{isoId}`" })],
    });
    expect(tool.inputs[0]?.description).toBe("See get_iso");
    expect(tool.inputs[0]?.producers).toBeUndefined();
  });

  it("in a description name the producer of the input with its noun", () => {
    const tool = serverTool({
      description: "Creates a server. `GET /images` lists what it can start.",
      parameters: [parameter("query image", { description: "Name or ID of the image" })],
    });
    expect(tool.inputs[0]?.description).toBe("Name or ID of the image. Get it from list_images.");
  });
});

describe("a text that several operations share", () => {
  const { link } = createCrossReferences(others);
  const [list, get, remove] = others as [Operation, Operation, Operation];

  it.each([
    ["Images come from `GET /v1/images`.", list, get],
    ["Images come from `listImages`.", list, get],
    ["Prefer the `/v1/images` endpoint.", list, get],
    ["Use `/v1/isos/{isoId}` first.", remove, get],
    ['Take one of the "List all images" list.', list, get],
  ])("%s names another operation only", (text, own, other) => {
    const fresh = (operation: Operation): string =>
      createCrossReferences(others).link(text, operation);
    const inTurn = [own, other, own].map((operation) => link(text, operation));
    expect(inTurn).toEqual([own, other, own].map(fresh));
  });

  it("reads the same again without a reference", () => {
    const text = "Costs money, see [prices](https://example.com/prices). `GET /v1/isos `";
    expect(link(text, list)).toBe(link(text, get));
  });
});
