/** The responses of pages among the records of a WARC file, each with its rendered document. */
import type { RecordId } from '../../base/core/types.ts';
import { isOfScript, isRendered } from './render-records.ts';
import { bareId } from './warc-record.ts';
import type { WarcEntry } from './warc-stream.ts';

export interface PageEntry {
  /** Id of the response, and of the page's record. */
  readonly id: RecordId;
  readonly response: WarcEntry;
  /** The rendered document by which the page is kept; null for a page as the server sent it. `lost`: the file no longer has it. */
  readonly document: WarcEntry | null | 'lost';
}

type Fields = WarcEntry['fields'];

/** Is it the response of a page? */
export function isOfPage(fields: Fields): boolean {
  return fields.get('warc-type') === 'response' && !isOfScript(fields);
}

/** Id of the page that a response or rendered document belongs to; null for other records. */
export function pageIdOf(fields: Fields): RecordId | null {
  if (isOfPage(fields)) return bareId(fields.get('warc-record-id'));
  return isRendered(fields) ? bareId(fields.get('warc-concurrent-to')) : null;
}

/** Id of the rendered document that the response of a page names; null for a page that is kept as the server sent it, and for other records. */
export function documentIdOf(fields: Fields): RecordId | null {
  return isOfPage(fields) ? bareId(fields.get('warc-concurrent-to')) || null : null;
}

/** The pages of a walk, in its order. A response waits for its rendered document, which is the next record. Memory: both. */
export async function* pageEntries(entries: AsyncIterable<WarcEntry>): AsyncGenerator<PageEntry> {
  let waiting: WarcEntry | null = null;
  for await (const entry of entries) {
    if (waiting !== null) {
      const isIts = bareId(entry.fields.get('warc-record-id')) === documentIdOf(waiting.fields);
      yield pageEntry(waiting, isIts ? entry : 'lost');
      waiting = null;
    }
    if (!isOfPage(entry.fields)) continue;
    if (documentIdOf(entry.fields) === null) yield pageEntry(entry, null);
    else waiting = entry;
  }
  if (waiting !== null) yield pageEntry(waiting, 'lost');
}

function pageEntry(response: WarcEntry, document: PageEntry['document']): PageEntry {
  return { id: bareId(response.fields.get('warc-record-id')), response, document };
}
