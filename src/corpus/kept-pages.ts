import { join } from 'node:path';
import type { CorpusOffsets } from '../core/parts.ts';
import type { Bytes, CanonicalUrl, EpochMs, RecordId } from '../core/types.ts';
import { warcNamesOf } from './corpus-writer.ts';
import { decodeBody, parseResponse } from './http-message.ts';
import type { OnDamaged } from './records.ts';
import { walkWarcBehindDamage } from './warc-recovery.ts';

/** The bytes of one kept page, as they were read. */
export interface KeptPage {
  /** Of its corpus record. */
  readonly recordId: RecordId;
  readonly url: CanonicalUrl;
  /** When it was asked for. */
  readonly date: EpochMs;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** De-chunked and content-decoded. */
  readonly body: Uint8Array;
}

/** The most that a fetch unpacks. */
const MAX_BODY_BYTES: Bytes = 16 * 1024 * 1024;

/**
 * The pages of a crawl's WARC files as far as they are committed, in the order they were kept; those that cannot be unpacked are passed over.
 * @param onDamaged told of records that are damaged, which are passed over; without it they are thrown
 * @throws DataError naming file and offset where a file is damaged
 */
export async function* readKeptPages(dir: string, committed: CorpusOffsets, onDamaged?: OnDamaged): AsyncGenerator<KeptPage> {
  for (const name of warcNamesOf(committed)) {
    const isResponse = (fields: ReadonlyMap<string, string>) => fields.get('warc-type') === 'response';
    for await (const { fields, content } of walkWarcBehindDamage(join(dir, name), isResponse, committed[name] ?? 0, onDamaged)) {
      const response = content && parseResponse(content);
      const decoded = response && decodeBody(response, MAX_BODY_BYTES);
      if (response === null || decoded?.kind !== 'decoded') continue;
      yield {
        recordId: (fields.get('warc-record-id') ?? '').replace(/^<|>$/g, '') as RecordId,
        url: (fields.get('warc-target-uri') ?? '') as CanonicalUrl,
        date: Date.parse(fields.get('warc-date') ?? ''),
        status: response.status,
        headers: response.headers,
        body: decoded.body,
      };
    }
  }
}
