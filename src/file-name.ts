const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/**
 * Whether Windows gives this name to a device, so that no file can have it, with whatever
 * extension.
 */
export function isDeviceName(name: string): boolean {
  return deviceName.test((name.split(".", 1)[0] as string).trimEnd());
}

/**
 * Whether every system can have a file of this name: no device, and no dot or space at its end,
 * which Windows takes off.
 */
export function isPortableName(name: string): boolean {
  return !isDeviceName(name) && !/[. ]$/.test(name);
}

/**
 * Whether a file is what systems and editors leave in folders that somebody looked into, and
 * nobody's own.
 */
export function isJunkFile(name: string): boolean {
  return /^(?:\.DS_Store|Thumbs\.db|desktop\.ini|.*~|.*\.sw[op]|#.*#)$/i.test(name);
}
