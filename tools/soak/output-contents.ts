/** The contents of the outputs of a command, to see that a killed one left the old or the new: each file by its digest. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Digest by name. Empty: there is no output. */
export type Contents = ReadonlyMap<string, string>;

/**
 * Texts that differ in two runs of one command, and are not compared: moments, the checksums of lines and files with a moment in them, the folder of the
 * run, and the head of a label file, which has a random seed and is written before the first label.
 */
const DRAWN: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'MOMENT'],
  [/"crc32": ?"[0-9a-f]{8}"/g, '"crc32"'],
  [/[^\s"']*\/forager-killed-\w{6}/g, 'FOLDER'],
  [/^\{"format":"forager-labels".*\n/g, ''],
];

/** Here the SHA-256 sums are not compared: those of the cards follow from the moment on them. `forager verify` compares all of them with the files. */
const WITH_SUMS: ReadonlySet<string> = new Set(['SHA256SUMS', 'ro-crate-metadata.json']);
const SUM = /[0-9a-f]{64}/g;

/**
 * Not compared: the files of LMDB and the checkpoint, which `forager ledger` reads; locks, the work folders of outputs and `.tmp`
 * files, which the next command removes or writes again; the number of the last commit, which is one more after a kill;
 * what was known of labels and of gathered parts, which may lag behind, and which `forager verify` compares with the files.
 */
const NOT_COMPARED =
  /^(frontier\/.*|(.*\/)?lock(\.\w+)?|(.*\/)?\..*\.forager-new\/.*|.*\.tmp|corpus\/commit-[01]\.json|labels-known\.json|gathered\.json)$/;

/**
 * @param path a file or folder
 * @param committed for a crawl: how many bytes of each file of its corpus count. Those behind them are cut off by the next command that writes.
 * @throws the error of gzip for a compressed file that is cut
 */
export function contentsOf(path: string, committed: Readonly<Record<string, number>> = {}): Contents {
  if (!existsSync(path)) return new Map();
  if (!statSync(path).isDirectory()) return new Map([['', digestOf(readFileSync(path))]]);
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const names = entries.map((entry) => relative(path, join(entry.parentPath, entry.name))).sort();
  const compared = names.filter((name) => !NOT_COMPARED.test(name));
  const digests = compared.map((name) => [name, digestOf(readFileSync(join(path, name)).subarray(0, committed[name]), name)] as const);
  return new Map(digests.filter(([, digest]) => digest !== NOTHING));
}

const NOTHING = createHash('sha256').digest('hex');

/** A compressed file by its text: its bytes depend on the moments in it. */
export function digestOf(stored: Uint8Array, name = ''): string {
  const bytes = stored[0] === 0x1f && stored[1] === 0x8b ? gunzipSync(stored) : Buffer.from(stored);
  const text = DRAWN.reduce((rest, [pattern, word]) => rest.replaceAll(pattern, word), bytes.toString('latin1'));
  const compared = WITH_SUMS.has(basename(name)) ? text.replaceAll(SUM, 'SUM') : text;
  return createHash('sha256').update(compared, 'latin1').digest('hex');
}

/** Names of the files that differ, or are in one of the two alone. @param unnamed files that may be in the first alone */
export function differences(one: Contents, other: Contents, unnamed?: RegExp): string[] {
  const names = [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name));
  return names.filter((name) => other.has(name) || !unnamed?.test(name));
}
