import { join } from 'node:path';
import type { OnDamaged } from '../core/errors.ts';
import type { CorpusOffsets } from '../core/parts/queueing.ts';
import type { RecordId, StoredResponse } from '../core/types.ts';
import { warcNamesOf } from './corpus-writer.ts';
import { parseResponse } from './http-message.ts';
import { walkWarcBehindDamage } from './warc-recovery.ts';
import type { WarcEntry } from './warc-stream.ts';

/**
 * What the WARC files of a crawl, as far as they are committed, have of some responses. Where a later answer said that a page is as it was, the
 * validators are those of that answer, as far as it had some (RFC 9111 §4.3.4). A response that is lost is not in the map. One pass over the files, to where
 * `signal` aborts it; memory is some 300 bytes a response.
 * @param onDamaged told of records that are damaged, which are passed over; without it they are thrown
 * @throws DataError naming file and offset where a file is damaged
 */
export async function storedResponses(
  dir: string,
  committed: CorpusOffsets,
  wanted: ReadonlySet<RecordId>,
  signal?: AbortSignal,
  onDamaged?: OnDamaged,
): Promise<ReadonlyMap<RecordId, StoredResponse>> {
  const found = new Map<RecordId, StoredResponse>();
  const byName = new Map<string, RecordId>([...wanted].map((id) => [`<${id}>`, id]));
  for (const name of warcNamesOf(committed)) {
    const isWanted = (fields: ReadonlyMap<string, string>) => subjectOf(fields, byName) !== null;
    for await (const entry of walkWarcBehindDamage(join(dir, name), isWanted, committed[name] ?? 0, onDamaged)) {
      if (signal?.aborted) return found;
      const id = subjectOf(entry.fields, byName);
      // Later answers stand behind the response they speak of: without it they are of no use.
      if (id !== null && (found.has(id) || entry.fields.get('warc-type') === 'response')) found.set(id, merged(entry, found.get(id)));
    }
  }
  return found;
}

/** The wanted response that a record is, or is about. */
function subjectOf(fields: ReadonlyMap<string, string>, wanted: ReadonlyMap<string, RecordId>): RecordId | null {
  const type = fields.get('warc-type');
  if (type !== 'response' && type !== 'revisit') return null;
  return wanted.get(fields.get(type === 'revisit' ? 'warc-refers-to' : 'warc-record-id') ?? '') ?? null;
}

function merged({ fields, content }: WarcEntry, before: StoredResponse | undefined): StoredResponse {
  const headers = (content && parseResponse(content)?.headers) ?? {};
  return {
    etag: headers['etag'] ?? before?.etag ?? null,
    lastModified: headers['last-modified'] ?? before?.lastModified ?? null,
    date: before?.date ?? fields.get('warc-date') ?? '',
    payloadDigest: before?.payloadDigest ?? fields.get('warc-payload-digest') ?? null,
  };
}
