import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipPart {
  readonly name: string;
  readonly data: string | Uint8Array;
  /** Default: deflate; the first entry of EPUB and OpenDocument is stored. */
  readonly stored?: boolean;
  /** Sizes and checksum behind the data, none in the local header. */
  readonly descriptor?: boolean;
  /** Sizes of 64 bits in the central directory. */
  readonly wide?: boolean;
  /** Bits that are set beyond those that the content needs. */
  readonly flags?: number;
  readonly method?: number;
  /** What the headers say, if it is not true. */
  readonly size?: number;
  readonly packedSize?: number;
  readonly crc?: number;
  readonly offset?: number;
}

const u16 = (...values: number[]) => Buffer.concat(values.map((value) => Buffer.from([value & 255, (value >> 8) & 255])));
const u32 = (...values: number[]) => Buffer.concat(values.map((value) => u16(value & 0xffff, Math.floor(value / 65536))));
const u64 = (...values: number[]) => Buffer.concat(values.map((value) => u32(value % 2 ** 32, Math.floor(value / 2 ** 32))));

/** A ZIP file as other programs write them: packed, or with lies. */
export function zipFile(parts: readonly ZipPart[], comment = ''): Uint8Array {
  let file: Buffer = Buffer.alloc(0);
  const headers: Buffer[] = [];
  for (const part of parts) {
    const [local, central] = entryOf(part, file.length);
    file = Buffer.concat([file, local]);
    headers.push(central);
  }
  const directory = Buffer.concat(headers);
  const end = [u32(0x06054b50), u16(0, 0, parts.length, parts.length), u32(directory.length, file.length), u16(comment.length)];
  return new Uint8Array(Buffer.concat([file, directory, ...end, Buffer.from(comment)]));
}

function entryOf(part: ZipPart, at: number): [local: Buffer, central: Buffer] {
  const data = Buffer.from(part.data);
  const packed = part.stored ? data : deflateRawSync(data);
  const name = Buffer.from(part.name);
  const flags = u16(0x0800 | (part.descriptor ? 8 : 0) | (part.flags ?? 0));
  const method = u16(part.method ?? (part.stored ? 0 : 8));
  const crc = u32(part.crc ?? crc32(data));
  const sizes = [part.packedSize ?? packed.length, part.size ?? data.length] as const;
  const facts = Buffer.concat([crc, u32(...sizes)]);
  const head = Buffer.concat([u16(20), flags, method, u32(0)]);
  const local = [u32(0x04034b50), head, part.descriptor ? Buffer.alloc(12) : facts, u16(name.length, 0), name, packed];
  const extra = part.wide ? Buffer.concat([u16(1, 16), u64(sizes[1], sizes[0])]) : Buffer.alloc(0);
  const shown = part.wide ? Buffer.concat([crc, u32(0xffffffff, 0xffffffff)]) : facts;
  const rest = Buffer.concat([u16(name.length, extra.length, 0, 0, 0), u32(0, part.offset ?? at), name, extra]);
  const descriptor = part.descriptor ? Buffer.concat([u32(0x08074b50), facts]) : Buffer.alloc(0);
  return [Buffer.concat([...local, descriptor]), Buffer.concat([u32(0x02014b50), u16(20), head, shown, rest])];
}
