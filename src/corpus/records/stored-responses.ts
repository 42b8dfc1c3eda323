import { join } from 'node:path';
import { isoTime } from '../../base/core/clock.ts';
import type { OnDamaged } from '../../base/core/errors.ts';
import type { CorpusEntry, StoredResponses } from '../../base/core/parts/keeping.ts';
import type { CorpusOffsets } from '../../base/core/parts/queueing.ts';
import type { RecordId, StoredResponse } from '../../base/core/types.ts';
import { warcNamesOf } from './corpus-writer.ts';
import { parseResponse } from './http-message.ts';
import { documentIdOf } from './page-entries.ts';
import { bareId, sha1Base32 } from './warc-record.ts';
import { walkWarcBehindDamage } from './warc-recovery.ts';
import type { WarcEntry } from './warc-stream.ts';

/**
 * Finds some responses in the committed part of a crawl's WARC files. If a later response confirmed that a page was unchanged, the validators of that
 * response replace the earlier ones, if it had any (RFC 9111 §4.3.4). A lost response is not in the map. One pass over the files, until `signal`
 * aborts it; about 300 bytes of memory a response.
 * @param onDamaged receives damaged records, which are skipped; without it they are errors
 * @throws DataError naming file and offset if a file is damaged
 */
export async function storedResponses(
  dir: string,
  committed: CorpusOffsets,
  wanted: ReadonlySet<RecordId>,
  signal?: AbortSignal,
  onDamaged?: OnDamaged,
): Promise<ReadonlyMap<RecordId, StoredResponse>> {
  const found = new Map<RecordId, StoredResponse>();
  /** Rendered documents that responses name, and that are not found yet; each with its response. */
  const awaited = new Map<RecordId, RecordId>();
  const byName = new Map<string, RecordId>([...wanted].map((id) => [`<${id}>`, id]));
  for (const name of warcNamesOf(committed)) {
    const isWanted = (fields: ReadonlyMap<string, string>) => subjectOf(fields, byName) !== null;
    for await (const entry of walkWarcBehindDamage(join(dir, name), isWanted, committed[name] ?? 0, onDamaged)) {
      if (signal?.aborted) return found;
      awaited.delete(bareId(entry.fields.get('warc-record-id')));
      const id = subjectOf(entry.fields, byName);
      const document = documentIdOf(entry.fields);
      if (id !== null && document !== null) awaited.set(document, id);
      // Later responses follow the response that they confirm; without it they are useless.
      if (id !== null && (found.has(id) || entry.fields.get('warc-type') === 'response')) found.set(id, merged(entry, found.get(id)));
    }
  }
  // A page without its rendered document is as lost as one without its response.
  for (const id of awaited.values()) found.delete(id);
  return found;
}

/** The wanted response that a record is, or refers to. */
function subjectOf(fields: ReadonlyMap<string, string>, wanted: ReadonlyMap<string, RecordId>): RecordId | null {
  const type = fields.get('warc-type');
  if (type !== 'response' && type !== 'revisit') return null;
  return wanted.get(fields.get(type === 'revisit' ? 'warc-refers-to' : 'warc-record-id') ?? '') ?? null;
}

function merged({ fields, content }: WarcEntry, before: StoredResponse | undefined): StoredResponse {
  const headers = (content && parseResponse(content)?.headers) ?? {};
  const rendered = before?.rendered ?? documentIdOf(fields) !== null;
  return {
    ...validatorsOf(headers, rendered, before),
    date: before?.date ?? fields.get('warc-date') ?? '',
    payloadDigest: before?.payloadDigest ?? fields.get('warc-payload-digest') ?? null,
    ...(rendered && { rendered }),
  };
}

function validatorsOf(
  headers: Readonly<Record<string, string>>,
  rendered: boolean,
  before: StoredResponse | undefined,
): Pick<StoredResponse, 'etag' | 'lastModified'> {
  if (rendered) return { etag: null, lastModified: null };
  return { etag: headers['etag'] ?? before?.etag ?? null, lastModified: headers['last-modified'] ?? before?.lastModified ?? null };
}

/** The responses of the newest versions of all kept pages of a continuous crawl, those of this run included: about 300 bytes a page. */
export class KeptResponses implements StoredResponses {
  readonly #known: Map<RecordId, StoredResponse>;
  readonly #hasAll: boolean;

  /** @param known those of earlier runs; null if other workers have them: then none counts as lost */
  constructor(known: ReadonlyMap<RecordId, StoredResponse> | null) {
    this.#known = new Map(known);
    this.#hasAll = known !== null;
  }

  get(id: RecordId): StoredResponse | undefined {
    return this.#known.get(id);
  }

  has(id: RecordId): boolean {
    return !this.#hasAll || this.#known.has(id);
  }

  learn(entry: CorpusEntry, before?: RecordId): void {
    if (entry.kind === 'page') {
      if (before !== undefined) this.#known.delete(before);
      const { record, page, document } = entry;
      this.#known.set(record.id, {
        ...validatorsOf(page.headers, document !== undefined, undefined),
        date: isoTime(page.startedAt),
        payloadDigest: sha1Base32([page.wireBody]),
        ...(document && { rendered: true }),
      });
    } else if (entry.kind === 'revisit') {
      const known = this.#known.get(entry.record.of);
      if (known) this.#known.set(entry.record.of, { ...known, ...validatorsOf(entry.page.headers, known.rendered ?? false, known) });
    }
  }
}
