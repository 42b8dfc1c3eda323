/** Files with one URL a line, and files that should have been: hosts without a scheme, links in tables and Markdown. */
import { CrawlerError, DataError, UsageError } from '../../base/core/errors.ts';
import { isPathThere } from '../../base/core/on-disk.ts';
import type { Bytes, CanonicalUrl } from '../../base/core/types.ts';
import { readGivenFile } from '../../base/text/given-file.ts';
import { hasOtherScheme, meantUrl } from '../../base/web/bare-url.ts';
import { looksUtf16 } from '../../base/web/content-type.ts';
import { canonicalizeWithRoute } from '../../base/web/url.ts';
import { linkInLine } from './link-list.ts';

/** Number of bad lines that are named; the rest are counted. */
const NAMED_LINES = 5;
/** Characters of a bad line that are quoted. */
const QUOTED = 80;
/** Two million URLs of a hundred characters. V8 makes no text of twice that size. */
const MAX_BYTES: Bytes = 256 * 1024 * 1024;

/**
 * Seeds from the command line: http(s) URLs, and files with one URL a line (`#` starts a comment).
 * @throws UsageError for a value that is neither; DataError naming the bad lines of a file
 */
export function readSeeds(values: readonly string[]): CanonicalUrl[] {
  const urls = values.flatMap((value) => (/^https?:\/\//i.test(value) ? [urlOf(value)] : readUrlFile(value)));
  return [...new Set(urls)];
}

/** May an input of example pages also be a seed: a URL, or a file with one URL a line? */
export function isSeed(input: string): boolean {
  try {
    return readSeeds([input]).length > 0;
  } catch (error) {
    if (error instanceof CrawlerError) return false;
    throw error;
  }
}

/** The URLs of a file, one a line. @throws DataError naming file and lines; UsageError as `readSeeds`. */
export function readUrlFile(path: string): CanonicalUrl[] {
  if (!isPathThere(path)) throw new UsageError(noFile(path));
  const urls: CanonicalUrl[] = [];
  const bad: { readonly number: number; readonly text: string }[] = [];
  const content = readGivenFile(path, { maxBytes: MAX_BYTES, what: 'URLs', remedy: 'give a URL, or a file with one URL a line' });
  for (const [i, line] of textLines(content).entries()) {
    const text = entryOf(line);
    if (text === '') continue;
    const url = ONE_URL.test(text) ? canonicalizeWithRoute(text) : null;
    if (url) urls.push(url);
    else bad.push({ number: i + 1, text });
  }
  if (bad.length > 0) throw badLines(path, bad);
  if (urls.length === 0) throw new DataError(`${path}: ${content.length === 0 ? 'is empty' : 'has no URL'}; write one http(s) URL a line`);
  return urls;
}

/** A line that is one URL. With a space, it is a URL and something else: the parser of URLs would take both as one. */
const ONE_URL = /^https?:\/\/\S+$/i;

/** A line without its comment. */
function entryOf(line: string): string {
  return line.replace(/(^|\s)#.*$/, '').trim();
}

/** Do the first lines of a file say that it has one URL a line? */
export function isUrlFile(start: Uint8Array): boolean {
  const first = textLines(start)
    .map(entryOf)
    .find((line) => line !== '');
  return first !== undefined && ONE_URL.test(first);
}

/** The lines of a text in UTF-8 or UTF-16, with the line ends of any system; without a byte order mark. */
export function textLines(bytes: Uint8Array): string[] {
  return new TextDecoder(looksUtf16(bytes) ?? 'utf-8').decode(bytes).split(/\r\n?|\n/);
}

/** Reason why a value is not a URL, with the URL that it may mean. */
function noFile(value: string): string {
  const meant = meantUrl(value);
  const remedy = meant === null ? 'give a URL, or a file with one URL a line' : `did you mean ${meant}?`;
  return `${value}: is neither an http(s) URL nor a file; ${remedy}`;
}

function badLines(path: string, bad: readonly { readonly number: number; readonly text: string }[]): DataError {
  const named = bad.slice(0, NAMED_LINES).map(({ number, text }) => `line ${number}: ${text.slice(0, QUOTED)}`);
  const more = bad.length > NAMED_LINES ? ` and ${bad.length - NAMED_LINES} more` : '';
  const all = `${path}: not http(s) URLs: ${named.join('; ')}${more}`;
  const others = bad.filter(({ text }) => !hasOtherScheme(text));
  const bare = others.map(({ text }) => meantUrl(text)).find((url) => url !== null);
  if (bare)
    return new DataError(`${all}; mend or delete these lines: some look like URLs without http://, write the scheme too, e.g. ${bare}`);
  const isMore = others.some(({ text }) => linkInLine(text) !== null);
  return new DataError(`${all}; ${isMore ? 'write nothing but the URL on each line' : 'mend or delete these lines'}`);
}

function urlOf(value: string): CanonicalUrl {
  const url = canonicalizeWithRoute(value);
  if (!url) throw new UsageError(`${value}: not a usable http(s) URL of at most 2,048 characters`);
  return url;
}
