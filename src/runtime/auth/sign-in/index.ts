/**
 * Sign-in of users, as `serve` takes it: the commands, the tokens of the user of this machine, and
 * the consent of callers over HTTP. Only projects whose API has a scheme with a sign-in have it.
 */
export { runSignInCommand } from "./command.js";
export { createConsentBroker } from "./consent-broker.js";
export { signedInToken } from "./grants.js";
export { requestSignIn, signInsSettled } from "./login.js";
