import { createCipheriv } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/core/clock.ts';
import type { DocumentKindName } from '../../../src/base/core/document-kind-names.ts';
import type { FetchOutcome } from '../../../src/base/core/types.ts';
import { canonicalize } from '../../../src/base/web/url.ts';
import { DocumentRules } from '../../../src/crawling/fetch/document-rules.ts';
import { HttpFetcher } from '../../../src/crawling/fetch/http-fetcher.ts';
import { zipFile } from '../../support/zip-file.ts';

const MB = 1024 * 1024;
/** Bytes that do not pack. */
const filling = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(2 * MB));
const paper = Buffer.concat([Buffer.from('%PDF-1.7\n'), filling]);
const book = zipFile([
  { name: 'mimetype', data: 'application/epub+zip', stored: true },
  { name: 'a.bin', data: filling, stored: true },
]);
const page = Buffer.from(`<title>Long</title>${'<p>A page of a long list.'.repeat(80_000)}`);
const feed = Buffer.from(
  `<rss version="2.0"><channel><title>News</title>${'<item><title>a</title></item>'.repeat(70_000)}</channel></rss>`,
);

const ANSWERS: Readonly<
  Record<string, { readonly type?: string; readonly body: Uint8Array; readonly packed?: true; readonly piece?: number }>
> = {
  '/paper-as-html': { type: 'text/html', body: paper },
  '/paper-as-text': { type: 'text/plain; charset=utf-8', body: paper },
  '/paper-without-type': { body: paper },
  '/paper-as-xhtml-in-small-pieces': { type: 'application/xhtml+xml', body: paper, piece: 100 },
  '/paper-packed': { type: 'text/html', body: gzipSync(paper), packed: true },
  '/book-as-html': { type: 'text/html', body: book },
  '/feed-as-html': { type: 'text/html', body: feed },
  '/page': { type: 'text/html', body: page },
  '/scan-as-html': { type: 'text/html', body: Buffer.concat([paper, Buffer.alloc(31 * MB)]) },
};

let server: Server;
let origin = '';
beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    const { type, body, packed, piece } = ANSWERS[url] ?? { body: new Uint8Array() };
    response.writeHead(200, { ...(type !== undefined && { 'content-type': type }), ...(packed && { 'content-encoding': 'gzip' }) });
    if (piece === undefined) return response.end(body);
    response.write(body.subarray(0, piece));
    return setImmediate(() => response.end(body.subarray(piece)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

async function fetched(path: string, documents: readonly DocumentKindName[]): Promise<string> {
  const fetcher = new HttpFetcher({
    ...{ userAgent: 'Test/0', contact: null, clock: systemClock, allowPrivate: true, maxWireBytes: MB, maxBodyBytes: 4 * MB },
    documents,
  });
  const url = canonicalize(origin + path);
  if (url === null) throw new Error(path);
  const outcome = await fetcher.fetch(url, new AbortController().signal);
  await fetcher.close();
  return told(outcome);
}

function told(outcome: FetchOutcome): string {
  if (outcome.kind === 'page') return `${outcome.page.truncated ? 'cut' : 'whole'} ${outcome.page.body.byteLength}`;
  return outcome.kind === 'refused' ? outcome.reason : outcome.kind;
}

describe('a document is told by its start before the cap of pages applies', () => {
  test.each([
    ['/paper-as-html', paper],
    ['/paper-as-text', paper],
    ['/paper-without-type', paper],
    ['/paper-as-xhtml-in-small-pieces', paper],
    ['/paper-packed', paper],
    ['/book-as-html', book],
    ['/feed-as-html', feed],
  ])('%s', async (path, body) => {
    expect(await fetched(path, ['pdf', 'epub', 'feed'])).toBe(`whole ${body.byteLength}`);
  });

  test('a page keeps its cap, and so does a document of a kind that is not read', async () => {
    expect(await fetched('/page', ['pdf', 'epub', 'feed'])).toBe(`cut ${MB}`);
    expect(await fetched('/feed-as-html', ['pdf'])).toBe(`cut ${MB}`);
    expect(await fetched('/paper-as-html', [])).toBe('content-type');
    expect(await fetched('/paper-as-html', ['epub'])).toBe('content-type');
  });

  test('a document has a cap of its own', async () => {
    expect(await fetched('/scan-as-html', ['pdf'])).toBe('too-large');
  });
});

test('a refused file of a kind that is read is not counted as one of a kind that is not', () => {
  const rules = new DocumentRules(['pdf']);
  expect(rules.unreadKind('application/pdf', 'http://a.example/b')).toBeNull();
  expect(rules.unreadKind('application/octet-stream', 'http://a.example/b.pdf')).toBeNull();
  expect(rules.unreadKind('application/epub+zip', 'http://a.example/b')).toBe('epub');
  expect(new DocumentRules([]).unreadKind('', 'http://a.example/b.pdf')).toBe('pdf');
});
