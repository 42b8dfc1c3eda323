import { join } from 'node:path';
import type { OnDamaged } from '../../base/core/errors.ts';
import type { CorpusOffsets } from '../../base/core/parts/queueing.ts';
import type { Bytes, CanonicalUrl, EpochMs, RecordId } from '../../base/core/types.ts';
import { corpusSizes, warcNamesOf } from './corpus-writer.ts';
import { decodeBody, parseResponse } from './http-message.ts';
import { walkWarcBehindDamage } from './warc-recovery.ts';
import type { WarcEntry } from './warc-stream.ts';

/** The bytes of one kept page, as they were read. */
export interface KeptPage {
  /** Id of its corpus record. */
  readonly recordId: RecordId;
  readonly url: CanonicalUrl;
  /** Time of the request. */
  readonly date: EpochMs;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** De-chunked and content-decoded. */
  readonly body: Uint8Array;
}

/** The largest body that a fetch unpacks. */
const MAX_BODY_BYTES: Bytes = 32 * 1024 * 1024;

/** Larger records are skipped: the wire form of a body is never much larger than the body. */
const MAX_RECORD_BYTES: Bytes = 2 * MAX_BODY_BYTES;

/**
 * The committed pages of a crawl's WARC files, in the order of keeping. Pages that cannot be unpacked are skipped.
 * @param onDamaged receives damaged records, which are skipped; without it they are errors
 * @throws DataError naming file and offset if a file is damaged
 */
export async function* readKeptPages(dir: string, committed: CorpusOffsets, onDamaged?: OnDamaged): AsyncGenerator<KeptPage> {
  const files = warcNamesOf(committed).map((name) => ({ path: join(dir, name), end: committed[name] ?? 0 }));
  yield* readPagesOf(files, () => true, onDamaged);
}

/**
 * The pages of WARC files, each up to its valid bytes, in their order. Pages that cannot be unpacked are skipped.
 * @param wants the pages to read
 * @param onSkipped receives the pages that cannot be unpacked, such as those that were cut
 * @throws as `readKeptPages`
 */
export async function* readPagesOf(
  files: readonly { readonly path: string; readonly end: Bytes }[],
  wants: (id: RecordId) => boolean,
  onDamaged?: OnDamaged,
  onSkipped: (id: RecordId) => void = () => undefined,
): AsyncGenerator<KeptPage> {
  const isWanted = (fields: ReadonlyMap<string, string>, length: Bytes) => isPageResponse(fields, length) && wants(idOfResponse(fields));
  for (const { path, end } of files) {
    for await (const entry of walkWarcBehindDamage(path, isWanted, end, onDamaged)) {
      const page = keptPageOf(entry);
      if (page !== null) yield page;
      else if (isWanted(entry.fields, 0)) onSkipped(idOfResponse(entry.fields));
    }
  }
}

/** Is it a response that may be a page, of a size that is read? */
export function isPageResponse(fields: ReadonlyMap<string, string>, length: Bytes): boolean {
  return fields.get('warc-type') === 'response' && length <= MAX_RECORD_BYTES;
}

/** @param entry a response @returns null if it was not read, or cannot be unpacked */
export function keptPageOf({ fields, content }: Pick<WarcEntry, 'fields' | 'content'>): KeptPage | null {
  const response = content && parseResponse(content);
  const decoded = response && decodeBody(response, MAX_BODY_BYTES);
  if (response === null || decoded?.kind !== 'decoded') return null;
  return {
    recordId: idOfResponse(fields),
    url: (fields.get('warc-target-uri') ?? '') as CanonicalUrl,
    date: Date.parse(fields.get('warc-date') ?? ''),
    status: response.status,
    headers: response.headers,
    body: decoded.body,
  };
}

/**
 * Do records and WARC files belong to one crawl? Reads up to the first response of one of the records.
 * @returns the path of a WARC file with responses, if none of all responses belongs to these records; null if one does, or if there is no response
 */
export async function responseOfNone(dir: string, ids: ReadonlySet<RecordId>): Promise<string | null> {
  let other: string | null = null;
  for await (const { path, id } of responseIds(dir)) {
    if (ids.has(id)) return null;
    other ??= path;
  }
  return other;
}

/** The ids of all responses in WARC files, except damaged ones. One pass over the files. @throws the reason of `signal` */
export async function responsesIn(dir: string, signal?: AbortSignal): Promise<ReadonlySet<RecordId>> {
  const ids = new Set<RecordId>();
  for await (const { id } of responseIds(dir)) {
    signal?.throwIfAborted();
    ids.add(id);
  }
  return ids;
}

async function* responseIds(dir: string): AsyncGenerator<{ readonly path: string; readonly id: RecordId }> {
  const sizes = await corpusSizes(dir);
  for (const name of warcNamesOf(sizes)) {
    const path = join(dir, name);
    for await (const { fields } of walkWarcBehindDamage(
      path,
      () => false,
      sizes[name] ?? 0,
      () => undefined,
    ))
      if (fields.get('warc-type') === 'response') yield { path, id: idOfResponse(fields) };
  }
}

/** The id of the corpus record of a response. */
export function idOfResponse(fields: ReadonlyMap<string, string>): RecordId {
  return (fields.get('warc-record-id') ?? '').replace(/^<|>$/g, '') as RecordId;
}
