/** Reading tar streams: ustar with GNU long names and pax headers, and the form of Unix V7. */
import { DataError } from '../../src/base/core/errors.ts';

/** A member of the archive. Names are relative and `/`-separated, without a leading `./`. */
export type TarMember =
  | { readonly kind: 'file'; readonly name: string; readonly body: Buffer }
  | { readonly kind: 'hardlink'; readonly name: string; readonly target: string }
  /** `target` as written: relative to the link's folder, or absolute. */
  | { readonly kind: 'symlink'; readonly name: string; readonly target: string };

interface Header {
  readonly name: string;
  readonly link: string;
  readonly size: number;
  readonly type: string;
}

const BLOCK = 512;

/**
 * The files whose name `wanted` accepts, and all links, in order. Bodies of other members are skipped without being kept.
 * @throws DataError when the stream ends inside a member or a header is no tar header.
 */
export async function* tarMembers(stream: AsyncIterable<Buffer>, wanted: (name: string) => boolean): AsyncGenerator<TarMember> {
  const bytes = new ByteReader(stream);
  let longName: string | null = null;
  let longLink: string | null = null;
  for (let block = await bytes.take(BLOCK); block !== null && block[0] !== 0; block = await bytes.take(BLOCK)) {
    const header = parseHeader(block);
    if (header.type === 'L' || header.type === 'K' || header.type === 'x') {
      const text = (await bytes.body(header.size)).toString('utf8');
      const pax = header.type === 'x' ? paxRecords(text) : new Map<string, string>();
      longName = header.type === 'L' ? cString(text) : (pax.get('path') ?? longName);
      longLink = header.type === 'K' ? cString(text) : (pax.get('linkpath') ?? longLink);
      continue;
    }
    const name = clean(longName ?? header.name);
    const target = longLink ?? header.link;
    longName = null;
    longLink = null;
    if (header.type === '2') yield { kind: 'symlink', name, target };
    else if (header.type === '1') yield { kind: 'hardlink', name, target: clean(target) };
    else if ((header.type === '0' || header.type === '\0') && wanted(name)) {
      yield { kind: 'file', name, body: await bytes.body(header.size) };
      continue;
    }
    await bytes.skip(header.size);
  }
  await bytes.drain();
}

/** POSIX.1-1988 ustar header: name 0–99, size 124–135 octal, checksum 148–155 octal, type 156, link name 157–256, magic 257, name prefix 345–499. */
function parseHeader(block: Buffer): Header {
  const magic = block.toString('latin1', 257, 262);
  // Archives by automake have the form of Unix V7, without magic.
  if (
    magic !== 'ustar' &&
    (magic !== '\0\0\0\0\0' || checksumOf(block) !== Number.parseInt(cString(block.toString('latin1', 148, 156)), 8))
  )
    throw new DataError('package archive: a tar header is damaged; download the package again');
  const field = (from: number, to: number) => cString(block.toString('utf8', from, to));
  // GNU tar (magic "ustar  ") uses the prefix field for other things.
  const prefix = magic === 'ustar' && block[262] === 0 ? field(345, 500) : '';
  const name = field(0, 100);
  const size = Number.parseInt(field(124, 136).trim() || '0', 8);
  return { name: prefix === '' ? name : `${prefix}/${name}`, link: field(157, 257), size, type: String.fromCharCode(block[156] ?? 0) };
}

/** Sum of the bytes of a header, with spaces for its checksum. */
function checksumOf(block: Buffer): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);
}

/** Records `length key=value\n` of a pax extended header. */
function paxRecords(text: string): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  for (const line of text.split('\n')) {
    const match = /^\d+ ([^=]+)=(.*)$/.exec(line);
    if (match !== null) records.set(match[1] ?? '', match[2] ?? '');
  }
  return records;
}

function cString(text: string): string {
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

function clean(name: string): string {
  return name.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '');
}

/** Exact byte counts out of a stream of chunks. */
class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** The next `count` bytes; null at the end of the stream. */
  async take(count: number): Promise<Buffer | null> {
    const parts: Buffer[] = [];
    let missing = count;
    while (missing > 0) {
      if (this.#rest.byteLength === 0 && !(await this.#fill())) break;
      const part = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(part.byteLength);
      missing -= part.byteLength;
      parts.push(part);
    }
    if (missing === count && count > 0) return null;
    if (missing > 0) throw new DataError('package archive: it ends in the middle of a member; download the package again');
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  /** A member's body, with the padding to a whole block taken off. */
  async body(size: number): Promise<Buffer> {
    const padded = await this.take(paddedSize(size));
    if (padded === null && size > 0) throw new DataError('package archive: it ends before a member; download the package again');
    return (padded ?? Buffer.alloc(0)).subarray(0, size);
  }

  async skip(size: number): Promise<void> {
    let left = paddedSize(size);
    while (left > 0) {
      if (this.#rest.byteLength === 0 && !(await this.#fill())) return;
      const step = Math.min(left, this.#rest.byteLength);
      this.#rest = this.#rest.subarray(step);
      left -= step;
    }
  }

  /** Read to the end, so that the writing process is not cut by a closed pipe. */
  async drain(): Promise<void> {
    while (await this.#fill());
  }

  async #fill(): Promise<boolean> {
    const next = await this.#chunks.next();
    if (next.done === true) return false;
    this.#rest = next.value;
    return true;
  }
}

function paddedSize(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}
