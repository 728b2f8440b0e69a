/** Names of the three discovery tools. */
export interface DiscoveryNames {
  readonly search: string;
  readonly describe: string;
  readonly call: string;
}
