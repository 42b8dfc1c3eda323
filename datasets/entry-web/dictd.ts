/** Dictionaries in the form of dictd: an index of words, and one text that is gzipped in blocks. */
import { gunzipSync } from 'node:zlib';
import { DataError } from '../../src/base/core/errors.ts';
import { fileIn, type PackageFiles } from '../package-files.ts';

export interface DictEntry {
  /** Every word that leads to the text, in the order of the index. */
  readonly names: readonly string[];
  readonly text: string;
}

const FOLDER = 'usr/share/dictd';
/** An index counts in these digits. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Whether the package's file of this name is the text or the index of the dictionary. */
export function isDictFile(dictionary: string): (name: string) => boolean {
  return (name) => name === `${FOLDER}/${dictionary}.index` || name === `${FOLDER}/${dictionary}.dict.dz`;
}

/** Texts of a dictionary in their order, those about the dictionary itself left out. @throws DataError for an index that is none */
export function dictEntries(source: PackageFiles, dictionary: string): DictEntry[] {
  const text = gunzipSync(fileIn(source, `${FOLDER}/${dictionary}.dict.dz`));
  const index = fileIn(source, `${FOLDER}/${dictionary}.index`).toString('utf8').split('\n').filter(Boolean);
  const places = new Map<number, { readonly length: number; readonly names: string[] }>();
  for (const [i, line] of index.entries()) {
    const [name = '', at, length] = line.split('\t');
    if (at === undefined || length === undefined) throw new DataError(`${dictionary}.index:${i + 1}: not a word, a place and a length`);
    if (/^00-?database/.test(name)) continue;
    const place = places.get(numberOf(at)) ?? { length: numberOf(length), names: [] };
    places.set(numberOf(at), { ...place, names: [...place.names, name] });
  }
  return [...places]
    .sort(([a], [b]) => a - b)
    .map(([at, { length, names }]) => ({ names, text: text.subarray(at, at + length).toString('utf8') }));
}

function numberOf(digits: string): number {
  return [...digits].reduce((sum, digit) => sum * DIGITS.length + DIGITS.indexOf(digit), 0);
}
