/** The form of an entry in the table of the log: its kind, the number that this view gave to its discovery, URL or host, and the packed entry. */
import { Packr } from 'msgpackr';
import { InvariantError } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import type { ValueForm } from './checked-table.ts';
import { type LogEntry, type PackedEntry, packEntry, unpackEntry } from './log-entry.ts';
import { LOG_KINDS } from './log-places.ts';

/** Bytes before the packed entry: its kind in one, its key in four, little-endian. */
const HEAD: Bytes = 5;

/** An entry with its number in this view. */
export interface LoggedEntry {
  /** Number of the discovery, the URL or the host; of an unparking, its place among them. */
  readonly key: number;
  readonly entry: LogEntry;
}

/** The stored form. */
export interface LoggedValue {
  readonly kind: LogEntry['kind'];
  readonly key: number;
  readonly packed: Uint8Array;
}

const packr = new Packr({});

export const AS_LOGGED: ValueForm<LoggedValue> = {
  encode: ({ kind, key, packed }) => {
    const bytes = Buffer.allocUnsafe(HEAD + packed.length);
    bytes.writeUInt8(LOG_KINDS.indexOf(kind), 0);
    bytes.writeUInt32LE(key, 1);
    bytes.set(packed, HEAD);
    return bytes;
  },
  decode: (bytes) => {
    if (bytes.length < HEAD) throw new InvariantError(`${bytes.length} bytes do not make an entry of a log`);
    const kind = LOG_KINDS[bytes[0] ?? LOG_KINDS.length];
    if (kind === undefined) throw new InvariantError(`no step of this version is of kind number ${bytes[0]}`);
    return { kind, key: Buffer.from(bytes.buffer, bytes.byteOffset, HEAD).readUInt32LE(1), packed: bytes.subarray(HEAD) };
  },
};

export function toValue({ key, entry }: LoggedEntry): LoggedValue {
  return { kind: entry.kind, key, packed: packr.pack(packEntry(entry)) };
}

/** @throws Error of any kind for data that `toValue` did not make */
export function entryIn({ packed }: LoggedValue): LogEntry {
  return unpackEntry(packr.unpack(packed) as PackedEntry);
}
