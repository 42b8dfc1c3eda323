/** Pages of an earlier corpus: which are the same, and the stored responses that a 304 confirms. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { linesPrint } from '../../../src/base/core/same-text.ts';
import type { CanonicalUrl, FetchedPage, FetchOutcome, RecordId } from '../../../src/base/core/types.ts';
import { simhash } from '../../../src/base/text/simhash.ts';
import { sinceFetcher } from '../../../src/crawling/archive/earlier-fetcher.ts';
import { EarlierIndex } from '../../../src/crawling/archive/earlier-pages.ts';
import { EarlierResponses } from '../../../src/crawling/archive/earlier-responses.ts';
import type { WebAccess } from '../../../src/crawling/fetch/requests.ts';

const dir = mkdtempSync(join(tmpdir(), 'forager-earlier-'));
afterAll(() => rmSync(dir, { recursive: true }));

const TEXT = 'Sphagnum grows on raised bogs where the water is poor.\nIt holds twenty times its weight of rain.';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const url = (name: string) => `http://a.example/${name}` as CanonicalUrl;
const id = (n: number) => `urn:uuid:00000000-0000-4000-8000-${String(n).padStart(12, '0')}` as RecordId;
const print = (text: string) => ({ simhash: simhash(text), lines: linesPrint(text) });

function indexOf(count: number): EarlierIndex {
  const index = new EarlierIndex();
  for (let n = 0; n < count; n++) index.add({ id: id(n), url: url(`${n}`), text: `${TEXT} ${n}`, payloadSha256: sha256(`${n}`) });
  return index;
}

test('a page is the same by its payload or by its text; another text is a change, and another URL a new page', () => {
  const index = indexOf(3);
  const compared = (name: string, text: string | null, payload: string) =>
    index.compare({ url: url(name), print: text === null ? undefined : print(text), payloadSha256: sha256(payload) });
  expect(compared('1', `${TEXT} 1`, 'other bytes')).toEqual({ recordId: id(1), isSame: true });
  expect(compared('1', 'Nothing of the kind is on this page any longer, as everybody can see.', '1')).toEqual({
    recordId: id(1),
    isSame: true,
  });
  expect(compared('1', `${TEXT} A sentence that nobody had written before this week.`, 'other')).toEqual({
    recordId: id(1),
    isSame: false,
  });
  expect(compared('1', null, 'other')).toEqual({ recordId: id(1), isSame: false });
  expect(compared('9', `${TEXT} 1`, '1')).toBeNull();
});

test('the version of the corpus is that of its ids, in any order', () => {
  const other = new EarlierIndex();
  for (const n of [2, 0, 1]) other.add({ id: id(n), url: url(`${n}`), text: '', payloadSha256: '' });
  expect(other.version()).toBe(indexOf(3).version());
  expect(indexOf(2).version()).not.toBe(indexOf(3).version());
});

/** A WARC file with one response a page. */
async function responsesWith(heads: readonly string[]): Promise<EarlierResponses> {
  const path = join(dir, 'a.warc.gz');
  const records = heads.map((head, n) => {
    const http = `HTTP/1.1 200 OK\r\n${head}\r\n\r\nbody ${n}`;
    const fields = `WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <${id(n)}>\r\nWARC-Target-URI: ${url(`${n}`)}\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: ${http.length}`;
    return gzipSync(`${fields}\r\n\r\n${http}\r\n\r\n`);
  });
  writeFileSync(path, Buffer.concat(records));
  return EarlierResponses.find(
    indexOf(heads.length),
    [{ path, end: Number.POSITIVE_INFINITY }],
    () => undefined,
    new AbortController().signal,
  );
}

const answer = (status: number, rawHeaders: FetchedPage['rawHeaders'] = []): FetchOutcome => ({
  kind: 'page',
  page: {
    url: url('0'),
    status,
    statusText: '',
    rawHeaders,
    body: new Uint8Array(),
    wireBody: new Uint8Array(),
    startedAt: 7,
  } as unknown as FetchedPage,
});

/** What a server is asked, and the outcome. */
async function fetched(earlier: EarlierResponses, name: string, outcome: FetchOutcome) {
  const asked: unknown[] = [];
  const web = {
    fetch: async (_url: CanonicalUrl, _signal: AbortSignal, unless: unknown) => {
      asked.push(unless);
      return outcome;
    },
  } as unknown as WebAccess;
  const found = await sinceFetcher(web, earlier).fetch(url(name), new AbortController().signal);
  return { asked, page: found.kind === 'page' ? found.page : null };
}

test('a 304 gives the stored page, with the fields of the answer where they are not about the body', async () => {
  const earlier = await responsesWith([
    'ETag: "a"\r\nContent-Type: text/html\r\nX-Old: 1\r\nCache-Control: no-cache',
    'Content-Type: text/html',
  ]);
  const fresh = [
    ['Cache-Control', 'max-age=9'],
    ['X-Robots-Tag', 'noindex'],
    ['Content-Type', 'image/png'],
  ] as const;
  const { asked, page } = await fetched(earlier, '0', answer(304, fresh));
  expect(asked).toEqual([{ etag: '"a"', lastModified: null }]);
  expect(page).toMatchObject({ status: 200, confirmed: true, startedAt: 7 });
  expect(Buffer.from(page?.body ?? []).toString()).toBe('body 0');
  expect(page?.headers).toEqual({
    etag: '"a"',
    'content-type': 'text/html',
    'x-old': '1',
    'cache-control': 'max-age=9',
    'x-robots-tag': 'noindex',
  });
});

test('another answer is passed on, and a page without validators or with a lost response is requested without conditions', async () => {
  const earlier = await responsesWith(['Last-Modified: Thu, 01 Jan 2026 00:00:00 GMT', 'Content-Type: text/html']);
  expect((await fetched(earlier, '0', answer(200))).page).toMatchObject({ status: 200 });
  expect((await fetched(earlier, '0', answer(200))).page?.confirmed).toBeUndefined();
  expect((await fetched(earlier, '1', answer(200))).asked).toEqual([undefined]);
  expect((await fetched(earlier, '9', answer(200))).asked).toEqual([undefined]);
  writeFileSync(join(dir, 'a.warc.gz'), 'lost');
  expect((await fetched(earlier, '0', answer(200))).asked).toEqual([undefined]);
});
