/** Stands in for the gate before writes: no tool of this project writes. */

export async function passGate(..._: readonly unknown[]): Promise<void> {}
