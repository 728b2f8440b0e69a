/** Messages of deserializers, which name the field and the type that it should have. */

/** A field whose value has another type than the API wants. */
export interface TypedField {
  readonly field: string;
  /** Name of a type of JSON Schema. */
  readonly type: JsonType;
}

export type JsonType = "array" | "boolean" | "integer" | "number" | "object" | "string";

/** A message with the groups `field` and `type`, and the types that its names mean. */
interface Form {
  readonly pattern: RegExp;
  readonly types: readonly (readonly [name: RegExp, type: JsonType])[];
}

/** Names of types of Java and .NET. Any other class is an object. */
const CLASSES: Form["types"] = [
  [/\[\]$|(?:List|Set|Collection|Enumerable)\b/, "array"],
  [/\bString$/, "string"],
  [/\b(?:Int(?:eger|16|32|64)?|Long|Short|int|long)$/, "integer"],
  [/\b(?:Double|Float|Decimal|BigDecimal|Single|double|float)$/, "number"],
  [/\bBoolean$|\bboolean$/, "boolean"],
  [/./, "object"],
];

const FORMS: readonly Form[] = [
  {
    // Go: `json: cannot unmarshal string into Go struct field Pet.tags of type []string`.
    pattern:
      /\bcannot unmarshal \w{1,20} into Go struct field \w{0,60}\.(?<field>[\w-]{1,60}) of type (?<type>[\w.*[\]{}]{1,80})/g,
    types: [
      [/^\*?\[/, "array"],
      [/^\*?string$/, "string"],
      [/^\*?u?int\d*$/, "integer"],
      [/^\*?float\d*$/, "number"],
      [/^\*?bool$/, "boolean"],
      [/./, "object"],
    ],
  },
  {
    // .NET: `The JSON value could not be converted to System.String. Path: $.name | LineNumber: 0`.
    pattern:
      /\bJSON value could not be converted to (?<type>[\w.`[\]]{1,120}?)\.? Path: \$\.(?<field>\w{1,60})(?= |$)/g,
    types: CLASSES,
  },
  {
    // Jackson: ``Cannot deserialize value of type `java.util.List` from String value (through:
    // Pet["tags"])``.
    pattern:
      /\bCannot (?:deserialize value|construct instance) of (?:type )?`(?<type>[\w.$[\]]{1,80})[^`]{0,80}`[^"]{0,300}["\]]?\[\\?"(?<field>\w{1,60})\\?"\]/g,
    types: CLASSES,
  },
  {
    // Rust: `tags: invalid type: string "red", expected a sequence at line 1 column 9`.
    pattern:
      /(?:^|[\s(])(?<field>[\w-]{1,60}): invalid type: .{1,100}?, expected (?:an? |any )?(?<type>\w{1,30})/g,
    types: [
      [/^(?:sequence|array|list|tuple)$/, "array"],
      [/^(?:string|str|borrowed)$/, "string"],
      [/^[iu](?:8|16|32|64|128|size)$|^integer$/, "integer"],
      [/^f(?:32|64)$|^floating$|^number$/, "number"],
      [/^bool(?:ean)?$/, "boolean"],
      [/^(?:map|struct|object)$/, "object"],
    ],
  },
];

/** Maximum number of characters of a message that are searched. */
const MAX_TYPED_TEXT = 2000;

/** The fields that a message names with the types that they should have. */
export function typedFields(message: string): readonly TypedField[] {
  const text = message.slice(0, MAX_TYPED_TEXT);
  return FORMS.flatMap(({ pattern, types }) =>
    [...text.matchAll(pattern)].flatMap(({ groups }) => {
      const { field = "", type: name = "" } = groups ?? {};
      const type = types.find(([names]) => names.test(name))?.[1];
      return type === undefined ? [] : [{ field, type }];
    }),
  );
}

/** Exceptions of code that expects an object or a list, and got a text. */
const TEXT_IN_PLACE =
  /'str' object (?:has no attribute|does not support item)|\bstring indices must be integers\b|\bpropert(?:y|ies) .{1,60} o[fn] string\b/;

/** True if a message says that the code of the API expects another type than text. */
export const isAboutText = (message: string): boolean => TEXT_IN_PLACE.test(message);
