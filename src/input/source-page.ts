/** A page from anywhere, before it is read: what files, lines and streams of pages have in common. */
import { z } from 'zod';
import { DataError, messageOf } from '../core/errors.ts';
import type { Bytes, CanonicalUrl } from '../core/types.ts';
import type { FileBytes } from '../corpus/file-bytes.ts';
import { readWarcResponses } from '../corpus/warc-reader.ts';
import { controlShare, hasSignature, isPdf, looksUtf16 } from '../web/content-type.ts';
import { canonicalize } from '../web/url.ts';

/** A page from wherever it came, as bytes with headers, so that all are read the same way. */
export interface SourcePage {
  /** File path, `path:line`, or URL: how errors and reports name it. */
  readonly id: string;
  /** null when not known. */
  readonly url: CanonicalUrl | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A single page over this is no page; the fetcher cuts at 8 MB, saved pages with inlined images come larger. */
export const MAX_PAGE_FILE_BYTES: Bytes = 32 * 1024 * 1024;

export const HTML = { 'content-type': 'text/html' };
export const TEXT = { 'content-type': 'text/plain; charset=utf-8' };
export const UTF8_HTML = { 'content-type': 'text/html; charset=utf-8' };
const LF = 0x0a;

const lineSchema = z.object({ url: z.string().optional(), html: z.string().optional(), text: z.string().optional() });

/** How far control bytes are counted. */
const SNIFF_BYTES: Bytes = 64 * 1024;
/** Compressed data has 27 control bytes in 256, a tenth; text has a stray one now and then. */
const MAX_CONTROL_SHARE = 0.05;

/**
 * The body, where it is a page.
 * @param saysHtml its name or type says that it is HTML, so that control bytes are slips
 * @throws DataError for what is no text: it would be learned from as noise.
 */
export function pageFrom(id: string, body: Uint8Array, saysHtml: boolean): Uint8Array {
  if (isPdf(body)) throw new DataError(`${id}: is a PDF, not a page; give its text instead, e.g. as pdftotext makes it`);
  if (hasSignature(body) || (!saysHtml && hasManyControls(body))) throw new DataError(`${id}: is binary data, not a page; remove it`);
  return body;
}

/** UTF-16 has NULs. */
function hasManyControls(body: Uint8Array): boolean {
  return looksUtf16(body) === null && controlShare(body.subarray(0, SNIFF_BYTES)) > MAX_CONTROL_SHARE;
}

export function unreadable(id: string, error: unknown): DataError {
  return new DataError(`${id}: cannot be read (${messageOf(error)}); mend or remove it`, { cause: error });
}

/** Is told of what is no page. One that returns has it passed over; one that throws ends the input. */
export type Bad = (error: DataError) => void;

/** What is wrong with an input that the user named ends it. */
export const refuse: Bad = (error) => {
  throw error;
};

/** What `make` gives, or null where that is no page. */
export function pageOr(bad: Bad, make: () => SourcePage): SourcePage | null {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof DataError)) throw error;
    bad(error);
    return null;
  }
}

/** The pages of a WARC file or stream; what only says that it is one is passed over. @throws DataError where it is damaged, after giving what was good. */
export async function* pagesOfWarc(
  from: string | FileBytes,
  warn: (message: string) => void = () => undefined,
): AsyncGenerator<SourcePage> {
  const passOver: Bad = (error) => warn(`${error.message}; passed over`);
  for await (const { url, headers, body } of readWarcResponses(from, { warn })) {
    // The body is decoded already; its charset is still the header's.
    const page = pageOr(passOver, () => ({ id: url, url: canonicalize(url), headers, body: pageFrom(url, body, true) }));
    if (page !== null) yield page;
  }
}

/** The pages of JSON lines `{url?, html? | text?}`. @throws DataError naming `id` and the line, where `bad` throws it. */
export async function* pagesOfLines(id: string, chunks: AsyncIterable<Uint8Array>, bad: Bad = refuse): AsyncGenerator<SourcePage> {
  let number = 0;
  for await (const line of linesOf(id, chunks)) {
    number += 1;
    if (line.trim() === '') continue;
    const page = pageOr(bad, () => pageOfLine(`${id}:${number}`, line));
    if (page !== null) yield page;
  }
}

/** Lines without their ends, and without a byte order mark; memory is that of one line, which is capped, and one chunk. @throws DataError */
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
    url: url === undefined ? null : canonicalize(url),
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
