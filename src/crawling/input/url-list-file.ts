/** A file of URLs to visit, of any size: it is read in pieces, and may be packed with gzip. */
import { createReadStream } from 'node:fs';
import { TextDecoder } from 'node:util';
import { createGunzip } from 'node:zlib';
import { DataError, messageOf } from '../../base/core/errors.ts';
import type { Bytes } from '../../base/core/types.ts';
import { readGivenStart, refusal } from '../../base/text/given-file.ts';
import { counted } from '../../base/text/number-text.ts';
import { isGzip } from '../../base/web/content-coding.ts';
import { looksUtf16 } from '../../base/web/content-type.ts';
import { lineReaderFor } from './listed-lines.ts';
import type { LineReader, ListedUrl } from './listed-url.ts';

/** Unpacked: twenty million lines of a CDX. */
const MAX_BYTES: Bytes = 4 * 1024 ** 3;
/** The largest crawl that was measured has ten million URLs. */
const MAX_URLS = 10_000_000;
/** A record of JSON lines with the text of a long page; V8 searches it in milliseconds. Forms whose lines have no meaning are read in pieces of it. */
const MAX_LINE = 4 * 1024 * 1024;
const REMEDY = 'give a CDX, a bibliography, a table or a text with http(s) URLs, or --url-list none';

export interface UrlsOfLine {
  readonly urls: readonly ListedUrl[];
  /** Number of the line, from 1. */
  readonly line: number;
}

/**
 * The URLs of a file, line by line. URLs may repeat.
 * @throws UsageError if there is no such file; DataError with the line for a file that is damaged, over a cap, or without any URL
 */
export async function* urlsIn(path: string): AsyncGenerator<UrlsOfLine> {
  const where: Where = { line: 0, reader: null };
  let count = 0;
  for await (const { text, isWhole } of linesOf(path, where)) {
    if (where.reader === null && text.trim() === '') continue;
    where.reader ??= lineReaderFor(text);
    const urls = where.reader.read(text, isWhole);
    count += urls.length;
    if (count > MAX_URLS) throw new DataError(`${path}:${where.line}: more than ${MAX_URLS} URLs; split the file`);
    if (urls.length > 0) yield { urls, line: where.line };
  }
  const last = where.reader?.end() ?? [];
  if (last.length > 0) yield { urls: last, line: where.line };
  if (count + last.length === 0) throw new DataError(`${path}: ${whyNone(where)}`);
}

/** The place in a file, and the reader of its form once that is known. */
interface Where {
  line: number;
  reader: LineReader | null;
}

function whyNone({ line, reader }: Where): string {
  const others = reader?.otherLists ?? 0;
  if (others > 0) return `is an index of ${counted(others, 'sitemap')}; give those files, or the address of the index to crawl --seeds`;
  return `has no http(s) URL in ${line} lines; ${REMEDY}`;
}

/** Refuses a file without a URL before anything is written. Reads up to the first URL. @throws as `urlsIn` */
export async function refuseWithoutUrls(path: string): Promise<void> {
  for await (const _ of urlsIn(path)) return;
}

async function* linesOf(path: string, where: Where): AsyncGenerator<{ readonly text: string; readonly isWhole: boolean }> {
  const head = readGivenStart(path, { what: 'URLs', remedy: REMEDY });
  let decoder: TextDecoder | null = null;
  let [rest, held, size] = ['', '', 0];
  const damage = (why: string) => new DataError(`${path}:${where.line + 1}: ${why}`);
  try {
    for await (const chunk of bytesOf(path, isGzip(head))) {
      size += chunk.byteLength;
      if (size > MAX_BYTES) throw damage(`over the cap of ${MAX_BYTES} bytes, unpacked; split the file`);
      decoder ??= new TextDecoder(looksUtf16(chunk) ?? 'utf-8');
      const [first = '', ...others] = `${held}${decoder.decode(chunk, { stream: true })}`.split(/\r\n|\n|\r(?!$)/);
      rest += first;
      // A line feed may follow in the next piece.
      held = '';
      for (const other of others) {
        yield taken(rest);
        rest = other;
      }
      if (rest.endsWith('\r')) [rest, held] = [rest.slice(0, -1), '\r'];
      if (rest.length <= MAX_LINE) continue;
      where.reader ??= lineReaderFor(rest);
      if (!where.reader.inPieces) throw damage(`a line of more than ${MAX_LINE} characters; break it at its records`);
      yield { text: rest, isWhole: false };
      rest = '';
    }
  } catch (error) {
    if (isOfZlib(error)) throw damage(`the gzip file is damaged here (${messageOf(error)}); take it from a whole copy`);
    throw refusal(error, path, REMEDY);
  }
  if (rest !== '') yield taken(rest);

  function taken(text: string): { readonly text: string; readonly isWhole: boolean } {
    where.line += 1;
    return { text, isWhole: true };
  }
}

async function* bytesOf(path: string, isPacked: boolean): AsyncGenerator<Uint8Array> {
  const file = createReadStream(path);
  try {
    if (!isPacked) {
      for await (const chunk of file) yield chunk as Uint8Array;
      return;
    }
    const unpacked = createGunzip();
    file.on('error', (error) => unpacked.destroy(error));
    for await (const chunk of file.pipe(unpacked)) yield chunk as Uint8Array;
  } finally {
    file.destroy();
  }
}

function isOfZlib(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
