import type { Bytes } from '../core/types.ts';
import type { FileBytes } from './file-bytes.ts';
import { decodeBody, parseResponse } from './http-message.ts';
import { type WarcEntry, walkWarc } from './warc-stream.ts';

/** One page of a WARC file. */
export interface WarcPage {
  readonly url: string;
  readonly status: number;
  /** As stored, lower-case names; `content-encoding` may still name a coding although `body` is decoded. */
  readonly headers: Record<string, string>;
  /** De-chunked and content-decoded. */
  readonly body: Uint8Array;
}

export interface WarcReadOptions {
  /** Receives each skipped record that looked like a page. */
  readonly warn?: (message: string) => void;
  /** Cap on a stored record and on its decoded body. */
  readonly maxRecordBytes?: Bytes;
}

const MAX_RECORD_BYTES: Bytes = 16 * 1024 * 1024;
const PAGE_TYPE = /^\s*(?:text\/html|application\/xhtml\+xml|text\/plain)\b/i;

/**
 * The HTML and plain text pages (responses with status 200) of a .warc or .warc.gz file or stream, in its order. Records that exceed the cap or
 * cannot be decoded are skipped with a warning.
 * @throws DataError naming file and offset if the file is damaged, after returning all pages before that
 */
export async function* readWarcResponses(from: string | FileBytes, options: WarcReadOptions = {}): AsyncGenerator<WarcPage> {
  const max = options.maxRecordBytes ?? MAX_RECORD_BYTES;
  const warn = options.warn ?? (() => undefined);
  const wanted = (fields: ReadonlyMap<string, string>, length: Bytes) => isHttpResponse(fields) && length <= max;
  const path = typeof from === 'string' ? from : from.path;
  for await (const entry of walkWarc(from, wanted)) {
    const read = pageOf(entry, max);
    if (read.kind === 'page') yield read.page;
    else if (read.kind === 'passed-over') warn(`${path}: record at byte ${entry.start} skipped (${read.why})`);
  }
}

type Read =
  | { readonly kind: 'page'; readonly page: WarcPage }
  | { readonly kind: 'passed-over'; readonly why: string }
  | { readonly kind: 'no-page' };

function pageOf(entry: WarcEntry, max: Bytes): Read {
  if (!isHttpResponse(entry.fields)) return { kind: 'no-page' };
  if (entry.content === null) return { kind: 'passed-over', why: `${entry.length} bytes, over the cap of ${max}` };
  const response = parseResponse(entry.content);
  if (response === null) return { kind: 'passed-over', why: 'not an HTTP response' };
  const type = response.headers['content-type'] ?? entry.fields.get('warc-identified-payload-type') ?? '';
  if (response.status !== 200 || !PAGE_TYPE.test(type)) return { kind: 'no-page' };
  const decoded = decodeBody(response, max);
  if (decoded.kind === 'undecodable') return { kind: 'passed-over', why: decoded.why };
  return { kind: 'page', page: { url: targetUri(entry), status: response.status, headers: { ...response.headers }, body: decoded.body } };
}

function isHttpResponse(fields: ReadonlyMap<string, string>): boolean {
  return fields.get('warc-type')?.toLowerCase() === 'response' && /^application\/http\b/i.test(fields.get('content-type') ?? '');
}

/** Programs that write WARC 1.0, such as wget, put the URL in angle brackets, as the grammar of that version did. */
function targetUri(entry: WarcEntry): string {
  return (entry.fields.get('warc-target-uri') ?? '').replace(/^<|>$/g, '');
}
