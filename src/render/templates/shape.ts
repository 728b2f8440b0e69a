import type { Safe } from "../code.js";

/**
 * What a view looks like, as data: so that a template can be checked against it, whatever the
 * document has. Text is printed; a flag is asked; a list is repeated and has the shape of its
 * items. Every field of a view is always there: what may be absent is `undefined`, and printed as
 * nothing.
 */
export type Shape = "text" | "flag" | readonly [Shape] | { readonly [field: string]: Shape };

/**
 * The shape that a view of type `View` must have. A view field that is a plain `string` has none.
 */
export type ShapeOf<View> = [View] extends [Safe<string> | undefined]
  ? "text"
  : [View] extends [boolean]
    ? "flag"
    : View extends readonly (infer Item)[]
      ? readonly [ShapeOf<Item>]
      : View extends string
        ? never
        : { readonly [Field in keyof View]-?: ShapeOf<View[Field]> };
