/** Stands in for the module of sign-ins, which no scheme of the API has. */

export type LoadSignIn = () => Promise<never>;

export const signInFunctions = (_: unknown): object => ({});
