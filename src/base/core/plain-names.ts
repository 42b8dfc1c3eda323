/** Names of files that come from elsewhere: from a database, a bucket, a list of checksums, a manifest. They are names, never ways through folders. */

/** Longer names do not exist on Linux, macOS and Windows. */
const MAX_NAME_BYTES = 255;
/** Separators; characters that terminals and file systems act on; and those that Windows gives a meaning (Naming Files, Microsoft). */
const NOT_IN_NAMES = /[/\\:*?"<>|\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
/** Windows opens a device instead of a file, with any ending and in any case. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?$/i;

/** Is it the name of one file or folder, on every system? */
export function isPlainName(name: string): boolean {
  if (name === '' || Buffer.byteLength(name) > MAX_NAME_BYTES) return false;
  // Also `.` and `..`: Windows drops dots and spaces at the end.
  return !/[. ]$/.test(name) && !NOT_IN_NAMES.test(name) && !DEVICE.test(name);
}

/** Is it a path of such names below a folder, with slashes between them? */
export function isPlainPath(path: string): boolean {
  return path.split('/').every(isPlainName);
}
