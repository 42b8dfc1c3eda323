import { join } from 'node:path';
import type { OnDamaged } from '../../base/core/errors.ts';
import type { CorpusOffsets } from '../../base/core/parts/queueing.ts';
import { renderedHeaders } from '../../base/core/rendering.ts';
import type { Bytes, CanonicalUrl, EpochMs, RecordId } from '../../base/core/types.ts';
import { corpusSizes, warcNamesOf } from './corpus-writer.ts';
import { decodeBody, parseResponse } from './http-message.ts';
import { type PageEntry, pageEntries, pageIdOf } from './page-entries.ts';
import { pageUrlOf, type RenderFacts, renderFactsOf } from './render-records.ts';
import { walkWarcBehindDamage } from './warc-recovery.ts';
import type { Wants, WarcEntry } from './warc-stream.ts';

/** The bytes of one kept page, as they were read. */
export interface KeptPage {
  /** Id of its corpus record. */
  readonly recordId: RecordId;
  /** URL as its server sees it; with its route, if the page is kept by its rendered document. */
  readonly url: CanonicalUrl;
  /** Time of the request. */
  readonly date: EpochMs;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** De-chunked and content-decoded; the rendered document of a page that is kept by it. */
  readonly body: Uint8Array;
  /** Facts of the rendering; absent for a page that is kept as the server sent it. */
  readonly rendering?: RenderFacts;
  /** Mark of a document whose scripts ran. Absent for other pages. */
  readonly rendered?: true;
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
  const isWanted: Wants = (fields, length) => isPartOfPage(fields, length, wants);
  for (const { path, end } of files) {
    for await (const entry of pageEntries(walkWarcBehindDamage(path, isWanted, end, onDamaged))) {
      const page = keptPageOf(entry);
      if (page !== null) yield page;
      else if (wants(entry.id)) onSkipped(entry.id);
    }
  }
}

/** Is it the response of a page or its rendered document, of a size that is read? */
export function isPartOfPage(fields: WarcEntry['fields'], length: Bytes, wants: (id: RecordId) => boolean): boolean {
  const id = length <= MAX_RECORD_BYTES ? pageIdOf(fields) : null;
  return id !== null && wants(id);
}

/** @returns null if its records were not read, if one is lost, or if the response cannot be unpacked */
export function keptPageOf({ id, response: { fields, content }, document }: PageEntry): KeptPage | null {
  const response = content && parseResponse(content);
  const decoded = response && decodeBody(response, MAX_BODY_BYTES);
  if (response === null || decoded?.kind !== 'decoded') return null;
  const page = {
    recordId: id,
    url: (fields.get('warc-target-uri') ?? '') as CanonicalUrl,
    date: Date.parse(fields.get('warc-date') ?? ''),
    status: response.status,
    headers: response.headers,
    body: decoded.body,
  };
  if (document === null) return page;
  if (document === 'lost' || document.content === null) return null;
  const url = pageUrlOf(document.fields) as CanonicalUrl;
  const rendering = renderFactsOf(document.fields);
  return { ...page, url, headers: renderedHeaders(page.headers), body: document.content, rendering, rendered: true };
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

/** The ids of all responses of pages in WARC files, except damaged ones and those whose rendered document is lost. One pass over the files. @throws the reason of `signal` */
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
    const entries = walkWarcBehindDamage(
      path,
      () => false,
      sizes[name] ?? 0,
      () => undefined,
    );
    for await (const { id, document } of pageEntries(entries)) if (document !== 'lost') yield { path, id };
  }
}
