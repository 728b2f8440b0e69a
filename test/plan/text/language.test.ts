import { describe, expect, it } from "vitest";
import { isNonEnglish } from "../../../src/plan/text/sentences.js";
import { plan } from "../../../src/plan/index.js";
import { api, inputsOf, ok, operation, parameter } from "../fixtures.js";

describe("isNonEnglish", () => {
  it.each([
    ["Listet alle Haustiere auf", true],
    ["Gibt ein Haustier zurück", true],
    ["Crée un animal pour le propriétaire", true],
    ["Obtener la lista de las mascotas", true],
    ["Restituisce gli animali del proprietario", true],
    ["Cria um animal", true],
    ["ペットの一覧", true],
    ["获取宠物列表", true],
    ["Получить питомца", true],
    ["List all pets of the clinic", false],
    ["Get pet", false],
    ["Create a café", false],
    ["Pet details", false],
    ["Convert the number into its Arabic form حول العدد إلى كلمات", false],
    ["Webhook 的列表", true],
    ["Returns “smart” quotes – and dashes", false],
  ])("%s: %s", (text, expected) => expect(isNonEnglish(text)).toBe(expected));
});

const pet = { type: "object", properties: { id: { type: "string" }, name: { type: "string" } } };
const document = (texts: {
  readonly list: string;
  readonly get: string;
  readonly create: string;
  readonly more: string;
  readonly input: string;
}) =>
  plan(
    api([
      operation("GET /pets", {
        operationId: "listPets",
        summary: texts.list,
        responses: [ok({ type: "array", items: pet })],
        parameters: [parameter("query art", { description: texts.input })],
      }),
      operation("GET /pets/{id}", {
        operationId: "getPet",
        summary: texts.get,
        responses: [ok(pet)],
      }),
      operation("POST /pets", {
        operationId: "createPet",
        summary: texts.create,
        description: texts.more,
        responses: [ok(pet)],
      }),
    ]),
  );

/**
 * What the document says stays in its language; what it does not say (fields, sources) is said in
 * English.
 */
describe("descriptions keep the language of the document", () => {
  it.each([
    {
      language: "German",
      list: "Listet alle Haustiere der Praxis auf",
      get: "Liest ein Haustier",
      create: "Legt ein Haustier an",
      more: "Der Name ist eindeutig. Weitere Hinweise stehen im Handbuch.",
      input: "Art des Tieres",
      find: "Listet alle Haustiere der Praxis auf. Liest ein Haustier. Returns items with id and name.",
      made: "Legt ein Haustier an. Der Name ist eindeutig. Weitere Hinweise stehen im Handbuch. Returns id and name.",
      title: "Legt ein Haustier an",
      asked: "Art des Tieres",
    },
    {
      language: "Japanese",
      list: "ペットの一覧を取得する",
      get: "ペットを取得する",
      create: "ペットを登録する",
      more: "名前は一意です。",
      input: "ペットの種類",
      find: "ペットの一覧を取得する。 ペットを取得する。 Returns items with id and name.",
      made: "ペットを登録する。 名前は一意です。 Returns id and name.",
      title: "ペットを登録する",
      asked: "ペットの種類",
    },
    {
      language: "Chinese",
      list: "获取宠物列表",
      get: "获取一只宠物",
      create: "新建宠物",
      more: "名称必须唯一。",
      input: "宠物种类",
      find: "获取宠物列表。 获取一只宠物。 Returns items with id and name.",
      made: "新建宠物。 名称必须唯一。 Returns id and name.",
      title: "新建宠物",
      asked: "宠物种类",
    },
  ])("$language", ({ find, made, title, asked, language: _, ...texts }) => {
    const [first, second] = document(texts).tools;
    expect(first?.definition.description).toBe(find);
    expect(second?.definition).toMatchObject({ description: made, title });
    expect(first && inputsOf(first)["art"]?.description).toMatch(new RegExp(`^${asked}`));
  });
});
