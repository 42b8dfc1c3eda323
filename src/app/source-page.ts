/** A page from anywhere, before it is read: what files, lines and streams of pages have in common. */
import { z } from 'zod';
import { DataError, messageOf } from '../core/errors.ts';
import type { Bytes, CanonicalUrl } from '../core/types.ts';
import type { FileBytes } from '../corpus/file-bytes.ts';
import { readWarcResponses } from '../corpus/warc-reader.ts';
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
const UTF8_HTML = { 'content-type': 'text/html; charset=utf-8' };
const LF = 0x0a;

const lineSchema = z.object({ url: z.string().optional(), html: z.string().optional(), text: z.string().optional() });

/** @throws DataError for what is no text: it would be learned from as noise. */
export function pageFrom(id: string, body: Uint8Array): Uint8Array {
  if (!isBinary(body)) return body;
  throw new DataError(`${id}: is binary data, not a page; remove it`);
}

/** WHATWG MIME Sniffing §7.1, "resource header" and "binary data byte"; UTF-16, which has NULs, is told by its byte order mark. */
function isBinary(body: Uint8Array): boolean {
  const [first, second] = body;
  if ((first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe)) return false;
  return body
    .subarray(0, 1445)
    .some((byte) => byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || (byte >= 0x1c && byte <= 0x1f));
}

export function unreadable(id: string, error: unknown): DataError {
  return new DataError(`${id}: cannot be read (${messageOf(error)}); mend or remove it`, { cause: error });
}

/** The pages of a WARC file or stream. @throws DataError where it is damaged, after giving what was good. */
export async function* pagesOfWarc(from: string | FileBytes, warn?: (message: string) => void): AsyncGenerator<SourcePage> {
  for await (const { url, headers, body } of readWarcResponses(from, warn ? { warn } : {})) {
    // The body is decoded already; its charset is still the header's.
    yield { id: url, url: canonicalize(url), headers, body };
  }
}

/** The pages of JSON lines `{url?, html? | text?}`. @throws DataError naming `id` and the line. */
export async function* pagesOfLines(id: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<SourcePage> {
  let number = 0;
  for await (const line of linesOf(id, chunks)) {
    number += 1;
    if (line.trim() !== '') yield pageOfLine(`${id}:${number}`, line);
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
    body: Buffer.from(html ?? text ?? ''),
  };
}

function jsonOf(id: string, line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new DataError(`${id}: is not JSON (${messageOf(error)}); mend or delete the line`, { cause: error });
  }
}
