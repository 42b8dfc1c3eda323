/** Sitemaps and feeds: from bytes to the URLs they list. */
import { createInflateRaw } from 'node:zlib';
import { TextDecoder as XmlDecoder } from '@exodus/bytes/encoding.js';
import type { Bytes, CanonicalUrl, ListKind } from '../../base/core/types.ts';
import { charsetOf } from '../../base/web/charset.ts';
import { GZIP_TRAILER, isGzip, memberStart } from '../../base/web/content-coding.ts';
import { looksUtf16 } from '../../base/web/content-type.ts';
import { FeedReader } from './feed-reader.ts';
import { SitemapReader, type UrlList } from './list-reader.ts';
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
  let decoder: InstanceType<typeof XmlDecoder> | null = null;
  let form: 'unknown' | 'xml' | 'lines' = 'unknown';
  let rest = '';
  for await (const slice of slicesOf(bytes)) {
    if (reader.full || scanner.broken) break;
    decoder ??= decoderOf(slice);
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

/** Decoder by byte order mark or the byte order of the first characters, else by the XML declaration (XML 1.0, appendix F), else UTF-8. */
function decoderOf(start: Uint8Array): InstanceType<typeof XmlDecoder> {
  return new XmlDecoder(looksUtf16(start) ?? declaredIn(start) ?? 'utf-8');
}

/** null for UTF-16, in which this declaration could not be read. */
function declaredIn(start: Uint8Array): string | null {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return null;
  const label = /encoding\s*=\s*["']([\w.:-]+)["']/.exec(Buffer.from(start.subarray(0, 200)).toString('latin1'))?.[1];
  const charset = label === undefined ? null : charsetOf(label);
  return charset === 'replacement' || charset?.startsWith('utf-16') ? null : charset;
}
