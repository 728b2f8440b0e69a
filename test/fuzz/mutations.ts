import fc from "fast-check";
import { anyText } from "../render/hostile-strings.js";
import { document } from "./document.js";
import { type Slot, slotsOf, valueAt, withKey, withValue } from "./slots.js";

const slots = slotsOf(document());
const textSlots = slots.filter((slot) => typeof valueAt(document(), slot) === "string");
const keySlots = slots.filter((slot) => typeof slot.at(-1) === "string");

/** Parts of documents for the wrong places, and values that have caused defects. */
const misplacedValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  "",
  "x",
  [],
  {},
  [[]],
  [null],
  { $ref: "#" },
  { $ref: "#/components/schemas/Dog" },
  { $ref: "#/paths/~1dogs/get" },
  { $ref: "x" },
  { type: "object" },
  { type: [] },
  { type: "array", items: [] },
  { enum: [] },
  { enum: [null, {}, [1]] },
  { allOf: [{}] },
  { not: {} },
  { properties: { __proto__: null, constructor: {} } },
  { schema: { schema: {} } },
  { content: {} },
  { name: {}, in: [] },
];

export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(...misplacedValues),
  fc.constantFrom(...slots).map((slot) => valueAt(document(), slot)),
  fc.jsonValue({ maxDepth: 4 }),
  anyText,
);

const anySlot = (candidates: readonly Slot[]): fc.Arbitrary<Slot> => fc.constantFrom(...candidates);

/** Documents with arbitrary text in up to six text slots. */
export const withTexts: fc.Arbitrary<unknown> = fc
  .array(fc.tuple(anySlot(textSlots), anyText), { minLength: 1, maxLength: 6 })
  .map((changes) =>
    changes.reduce<unknown>((root, [slot, text]) => withValue(root, slot, text), document()),
  );

/** Documents with the same arbitrary text in every slot of free text. */
export const withTextEverywhere: fc.Arbitrary<unknown> = anyText.map((text) => {
  const freeTextSlots = textSlots.filter((slot) =>
    /^(title|summary|description|example|operationId|email|default)$/.test(String(slot.at(-1))),
  );
  return freeTextSlots.reduce<unknown>((root, slot) => withValue(root, slot, text), document());
});

/** Documents with an arbitrary name for one key. */
export const withNames: fc.Arbitrary<unknown> = fc
  .tuple(anySlot(keySlots), anyText)
  .map(([slot, name]) => withKey(document(), slot, name));

/** Documents with arbitrary JSON in one slot. */
export const withValues: fc.Arbitrary<unknown> = fc
  .tuple(anySlot(slots), anyValue)
  .map(([slot, value]) => withValue(document(), slot, value));

/** Texts of documents with an arbitrary replacement at one offset. */
export const brokenText: fc.Arbitrary<string> = fc
  .tuple(fc.nat(), fc.nat(60), anyText)
  .map(([offset, length, text]) => {
    const json = JSON.stringify(document(), null, 1);
    const start = offset % json.length;
    return json.slice(0, start) + text + json.slice(start + length);
  });
