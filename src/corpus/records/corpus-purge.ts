/** Copies of corpus files without the pages that were taken back. The bytes of these pages are not read into the copies. */
import { copyFile, open, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { flush } from '../../base/core/on-disk.ts';
import type { CorpusOffsets } from '../../base/core/parts/queueing.ts';
import type { Bytes } from '../../base/core/types.ts';
import { writeAll } from './corpus-file.ts';
import { VISITS_FILE, warcNamesOf } from './corpus-writer.ts';
import { FileBytes } from './file-bytes.ts';
import { pieces } from './gzip-members.ts';
import { referrerIn, withoutReferrer } from './quoted-referrer.ts';
import { placedRecordsOf, RECORDS_FILE, storedRecordLine } from './records.ts';
import { walkWarc } from './warc-stream.ts';
import type { Withdrawals } from './withdrawals.ts';

/** A part of the old file, or bytes in place of one. */
type Part = { readonly start: Bytes; readonly end: Bytes } | Uint8Array;

const COPIED_AT_ONCE: Bytes = 1024 * 1024;

/**
 * Copies the committed bytes of each file of a corpus folder to another folder, without the pages that were taken back.
 * @returns sizes of the copies, by the same names
 * @throws DataError for a damaged file; StoreError
 */
export async function purgedCorpus(from: string, to: string, committed: CorpusOffsets, withdrawals: Withdrawals): Promise<CorpusOffsets> {
  const warcs = new Set(warcNamesOf(committed));
  const sizes: Record<string, Bytes> = {};
  for (const [name, end] of Object.entries(committed)) {
    const path = join(from, name);
    const parts =
      name === RECORDS_FILE
        ? records(path, end, withdrawals)
        : name === VISITS_FILE
          ? visits(path, end, withdrawals)
          : warcs.has(name)
            ? warcRecords(path, end, withdrawals)
            : null;
    sizes[name] = parts === null ? await copied(path, join(to, name), end) : await written(path, join(to, name), parts);
  }
  return sizes;
}

async function copied(from: string, to: string, end: Bytes): Promise<Bytes> {
  await copyFile(from, to);
  await truncate(to, end);
  await flush(to);
  return end;
}

/** A page that was found on one of the pages does not quote its link. */
async function* records(path: string, end: Bytes, withdrawals: Withdrawals): AsyncGenerator<Part> {
  for await (const { record, place } of placedRecordsOf(path, end)) {
    if (withdrawals.has(record.url)) continue;
    if (record.referrer !== null && withdrawals.has(record.referrer)) yield storedRecordLine({ ...record, referrer: null, anchorText: '' });
    else yield { start: place.start, end: place.start + place.length + 1 };
  }
}

async function* warcRecords(path: string, end: Bytes, withdrawals: Withdrawals): AsyncGenerator<Part> {
  for await (const entry of walkWarc(path, (fields) => fields.get('warc-type') === 'metadata', end)) {
    if (withdrawals.has(entry.fields.get('warc-target-uri') ?? '')) continue;
    const referrer = referrerIn(entry);
    yield referrer !== null && withdrawals.has(referrer) ? withoutReferrer(entry) : { start: entry.start, end: entry.end };
  }
}

/** A recording has one line in each gzip member. */
async function* visits(path: string, end: Bytes, withdrawals: Withdrawals): AsyncGenerator<Part> {
  const input = await FileBytes.open(path, end, 0);
  const file = await open(path, 'r');
  let start = 0;
  try {
    for await (const piece of pieces(input)) {
      if (piece.kind !== 'end-of-member') continue;
      const { buffer } = await file.read(Buffer.alloc(piece.at - start), 0, piece.at - start, start);
      const { url } = JSON.parse(gunzipSync(buffer).toString('utf8')) as { readonly url?: unknown };
      if (typeof url !== 'string' || !withdrawals.has(url)) yield { start, end: piece.at };
      start = piece.at;
    }
  } finally {
    await file.close();
    await input.close();
  }
}

async function written(from: string, to: string, parts: AsyncIterable<Part>): Promise<Bytes> {
  const [source, target] = [await open(from, 'r'), await open(to, 'wx')];
  let size: Bytes = 0;
  try {
    for await (const part of parts) {
      if (part instanceof Uint8Array) {
        await writeAll(target, part, size);
        size += part.length;
        continue;
      }
      for (let at = part.start; at < part.end; ) {
        const { buffer, bytesRead } = await source.read(Buffer.alloc(Math.min(COPIED_AT_ONCE, part.end - at)), 0, null, at);
        if (bytesRead === 0) break;
        await writeAll(target, buffer.subarray(0, bytesRead), size);
        [at, size] = [at + bytesRead, size + bytesRead];
      }
    }
    await target.sync();
    return size;
  } finally {
    await source.close();
    await target.close();
  }
}
