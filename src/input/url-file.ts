import { readFileSync, statSync } from 'node:fs';
import { DataError, UsageError } from '../core/errors.ts';
import { isPathThere } from '../core/on-disk.ts';
import type { CanonicalUrl } from '../core/types.ts';
import { canonicalize } from '../web/url.ts';

/** Number of bad lines that are named; the rest are counted. */
const NAMED_LINES = 5;

/**
 * Seeds from the command line: http(s) URLs, and files with one URL a line (`#` starts a comment).
 * @throws UsageError for a value that is neither; DataError naming the bad lines of a file
 */
export function readSeeds(values: readonly string[]): CanonicalUrl[] {
  const urls = values.flatMap((value) => (/^https?:\/\//i.test(value) ? [urlOf(value)] : readUrlFile(value)));
  return [...new Set(urls)];
}

/** The URLs of a file, one a line. @throws DataError naming file and lines. */
export function readUrlFile(path: string): CanonicalUrl[] {
  if (!isPathThere(path)) throw new UsageError(`${path}: is neither an http(s) URL nor a file; give a URL, or a file with one URL a line`);
  if (statSync(path).isDirectory()) throw new UsageError(`${path}: is a folder; give a URL, or a file with one URL a line`);
  const urls: CanonicalUrl[] = [];
  const bad: string[] = [];
  for (const [i, line] of contentOf(path).split(/\r?\n/).entries()) {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) continue;
    const url = canonicalize(text);
    if (url) urls.push(url);
    else bad.push(`line ${i + 1}: ${text.slice(0, 80)}`);
  }
  if (bad.length > 0) {
    const more = bad.length > NAMED_LINES ? ` and ${bad.length - NAMED_LINES} more` : '';
    throw new DataError(`${path}: not http(s) URLs: ${bad.slice(0, NAMED_LINES).join('; ')}${more}; mend or delete these lines`);
  }
  if (urls.length === 0) throw new DataError(`${path}: has no URL; write one http(s) URL a line`);
  return urls;
}

function urlOf(value: string): CanonicalUrl {
  const url = canonicalize(value);
  if (!url) throw new UsageError(`${value}: not a usable http(s) URL of at most 2,048 characters`);
  return url;
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new DataError(`${path}: cannot be read (${error instanceof Error ? error.message : String(error)})`, { cause: error });
  }
}
