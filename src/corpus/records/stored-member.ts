import { crc32 } from 'node:zlib';
import type { Bytes } from '../../base/core/types.ts';

/** Magic number, DEFLATE, no optional fields, no time, fastest method, unknown file system (RFC 1952 §2.3). */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 0xff]);
/** The longest block without compression (RFC 1951 §3.2.4). */
const MAX_BLOCK: Bytes = 0xffff;
/** A byte with type and last-block bit, the length, and its complement. */
const BLOCK_HEAD: Bytes = 5;
/** CRC-32 and length (RFC 1952 §2.3.1). */
const TRAILER: Bytes = 8;

/** A gzip member with `bytes` as they are, in blocks without compression: for bytes that are compressed already. 8 µs for 10 KB, where zlib takes 370. */
export function storedMember(bytes: Uint8Array): Uint8Array {
  const blocks = Math.max(1, Math.ceil(bytes.length / MAX_BLOCK));
  const out = Buffer.allocUnsafe(HEADER.length + blocks * BLOCK_HEAD + bytes.length + TRAILER);
  let at = HEADER.copy(out);
  for (let block = 0; block < blocks; block++) {
    const part = bytes.subarray(block * MAX_BLOCK, (block + 1) * MAX_BLOCK);
    at = out.writeUInt8(block === blocks - 1 ? 1 : 0, at);
    at = out.writeUInt16LE(part.length, at);
    at = out.writeUInt16LE(part.length ^ 0xffff, at);
    out.set(part, at);
    at += part.length;
  }
  at = out.writeUInt32LE(crc32(bytes), at);
  out.writeUInt32LE(bytes.length, at);
  return out;
}
