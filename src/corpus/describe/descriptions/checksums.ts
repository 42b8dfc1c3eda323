import { createHash } from 'node:crypto';
import { DamageError } from '../../../base/core/errors.ts';
import { isPlainPath } from '../../../base/core/plain-names.ts';
import type { Bytes } from '../../../base/core/types.ts';
import { CHECKSUMS_FILE } from '../../../base/disk/own-names.ts';
import type { Description } from '../description.ts';

export { CHECKSUMS_FILE };

/** Prefix of the line with the SHA-256 of the lines above. `sha256sum` skips lines that begin with `#`. */
const OWN = '# SHA-256 of the lines above: ';
/** `data/train-*.parquet` and WARC files are half a gigabyte each: 10^5 lines are 50 TB. */
export const MAX_CHECKSUMS: Bytes = 16 * 1024 * 1024;

/** One line a file, in the form of `sha256sum`. The files under `text/` are in `text/index.tsv`. */
export const checksums = {
  file: CHECKSUMS_FILE,
  help: 'SHA-256 of all files, for sha256sum -c',
  content: ({ card, earlier }) => checksumLines([...card.files, ...earlier]),
} as const satisfies Description;

/** Content of the list of those files. */
export function checksumLines(files: readonly { readonly name: string; readonly sha256: string }[]): string {
  const lines = files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
  return `${lines}${OWN}${sha256Of(lines)}\n`;
}

/** The hashes by file name. @throws DamageError if the list does not match its own checksum, or names anything but files of its folder */
export function checksumsIn(text: string, path: string): ReadonlyMap<string, string> {
  const at = text.lastIndexOf(OWN);
  const lines = text.slice(0, Math.max(0, at));
  if (at < 0 || text.slice(at) !== `${OWN}${sha256Of(lines)}\n`)
    throw new DamageError(`${path}: has changed since it was written (its checksum is wrong); restore the file from a copy`);
  const sums = new Map(lines.split('\n').flatMap((line): [string, string][] => (line === '' ? [] : [[line.slice(66), line.slice(0, 64)]])));
  const foreign = [...sums.keys()].find((name) => !isPlainPath(name));
  if (foreign !== undefined)
    throw new DamageError(`${path}: names a file outside of its folder (${JSON.stringify(foreign.slice(0, 100))}); restore it from a copy`);
  return sums;
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
