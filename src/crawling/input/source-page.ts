/** A page from any source before it is read: the common part of files, lines and streams of pages. */
import * as z from 'zod';
import { type CrawlerError, DataError, messageOf } from '../../base/core/errors.ts';
import type { Bytes, CanonicalUrl, HtmlOfDocument } from '../../base/core/types.ts';
import { controlShare, hasSignature, isPdf, looksUtf16 } from '../../base/web/content-type.ts';
import { canonicalize, canonicalizeWithRoute } from '../../base/web/url.ts';
import type { FileBytes } from '../../corpus/records/file-bytes.ts';
import { readWarcResponses } from '../../corpus/records/warc-reader.ts';
import { PDF_TEXT, whyNoPage } from './office-files.ts';
import { kindOfSource, sourceDocument } from './source-document.ts';

/** A page from any source, as bytes with headers, so that all are read in the same way. */
export interface SourcePage {
  /** File path, `path:line`, or URL: its name in errors and reports. */
  readonly id: string;
  /** null if unknown. */
  readonly url: CanonicalUrl | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The document that the HTML of `body` was made from. Absent for other pages. */
  readonly document?: HtmlOfDocument;
  /** Mark of a document whose scripts ran. Absent for other pages. */
  readonly rendered?: true;
}

/** Base for the links of a page without a known URL: RFC 2606 keeps `.invalid` out of the DNS. */
export const UNKNOWN_URL = canonicalize('http://unknown.invalid/') as CanonicalUrl;

/** A larger file is not a single page; the fetcher cuts at 8 MB, but saved pages with inlined images are larger. */
export const MAX_PAGE_FILE_BYTES: Bytes = 32 * 1024 * 1024;

export const HTML = { 'content-type': 'text/html' };
export const TEXT = { 'content-type': 'text/plain; charset=utf-8' };
export const UTF8_HTML = { 'content-type': 'text/html; charset=utf-8' };
const LF = 0x0a;

const lineSchema = z.object({ url: z.string().optional(), html: z.string().optional(), text: z.string().optional() });

/** Number of bytes in which control bytes are counted. */
const SNIFF_BYTES: Bytes = 64 * 1024;
/** Largest share of control bytes in text, which has a few by mistake. In compressed data, 27 of 256 bytes are control bytes, a tenth. */
const MAX_CONTROL_SHARE = 0.05;

/**
 * The body, if it is a page.
 * @param saysHtml its name or type says that it is HTML, so control bytes are mistakes
 * @throws DataError for data other than text: a model would learn noise from it
 */
export function pageFrom(id: string, body: Uint8Array, saysHtml: boolean): Uint8Array {
  if (isPdf(body)) throw new DataError(`${id}: ${PDF_TEXT}`);
  if (hasSignature(body) || (!saysHtml && hasManyControls(body))) throw new DataError(`${id}: ${whyNoPage(body, id)}`);
  return body;
}

/** UTF-16 has NULs. */
function hasManyControls(body: Uint8Array): boolean {
  return looksUtf16(body) === null && controlShare(body.subarray(0, SNIFF_BYTES)) > MAX_CONTROL_SHARE;
}

/** Receives the fault of an input that is not a page. If it returns, the input is skipped; if it throws, the input ends. */
export type Bad = (error: CrawlerError) => void;

/** A fault of an input that the user named ends it. */
export const refuse: Bad = (error) => {
  throw error;
};

/** The result of `make`, or null if there is no page, or the reader fails on it. */
export async function pageOr<T>(bad: Bad, make: () => T | Promise<T>): Promise<T | null> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    bad(error);
    return null;
  }
}

/**
 * The pages of a WARC file or stream; records that only claim to be pages are skipped.
 * @throws DataError if it is damaged, after returning all pages before that.
 */
export async function* pagesOfWarc(
  from: string | FileBytes,
  warn: (message: string) => void = () => undefined,
): AsyncGenerator<SourcePage> {
  const skip: Bad = (error) => warn(`${error.message}; skipped`);
  for await (const { url, headers, body, rendered } of readWarcResponses(from, { warn })) {
    // The body is decoded already; its charset is still that of the header.
    const page = rendered
      ? { id: url, url: canonicalizeWithRoute(url), headers, body, rendered }
      : await pageOr(skip, () => storedPage(url, headers, body));
    if (page !== null) yield page;
  }
}

async function storedPage(id: string, headers: SourcePage['headers'], body: Uint8Array): Promise<SourcePage> {
  const page = { id, url: canonicalize(id), headers, body };
  const kind = kindOfSource(body, headers, id);
  return kind === null ? { ...page, body: pageFrom(id, body, true) } : sourceDocument(page, kind);
}

/** The pages of JSON lines `{url?, html? | text?}`. @throws DataError naming `id` and the line, if `bad` throws it. */
export async function* pagesOfLines(id: string, chunks: AsyncIterable<Uint8Array>, bad: Bad = refuse): AsyncGenerator<SourcePage> {
  let number = 0;
  for await (const line of linesOf(id, chunks)) {
    number += 1;
    if (line.trim() === '') continue;
    const page = await pageOr(bad, () => pageOfLine(`${id}:${number}`, line));
    if (page !== null) yield page;
  }
}

/** Lines without line feeds and byte order mark; needs the memory of one line, which is capped, and one chunk. @throws DataError */
async function* linesOf(id: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let held: Uint8Array[] = [];
  let heldBytes: Bytes = 0;
  let isFirst = true;
  const take = (last: Uint8Array): string => {
    const line = Buffer.concat([...held, last]).toString('utf8');
    const text = isFirst ? line.replace(/^\ufeff/, '') : line;
    held = [];
    heldBytes = 0;
    isFirst = false;
    return text;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      yield take(chunk.subarray(start, end));
      start = end + 1;
    }
    held.push(chunk.subarray(start));
    heldBytes += chunk.length - start;
    if (heldBytes > MAX_PAGE_FILE_BYTES)
      throw new DataError(`${id}: has a line of over ${MAX_PAGE_FILE_BYTES} bytes, the cap for one page; split or remove it`);
  }
  if (heldBytes > 0) yield take(new Uint8Array(0));
}

function pageOfLine(id: string, line: string): SourcePage {
  const parsed = lineSchema.safeParse(jsonOf(id, line));
  if (!parsed.success) throw new DataError(`${id}: is not an object with text fields url, html or text; mend or delete the line`);
  const { url, html, text } = parsed.data;
  if (html === undefined && text === undefined) throw new DataError(`${id}: has neither "html" nor "text"; mend or delete the line`);
  return {
    id,
    url: url === undefined ? null : canonicalizeWithRoute(url),
    headers: html === undefined ? TEXT : UTF8_HTML,
    body: pageFrom(id, Buffer.from(html ?? text ?? ''), true),
  };
}

function jsonOf(id: string, line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new DataError(`${id}: is not JSON (${messageOf(error)}); mend or delete the line`, { cause: error });
  }
}
