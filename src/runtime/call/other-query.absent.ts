/** Stands in for parameters of other operations: each tool of this project has one. */

export interface CheckedInput {
  readonly offer?: string;
}

export const sendOtherQuery = <Checked extends object>(
  _server: unknown,
  checked: Checked,
  ..._: readonly unknown[]
): Checked & CheckedInput => checked;
