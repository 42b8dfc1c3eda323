/** Texts in two of the forms of the SWORD project: a Bible by verses (zText), and a dictionary (zLD). Both lie in zlib blocks. */
import { inflateSync } from 'node:zlib';
import { DataError, messageOf } from '../../src/base/core/errors.ts';
import { fileIn, type PackageFiles } from '../package-files.ts';

const FOLDER = 'usr/share/sword/modules';
const TESTAMENTS = ['ot', 'nt'] as const;

/** Whether the package's file of this name is one of a module. */
export function isSwordFile(name: string): boolean {
  return /\.(?:bz[sz]|zd[tx])$/.test(name) && name.startsWith(FOLDER);
}

/** Text of both testaments with its OSIS tags. @param path below the modules, `texts/ztext/kjv` @throws DataError for a damaged block */
export function bibleText(source: PackageFiles, path: string): string {
  const parts = TESTAMENTS.map((part) => {
    const place = `${FOLDER}/${path}/${part}`;
    return blocks(fileIn(source, `${place}.bzs`), fileIn(source, `${place}.bzz`), 12, place).map((block) => block.toString('utf8'));
  });
  return parts.flat().join('');
}

/** Entries of a dictionary with their TEI tags. @param path below the modules, `lexdict/zld/nave/nave` @throws DataError for a damaged block */
export function lexiconEntries(source: PackageFiles, path: string): string[] {
  const place = `${FOLDER}/${path}`;
  return blocks(fileIn(source, `${place}.zdx`), fileIn(source, `${place}.zdt`), 8, place).flatMap(entriesIn);
}

/** @param record bytes of an index record, which begins with place and length of the block */
function blocks(index: Buffer, packed: Buffer, record: number, place: string): Buffer[] {
  return Array.from({ length: Math.floor(index.length / record) }, (_, i) => {
    const at = index.readUInt32LE(record * i);
    const end = at + index.readUInt32LE(record * i + 4);
    try {
      return inflateSync(packed.subarray(at, end));
    } catch (error) {
      throw new DataError(`${place}: block ${i} cannot be unpacked (${messageOf(error)}); get the package again`, { cause: error });
    }
  });
}

/** A count, then place and length of each entry. */
function entriesIn(block: Buffer): string[] {
  return Array.from({ length: block.readUInt32LE(0) }, (_, i) => {
    const at = block.readUInt32LE(4 + 8 * i);
    return block.subarray(at, at + block.readUInt32LE(8 + 8 * i)).toString('utf8');
  });
}
