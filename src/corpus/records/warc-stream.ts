import type { Bytes } from '../../base/core/types.ts';
import { damaged, FileBytes } from './file-bytes.ts';
import { type Piece, pieces } from './gzip-members.ts';

/** One WARC record of a file. */
export interface WarcEntry {
  /** Named fields, lower-case names; the last of a repeated field wins. */
  readonly fields: ReadonlyMap<string, string>;
  /** First byte of the record in the file on disk; `start` to `end` are whole gzip members if each record is its own member. */
  readonly start: Bytes;
  readonly end: Bytes;
  readonly length: Bytes;
  /** Content of the record, or its beginning, if `wants` wanted only that; null if `wants` did not want it. */
  readonly content: Uint8Array | null;
}

/** Amount of a record's content to read: all, nothing, or its first bytes, from its fields and its length. */
export type Wants = (fields: ReadonlyMap<string, string>, length: Bytes) => boolean | Bytes;

/** Headers are a few hundred bytes; no standard caps the length of a URL. */
const MAX_HEADER_BYTES: Bytes = 256 * 1024;
const CR = 13;
const LF = 10;
const W = 87;

/**
 * The records of a .warc or .warc.gz file or stream (any mix of members and records), in order. Memory is one wanted record and at most 17 MB. A
 * record is returned only after the checksum of its gzip member was right; if a member contains several records, only the last can wait for that.
 * @param from a path, or an open input, which is closed at the end
 * @param end number of valid bytes in the file at a path
 * @param begin position of the first record in it
 * @throws DataError naming file and offset if the file is damaged, after returning all records before that
 */
export async function* walkWarc(
  from: string | FileBytes,
  wants: Wants,
  end: Bytes = Number.POSITIVE_INFINITY,
  begin: Bytes = 0,
): AsyncGenerator<WarcEntry> {
  const input = typeof from === 'string' ? await FileBytes.open(from, end, begin) : from;
  const { path } = input;
  const reader = new PieceReader(pieces(input));
  try {
    while (await reader.skipBlankLines()) {
      const start = reader.offset;
      const fields = await readFields(reader, path, start);
      const length = contentLength(fields, path, start);
      const content = await reader.content(length, bytesWanted(wants(fields, length)));
      if (content === 'short') throw damaged(path, start, 'the file ends inside a record');
      if (!(await reader.confirmEnd())) throw damaged(path, start, 'a record is longer than it says');
      yield { fields, start, end: reader.offset, length, content };
    }
  } finally {
    await reader.close();
    await input.close();
  }
}

function bytesWanted(wanted: boolean | Bytes): Bytes {
  return typeof wanted === 'number' ? wanted : wanted ? Number.POSITIVE_INFINITY : 0;
}

async function readFields(reader: PieceReader, path: string, start: Bytes): Promise<Map<string, string>> {
  const fields = new Map<string, string>();
  let budget = MAX_HEADER_BYTES;
  let last = '';
  for (let first = true; ; first = false) {
    const line = await reader.line(budget);
    if (line === null) throw damaged(path, start, 'a record header breaks off or is too long');
    budget -= line.length;
    if (first && !line.startsWith('WARC/')) throw damaged(path, start, 'no WARC record starts here');
    if (first) continue;
    if (line === '') return fields;
    if (line.startsWith(' ') || line.startsWith('\t')) fields.set(last, `${fields.get(last) ?? ''} ${line.trim()}`);
    else last = setField(fields, line);
  }
}

function setField(fields: Map<string, string>, line: string): string {
  const colon = line.indexOf(':');
  if (colon < 0) return '';
  const name = line.slice(0, colon).trim().toLowerCase();
  fields.set(name, line.slice(colon + 1).trim());
  return name;
}

function contentLength(fields: ReadonlyMap<string, string>, path: string, start: Bytes): Bytes {
  const declared = fields.get('content-length') ?? '';
  const length = Number(declared);
  if (!/^\d+$/.test(declared) || !Number.isSafeInteger(length)) throw damaged(path, start, 'a record without a Content-Length');
  return length;
}

/** Lines and runs of bytes from pieces. */
class PieceReader {
  readonly #source: AsyncGenerator<Piece>;
  #piece: Piece = { bytes: new Uint8Array(0), at: 0, kind: 'plain' };
  #used = 0;

  constructor(source: AsyncGenerator<Piece>) {
    this.#source = source;
  }

  /** The position of the next byte in the file: that of its gzip member, or of the byte itself. */
  get offset(): Bytes {
    return this.#piece.kind === 'plain' ? this.#piece.at + this.#used : this.#piece.at;
  }

  /** False at the end of the file. */
  async fill(): Promise<boolean> {
    while (this.#used === this.#piece.bytes.length) {
      if (!(await this.#advance())) return false;
    }
    return true;
  }

  /** False at the end of the file. */
  async skipBlankLines(): Promise<boolean> {
    while (await this.fill()) {
      if (!this.#atBlank()) return true;
      this.#used++;
    }
    return false;
  }

  /**
   * Skips the blank lines after a record, and the checksum of its gzip member if the record was its last.
   * @returns false if the following bytes of the member cannot be another record, as in damaged data
   */
  async confirmEnd(): Promise<boolean> {
    for (;;) {
      while (this.#atBlank()) this.#used++;
      if (this.#used < this.#piece.bytes.length) return this.#piece.kind === 'plain' || this.#piece.bytes[this.#used] === W;
      if (this.#piece.kind === 'end-of-member' || !(await this.#advance())) return true;
    }
  }

  /** A line of UTF-8 without its line feed; null if it is longer than `max` bytes or does not end. */
  async line(max: Bytes): Promise<string | null> {
    const parts: Uint8Array[] = [];
    for (let length = 0; length <= max && (await this.fill()); ) {
      const newline = this.#piece.bytes.indexOf(LF, this.#used);
      const part = this.#next(newline < 0 ? Number.POSITIVE_INFINITY : newline + 1 - this.#used);
      parts.push(part);
      length += part.length;
      if (newline >= 0)
        return length > max
          ? null
          : Buffer.concat(parts)
              .toString('utf8')
              .replace(/\r?\n$/, '');
    }
    return null;
  }

  /** Skips `length` bytes. @returns the first `wanted` of them, or null if none is wanted; 'short' if the file ends before */
  async content(length: Bytes, wanted: Bytes): Promise<Uint8Array | null | 'short'> {
    const parts: Uint8Array[] = [];
    let kept = 0;
    for (let left = length; left > 0; ) {
      if (!(await this.fill())) return 'short';
      const part = this.#next(left);
      left -= part.length;
      if (kept < wanted) parts.push(part.subarray(0, wanted - kept));
      kept += part.length;
    }
    if (wanted === 0) return null;
    const [first] = parts;
    // Not copied where it need not be: most records are one piece.
    return parts.length === 1 && first ? first : Buffer.concat(parts);
  }

  async close(): Promise<void> {
    await this.#source.return(undefined);
  }

  async #advance(): Promise<boolean> {
    const next = await this.#source.next();
    if (next.done) return false;
    this.#piece = next.value;
    this.#used = 0;
    return true;
  }

  #atBlank(): boolean {
    const byte = this.#piece.bytes[this.#used];
    return byte === CR || byte === LF;
  }

  #next(atMost: Bytes): Uint8Array {
    const part = this.#piece.bytes.subarray(this.#used, Math.min(this.#piece.bytes.length, this.#used + atMost));
    this.#used += part.length;
    return part;
  }
}
