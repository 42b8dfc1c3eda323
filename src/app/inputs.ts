import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DataError, messageOf, UsageError } from '../core/errors.ts';
import type { Bytes, CanonicalUrl } from '../core/types.ts';
import { readWarcResponses } from '../corpus/warc-reader.ts';
import { canonicalize } from '../web/url.ts';
import { type FetchedList, type FetchListOptions, fetchList } from './fetch-list.ts';
import { readUrlFile } from './seeds.ts';

/** A page from wherever it came, as bytes with headers, so that all are read the same way. */
export interface SourcePage {
  /** File path, `path:line`, or URL: how errors and reports name it. */
  readonly id: string;
  /** null when not known. */
  readonly url: CanonicalUrl | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** How URLs among the inputs are fetched, and who is told what was passed over. */
export interface InputOptions {
  readonly fetch?: Partial<FetchListOptions>;
  readonly warn?: (message: string) => void;
}

/** A single page over this is no page; the fetcher cuts at 8 MB, saved pages with inlined images come larger. */
const MAX_FILE_BYTES: Bytes = 32 * 1024 * 1024;

const STANDARD_INPUT = 'standard input';

const HTML = { 'content-type': 'text/html' };
const TEXT = { 'content-type': 'text/plain; charset=utf-8' };
const HEADERS_OF: readonly (readonly [RegExp, Readonly<Record<string, string>>])[] = [
  [/\.(html?|xhtml)$/i, HTML],
  [/\.(txt|md|markdown)$/i, TEXT],
];
const LF = 0x0a;
const READABLE = /\.(html?|xhtml|txt|md|markdown|jsonl|warc|warc\.gz)$/i;

const lineSchema = z.object({ url: z.string().optional(), html: z.string().optional(), text: z.string().optional() });

/**
 * The pages of an input: a page file (.html, .txt, .md), a .jsonl ({url?, html? | text?}), a .warc(.gz), a folder of
 * these, a file of URLs, a URL, or `-` for a page on standard input. Files are read in the order of their paths.
 * @throws UsageError when there is no such thing; DataError naming the file (and line) that cannot be read.
 */
export async function* readInput(input: string, options: InputOptions): AsyncGenerator<SourcePage> {
  if (input === '-') yield { id: STANDARD_INPUT, url: null, headers: HTML, body: pageFrom(STANDARD_INPUT, readStandardInput()) };
  else if (/^https?:\/\//i.test(input)) yield* fetched([urlOf(input)], options);
  else if (!existsSync(input)) throw new UsageError(`${input}: no such file or folder; give a folder, a file or an http(s) URL`);
  else if (statSync(input).isDirectory()) yield* readFolder(input, options);
  else yield* readFile(input, options, true);
}

async function* readFolder(dir: string, options: InputOptions): AsyncGenerator<SourcePage> {
  const names = namesIn(dir).filter((name) => isFile(join(dir, name)));
  const readable = names.filter((name) => READABLE.test(name)).sort();
  if (readable.length === 0) {
    throw new DataError(`${dir}: has no example pages; put .html, .txt, .md, .jsonl or .warc(.gz) files there`);
  }
  if (readable.length < names.length) options.warn?.(`${dir}: ${names.length - readable.length} files of other kinds passed over`);
  for (const name of readable) yield* readFile(join(dir, name), options, false);
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    throw unreadable(dir, error);
  }
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): DataError {
  return new DataError(`${path}: cannot be read (${messageOf(error)}); mend or remove it`, { cause: error });
}

/** @param mayList a file the user named may be a list of URLs; one found in a folder is a page. */
async function* readFile(path: string, options: InputOptions, mayList: boolean): AsyncGenerator<SourcePage> {
  if (/\.jsonl$/i.test(path)) yield* readJsonLines(path);
  else if (/\.warc(\.gz)?$/i.test(path)) yield* readWarc(path, options);
  else if (mayList && isUrlList(path)) yield* fetched(readUrlFile(path), options);
  else
    yield {
      id: path,
      url: null,
      headers: HEADERS_OF.find(([pattern]) => pattern.test(path))?.[1] ?? HTML,
      body: pageFrom(path, bytesOf(path)),
    };
}

/** @throws DataError for a file that is no text: it would be learned from as noise. */
function pageFrom(id: string, body: Uint8Array): Uint8Array {
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

async function* readJsonLines(path: string): AsyncGenerator<SourcePage> {
  let number = 0;
  for await (const line of linesOf(path)) {
    number += 1;
    if (line.trim() !== '') yield pageOfLine(`${path}:${number}`, line);
  }
}

/** Lines without their ends; memory is that of one line, which is capped. @throws DataError */
async function* linesOf(path: string): AsyncGenerator<string> {
  let held: Buffer[] = [];
  let heldBytes: Bytes = 0;
  for await (const chunk of chunksOf(path)) {
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      yield Buffer.concat([...held, chunk.subarray(start, end)]).toString('utf8');
      held = [];
      heldBytes = 0;
      start = end + 1;
    }
    held.push(chunk.subarray(start));
    heldBytes += chunk.length - start;
    if (heldBytes > MAX_FILE_BYTES)
      throw new DataError(`${path}: has a line of over ${MAX_FILE_BYTES} bytes, the cap for one page; split or remove it`);
  }
  if (heldBytes > 0) yield Buffer.concat(held).toString('utf8');
}

async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) yield chunk as Buffer;
  } catch (error) {
    throw unreadable(path, error);
  }
}

