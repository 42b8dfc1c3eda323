/** ZIP files of stored entries, written from start to end. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Bytes, EpochMs } from '../../base/core/types.ts';
import { ZIP_FLAG, ZIP_MAX_16, ZIP_MAX_32, ZIP_METHOD, ZIP_SIGNATURE, ZIP64_EXTRA } from '../../base/disk/zip-format.ts';

/** APPNOTE.TXT 6.3.10 of PKWARE, like the numbers of `zip-format.ts`: version 4.5 has the Zip64 format (§4.4.3.2). */
const VERSION = 45;
/** File attributes are those of Unix (§4.4.2). */
const UNIX = 3;
const FLAGS = ZIP_FLAG.sizesFollow | ZIP_FLAG.utf8Names;
const STORED = ZIP_METHOD.stored;
/** A regular file that everybody may read. */
const MODE = 0o100644;

/** Offset and number of entries from which on the central directory has fields of 64 bits for them. Smaller in tests. */
export interface Zip64From {
  readonly bytes: Bytes;
  readonly entries: number;
}

interface Entry {
  readonly name: Buffer;
  readonly offset: Bytes;
  readonly size: Bytes;
  readonly crc: number;
}

export interface EntryFacts {
  readonly bytes: Bytes;
  /** Hex. */
  readonly sha256: string;
}

/**
 * Writes entries one after the other. The size of an entry need not be known before: it follows the data, in 64 bits. The central directory has all
 * sizes in 64 bits too: wabac, the reader of ReplayWeb.page, takes an entry without an extra field there as one without an extra field here.
 * Memory: about 200 bytes an entry.
 */
export class ZipWriter {
  readonly #write: (bytes: Uint8Array) => Promise<void>;
  readonly #time: number;
  readonly #zip64From: Zip64From;
  readonly #entries: Entry[] = [];
  #offset: Bytes = 0;

  /** @param write receives the bytes of the file in order @param at the time of all entries, stored as UTC, to two seconds */
  constructor(write: (bytes: Uint8Array) => Promise<void>, at: EpochMs, zip64From: Zip64From = { bytes: ZIP_MAX_32, entries: ZIP_MAX_16 }) {
    this.#write = write;
    this.#time = dosTime(at);
    this.#zip64From = zip64From;
  }

  /** Starts an entry. It must be finished before the next one starts. @param name with `/` between folders */
  async entry(name: string): Promise<ZipEntry> {
    const bytes = Buffer.from(name);
    const offset = this.#offset;
    const header = new Fields(30 + 20)
      .u32(ZIP_SIGNATURE.localHeader)
      .u16(VERSION, FLAGS, STORED)
      .u32(this.#time, 0, ZIP_MAX_32, ZIP_MAX_32)
      .u16(bytes.length, 20)
      .raw(bytes)
      .u16(ZIP64_EXTRA, 16)
      .u64(0, 0);
    await this.#put(header.bytes);
    return new ZipEntry(
      (data) => this.#put(data),
      async (size, crc) => {
        await this.#put(new Fields(24).u32(ZIP_SIGNATURE.dataDescriptor, crc).u64(size, size).bytes);
        this.#entries.push({ name: bytes, offset, size, crc });
      },
    );
  }

  /** An entry that is in memory. */
  async add(name: string, data: Uint8Array): Promise<EntryFacts> {
    const entry = await this.entry(name);
    await entry.write(data);
    return entry.finish();
  }

  /** Writes the central directory. */
  async finish(): Promise<void> {
    const start = this.#offset;
    for (const entry of this.#entries) await this.#put(this.#centralHeader(entry));
    const size = this.#offset - start;
    const count = this.#entries.length;
    const { bytes, entries } = this.#zip64From;
    const isBig = count >= entries || size >= bytes || start >= bytes;
    if (isBig) {
      const end64 = this.#offset;
      await this.#put(
        new Fields(56)
          .u32(ZIP_SIGNATURE.end64)
          .u64(44)
          .u16((UNIX << 8) | VERSION, VERSION)
          .u32(0, 0)
          .u64(count, count, size, start).bytes,
      );
      await this.#put(new Fields(20).u32(ZIP_SIGNATURE.end64Locator, 0).u64(end64).u32(1).bytes);
    }
    const shown = isBig ? ZIP_MAX_16 : count;
    const [shownSize, shownStart] = isBig ? [ZIP_MAX_32, ZIP_MAX_32] : [size, start];
    await this.#put(new Fields(22).u32(ZIP_SIGNATURE.end).u16(0, 0, shown, shown).u32(shownSize, shownStart).u16(0).bytes);
  }

  #centralHeader({ name, offset, size, crc }: Entry): Uint8Array {
    const isFar = offset >= this.#zip64From.bytes;
    const wide = isFar ? [size, size, offset] : [size, size];
    const header = new Fields(46 + 4 + wide.length * 8)
      .u32(ZIP_SIGNATURE.centralHeader)
      .u16((UNIX << 8) | VERSION, VERSION, FLAGS, STORED)
      .u32(this.#time, crc, ZIP_MAX_32, ZIP_MAX_32)
      .u16(name.length, 4 + wide.length * 8, 0, 0, 0)
      .u32(MODE * 0x10000, isFar ? ZIP_MAX_32 : offset)
      .raw(name)
      .u16(ZIP64_EXTRA, wide.length * 8)
      .u64(...wide);
    return header.bytes;
  }

  async #put(bytes: Uint8Array): Promise<void> {
    this.#offset += bytes.length;
    await this.#write(bytes);
  }
}

