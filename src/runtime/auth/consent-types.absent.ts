/** Stands in for sign-ins and the consent of users, which no scheme of the API has. */

export interface UserConsent {
  readonly replacesSharedTokens: boolean;
}

export type ToolConsent = UserConsent;

export interface SignInPlatform {
  readonly signedInToken?: never;
}
