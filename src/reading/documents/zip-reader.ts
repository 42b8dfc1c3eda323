/** Entries of a ZIP file in memory: EPUB, Word and OpenDocument files are such files. Every fault is an outcome; nothing throws. */
import { crc32, inflateRawSync } from 'node:zlib';
import { messageOf } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { ZIP_FLAG, ZIP_METHOD, ZIP_SIGNATURE, ZIP_SIZE } from '../../base/disk/zip-format.ts';
import { type ZipEntryFacts, zipDirectory } from './zip-directory.ts';

/** Bytes that are inflated of one file in all: books have up to some 10 MB of text, and a bomb ends here. */
const MAX_INFLATED: Bytes = 64 * 1024 * 1024;

export type ZipOpening = { readonly kind: 'open'; readonly archive: ZipArchive } | ZipFault;
export interface ZipFault {
  readonly kind: 'failed';
  readonly detail: string;
}
export type ZipContent = { readonly kind: 'read'; readonly bytes: Uint8Array } | { readonly kind: 'absent' | 'encrypted' } | ZipFault;

/** Opens a file by its central directory. O(entries), at most 65,535. @param most bytes that are inflated in all */
export function openZip(bytes: Uint8Array, most: Bytes = MAX_INFLATED): ZipOpening {
  const directory = zipDirectory(bytes);
  return directory.kind === 'failed' ? directory : { kind: 'open', archive: new ZipArchive(bytes, directory.entries, most) };
}

export class ZipArchive {
  readonly #bytes: Buffer;
  readonly #entries: ReadonlyMap<string, ZipEntryFacts>;
  /** Names in lower case: some writers spell a name in two ways. */
  readonly #folded: ReadonlyMap<string, string>;
  #left: Bytes;

  constructor(bytes: Uint8Array, entries: readonly ZipEntryFacts[], most: Bytes) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#entries = new Map(entries.map((entry) => [entry.name, entry]));
    this.#folded = new Map(entries.map(({ name }) => [name.toLowerCase(), name]));
    this.#left = most;
  }

  /** Names with `/` between folders, in the order of the directory. */
  get names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  has(name: string): boolean {
    return this.#entry(name) !== undefined;
  }

  /** Content of an entry. Each call inflates it again, and counts. */
  read(name: string): ZipContent {
    const entry = this.#entry(name);
    if (entry === undefined) return { kind: 'absent' };
    if (isEncrypted(entry)) return { kind: 'encrypted' };
    const packed = this.#packed(entry);
    if (packed === null) return fault(entry, 'does not begin where the directory says');
    if (entry.size > this.#left) return fault(entry, 'is larger than the bytes that may be inflated');
    const content = contentOf(entry, packed);
    if (content.kind === 'read') this.#left -= content.bytes.length;
    return content;
  }

  #entry(name: string): ZipEntryFacts | undefined {
    return this.#entries.get(name) ?? this.#entries.get(this.#folded.get(name.toLowerCase()) ?? '');
  }

  /** The bytes behind the local header, whose name and extra field may have other lengths than those of the directory. */
  #packed({ offset, packedSize }: ZipEntryFacts): Uint8Array | null {
    const start = offset + ZIP_SIZE.localHeader;
    if (start > this.#bytes.length || this.#bytes.readUInt32LE(offset) !== ZIP_SIGNATURE.localHeader) return null;
    const data = start + this.#bytes.readUInt16LE(offset + 26) + this.#bytes.readUInt16LE(offset + 28);
    return data + packedSize > this.#bytes.length ? null : this.#bytes.subarray(data, data + packedSize);
  }
}

function isEncrypted({ flags, method }: ZipEntryFacts): boolean {
  return (flags & (ZIP_FLAG.encrypted | ZIP_FLAG.strongEncryption)) !== 0 || method === ZIP_METHOD.aes;
}

function contentOf(entry: ZipEntryFacts, packed: Uint8Array): ZipContent {
  const bytes = unpacked(entry, packed);
  if (typeof bytes === 'string') return fault(entry, bytes);
  if (bytes.length !== entry.size) return fault(entry, `has ${bytes.length} bytes, not ${entry.size}`);
  return crc32(bytes) === entry.crc ? { kind: 'read', bytes } : fault(entry, 'does not match its checksum');
}

/** The bytes, or the fault. One byte more than declared is too much: inflating ends there. */
function unpacked({ method, size }: ZipEntryFacts, packed: Uint8Array): Uint8Array | string {
  if (method === ZIP_METHOD.stored) return packed;
  if (method !== ZIP_METHOD.deflate) return `is packed by method ${method}, which is not read`;
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    return `cannot be inflated (${messageOf(error)})`;
  }
}

function fault({ name }: ZipEntryFacts, what: string): ZipFault {
  return { kind: 'failed', detail: `the entry ${name.slice(0, 100)} ${what}` };
}
