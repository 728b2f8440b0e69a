/** Stands in for the tests of workflows, which this project does not have. */

export function testWorkflow(..._: readonly unknown[]): Promise<void> {
  return Promise.resolve();
}
