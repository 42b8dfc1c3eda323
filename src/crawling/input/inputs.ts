import { createReadStream, type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { CrawlerError, DataError, EnvironmentError, UsageError } from '../../base/core/errors.ts';
import { failureText } from '../../base/core/failure-words.ts';
import { isPathThere } from '../../base/core/on-disk.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { fileKindOf, readGivenFile, refusal } from '../../base/text/given-file.ts';
import { hasOtherScheme, meantUrl } from '../../base/web/bare-url.ts';
import { canonicalizeWithRoute } from '../../base/web/url.ts';
import { refuseChangedInput } from '../../corpus/harvest/corpus-sums.ts';
import { TEXT_KINDS } from '../../reading/documents/document-kinds.ts';
import { isArchiveName } from '../archive/archive-files.ts';
import { checkOptions, faultsIn, type OptionTable } from '../settings/check-options.ts';
import { call, signal } from '../settings/kinds.ts';
import { pagesOfArchive } from './archive-pages.ts';
import { FETCH, type FetchedList, type FetchFailure, type FetchListOptions, fetchList } from './fetch-list.ts';
import { listOfLinks } from './link-list.ts';
import { unreadKinds, whyOtherType } from './office-files.ts';
import { DOCUMENT_NAME, kindOfSource, refuseFalseName, sourceDocument } from './source-document.ts';
import { type Bad, HTML, MAX_PAGE_FILE_BYTES, pageFrom, pagesOfLines, pagesOfWarc, refuse, type SourcePage, TEXT } from './source-page.ts';
import { readStandardInput } from './standard-input.ts';
import { isUrlFile, readUrlFile, textLines } from './url-file.ts';

/** Options for fetching URLs among the inputs, and the receiver of notes on skipped files. */
export interface InputOptions {
  readonly fetch?: Partial<FetchListOptions>;
  readonly warn?: (message: string) => void;
  /** Ends the input with the reason of the signal. */
  readonly signal?: AbortSignal;
}

const fetchOptions = z
  .custom<Partial<FetchListOptions>>((value) => typeof value === 'object' && value !== null, 'not an object of options')
  .superRefine((value, context) => {
    for (const { name, why } of faultsIn(FETCH, value))
      context.addIssue({ code: 'custom', message: why, path: name === null ? [] : [name] });
  });
export const INPUT: OptionTable<InputOptions> = { fetch: fetchOptions, warn: call, signal };

const HTML_NAME = /\.(html?|xhtml)$/i;
const HEADERS_OF: readonly (readonly [RegExp, Readonly<Record<string, string>>])[] = [
  [HTML_NAME, HTML],
  [/\.(txt|md|markdown)$/i, TEXT],
];
const READABLE_NAME = /\.(html?|xhtml|txt|md|markdown|jsonl|warc|warc\.gz|wacz)$/i;
const READABLE = { test: (name: string): boolean => READABLE_NAME.test(name) || DOCUMENT_NAME.test(name) };

/** See `readInput` of the library. */
export async function* readInput(input: string, options: InputOptions = {}): AsyncGenerator<SourcePage> {
  checkOptions('readInput', INPUT, options);
  yield* inputPages(input, options);
}

/** Pages of an input as in `readInput`, with options that were already checked. */
export async function* inputPages(input: string, options: InputOptions): AsyncGenerator<SourcePage> {
  for await (const page of pagesOf(input, options)) {
    options.signal?.throwIfAborted();
    yield page;
  }
}

/** Pages of several inputs. Their URLs are requested as one list: robots.txt once for each host, and the delay between requests to one host. */
export async function* pagesOfAll(inputs: readonly string[], options: InputOptions): AsyncGenerator<SourcePage> {
  const urls = inputs.filter(isUrl);
  for (const input of inputs) {
    if (!isUrl(input)) yield* inputPages(input, options);
    else if (input === urls[0]) yield* fetched([...new Set(urls.map(urlOf))], options);
  }
}

function isUrl(input: string): boolean {
  return /^https?:\/\//i.test(input);
}

async function* pagesOf(input: string, options: InputOptions): AsyncGenerator<SourcePage> {
  const { render = 'never' } = options.fetch ?? {};
  if (render !== 'never' && !isUrl(input) && !(input !== '-' && isUrlListThere(input)))
    options.warn?.(`${input}: --render is about URLs, and this is read as it is; give its URL to have it rendered`);
  if (input === '-') yield* readStandardInput(options.warn);
  else if (isUrl(input)) yield* fetched([urlOf(input)], options);
  else if (!isPathThere(input)) throw new UsageError(noInput(input));
  else if (await isChecked(input)) yield* readFolder(input, options);
  else if (isUrlList(input)) yield* fetched(readUrlFile(input), options);
  else yield* readFile(input, options, refuse);
}

/** Is it a folder? Files of a corpus are checked first. @throws DamageError if they have changed */
async function isChecked(input: string): Promise<boolean> {
  await refuseChangedInput(input, (name) => READABLE.test(name));
  return statSync(input).isDirectory();
}

function noInput(input: string): string {
  const meant = meantUrl(input);
  const remedy = meant === null ? 'give a folder, a file or an http(s) URL' : `did you mean ${meant}?`;
  return `${input}: no such file or folder; ${remedy}`;
}

/** Number of bad files and lines of one folder that are named; the rest are counted. */
const MAX_NAMED = 20;

async function* readFolder(dir: string, options: InputOptions): AsyncGenerator<SourcePage> {
  const faults: CrawlerError[] = [];
  const bad: Bad = (error) => {
    if (faults.push(error) <= MAX_NAMED) options.warn?.(`${error.message}; skipped`);
  };
  const names = filesIn(dir, refuse, bad);
  const readable = names.filter((name) => READABLE.test(name)).sort();
  const { lines, others } = unreadKinds(names.filter((name) => !READABLE.test(name)));
  if (readable.length === 0 && faults.length === 0)
    throw new DataError(
      [`${dir}: has no example pages`, ...lines, 'put .html, .txt, .md, .jsonl, .warc(.gz) or .wacz files there'].join('; '),
    );
  for (const line of lines) options.warn?.(`${dir}: ${line}`);
  if (others > 0) options.warn?.(`${dir}: ${others} files of other kinds skipped`);
  let pages = 0;
  for (const name of readable) {
    for await (const page of readFileOfFolder(name, options, bad)) {
      pages += 1;
      yield page;
    }
  }
  if (faults.length > 0) tellFaults(dir, faults, pages, options);
}

function tellFaults(dir: string, faults: readonly CrawlerError[], pages: number, { warn }: InputOptions): void {
  if (pages === 0) {
    const Fault = faults.every((fault) => fault.code === 'ENVIRONMENT') ? EnvironmentError : DataError;
    throw new Fault(`${dir}: has no page that can be read; the first fault: ${faults[0]?.message}`);
  }
  warn?.(`${dir}: ${pages} pages read, ${faults.length} unreadable files or lines skipped`);
}

/** Damage ends a file, not its folder. */
async function* readFileOfFolder(path: string, options: InputOptions, bad: Bad): AsyncGenerator<SourcePage> {
  try {
    yield* readFile(path, options, bad);
  } catch (error) {
    if (!(error instanceof CrawlerError)) throw error;
    bad(error);
  }
}

/** The paths of all files below a folder; links to files count, links to folders are not followed. */
function filesIn(dir: string, unreadableFolder: Bad, bad: Bad): string[] {
  return entriesOf(dir, unreadableFolder).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return filesIn(path, bad, bad);
    return isFile(path, bad) ? [path] : [];
  });
}