function pageOfLine(id: string, line: string): SourcePage {
  const parsed = lineSchema.safeParse(jsonOf(id, line));
  if (!parsed.success) throw new DataError(`${id}: is not an object with text fields url, html or text; mend or delete the line`);
  const { url, html, text } = parsed.data;
  if (html === undefined && text === undefined) throw new DataError(`${id}: has neither "html" nor "text"; mend or delete the line`);
  return {
    id,
    url: url === undefined ? null : canonicalize(url),
    headers: html === undefined ? TEXT : { 'content-type': 'text/html; charset=utf-8' },
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

async function* readWarc(path: string, options: InputOptions): AsyncGenerator<SourcePage> {
  for await (const { url, headers, body } of readWarcResponses(path, options.warn ? { warn: options.warn } : {})) {
    // The body is decoded already; its charset is still the header's.
    yield { id: url, url: canonicalize(url), headers, body };
  }
}

async function* fetched(urls: readonly CanonicalUrl[], options: InputOptions): AsyncGenerator<SourcePage> {
  const { pages, failures } = await fetchList(urls, options.fetch ?? {});
  for (const { url, reason } of failures) options.warn?.(`${url}: not fetched (${reason})`);
  if (pages.length === 0) throw nothingFetched(urls, failures);
  for (const { url, headers, body } of pages) yield { id: url, url, headers, body };
}

function nothingFetched(urls: readonly CanonicalUrl[], failures: FetchedList['failures']): DataError {
  const [first] = failures;
  const remedy = failures.some(({ reason }) => reason === 'private-address')
    ? '; --allow-private lets loopback and private addresses be asked'
    : '';
  return new DataError(
    `none of ${urls.length} URLs could be fetched; the first: ${first?.url ?? urls[0]} (${first?.reason ?? 'no answer'})${remedy}`,
  );
}

/** A file whose first line that says anything is a URL, and nothing else. */
function isUrlList(path: string): boolean {
  if (/\.(html?|xhtml|md|markdown)$/i.test(path)) return false;
  const start = Buffer.from(bytesOf(path).subarray(0, 64 * 1024)).toString('utf8');
  const first = start.split(/\r?\n/).find((line) => line.trim() !== '' && !line.startsWith('#'));
  return first !== undefined && /^https?:\/\/\S+$/i.test(first.trim());
}

function bytesOf(path: string): Uint8Array {
  try {
    const { size } = statSync(path);
    if (size > MAX_FILE_BYTES)
      throw new DataError(`${path}: ${size} bytes is over the cap of ${MAX_FILE_BYTES} for one page; split or remove it`);
    return readFileSync(path);
  } catch (error) {
    throw error instanceof DataError ? error : unreadable(path, error);
  }
}

function readStandardInput(): Uint8Array {
  try {
    return readFileSync(0);
  } catch (error) {
    throw unreadable(STANDARD_INPUT, error);
  }
}

function urlOf(input: string): CanonicalUrl {
  const url = canonicalize(input);
  if (!url) throw new UsageError(`${input}: not a usable http(s) URL of at most 2,048 characters`);
  return url;
}
