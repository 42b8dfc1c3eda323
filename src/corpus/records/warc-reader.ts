import { renderedHeaders } from '../../base/core/rendering.ts';
import type { Bytes } from '../../base/core/types.ts';
import { isReadableType, isUnknownType, looksBinary, parseContentType } from '../../base/web/content-type.ts';
import { hasPage } from '../../base/web/http-head.ts';
import { documentKindOf } from '../../reading/documents/document-kinds.ts';
import { isDocumentType, isSharedType } from '../../reading/documents/document-types.ts';
import type { FileBytes } from './file-bytes.ts';
import { decodeBody, parseResponse } from './http-message.ts';
import { joinedEntries } from './page-entries.ts';
import { isOfScript, isRendered, pageUrlOf } from './render-records.ts';
import { type WarcEntry, walkWarc } from './warc-stream.ts';

/** One page of a WARC file. */
export interface WarcPage {
  readonly url: string;
  readonly status: number;
  /** Header fields as stored, lower-case names; `content-encoding` may still name a coding although `body` is decoded. */
  readonly headers: Readonly<Record<string, string>>;
  /** De-chunked and content-decoded. */
  readonly body: Uint8Array;
  /** Mark of a document whose scripts ran. Absent for other pages. */
  readonly rendered?: true;
}

export interface WarcReadOptions {
  /** Receives each skipped record that looked like a page. */
  readonly warn?: (message: string) => void;
  /** Cap on a stored record and on its decoded body. */
  readonly maxRecordBytes?: Bytes;
}

const MAX_RECORD_BYTES: Bytes = 33 * 1024 * 1024;
/** Records that belong to responses, or to the file itself. Others that are not read may have pages in them: they are counted. */
const ABOUT_OTHERS = new Set(['warcinfo', 'request', 'metadata']);
/** Number of reasons that are named when records are skipped. */
const MAX_REASONS = 5;

/**
 * The HTML and plain text pages of a .warc or .warc.gz file or stream, in its order: the responses that a crawl would keep, also without a type or
 * with another 2xx. A page that Forager kept by its rendered document has that for its body; answers to scripts are no pages. Records that exceed the cap or cannot be decoded are skipped with a warning each, other records with one for all.
 * @throws DataError naming file and offset if the file is damaged, after returning all pages before that
 */
export async function* readWarcResponses(from: string | FileBytes, options: WarcReadOptions = {}): AsyncGenerator<WarcPage> {
  const max = options.maxRecordBytes ?? MAX_RECORD_BYTES;
  const warn = options.warn ?? (() => undefined);
  const wanted = (fields: Fields, length: Bytes) => (isHttpResponse(fields) || isRendered(fields)) && length <= max;
  const path = typeof from === 'string' ? from : from.path;
  const others = new Map<string, number>();
  for await (const { entry, rendered } of joinedEntries(walkWarc(from, wanted))) {
    const read = renderedOr(pageOf(entry, max), rendered);
    if (read.kind === 'page') yield read.page;
    else if (read.kind === 'passed-over') warn(`${path}: record at byte ${entry.start} skipped (${read.why})`);
    else if (read.what !== null) others.set(read.what, (others.get(read.what) ?? 0) + 1);
  }
  if (others.size > 0) warn(`${path}: records skipped because they are not pages: ${countsIn(others)}`);
}

type Fields = WarcEntry['fields'];

function renderedOr(read: Read, rendered: WarcEntry | null): Read {
  if (read.kind !== 'page' || rendered === null || rendered.content === null) return read;
  const { status, headers } = read.page;
  const page = {
    url: pageUrlOf(rendered.fields),
    status,
    headers: renderedHeaders(headers),
    body: rendered.content,
    rendered: true,
  } as const;
  return { kind: 'page', page };
}

/** The reasons, the most frequent first. */
function countsIn(others: ReadonlyMap<string, number>): string {
  const sorted = [...others].sort(([, a], [, b]) => b - a);
  const rest = sorted.slice(MAX_REASONS).reduce((sum, [, count]) => sum + count, 0);
  const named = sorted.slice(0, MAX_REASONS).map(([what, count]) => `${count} ${what}`);
  return [...named, ...(rest > 0 ? [`${rest} others`] : [])].join(', ');
}

type Read =
  | { readonly kind: 'page'; readonly page: WarcPage }
  | { readonly kind: 'passed-over'; readonly why: string }
  /** `what`: in words, after a number; null for a record that never has a page. */
  | { readonly kind: 'no-page'; readonly what: string | null };

function pageOf(entry: WarcEntry, max: Bytes): Read {
  if (isOfScript(entry.fields)) return { kind: 'no-page', what: null };
  if (!isHttpResponse(entry.fields)) return { kind: 'no-page', what: otherRecord(entry.fields) };
  if (entry.content === null) return { kind: 'passed-over', why: `${entry.length} bytes, over the cap of ${max}` };
  const response = parseResponse(entry.content);
  if (response === null) return { kind: 'passed-over', why: 'not an HTTP response' };
  if (!hasPage(response.status, response.headers['content-range'])) return { kind: 'no-page', what: `with status ${response.status}` };
  const { mime } = parseContentType(response.headers['content-type'] ?? entry.fields.get('warc-identified-payload-type'));
  const isPageType = isReadableType(mime) || isDocumentType(mime);
  if (!isPageType && !isUnknownType(mime) && !isSharedType(mime)) return { kind: 'no-page', what: `of the type ${mime}` };
  const decoded = decodeBody(response, max);
  if (decoded.kind === 'undecodable') return { kind: 'passed-over', why: decoded.why };
  const url = targetUri(entry.fields);
  const isDocument = documentKindOf(decoded.body, mime, url) !== null;
  if (!isPageType && !isDocument) return { kind: 'no-page', what: `of the type ${mime}` };
  if (mime === '' && !isDocument && looksBinary(decoded.body)) return { kind: 'no-page', what: 'of binary data without a type' };
  return { kind: 'page', page: { url, status: response.status, headers: { ...response.headers }, body: decoded.body } };
}

/** A record that is no HTTP response. */
function otherRecord(fields: ReadonlyMap<string, string>): string | null {
  const type = fields.get('warc-type')?.toLowerCase() ?? 'untyped';
  return ABOUT_OTHERS.has(type) ? null : `of the kind ${type}`;
}

function isHttpResponse(fields: ReadonlyMap<string, string>): boolean {
  return fields.get('warc-type')?.toLowerCase() === 'response' && /^application\/http\b/i.test(fields.get('content-type') ?? '');
}

/** Programs that write WARC 1.0, such as wget, put the URL in angle brackets, as the grammar of that version did. */
export function targetUri(fields: ReadonlyMap<string, string>): string {
  return (fields.get('warc-target-uri') ?? '').replace(/^<|>$/g, '');
}
