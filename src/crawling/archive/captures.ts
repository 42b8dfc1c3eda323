/** Captures of web archives: the answer for a URL at a moment, and the place of its record. */
import { open } from 'node:fs/promises';
import { DataError } from '../../base/core/errors.ts';
import type { Bytes, EpochMs } from '../../base/core/types.ts';
import { DamagedWarc } from '../../corpus/records/file-bytes.ts';
import { targetUri } from '../../corpus/records/warc-reader.ts';
import { nextRecord } from '../../corpus/records/warc-recovery.ts';
import { type WarcEntry, walkWarc } from '../../corpus/records/warc-stream.ts';
import type { WarcPlace } from './archive-files.ts';

/** `response`: an HTTP response. `revisit`: the same as an earlier one. `resource`: a file without HTTP. */
export const CAPTURE_KINDS = ['response', 'revisit', 'resource'] as const;
export type CaptureKind = (typeof CAPTURE_KINDS)[number];

/** A record of an archive that answers for a URL. */
export interface Capture {
  /** URL as written, not canonical. */
  readonly url: string;
  readonly at: EpochMs;
  readonly kind: CaptureKind;
  /** null if unknown. */
  readonly status: number | null;
  /** Digest of the payload without its prefix; '' if unknown. */
  readonly digest: string;
  /** Name of its WARC file: that of the place, or as an index has it, with folders. */
  readonly filename: string;
  /** Place of the record in the file on the disk; `length` is null if unknown. */
  readonly offset: Bytes;
  readonly length: Bytes | null;
}

/** Enough for the status line of a response. */
const STATUS_BYTES: Bytes = 64;

/**
 * The captures of a WARC file, in its order. Damage is skipped, up to the next record.
 * @param onDamaged receives each damaged place, in words
 * @throws DataError if the file is one gzip member: its records cannot be read one by one
 */
export async function* capturesOf({ path, begin, end, name }: WarcPlace, onDamaged: (where: string) => void): AsyncGenerator<Capture> {
  const isGzip = await beginsWithGzip(path, begin);
  let from: Bytes | null = begin;
  while (from !== null && from < end) {
    let good: Bytes = from;
    try {
      for await (const entry of walkWarc(path, wanted, end, from)) {
        if (isGzip && entry.end === entry.start) throw asAWhole(path);
        const capture = captureOf(entry, name);
        if (capture !== null) yield capture;
        good = entry.end;
      }
      return;
    } catch (error) {
      if (!(error instanceof DamagedWarc)) throw error;
      onDamaged(error.where);
      from = await nextRecord(path, good + 1, end, isGzip);
    }
  }
}

function wanted(fields: ReadonlyMap<string, string>): boolean | Bytes {
  return kindOf(fields) === 'response' ? STATUS_BYTES : false;
}

/** null for a record that answers for no URL: of requests, metadata, the file itself, or of the DNS. */
function captureOf({ fields, content, start, end }: WarcEntry, filename: string): Capture | null {
  const kind = kindOf(fields);
  const at = Date.parse(fields.get('warc-date') ?? '');
  if (kind === null || Number.isNaN(at)) return null;
  const status = kind === 'resource' ? 200 : content === null ? null : statusIn(content);
  if (kind === 'response' && status === null) return null;
  const digest = bareDigest(fields.get('warc-payload-digest'));
  return { url: targetUri(fields), at, kind, status, digest, filename, offset: start, length: end - start };
}

function kindOf(fields: ReadonlyMap<string, string>): CaptureKind | null {
  const kind = CAPTURE_KINDS.find((one) => one === fields.get('warc-type')?.toLowerCase()) ?? null;
  const isOfWeb = /^<?https?:/i.test(fields.get('warc-target-uri') ?? '');
  return isOfWeb ? kind : null;
}

export function bareDigest(digest: string | undefined): string {
  return digest?.replace(/^[a-z\d-]+:/i, '') ?? '';
}

function statusIn(content: Uint8Array): number | null {
  const found = /^HTTP\S*[ \t]+(\d{3})/i.exec(Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1'))?.[1];
  return found === undefined ? null : Number(found);
}

async function beginsWithGzip(path: string, begin: Bytes): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, begin);
    return buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await handle.close();
  }
}

function asAWhole(path: string): DataError {
  return new DataError(
    `${path}: is compressed as a whole, so its records cannot be read one by one; compress each record by itself, e.g. with: warcio recompress`,
  );
}
