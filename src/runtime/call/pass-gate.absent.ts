/** Stands in for the gate before writes: this project neither asks nor has dry runs. */

export async function passGate(..._: readonly unknown[]): Promise<void> {}
