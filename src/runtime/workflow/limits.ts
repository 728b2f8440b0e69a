/** Maximum number of steps in one tool call, called workflows and retries included. */
export const MAX_STEPS = 100;
