/** Damage to documents: of their bytes, and of the XML in them, which is packed again so that the damage arrives. */
import { type Rng, seededRng } from '../../../src/base/core/rng.ts';
import { openZip } from '../../../src/reading/documents/zip-reader.ts';
import { zipFile } from '../../../test/support/zip-file.ts';

/** Pieces that a reader could trip over. */
const PIECES = [
  '<',
  '>',
  '</',
  '/>',
  '"',
  '&',
  '&#0;',
  '&#x110000;',
  '<!--',
  '<![CDATA[',
  ']]>',
  '<!DOCTYPE x [',
  '<?',
  '\0',
  '\ud800',
  '}',
  '[',
  '{',
  ': ',
  '\n\t',
  '- ',
  '*a',
  '&a',
  '$ref',
  '#/',
  '-1',
  '99999999999999999999',
  '1e999',
  'w:val="9"',
];
const PIECE_CHARS = 400;
const MAX_GROWTH = 4;

/** A damaged copy of a file. The same seed gives the same copy. */
export function mutated(file: Uint8Array, seed: number): Uint8Array {
  const rng = seededRng(Math.imul(seed + 1, 0x85ebca6b));
  const isPacked = file[0] === 0x50 && file[1] === 0x4b;
  if (isPacked && rng() < 0.7) return repacked(file, rng);
  return isPacked && rng() < 0.7 ? withBytes(Uint8Array.from(file), rng) : withPieces(Buffer.from(file), rng);
}

function repacked(file: Uint8Array, rng: Rng): Uint8Array {
  const opening = openZip(file);
  if (opening.kind === 'failed') return file;
  const { archive } = opening;
  const texts = archive.names.filter((name) => /\.(?:xml|rels|xhtml|opf|ncx)$/.test(name));
  const chosen = texts[Math.floor(rng() * texts.length)];
  return zipFile(
    archive.names.flatMap((name) => {
      const content = archive.read(name);
      if (content.kind !== 'read') return [];
      const data = name === chosen ? withPieces(Buffer.from(content.bytes), rng) : content.bytes;
      return [{ name, data, stored: name === 'mimetype' }];
    }),
  );
}

function withBytes(bytes: Uint8Array, rng: Rng): Uint8Array {
  const count = 1 + Math.floor(rng() * 8);
  for (let i = 0; i < count; i += 1) bytes[Math.floor(rng() * bytes.length)] = Math.floor(rng() * 256);
  return rng() < 0.2 ? bytes.subarray(0, Math.floor(rng() * bytes.length)) : bytes;
}

/** Inserts, removes, repeats and moves pieces. */
function withPieces(start: Buffer, rng: Rng): Buffer {
  let bytes = start;
  const count = 1 + Math.floor(rng() * 10);
  for (let i = 0; i < count && bytes.length <= MAX_GROWTH * start.length + 1000; i += 1) {
    const [at, from] = [Math.floor(rng() * bytes.length), Math.floor(rng() * bytes.length)];
    const piece = bytes.subarray(from, from + Math.floor(rng() * PIECE_CHARS));
    const nasty = Buffer.from(PIECES[Math.floor(rng() * PIECES.length)] ?? '');
    const kind = rng();
    if (kind < 0.3) bytes = Buffer.concat([bytes.subarray(0, at), nasty, bytes.subarray(at)]);
    else if (kind < 0.5) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + piece.length)]);
    else if (kind < 0.8) bytes = Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
    else if (kind < 0.9) bytes = Buffer.concat([bytes.subarray(0, at), ...Array.from({ length: 200 }, () => nasty), bytes.subarray(at)]);
    else bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + nasty.length)]);
  }
  return rng() < 0.1 ? bytes.subarray(0, Math.floor(rng() * bytes.length)) : bytes;
}