function entriesOf(dir: string, bad: Bad): Dirent[] {
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch (error) {
    bad(refusal(error, dir, 'mend or remove it'));
    return [];
  }
}

function isFile(path: string, bad: Bad): boolean {
  try {
    return statSync(path).isFile();
  } catch (error) {
    bad(refusal(error, path, 'mend or remove it'));
    return false;
  }
}

async function* readFile(path: string, options: InputOptions, bad: Bad): AsyncGenerator<SourcePage> {
  if (/\.jsonl$/i.test(path)) yield* pagesOfLines(path, chunksOf(path), bad);
  else if (/\.warc(\.gz)?$/i.test(path)) {
    refuseEndless(path);
    yield* pagesOfWarc(path, options.warn);
  } else if (isArchiveName(path)) {
    refuseEndless(path);
    yield* pagesOfArchive(path, options.warn);
  } else yield await pageOfFile(path);
}

/** @throws DataError for a file that is no page */
async function pageOfFile(path: string): Promise<SourcePage> {
  const headers = HEADERS_OF.find(([pattern]) => pattern.test(path))?.[1] ?? HTML;
  const bytes = bytesOf(path);
  const kind = kindOfSource(bytes, {}, path);
  if (kind !== null) return sourceDocument({ id: path, url: null, headers: {}, body: bytes }, kind);
  if (isBlank(bytes)) throw new DataError(`${path}: is empty; give a page, or remove it`);
  const body = pageFrom(path, bytes, HTML_NAME.test(path));
  refuseFalseName(path);
  if (!HTML_NAME.test(path)) refuseLinks(path, body);
  return { id: path, url: null, headers, body };
}

