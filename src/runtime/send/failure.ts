import type { ApiResponse } from "./response.js";

/**
 * Every way in which a call can end without a result. Values, not exceptions: what to tell the
 * agent about each is decided in one place, errors/. `sent` says whether the API may have seen the
 * request.
 */
export type Failure =
  /** The credentials that the API wants are not there. `message` says which variables to set. */
  | { readonly kind: "credentials"; readonly message: string }
  /** The API answered with a status that is not success. */
  | { readonly kind: "status"; readonly response: ApiResponse }
  /**
   * The API answered with a status of success, and says in its answer that it did not do what was
   * asked.
   */
  | { readonly kind: "refused"; readonly response: ApiResponse; readonly value: unknown }
  /**
   * The API says that it did what was asked, but its answer is not what it promises. `excerpt` is
   * the start of the answer; `shown` when the agent gets all of it.
   */
  | {
      readonly kind: "unusable";
      readonly response: ApiResponse;
      readonly why: string;
      readonly excerpt?: string;
      readonly shown?: boolean;
    }
  | { readonly kind: "tooLarge"; readonly limit: number }
  | { readonly kind: "timeout"; readonly afterMs: number; readonly sent: boolean }
  /** The client took the call back, or the server is stopping. */
  | { readonly kind: "cancelled" }
  /**
   * No answer: name resolution, connection, TLS, broken HTTP. `lasting` when another try meets the
   * same.
   */
  | {
      readonly kind: "connection";
      readonly cause: string;
      readonly sent: boolean;
      readonly lasting: boolean;
    }
  | { readonly kind: "redirect"; readonly cause: string }
  /** Too many calls wait already. */
  | { readonly kind: "busy" };

/** Whether a value is a failure rather than a response. */
export function isFailure(outcome: ApiResponse | Failure): outcome is Failure {
  return "kind" in outcome;
}
