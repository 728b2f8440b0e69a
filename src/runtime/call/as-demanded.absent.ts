/** Stands in for values in the form that an API demands: no operation has a body or a query. */
import type { RepeatedCall } from "./rejected-call.js";

export const repeatAsDemanded = (..._: readonly unknown[]): RepeatedCall | undefined => undefined;
