/*
 * What a run depends on: the program watches it. A variable of the module, because files are opened in many places, by
 * readers that have nothing else to do with watching.
 */
let listener: ((path: string) => void) | undefined;

/**
 * Has every local file told that is about to be read, found or not; `undefined` ends it. One
 * listener at a time.
 */
export function onRead(next: ((path: string) => void) | undefined): void {
  listener = next;
}

/** Tells that a file is about to be read. */
export function noteRead(path: string): void {
  listener?.(path);
}
