/** TypeScript types of values that JSON Schemas describe, for the inputs of custom tools. */
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
