import { describe, expect, it } from "vitest";
import { foreignVerbOf, translatePhrase } from "../../src/language/foreign-verbs.js";

describe("verbs of other languages", () => {
  it.each([
    { text: "Crear usuario", want: "create" },
    { text: "Ajoute un numéro", want: "add" },
    { text: "Créer un compte", want: "create" },
    { text: "Rechnung stornieren", want: "cancel" },
    { text: "Nachricht löschen", want: "delete" },
    { text: "Consulta de saldo", want: undefined },
    { text: "Liste des factures", want: undefined },
    { text: "List all users", want: undefined },
    { text: "Crear", want: undefined },
  ])("$text → $want", ({ text, want }) => {
    expect(foreignVerbOf(text)).toBe(want);
  });

  it("translates the verb and the preposition of an identifier", () => {
    expect(translatePhrase(["obtener", "usuario", "por", "id"])).toEqual([
      "get",
      "usuario",
      "by",
      "id",
    ]);
    expect(translatePhrase(["get", "par"])).toEqual(["get", "par"]);
  });
});
