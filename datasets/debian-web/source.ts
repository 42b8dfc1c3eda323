import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Bytes } from '../../src/base/core/types.ts';
import { PageCache } from '../page-cache.ts';
import { notFound, type PageAnswer, type PageSource, withoutQuery } from '../page-source.ts';

/** Where the built web lies, relative to the repository; git-ignored. */
export const DEFAULT_DIR = '.cache/debian-web';
/** 256 MB hold about 9,000 pages of the Debian web's mean of 29 KB. */
export const DEFAULT_CACHE_BYTES: Bytes = 256 * 1024 * 1024;

/** No charset: the page's own meta element must count, as it does on many real servers. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.xhtml': 'application/xhtml+xml',
};
const INDEX_NAMES = ['index.html', 'index.htm', 'index.xhtml'];

/** Pages of `hosts` below `dir`, as a static file server answers them. Reads are synchronous: the page cache of the system makes them short. */
export function diskSource(dir: string, hosts: ReadonlySet<string>, cacheBytes: Bytes = DEFAULT_CACHE_BYTES): PageSource {
  const cache = new PageCache(cacheBytes);
  return {
    get(host, path) {
      if (!hosts.has(host)) return null;
      const key = host + withoutQuery(path);
      const known = cache.get(key);
      if (known !== undefined) return known;
      const answer = answerFor(dir, host, withoutQuery(path));
      cache.set(key, answer);
      return answer;
    },
  };
}

function answerFor(dir: string, host: string, path: string): PageAnswer {
  const segments = safeSegments(path);
  if (segments === null) return notFound();
  const file = join(dir, host, ...segments);
  const kind = kindOf(file);
  if (path.endsWith('/')) return kind === 'folder' ? indexAnswer(file) : notFound();
  if (kind === 'file') return fileAnswer(file);
  if (kind === 'nothing' || !hasIndex(file)) {
    if (extname(file) === '' && kindOf(`${file}.html`) === 'file') return fileAnswer(`${file}.html`);
  }
  return kind === 'folder' ? movedTo(`http://${host}${path}/`) : notFound();
}

/** Decoded path segments; null for a path that is malformed or would leave the host's folder. */
export function safeSegments(path: string): readonly string[] | null {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return null;
  }
  const segments = decoded.split('/').filter((segment) => segment !== '' && segment !== '.');
  return segments.includes('..') || decoded.includes('\0') ? null : segments;
}

function kindOf(file: string): 'file' | 'folder' | 'nothing' {
  try {
    const stat = statSync(file);
    return stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'nothing';
  } catch {
    return 'nothing';
  }
}

function hasIndex(folder: string): boolean {
  return INDEX_NAMES.some((name) => kindOf(join(folder, name)) === 'file');
}

function indexAnswer(folder: string): PageAnswer {
  const name = INDEX_NAMES.find((index) => kindOf(join(folder, index)) === 'file');
  return name === undefined ? notFound() : fileAnswer(join(folder, name));
}

function fileAnswer(file: string): PageAnswer {
  const type = TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream';
  return { status: 200, headers: { 'content-type': type }, body: readFileSync(file) };
}

function movedTo(location: string): PageAnswer {
  return { status: 301, headers: { 'content-type': 'text/plain', location }, body: Buffer.from(`Moved to ${location}\n`) };
}

/** The first `count` bytes of a file, fewer when it is shorter. */
export function headOf(file: string, count: Bytes): Buffer {
  const handle = openSync(file, 'r');
  try {
    const head = Buffer.alloc(Math.min(count, fstatSync(handle).size));
    return head.subarray(0, readSync(handle, head, 0, head.byteLength, 0));
  } finally {
    closeSync(handle);
  }
}
