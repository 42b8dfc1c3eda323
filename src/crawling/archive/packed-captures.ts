/** Keys and values of captures in LMDB: big-endian, so that the captures of a URL stand together in the order of their times. */
import { hash } from 'node:crypto';
import type { Bytes, CanonicalUrl, EpochMs } from '../../base/core/types.ts';
import { CAPTURE_KINDS, type Capture } from './captures.ts';

/** A capture as it is stored. */
export interface StoredCapture extends Omit<Capture, 'url' | 'filename'> {
  /** Number of its file. */
  readonly file: number;
}

/** Bytes of the hash of a URL: of 10^9 URLs, two are alike with a probability below 10^-20. */
const HASH: Bytes = 16;
const TIME: Bytes = 6;
const FILE: Bytes = 4;
const OFFSET: Bytes = 6;
/** Bytes of kind, status and length. */
const FACTS: Bytes = 1 + 2 + OFFSET;
/** Characters of a digest that are compared, of 5 bits each. */
const DIGEST = 12;

export function hashOfUrl(url: CanonicalUrl): Buffer {
  return hash('sha1', url, 'buffer').subarray(0, HASH);
}

/** The bound before all captures of a URL at a time or later. @param at Infinity: behind all of them */
export function boundAt(prefix: Buffer, at: EpochMs): Buffer {
  const key = Buffer.alloc(HASH + TIME, 0xff);
  prefix.copy(key);
  if (Number.isFinite(at)) key.writeUIntBE(Math.max(0, at), HASH, TIME);
  return key;
}

/** @param file number of its file */
export function packCapture(url: CanonicalUrl, capture: Omit<StoredCapture, 'file'>, file: number): readonly [key: Buffer, value: Buffer] {
  const { at, kind, status, digest, offset, length } = capture;
  const key = Buffer.allocUnsafe(HASH + TIME + FILE + OFFSET);
  hashOfUrl(url).copy(key);
  key.writeUIntBE(Math.max(0, at), HASH, TIME);
  key.writeUInt32BE(file, HASH + TIME);
  key.writeUIntBE(offset, HASH + TIME + FILE, OFFSET);
  const value = Buffer.alloc(FACTS + DIGEST, ' ');
  value.writeUInt8(CAPTURE_KINDS.indexOf(kind), 0);
  value.writeUInt16BE(status ?? 0, 1);
  value.writeUIntBE(length ?? 0, 3, OFFSET);
  value.write(digest.slice(0, DIGEST), FACTS, 'latin1');
  return [key, value];
}

export function unpackCapture(key: Buffer, value: Buffer): StoredCapture {
  return {
    file: key.readUInt32BE(HASH + TIME),
    at: key.readUIntBE(HASH, TIME),
    offset: key.readUIntBE(HASH + TIME + FILE, OFFSET),
    kind: CAPTURE_KINDS[value.readUInt8(0)] ?? 'response',
    status: value.readUInt16BE(1) || null,
    length: value.readUIntBE(3, OFFSET) || null,
    digest: value.toString('latin1', FACTS).trimEnd(),
  };
}
