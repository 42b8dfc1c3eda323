/** The pages in which two corpora differ. */
import { createHash } from 'node:crypto';
import type { OnDamaged } from '../../base/core/errors.ts';
import type { CanonicalUrl, CorpusRecord, RecordId } from '../../base/core/types.ts';
import { byteLines, type RecordPlace } from '../records/records.ts';
import { urlSha256 } from '../records/withdrawals.ts';
import { CorpusVersion } from '../select/corpus-version.ts';
import { omittedRow } from '../select/omitted-row.ts';
import type { StoredSource } from '../select/stored-source.ts';
import { type WordDiff, wordDiff } from './word-diff.ts';

/** A page that only one corpus has. */
export interface OnePage {
  readonly change: 'added' | 'gone';
  readonly url: CanonicalUrl;
  readonly id: RecordId;
  /** Name of the filter for which the other corpus omits the page; null if its list of omitted pages does not name it. */
  readonly omittedFor: string | null;
}

/** A page with another title or text. */
export interface ChangedPage extends WordDiff {
  readonly change: 'changed';
  readonly url: CanonicalUrl;
  readonly from: RecordId;
  readonly to: RecordId;
  /** Absent if the title is the same. */
  readonly title?: { readonly from: string; readonly to: string };
}

/** A page that was fetched again, with the same title and text. */
export interface RefetchedPage {
  readonly change: 'refetched';
  readonly url: CanonicalUrl;
  readonly from: RecordId;
  readonly to: RecordId;
}

export type CorpusChange = OnePage | ChangedPage | RefetchedPage;

export interface CorpusDiff {
  readonly from: { readonly version: string; readonly pages: number };
  readonly to: { readonly version: string; readonly pages: number };
  readonly added: number;
  readonly gone: number;
  readonly changed: number;
  readonly refetched: number;
  readonly same: number;
}

/** One side of a comparison. */
export interface DiffSide {
  readonly source: StoredSource;
  /** File of the pages that it omits; null without one. */
  readonly omittedPath: string | null;
}

export interface DiffOptions {
  /** Receives each difference: changed and refetched pages first, in the order of the new corpus, then added ones, then those that are gone. */
  readonly onChange: (change: CorpusChange) => void;
  /** Receives the number of records that were read. */
  readonly onPage: (done: number) => void;
  /** Receives damaged records, which are skipped. Without it they are errors. */
  readonly onDamaged?: OnDamaged | undefined;
}

interface Known {
  readonly id: RecordId;
  readonly place: RecordPlace;
  /** Digest of title and text, 128 bits. White space does not count, as in `wordDiff`. */
  readonly digest: string;
}

/**
 * Compares two corpora by URL. Reads each once; a changed page is read again. Memory: some 400 bytes for each page of the old one, and for each added page.
 * @throws DataError about the files of either
 */
export async function diffCorpora(from: DiffSide, to: DiffSide, { onChange, onPage, onDamaged }: DiffOptions): Promise<CorpusDiff> {
  const [oldVersion, newVersion] = [new CorpusVersion(), new CorpusVersion()];
  const before = new Map<CanonicalUrl, Known>();
  let done = 0;
  for await (const { record, place } of from.source.placed(onDamaged)) {
    oldVersion.add(record.id);
    before.set(record.url, { id: record.id, place, digest: digestOf(record) });
    onPage(++done);
  }
  const counts = { added: 0, gone: 0, changed: 0, refetched: 0, same: 0 };
  const added = new Map<CanonicalUrl, RecordId>();
  for await (const { record } of to.source.placed(onDamaged)) {
    newVersion.add(record.id);
    onPage(++done);
    const known = before.get(record.url);
    before.delete(record.url);
    if (known === undefined) {
      added.set(record.url, record.id);
      continue;
    }
    const change = changeOf(known, record, from.source);
    counts[change?.change ?? 'same'] += 1;
    if (change) onChange(change);
  }
  const gone = new Map([...before].map(([url, { id }]) => [url, id]));
  for (const [change, pages, other] of [['added', added, from] as const, ['gone', gone, to] as const]) {
    const reasons = await reasonsFor(pages, other.omittedPath);
    for (const [url, id] of pages) onChange({ change, url, id, omittedFor: reasons.get(url) ?? null });
    counts[change] = pages.size;
  }
  const side = (version: CorpusVersion) => ({ version: version.digest(), pages: version.pages });
  return { from: side(oldVersion), to: side(newVersion), ...counts };
}

/** null for the same page. */
function changeOf(known: Known, record: CorpusRecord, old: StoredSource): ChangedPage | RefetchedPage | null {
  const ids = { url: record.url, from: known.id, to: record.id };
  if (digestOf(record) === known.digest) return known.id === record.id ? null : { change: 'refetched', ...ids };
  const { title, text } = old.recordAt(known.place);
  return {
    change: 'changed',
    ...ids,
    ...(title !== record.title && { title: { from: title, to: record.title } }),
    ...wordDiff(text, record.text),
  };
}

function digestOf({ title, text }: CorpusRecord): string {
  return createHash('sha256')
    .update(`${title}\0${text.replaceAll(/\s+/g, ' ')}`)
    .digest('base64url')
    .slice(0, 22);
}

/** The reasons in a list of omitted pages, for some of them. One pass. @throws DataError naming the line */

async function reasonsFor(pages: ReadonlyMap<CanonicalUrl, unknown>, path: string | null): Promise<ReadonlyMap<CanonicalUrl, string>> {
  const reasons = new Map<CanonicalUrl, string>();
  if (path === null || pages.size === 0) return reasons;
  const digests = new Map([...pages.keys()].map((url) => [urlSha256(url), url]));
  let number = 0;
  for await (const line of byteLines(path, Number.POSITIVE_INFINITY)) {
    const row = omittedRow(line, `${path}:${++number}`);
    const url = digests.get(row.urlSha256 ?? urlSha256(row.url ?? ''));
    if (url !== undefined) reasons.set(url, row.reason);
  }
  return reasons;
}
