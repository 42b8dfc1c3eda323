/** Sitemaps and feeds: from bytes to the URLs they list. */
import { createInflateRaw } from 'node:zlib';
import type { Bytes, CanonicalUrl, ListKind } from '../../base/core/types.ts';
import { GZIP_TRAILER, isGzip, memberStart } from '../../base/web/content-coding.ts';
import { FeedReader } from './feed-reader.ts';
import { SitemapReader, type UrlList } from './list-reader.ts';
import { xmlDecoder } from './xml-decoder.ts';
import { XmlScanner } from './xml-scanner.ts';

/** Largest size of a sitemap (sitemaps.org), decompressed; the rest is not read. */
export const MAX_LIST_BYTES: Bytes = 50 * 1024 * 1024;
const SLICE: Bytes = 64 * 1024;

/**
 * The pages that a sitemap or feed lists, distinct. Sitemaps may be gzip, an index, or plain text with a URL a line; feeds are RSS or Atom. A sitemap
 * may only list URLs of its own registrable domain (sitemaps.org, "sitemap file location"); a feed may link anywhere, like pages. From damaged lists,
 * the readable part is returned. Never throws; O(bytes), of which at most 50 MB are read.
 */
export async function readUrlList(url: CanonicalUrl, bytes: Uint8Array, kind: ListKind): Promise<UrlList> {
  const reader = kind === 'sitemap' ? new SitemapReader(url) : new FeedReader(url);
  const scanner = new XmlScanner(reader);
  let decoder: ReturnType<typeof xmlDecoder> | null = null;
  let form: 'unknown' | 'xml' | 'lines' = 'unknown';
  let rest = '';
  for await (const slice of slicesOf(bytes)) {
    if (reader.full || scanner.broken) break;
    decoder ??= xmlDecoder(slice);
    const text = decoder.decode(slice, { stream: true });
    if (form === 'unknown' && text.trim() !== '') form = text.trimStart().startsWith('<') ? 'xml' : 'lines';
    if (form === 'lines') rest = reader.lines(rest + text);
    else scanner.push(text);
  }
  reader.lines(`${rest}\n`);
  return reader.list();
}

/** The bytes, decompressed if needed. Ends silently at the cap, and at damage. */
async function* slicesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (isGzip(bytes)) yield* gunzipped(bytes);
  else for (let at = 0; at < Math.min(bytes.length, MAX_LIST_BYTES); at += SLICE) yield bytes.subarray(at, at + SLICE);
}

/** Each gzip member, up to bytes that are none. The checksums are not compared: all URLs that arrived count. */
async function* gunzipped(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  let size = 0;
  for (let at = 0; isGzip(bytes, at); ) {
    const start = memberStart(bytes, at);
    const inflate = createInflateRaw();
    inflate.end(bytes.subarray(start));
    try {
      for await (const chunk of inflate) {
        const slice = chunk as Uint8Array;
        yield slice;
        size += slice.byteLength;
        if (size >= MAX_LIST_BYTES) return;
      }
    } catch {
      return;
    }
    at = start + inflate.bytesWritten + GZIP_TRAILER;
  }
}
