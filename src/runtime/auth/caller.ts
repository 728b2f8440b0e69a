/** The client of a request over HTTP, once it is authenticated. */
export interface Caller {
  /** Identity by which everything is kept that belongs to one caller. Empty: nobody in particular. */
  readonly id: string;
  /** Scopes of its access token. Absent for other credentials. */
  readonly scopes?: readonly string[];
  /** Subject of its access token, if that has one: the user. */
  readonly user?: string;
  /** Its verified access token, for an exchange. Absent for other credentials. */
  readonly token?: string;
}
