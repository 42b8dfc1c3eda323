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

/** The pages of a walk, in its order. */
export async function* pageEntries(entries: AsyncIterable<WarcEntry>): AsyncGenerator<PageEntry> {
  for await (const { entry: response, rendered } of joinedEntries(entries)) {
    if (!isOfPage(response.fields)) continue;
    const document = rendered ?? (documentIdOf(response.fields) === null ? null : 'lost');
    yield { id: bareId(response.fields.get('warc-record-id')), response, document };
  }
}

/** A record of a walk, and its rendered document if it is the response of a page that has one. */
export interface JoinedEntry {
  readonly entry: WarcEntry;
  readonly rendered: WarcEntry | null;
}

/**
 * The records of a walk in its order. A response that names another record waits for the next one, which may be its rendered document. Memory: both.
 * @throws the error of the walk, after all records that were read
 */
export async function* joinedEntries(entries: AsyncIterable<WarcEntry>): AsyncGenerator<JoinedEntry> {
  let waiting: WarcEntry | null = null;
  try {
    for await (const entry of entries) {
      const before: WarcEntry | null = waiting;
      waiting = null;
      const rendered = before !== null && isRendered(entry.fields) && isAbout(entry, before) ? entry : null;
      if (before !== null) yield { entry: before, rendered };
      if (rendered !== null) continue;
      if (entry.fields.get('warc-type') === 'response' && entry.fields.has('warc-concurrent-to')) waiting = entry;
      else yield { entry, rendered: null };
    }
  } catch (error) {
    if (waiting !== null) yield { entry: waiting, rendered: null };
    throw error;
  }
  if (waiting !== null) yield { entry: waiting, rendered: null };
}

function isAbout(rendered: WarcEntry, { fields }: WarcEntry): boolean {
  return bareId(rendered.fields.get('warc-concurrent-to')) === bareId(fields.get('warc-record-id'));
}