function isBlank(bytes: Uint8Array): boolean {
  return textLines(bytes.subarray(0, 64 * 1024)).every((line) => line.trim() === '');
}

/** @throws DataError if a text is a list of links: the person meant the pages behind them */
function refuseLinks(path: string, body: Uint8Array): void {
  const lines = textLines(body);
  const found = lines.some((line) => MARKUP.test(line)) ? null : listOfLinks(lines);
  if (found === null) return;
  const at = `line ${found.line}: ${found.text.slice(0, QUOTED)}`;
  if (found.isUrl) throw new DataError(`${path}: looks like a list of links, not a page (${at}); write one URL a line and nothing else`);
  if (hasOtherScheme(found.text))
    throw new DataError(`${path}: looks like a list of URLs that are not http(s) (${at}); write one http(s) URL a line`);
  const url = meantUrl(found.text) ?? `https://${found.text}`;
  throw new DataError(
    `${path}: looks like URLs without http:// (${at}); write one URL a line, with its scheme, e.g. ${url.slice(0, QUOTED)}`,
  );
}

/** A line that begins with an element, and not with an address in angle brackets. */
const MARKUP = /^\s*<(?!https?:|www\.)[a-z!?/]/i;

/** Characters of a link that are quoted. */
const QUOTED = 80;

/** A pipe or device may never end. @throws UsageError */
function refuseEndless(path: string): void {
  const kind = fileKindOf(statSync(path));
  if (kind !== null) throw new UsageError(`${path}: is ${kind}, not a file; write its content to a file, or to standard input with -`);
}

async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  refuseEndless(path);
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) yield chunk as Buffer;
  } catch (error) {
    throw refusal(error, path, 'mend or remove it');
  }
}

async function* fetched(urls: readonly CanonicalUrl[], options: InputOptions): AsyncGenerator<SourcePage> {
  const { pages, failures } = await fetchList(urls, {
    documents: TEXT_KINDS.map(({ name }) => name),
    ...(options.signal && { signal: options.signal }),
    ...options.fetch,
    emit: (event) => {
      options.fetch?.emit?.(event);
      if (event.type === 'warning') options.warn?.(event.message);
    },
  });
  options.signal?.throwIfAborted();
  for (const failure of failures) options.warn?.(`${failure.url}: not fetched: ${whyNotFetched(failure)}`);
  if (pages.length === 0) throw nothingFetched(urls, failures);
  for (const { url, headers, body, rendered } of pages) {
    const page = { id: url, url, headers, body, ...(rendered && { rendered }) };
    const kind = kindOfSource(body, headers, url);
    yield kind === null ? page : await sourceDocument(page, kind);
  }
}

/** The failure in words; of a document, as for one on the disk. */
function whyNotFetched({ url, reason, status }: FetchFailure): string {
  const other = reason.split(':', 1)[0] === 'content-type' ? whyOtherType(new URL(url).pathname) : null;
  return other ?? `${failureText(reason, status)} (${reason})`;
}

function nothingFetched(urls: readonly CanonicalUrl[], failures: FetchedList['failures']): DataError {
  const [first] = failures;
  const remedy = failures.some(({ reason }) => reason === 'private-address')
    ? '; --allow-private lets loopback and private addresses be asked'
    : '';
  const one = first ? `${first.url}: ${whyNotFetched(first)}` : `${urls[0]}: no answer`;
  return new DataError(
    `${urls.length === 1 ? 'the URL could not be fetched' : `none of ${urls.length} URLs could be fetched; the first`}: ${one}${remedy}`,
  );
}

function isUrlListThere(input: string): boolean {
  return statSync(input, { throwIfNoEntry: false })?.isFile() === true && isUrlList(input);
}

/** A file whose first non-empty line is only a URL. */
function isUrlList(path: string): boolean {
  if (isArchiveName(path) || /\.(html?|xhtml|md|markdown|jsonl|warc|warc\.gz)$/i.test(path)) return false;
  return isUrlFile(bytesOf(path).subarray(0, 64 * 1024));
}

function bytesOf(path: string): Uint8Array {
  return readGivenFile(path, { maxBytes: MAX_PAGE_FILE_BYTES, what: 'one page', remedy: 'mend or remove it' });
}

function urlOf(input: string): CanonicalUrl {
  const url = canonicalizeWithRoute(input);
  if (!url) throw new UsageError(`${input}: not a usable http(s) URL of at most 2,048 characters`);
  return url;
}
