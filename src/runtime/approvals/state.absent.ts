/** Stands in for the states of questions, which nothing asks. */
import type { Store } from "../store/types.js";
import type { QuestionStates } from "./state.js";

/** @param shared state of all processes of the server */
export function createQuestionStates(shared: Store | undefined): QuestionStates {
  return {
    isShared: shared !== undefined,
    seal: () => Promise.reject(new Error("This server was generated without questions.")),
    open: async () => undefined,
  };
}
