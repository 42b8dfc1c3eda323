/** Copies of corpus files without the pages that were taken back. The bytes of these pages are not read into the copies. */
import { copyFile, open, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { flush } from '../../base/core/on-disk.ts';
import type { CorpusOffsets } from '../../base/core/parts/queueing.ts';
import type { Bytes, CanonicalUrl, CrawlRecord, RecordId } from '../../base/core/types.ts';
import { routeOf, withoutRoute } from '../../base/web/url.ts';
import { ABSENCES_FILE, absenceLine, readAbsences } from './absences.ts';
import { writeAll } from './corpus-file.ts';
import { VISITS_FILE, warcNamesOf } from './corpus-writer.ts';
import { FileBytes } from './file-bytes.ts';
import { pieces } from './gzip-members.ts';
import { referrerIn, withoutReferrer } from './quoted-referrer.ts';
import { placedRecordsOf, RECORDS_FILE, readRecords, storedRecordLine } from './records.ts';
import { isOfScript, pageUrlOf } from './render-records.ts';
import { bareId } from './warc-record.ts';
import { type WarcEntry, walkWarc } from './warc-stream.ts';
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
  const purged = await purgedIds(from, committed, withdrawals);
  const sizes: Record<string, Bytes> = {};
  for (const [name, end] of Object.entries(committed)) {
    const path = join(from, name);
    const parts =
      name === RECORDS_FILE
        ? records(path, end, withdrawals, purged)
        : name === VISITS_FILE
          ? visits(path, end, withdrawals)
          : name === ABSENCES_FILE
            ? absences(from, end, withdrawals)
            : warcs.has(name)
              ? warcRecords(path, end, withdrawals, purged)
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

/** The WARC records of a purge that no URL tells: others have the URL of their page. */
interface Purged {
  /** Ids of answers to scripts that no page needs which stays, or that are themselves a page that was taken back; and of responses of routes. */
  readonly ids: Set<RecordId>;
  /** Ids of responses that stay, although a page was taken back that has their URL without a route: its text is in its rendered document. */
  readonly spared: Set<RecordId>;
}

/** Reads the records twice. If some page was rendered, it reads the WARC files once. @throws DataError */
async function purgedIds(dir: string, committed: CorpusOffsets, withdrawals: Withdrawals): Promise<Purged> {
  const ids = new Set<RecordId>();
  const spared = new Set<RecordId>();
  const read = () => readRecords(dir, committed[RECORDS_FILE]);
  const sentAs = new Set<CanonicalUrl>();
  let areRendered = false;
  for await (const { id, url, rendering } of read()) {
    areRendered ||= rendering !== undefined;
    if (!withdrawals.has(url)) continue;
    if (routeOf(url) !== '') ids.add(id);
    else if (rendering === undefined) sentAs.add(url);
    for (const resource of rendering?.resources ?? []) ids.add(resource);
  }
  if (!areRendered) return { ids, spared };
  for await (const { id, url, rendering } of read()) {
    if (withdrawals.has(url)) continue;
    if (routeOf(url) !== '' && !sentAs.has(withoutRoute(url))) spared.add(id);
    for (const resource of rendering?.resources ?? []) ids.delete(resource);
  }
  for (const name of warcNamesOf(committed))
    for await (const { fields } of walkWarc(join(dir, name), () => false, committed[name]))
      if (isOfScript(fields) && withdrawals.has(pageUrlOf(fields))) ids.add(bareId(fields.get('warc-record-id')));
  return { ids, spared };
}

async function* records(path: string, end: Bytes, withdrawals: Withdrawals, purged: Purged): AsyncGenerator<Part> {
  for await (const { record, place } of placedRecordsOf(path, end)) {
    if (withdrawals.has(record.url)) continue;
    const rest = withoutTraces(record, withdrawals, purged);
    yield rest === record ? { start: place.start, end: place.start + place.length + 1 } : storedRecordLine(rest);
  }
}

/** The record of a page that stays does not name the pages that go. The same object if it names none. */
function withoutTraces(record: CrawlRecord, withdrawals: Withdrawals, { ids }: Purged): CrawlRecord {
  const { rendering } = record;
  const unnamed = withdrawals.unnamedIn(record);
  if (rendering === undefined || !rendering.resources.some((id) => ids.has(id))) return unnamed;
  return { ...unnamed, rendering: { ...rendering, resources: rendering.resources.filter((id) => !ids.has(id)) } };
}

/** The absences of other pages. A page that moved to one that goes does not name it. */
async function* absences(dir: string, end: Bytes, withdrawals: Withdrawals): AsyncGenerator<Part> {
  for await (const absence of readAbsences(dir, end)) {
    if (withdrawals.has(absence.url)) continue;
    yield absenceLine(absence.to !== null && withdrawals.has(absence.to) ? { ...absence, to: null } : absence);
  }
}

async function* warcRecords(path: string, end: Bytes, withdrawals: Withdrawals, purged: Purged): AsyncGenerator<Part> {
  for await (const entry of walkWarc(path, (fields) => fields.get('warc-type') === 'metadata', end)) {
    if (isPurged(entry.fields, withdrawals, purged)) continue;
    const referrer = referrerIn(entry);
    yield referrer !== null && withdrawals.has(referrer) ? withoutReferrer(entry) : { start: entry.start, end: entry.end };
  }
}

/** A revisit goes or stays with the response that it refers to, and its request with it. */
function isPurged(fields: WarcEntry['fields'], withdrawals: Withdrawals, { ids, spared }: Purged): boolean {
  const own = bareId(fields.get('warc-record-id'));
  const others = [own, bareId(fields.get('warc-concurrent-to')), bareId(fields.get('warc-refers-to'))];
  const isRevisit = fields.get('warc-type') === 'revisit';
  if (others.some((id) => ids.has(id))) {
    if (isRevisit) ids.add(own);
    return true;
  }
  if (others.some((id) => spared.has(id))) {
    if (isRevisit) spared.add(own);
    return false;
  }
  return withdrawals.has(pageUrlOf(fields));
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
