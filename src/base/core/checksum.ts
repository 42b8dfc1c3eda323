/** A line of JSON with a checksum, which shows whether the line is whole. */
import { crc32 } from 'node:zlib';
import { jsonObject } from './json-object.ts';

/** The last field of a line: eight hexadecimal digits. */
const FIELD = ',"crc32":"';
const DIGITS = 8;
const END = '"}';
/** Bytes from the field's comma to the end of the line. */
const TAIL = FIELD.length + DIGITS + END.length;
/** Blanks as long as the field without its comma: they replace the brace that ends an object. */
const ROOM = ' '.repeat(TAIL - 1);

/**
 * A JSON object whose last field, `crc32`, is the CRC-32 (ISO 3309, as in gzip) of all bytes before the comma of that field. It always detects damage
 * of up to 32 bits in a row. It misses other damage once in 2^32.
 * @param value an object with at least one field
 */
export function checksummed(value: object): Buffer {
  return withChecksum(value, '');
}

/** Line of a checksummed object: `withChecksum`, then a line feed. */
export function checksummedLine(value: object): Buffer {
  return withChecksum(value, '\n');
}

/** The bytes are made once, with room for the field: a text as long as a page takes longer to encode than to check. */
function withChecksum(value: object, end: string): Buffer {
  const bytes = Buffer.from(jsonObject(value) + ROOM + end);
  const field = bytes.length - end.length - TAIL;
  bytes.write(`${FIELD}${digitsOf(bytes.subarray(0, field))}${END}`, field, 'latin1');
  return bytes;
}

/** Checks the checksum of a line without its line feed. `none`: the line has no such field, like the lines that Forager 0.1 wrote. */
export function checkOf(line: Uint8Array): 'right' | 'wrong' | 'none' {
  if (line.length <= TAIL) return 'none';
  const tail = Buffer.from(line.buffer, line.byteOffset + line.length - TAIL, TAIL).toString('latin1');
  if (!tail.startsWith(FIELD) || !tail.endsWith(END)) return 'none';
  return tail.slice(FIELD.length, FIELD.length + DIGITS) === digitsOf(line.subarray(0, line.length - TAIL)) ? 'right' : 'wrong';
}

/** CRC-32 as eight hexadecimal digits. */
export function digitsOf(bytes: string | Uint8Array): string {
  return crc32(bytes).toString(16).padStart(DIGITS, '0');
}
