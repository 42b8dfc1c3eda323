/**
 * Captures of a web archive that are indexed in a second of CPU, all threads counted, and look-ups in that index. The archive has one gzip member a
 * record, written here: a page of invented words, as long as asked.
 *
 *   npm run bench -- archive-index [--records 1000000] [--bytes 2000] [--lookups 100000]
 */
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { seededRng } from '../../src/base/core/rng.ts';
import type { CanonicalUrl } from '../../src/base/core/types.ts';
import { canonicalize } from '../../src/base/web/url.ts';
import { archiveFiles } from '../../src/crawling/archive/archive-files.ts';
import { ArchiveIndex } from '../../src/crawling/archive/archive-index.ts';
import { readSources } from '../../src/crawling/archive/read-sources.ts';

const WORDS = 'tree graph node edge planar colour minor genus clique matching flow cut spanning bipartite degree walk'.split(' ');
const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '1000000' },
    bytes: { type: 'string', default: '2000' },
    lookups: { type: 'string', default: '100000' },
  },
});
const [records, bytes, lookups] = [Number(values.records), Number(values.bytes), Number(values.lookups)];
const dir = mkdtempSync(join(tmpdir(), 'forager-archive-'));
try {
  const path = join(dir, 'bench.warc.gz');
  await pipeline(written(), createWriteStream(path));
  console.log(`${records} records of ${bytes} bytes of HTML, ${(statSync(path).size / 1e6).toFixed(0)} MB compressed`);
  const index = new ArchiveIndex(join(dir, 'index'));
  const started = process.cpuUsage();
  await readSources(
    index,
    { ...(await archiveFiles([path])), remote: null },
    { signal: new AbortController().signal, onProgress: () => {}, warn: console.error },
  );
  const reading = seconds(started);
  console.log(`indexed: ${Math.round(records / reading)} captures a CPU-second (${reading.toFixed(1)} s)`);
  lookUp(index);
  await index.close();
  console.log(`index: ${(statSync(join(dir, 'index', 'data.mdb')).size / records).toFixed(0)} bytes a capture`);
} finally {
  rmSync(dir, { recursive: true, force: true });
}

function* written(): Generator<Buffer> {
  const rng = seededRng(1);
  // A hundred pages in turn: their text does not matter to an index.
  const pages = Array.from({ length: 100 }, () => {
    let text = '<html><title>page</title><p>';
    while (text.length < bytes) text += `${WORDS[Math.floor(rng() * WORDS.length)]} `;
    return text;
  });
  for (let i = 0; i < records; i++) yield gzipSync(recordOf(i, pages[i % pages.length] ?? ''));
}

function recordOf(i: number, page: string): string {
  const http = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${page.length}\r\n\r\n${page}`;
  const id = i.toString(16).padStart(12, '0');
  return `WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-${id}>\r\nWARC-Date: 2004-05-01T00:00:${String(i % 60).padStart(2, '0')}Z\r\nWARC-Target-URI: ${urlAt(i)}\r\nWARC-Payload-Digest: sha1:${String(i).padStart(32, 'A')}\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: ${http.length}\r\n\r\n${http}\r\n\r\n`;
}

function urlAt(i: number): string {
  return `http://host-${i % 997}.example/section/${i % 89}/page-${i}.html`;
}

function lookUp(index: ArchiveIndex): void {
  const urls = Array.from({ length: lookups }, (_, i) => canonicalize(urlAt((i * 7919) % records)) as CanonicalUrl);
  const started = process.cpuUsage();
  const found = urls.filter((url) => [...index.find(url, null)].length === 1).length;
  console.log(`look-ups: ${((1e6 * seconds(started)) / lookups).toFixed(1)} µs each, ${found} of ${lookups} found`);
}

function seconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
}
