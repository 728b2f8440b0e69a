const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** True for a reserved device name of Windows, with any extension. */
export function isDeviceName(name: string): boolean {
  return deviceName.test((name.split(".", 1)[0] as string).trimEnd());
}

/**
 * True for a file name that every system allows: not a device name, and without a trailing dot or
 * space, which Windows removes.
 */
export function isPortableName(name: string): boolean {
  return !isDeviceName(name) && !/[. ]$/.test(name);
}

/** True for files that systems and editors create in any folder, such as `.DS_Store`. */
export function isJunkFile(name: string): boolean {
  return /^(?:\.DS_Store|Thumbs\.db|desktop\.ini|.*~|.*\.sw[op]|#.*#)$/i.test(name);
}
