/** Catalogues of GNU gettext in binary form (`.mo`): its manual, section "The Format of GNU MO Files". */
import { DataError } from '../../src/base/core/errors.ts';

export interface Message {
  /** In the language of the program, without its context; of plurals the singular. */
  readonly source: string;
  readonly translation: string;
}

const MAGIC = 0x950412de;
const HEADER_BYTES = 20;
/** Separates a context from its message. */
const CONTEXT_END = '\u0004';

/** The messages of a catalogue, in its order (by bytes of the source), its header left out. @throws DataError when it is damaged. */
export function readCatalogue(bytes: Buffer, name: string): Message[] {
  if (bytes.length < HEADER_BYTES || bytes.readUInt32LE(0) !== MAGIC)
    throw new DataError(`${name}: not a little-endian catalogue of gettext; fetch the package again`);
  const count = bytes.readUInt32LE(8);
  const [sources, translations] = [bytes.readUInt32LE(12), bytes.readUInt32LE(16)];
  if (Math.max(sources, translations) + 8 * count > bytes.length) throw new DataError(`${name}: is cut off; fetch the package again`);
  return Array.from({ length: count }, (_, i) => ({
    source: stringAt(bytes, sources + 8 * i).replace(new RegExp(`^[^${CONTEXT_END}]*${CONTEXT_END}`), ''),
    translation: stringAt(bytes, translations + 8 * i),
  })).filter(({ source }) => source !== '');
}

/** A string by its entry of length and place; of plurals the first form. */
function stringAt(bytes: Buffer, entry: number): string {
  const [length, start] = [bytes.readUInt32LE(entry), bytes.readUInt32LE(entry + 4)];
  return bytes.toString('utf8', start, start + length).split('\0', 1)[0] ?? '';
}
