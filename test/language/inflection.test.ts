import { describe, expect, it } from "vitest";
import {
  basesOfGerund,
  basesOfParticiple,
  basesOfThirdPerson,
  isPlural,
} from "../../src/language/inflection.js";
import { VERBS } from "../../src/language/verbs.js";
import { readersByName } from "../../src/runtime/errors/other-tools.js";
import { tokenize } from "../../src/runtime/discovery/search/terms.js";

const known = (bases: readonly string[]): string | undefined =>
  bases.find((base) => VERBS.has(base));

describe("base forms of verbs", () => {
  it.each([
    { form: "deletes", bases: basesOfThirdPerson, want: "delete" },
    { form: "pushes", bases: basesOfThirdPerson, want: "push" },
    { form: "copies", bases: basesOfThirdPerson, want: "copy" },
    { form: "access", bases: basesOfThirdPerson, want: undefined },
    { form: "creating", bases: basesOfGerund, want: "create" },
    { form: "setting", bases: basesOfGerund, want: "set" },
    { form: "sending", bases: basesOfGerund, want: "send" },
    { form: "string", bases: basesOfGerund, want: undefined },
    { form: "deleted", bases: basesOfParticiple, want: "delete" },
    { form: "denied", bases: basesOfParticiple, want: "deny" },
    { form: "stopped", bases: basesOfParticiple, want: "stop" },
    { form: "canceled", bases: basesOfParticiple, want: "cancel" },
    ...["build", "freeze", "hide", "overwrite", "send", "undo", "withdraw", "write"].map(
      (want, i) => ({
        form: "built frozen hidden overwritten sent undone withdrawn written".split(" ")[i] ?? "",
        bases: basesOfParticiple,
        want,
      }),
    ),
    { form: "red", bases: basesOfParticiple, want: undefined },
  ])("$form → $want", ({ form, bases, want }) => {
    expect(known(bases(form))).toBe(want);
  });
});

describe("one singular for names, errors and the search", () => {
  it("stems an irregular plural like its singular", () => {
    expect(tokenize("people analyses shelves")).toEqual(tokenize("person analysis shelf"));
  });

  it("lists the readers of an irregular noun", () => {
    expect(readersByName("create_child", undefined)).toContain("list_children");
    expect(readersByName("upload_pet_category", undefined)).toContain("list_pet_categories");
  });

  it("knows singulars that look like plurals", () => {
    expect(["status", "news", "bus", "access"].filter(isPlural)).toEqual([]);
  });
});
