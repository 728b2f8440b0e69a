/**
 * TypeScript types of values that JSON Schemas describe, for the inputs of custom tools, and of
 * schemas that describe the values of a type, for the inputs of generated ones.
 */
import type { JsonSchema } from "../types.js";

/**
 * Type of the values of a schema that is written as a literal: `type`, `enum`, `const`,
 * `properties`, `required` and `items`. Anything else is `unknown`.
 */
export type ValueOf<Schema> = Schema extends { readonly const: infer Constant }
  ? Constant
  : Schema extends { readonly enum: readonly (infer Member)[] }
    ? Member
    : Schema extends { readonly type: infer Type }
      ? ValueOfType<Type, Schema>
      : unknown;

type ValueOfType<Type, Schema> = Type extends "string"
  ? string
  : Type extends "integer" | "number"
    ? number
    : Type extends "boolean"
      ? boolean
      : Type extends "null"
        ? null
        : Type extends "array"
          ? Schema extends { readonly items: infer Items }
            ? readonly ValueOf<Items>[]
            : readonly unknown[]
          : Type extends "object"
            ? ObjectOf<Schema>
            : Type extends readonly (infer One)[]
              ? ValueOfType<One, Schema>
              : unknown;

type ObjectOf<Schema> = Schema extends { readonly properties: infer Properties }
  ? Flat<
      {
        readonly [
          Name in keyof Properties as Name extends RequiredOf<Schema> ? Name : never
        ]: ValueOf<Properties[Name]>;
      } & {
        readonly [
          Name in keyof Properties as Name extends RequiredOf<Schema> ? never : Name
        ]?: ValueOf<Properties[Name]>;
      }
    >
  : Readonly<Record<string, unknown>>;

type RequiredOf<Schema> = Schema extends { readonly required: readonly (infer Name)[] }
  ? Name
  : never;

/** One object type in place of an intersection, which editors show. */
type Flat<Type> = { [Key in keyof Type]: Type[Key] };

/** Any schema with a root of type `object`, as a literal. */
export type ObjectSchema = JsonSchema & { readonly type: "object" };

/**
 * Schema of a tool's input whose type is `Input`: it has the same properties, requires none that
 * may be absent, takes no kind of value that the type lacks, and not only one kind of several.
 */
export type SchemaOf<Input> = JsonSchema & {
  readonly properties?: {
    readonly [Name in keyof Input]-?: PropertySchema<TypeName<Exclude<Input[Name], undefined>>>;
  };
  readonly required?: readonly RequiredName<Input>[];
};

/** Schema of a property, which may also be a constant of `src/schemas.ts`. */
interface PropertySchema<Name> extends SchemaForm<Name> {
  readonly type?: OnlyName<Name> | readonly Name[];
}

/** One of the alternatives of a property, or all of it. */
interface SchemaForm<Name> {
  readonly [keyword: string]: unknown;
  readonly type?: Name | readonly Name[];
  readonly anyOf?: readonly SchemaForm<Name>[];
}

/** The only kind of value of a type; none if the type has several. */
type OnlyName<Names, All = Names> = [All] extends ["integer" | "number"]
  ? All
  : Names extends unknown
    ? [All] extends [Names]
      ? Names
      : never
    : never;

/**
 * Values of the keyword `type` for values of a type: any for `unknown`, and for `{…} & string`,
 * which a document leads to that contradicts itself.
 */
type TypeName<Value> = unknown extends Value
  ? string
  : Value extends object
    ? ObjectName<Value>
    : Value extends string
      ? "string"
      : Value extends number
        ? "integer" | "number"
        : Value extends boolean
          ? "boolean"
          : "null";

type ObjectName<Value> = Value extends string
  ? string
  : Value extends readonly unknown[]
    ? "array"
    : "object";

type RequiredName<Input> = {
  [Name in keyof Input]-?: object extends Pick<Input, Name> ? never : Name;
}[keyof Input];
