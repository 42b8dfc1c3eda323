/** The stored responses of an earlier corpus: validators for conditional requests, and the page where the server says that it has not changed. */
import type { Validators } from '../../base/core/parts/fetching.ts';
import type { Bytes, CanonicalUrl, FetchedPage, RecordId } from '../../base/core/types.ts';
import { fieldsByName } from '../../base/web/header-fields.ts';
import { HEAD_BYTES } from '../../corpus/records/cdxj.ts';
import { decodeBody, parseResponse } from '../../corpus/records/http-message.ts';
import { documentIdOf, isOfPage } from '../../corpus/records/page-entries.ts';
import { bareId } from '../../corpus/records/warc-record.ts';
import { walkWarcBehindDamage } from '../../corpus/records/warc-recovery.ts';
import { type Wants, walkWarc } from '../../corpus/records/warc-stream.ts';
import type { WarcFile } from '../../corpus/select/corpus-source.ts';
import { finalHeadIn } from './archived-response.ts';
import type { EarlierIndex } from './earlier-pages.ts';

/** The largest body that a fetch unpacks, and a record that has it. */
const MAX_BODY: Bytes = 32 * 1024 * 1024;
const MAX_RECORD: Bytes = 2 * MAX_BODY;

/** Fields that describe the body of the stored response, which a 304 does not send (RFC 9111 §3.2). */
const OF_BODY = /^(?:content-(?:encoding|length|range|type)|transfer-encoding)$/;

/** A stored response with validators. */
export interface StoredCopy {
  readonly validators: Validators;
  /** The page that an answer of 304 confirms: its body, and its fields with those of the answer (RFC 9111 §4.3.4). */
  readonly confirmedBy: (answer: FetchedPage) => FetchedPage;
}

export class EarlierResponses {
  readonly #index: EarlierIndex;
  readonly #files: readonly WarcFile[];

  private constructor(index: EarlierIndex, files: readonly WarcFile[]) {
    [this.#index, this.#files] = [index, files];
  }

  /**
   * Finds the responses with validators, in one pass over the files. Pages that a browser rendered have none: their servers know nothing of the document.
   * @param onDamaged receives damaged records, which are skipped
   * @throws DataError for a file that cannot be opened; the reason of `signal`
   */
  static async find(
    index: EarlierIndex,
    files: readonly WarcFile[],
    onDamaged: (message: string) => void,
    signal: AbortSignal,
  ): Promise<EarlierResponses> {
    const ids = index.ids();
    const pageOf = (id: RecordId) => ids.find(id);
    const wants: Wants = (fields) => (isPlainPage(fields) && pageOf(bareId(fields.get('warc-record-id'))) >= 0 ? HEAD_BYTES : false);
    for (const [file, { path, end }] of files.entries()) {
      for await (const { fields, content, start } of walkWarcBehindDamage(path, wants, end, onDamaged)) {
        signal.throwIfAborted();
        if (content !== null && validatorsIn(parseResponse(content)?.headers ?? {}) !== null)
          index.place(pageOf(bareId(fields.get('warc-record-id'))), { file, offset: start });
      }
    }
    return new EarlierResponses(index, files);
  }

  /** The stored response of a page; null for one without validators, and for a record that can no longer be read: the page is then requested without conditions. */
  async of(url: CanonicalUrl): Promise<StoredCopy | null> {
    const place = this.#index.placeOf(url);
    const file = place && this.#files[place.file];
    if (!place || !file) return null;
    try {
      for await (const { content } of walkWarc(file.path, (_, length) => length <= MAX_RECORD, file.end, place.offset))
        return content && copyIn(content);
    } catch {
      return null;
    }
    return null;
  }
}

function isPlainPage(fields: ReadonlyMap<string, string>): boolean {
  return isOfPage(fields) && documentIdOf(fields) === null && !fields.has('warc-truncated');
}

function copyIn(content: Uint8Array): StoredCopy | null {
  const [head, response] = [finalHeadIn(content), parseResponse(content)];
  const validators = response && validatorsIn(response.headers);
  const decoded = response && decodeBody(response, MAX_BODY);
  if (head === null || !validators || decoded?.kind !== 'decoded') return null;
  const { body } = decoded;
  const confirmedBy = (answer: FetchedPage): FetchedPage => {
    const fresh = answer.rawHeaders.filter(([name]) => !OF_BODY.test(name.toLowerCase()));
    const names = new Set(fresh.map(([name]) => name.toLowerCase()));
    const rawHeaders = [...head.fields.filter(([name]) => !names.has(name.toLowerCase())), ...fresh];
    const { status, statusText } = head;
    return { ...answer, status, statusText, rawHeaders, headers: fieldsByName(rawHeaders), body, wireBody: head.body, confirmed: true };
  };
  return { validators, confirmedBy };
}

function validatorsIn(headers: Readonly<Record<string, string>>): Validators | null {
  const [etag, lastModified] = [headers['etag'] ?? null, headers['last-modified'] ?? null];
  return etag === null && lastModified === null ? null : { etag, lastModified };
}
