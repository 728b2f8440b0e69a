import type { JsonSchema } from "../../json.js";

/** Names of the schemas of the model that portable schemas were made from, in whole or in part. */
export type SchemaOrigins = WeakMap<JsonSchema, string>;
