import fc from "fast-check";
import { anyText } from "../render/hostile-strings.js";
import { document } from "./document.js";
import { type Slot, slotsOf, valueAt, withKey, withValue } from "./slots.js";

const slots = slotsOf(document());
const textSlots = slots.filter((slot) => typeof valueAt(document(), slot) === "string");
const keySlots = slots.filter((slot) => typeof slot.at(-1) === "string");

/** Parts of documents in the wrong places, and values that broke something somewhere. */
const parts: readonly unknown[] = [
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
  fc.constantFrom(...parts),
  fc.constantFrom(...slots).map((slot) => valueAt(document(), slot)),
  fc.jsonValue({ maxDepth: 4 }),
  anyText,
);

const slotIn = (among: readonly Slot[]): fc.Arbitrary<Slot> => fc.constantFrom(...among);

/** A document with arbitrary text in some slots that hold text. */
export const withTexts: fc.Arbitrary<unknown> = fc
  .array(fc.tuple(slotIn(textSlots), anyText), { minLength: 1, maxLength: 6 })
  .map((changes) =>
    changes.reduce<unknown>((root, [slot, text]) => withValue(root, slot, text), document()),
  );

/**
 * A document with the same text in every slot that may hold any text without making the document
 * another one.
 */
export const withTextEverywhere: fc.Arbitrary<unknown> = anyText.map((text) => {
  const free = textSlots.filter((slot) =>
    /^(title|summary|description|example|operationId|email|default)$/.test(String(slot.at(-1))),
  );
  return free.reduce<unknown>((root, slot) => withValue(root, slot, text), document());
});

/** A document with arbitrary names for one or two of its parts. */
export const withNames: fc.Arbitrary<unknown> = fc
  .tuple(slotIn(keySlots), anyText)
  .map(([slot, name]) => withKey(document(), slot, name));

/** A document with arbitrary JSON in one slot. */
export const withValues: fc.Arbitrary<unknown> = fc
  .tuple(slotIn(slots), anyValue)
  .map(([slot, value]) => withValue(document(), slot, value));

/** The text of a document, broken somewhere. */
export const brokenText: fc.Arbitrary<string> = fc
  .tuple(fc.nat(), fc.nat(60), anyText)
  .map(([at, length, text]) => {
    const whole = JSON.stringify(document(), null, 1);
    const start = at % whole.length;
    return whole.slice(0, start) + text + whole.slice(start + length);
  });
