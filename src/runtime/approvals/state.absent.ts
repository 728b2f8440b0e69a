/** Stands in for the states of questions, which nothing asks. */

export type QuestionStates = undefined;

export const createQuestionStates = (..._: readonly unknown[]): undefined => undefined;