/** An entry that is being written. */
export class ZipEntry {
  readonly #write: (bytes: Uint8Array) => Promise<void>;
  readonly #end: (size: Bytes, crc: number) => Promise<void>;
  readonly #hash = createHash('sha256');
  #crc = 0;
  #size: Bytes = 0;

  constructor(write: (bytes: Uint8Array) => Promise<void>, end: (size: Bytes, crc: number) => Promise<void>) {
    this.#write = write;
    this.#end = end;
  }

  get size(): Bytes {
    return this.#size;
  }

  /** The bytes must not change afterwards. */
  async write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
    this.#crc = crc32(bytes, this.#crc);
    this.#size += bytes.length;
    await this.#write(bytes);
  }

  async finish(): Promise<EntryFacts> {
    await this.#end(this.#size, this.#crc);
    return { bytes: this.#size, sha256: this.#hash.digest('hex') };
  }
}

/** Little-endian numbers in a row (§4.4.1.1). */
class Fields {
  #bytes: Buffer;
  #at = 0;

  constructor(size: Bytes) {
    this.#bytes = Buffer.alloc(size);
  }

  u16(...values: number[]): this {
    for (const value of values) this.#at = this.#bytes.writeUInt16LE(value, this.#at);
    return this;
  }

  u32(...values: number[]): this {
    for (const value of values) this.#at = this.#bytes.writeUInt32LE(value, this.#at);
    return this;
  }

  u64(...values: number[]): this {
    for (const value of values) this.#at = this.#bytes.writeBigUInt64LE(BigInt(value), this.#at);
    return this;
  }

  /** Makes room for the bytes. */
  raw(bytes: Uint8Array): this {
    this.#bytes = Buffer.concat([this.#bytes.subarray(0, this.#at), bytes, this.#bytes.subarray(this.#at)]);
    this.#at += bytes.length;
    return this;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }
}

/** Date and time of MS-DOS (§4.4.6): seven bits of years since 1980, seconds by two. Times outside of 1980 to 2107 are the nearest one. */
function dosTime(at: EpochMs): number {
  const time = new Date(Math.min(Math.max(at, Date.UTC(1980, 0, 1)), Date.UTC(2107, 11, 31, 23, 59, 58)));
  const date = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate();
  const clock = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1);
  return date * 0x10000 + clock;
}
