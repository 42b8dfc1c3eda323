/** Damage to PDFs: bytes, cut and repeated parts, and numbers of the structure. */
import { type Rng, seededRng } from '../../../src/base/core/rng.ts';

const PIECES = [
  '%PDF-',
  'obj',
  'endobj',
  'stream',
  '/Kids [1 0 R]',
  '/Length 99999999',
  '/Count -1',
  '<<',
  '>>',
  '[',
  '(',
  'xref',
  '/Prev 0',
  '0 0 R',
  '1 0 R',
  '\0',
];
const NUMBERS = ['-1', '0', '99999999999', '2147483647', '1e99'];

/** A damaged copy of a file. The same seed gives the same copy. */
export function mutatedPdf(file: Uint8Array, seed: number): Uint8Array {
  const rng = seededRng(Math.imul(seed + 1, 0x9e3779b1));
  let bytes: Buffer = Buffer.from(file);
  for (let n = 1 + Math.floor(rng() * 8); n > 0; n--) bytes = damaged(bytes, rng);
  return bytes;
}

function damaged(bytes: Buffer, rng: Rng): Buffer {
  const at = Math.floor(rng() * bytes.length);
  const length = Math.floor(rng() * Math.min(2000, bytes.length - at));
  const kind = rng();
  if (kind < 0.3) return withByte(bytes, at, Math.floor(rng() * 256));
  if (kind < 0.4) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
  if (kind < 0.5) return Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
  if (kind < 0.55) return bytes.subarray(0, at);
  if (kind < 0.8) return withNumber(bytes, at, NUMBERS[Math.floor(rng() * NUMBERS.length)] ?? '0');
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(PIECES[Math.floor(rng() * PIECES.length)] ?? ''), bytes.subarray(at)]);
}

function withByte(bytes: Buffer, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  if (copy.length > 0) copy[at] = value;
  return copy;
}

/** Another number in place of the next one. */
function withNumber(bytes: Buffer, from: number, number: string): Buffer {
  const text = bytes.toString('latin1');
  const found = /\d+/.exec(text.slice(from, from + 400));
  if (found === null) return bytes;
  const at = from + found.index;
  return Buffer.from(text.slice(0, at) + number + text.slice(at + found[0].length), 'latin1');
}
