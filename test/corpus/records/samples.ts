import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { isoTime } from '../../../src/base/core/clock.ts';
import { NO_METADATA } from '../../../src/base/core/no-metadata.ts';
import type { CanonicalUrl, CorpusRecord, FetchedPage } from '../../../src/base/core/types.ts';
import { type CorpusInfo, newRecordId } from '../../../src/corpus/records/warc-record.ts';

export const INFO: CorpusInfo = {
  software: 'forager/0.0.0-test',
  robots: 'obey',
  description: 'a test corpus',
  userAgent: 'forager-test (+http://crawler.example/)',
};

/** 2024-05-06T07:08:09.010Z */
export const T0 = Date.UTC(2024, 4, 6, 7, 8, 9, 10);

export function urlOf(text: string): CanonicalUrl {
  return text as CanonicalUrl;
}

/** A folder of this test's own, gone when it ends; by then all files in it are closed, or they would be by garbage collection. */
export function freshDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'corpus-test-'));
  onTestFinished(async () => {
    // A stream that is destroyed closes its file a little later.
    await vi.waitFor(() => expect(openFilesIn(dir)).toEqual([])).finally(() => rm(dir, { recursive: true, force: true }));
  });
  return dir;
}

const DESCRIPTORS = '/proc/self/fd';

/** The files in `dir` that this process has open; none where the system does not tell. */
function openFilesIn(dir: string): string[] {
  if (!existsSync(DESCRIPTORS)) return [];
  return readdirSync(DESCRIPTORS).flatMap((descriptor) => {
    try {
      const path = readlinkSync(join(DESCRIPTORS, descriptor));
      return path.startsWith(dir) ? [path] : [];
    } catch {
      // The descriptor that the list was read by.
      return [];
    }
  });
}

export function pageOf(url: string, body: Uint8Array | string, over: Partial<FetchedPage> = {}): FetchedPage {
  const bytes = Buffer.from(body);
  const rawHeaders = over.rawHeaders ?? [
    ['Content-Type', 'text/html; charset=utf-8'],
    ['Content-Length', String((over.wireBody ?? bytes).length)],
  ];
  return {
    url: urlOf(url),
    status: 200,
    statusText: 'OK',
    rawHeaders,
    headers: Object.fromEntries(rawHeaders.map(([name, value]) => [name.toLowerCase(), value])),
    requestHeaders: [
      ['Host', new URL(url).host],
      ['User-Agent', 'forager-test'],
    ],
    body: bytes,
    wireBody: bytes,
    truncated: false,
    startedAt: T0,
    endedAt: T0 + 120,
    ip: '192.0.2.7',
    ...over,
  };
}

export function recordOf(page: FetchedPage, over: Partial<CorpusRecord> = {}): CorpusRecord {
  return {
    id: newRecordId(),
    url: page.url,
    fetchedAt: isoTime(page.startedAt),
    title: 'Grafting apple trees',
    text: `Scion and rootstock, as told on ${page.url}`,
    lang: 'en',
    relevance: 0.9,
    threshold: 0.5,
    modelId: '0123456789abcdef',
    depth: 1,
    referrer: urlOf('http://orchard.example/'),
    anchorText: 'grafting',
    payloadSha256: createHash('sha256').update(page.body).digest('hex'),
    metadata: NO_METADATA,
    fields: {},
    ...over,
  };
}

export async function collected<T>(source: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const item of source) out.push(item);
  return out;
}

/** All that a source gives, and what it threw at its end. */
export async function drained<T>(source: AsyncIterable<T>): Promise<{ readonly items: T[]; readonly error: unknown }> {
  const items: T[] = [];
  try {
    for await (const item of source) items.push(item);
  } catch (error) {
    return { items, error };
  }
  return { items, error: null };
}
