/** The kind of a document that is a ZIP file, by its first entry or its directory. */
import { zipDirectory } from './zip-directory.ts';

/** `mimetype`, stored, is the first entry of EPUB and OpenDocument (OCF §4.3, ODF 1.3 part 2 §3.3): its data are at a fixed place. */
const FIRST_NAME = 'mimetype';
const NAME_AT = 30;
const MAX_TYPE = 100;

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

/** The media type that a ZIP file declares in its first entry; null for none. */
export function declaredType(bytes: Uint8Array): string | null {
  if (!isZip(bytes) || latin1(bytes, NAME_AT, FIRST_NAME.length) !== FIRST_NAME) return null;
  // An extra field is not allowed there, and occurs.
  const start = NAME_AT + FIRST_NAME.length + (bytes[28] ?? 0) + 256 * (bytes[29] ?? 0);
  // The next entry begins with the letters PK.
  return /^[\w.+-]+\/[\w.+-]+/.exec(latin1(bytes, start, MAX_TYPE))?.[0].replace(/PK$/, '') ?? null;
}

function latin1(bytes: Uint8Array, start: number, length: number): string {
  return Buffer.from(bytes.subarray(start, start + length)).toString('latin1');
}

/** The kinds ask one after another about the same bytes. */
const known = new WeakMap<Uint8Array, readonly string[]>();

/** Names of the entries; null if the directory is damaged. */
function entryNames(bytes: Uint8Array): readonly string[] | null {
  const names = known.get(bytes);
  if (names !== undefined) return names;
  const directory = zipDirectory(bytes);
  if (directory.kind === 'failed') return null;
  const read = directory.entries.map(({ name }) => name);
  known.set(bytes, read);
  return read;
}

/**
 * Is it a ZIP file with the entries that make a kind? A damaged directory leaves the question open.
 * @param marks each is true for the name of an entry
 */
export function hasEntries(bytes: Uint8Array, ...marks: readonly ((name: string) => boolean)[]): boolean | 'maybe' {
  if (!isZip(bytes)) return false;
  const names = entryNames(bytes);
  return names === null ? 'maybe' : marks.every((isMark) => names.some(isMark));
}
