import type { JsonSchema } from "../../json.js";
import type { Parameter, ParameterLocation } from "../../model/types.js";
import type { JsonValue } from "../../runtime/types.js";
import type { Where } from "../findings.js";

export type InputPlace = ParameterLocation | "body";

/** One value that an operation wants: a parameter, a field of its body, or the whole body. */
export interface Candidate {
  readonly place: InputPlace;
  /** Name on the wire; `body` for a whole body. */
  readonly wireName: string;
  /** Model form; of a file, that of the text that holds it. */
  readonly schema: JsonSchema;
  readonly description?: string | undefined;
  readonly required: boolean;
  readonly deprecated: boolean;
  /** Style and such, for parameters. */
  readonly parameter?: Parameter;
  /** The whole body rather than a field of it. */
  readonly whole?: boolean;
  /** A file, or a list of files: base64 in the tool's input. */
  readonly file?: "one" | "many";
  /** The body is not sent without its inputs, so a fixed field may not call it up. */
  readonly optionalBody?: boolean;
  readonly where: Where;
}

/** What a candidate becomes. */
export type Role =
  | { readonly kind: "input" }
  | { readonly kind: "constant"; readonly value: JsonValue; readonly why?: string }
  | { readonly kind: "generated" }
  | {
      readonly kind: "env";
      readonly env: string;
      readonly required: boolean;
      readonly why?: string;
    }
  | { readonly kind: "none"; readonly why: string };
