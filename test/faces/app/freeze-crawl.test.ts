import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { crawl, freeze, StoreError, UsageError } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PageAnswer, PageSource } from '../../../datasets/page-source.ts';
import { startWebProxy } from '../../../datasets/web-proxy.ts';
import type { FrozenVisit } from '../../../src/base/core/frozen-visit.ts';
import { pageTexts } from '../../../src/base/core/page-texts.ts';
import { FrozenWeb } from '../../../src/corpus/records/frozen-web.ts';
import { walkWarc } from '../../../src/corpus/records/warc-stream.ts';
import { pageExtractor } from '../../../src/reading/wasm-reader/page-extractor.ts';
import { size } from '../../support/extent.ts';
import { urlOf } from '../../support/frontier-values.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { smallWeb, trainedOn } from '../cli/small-web.ts';

const small = smallWeb(size(200, 120));
const { path } = small;
const MOVED = 'http://site-1.example/moved';
const TARGET = 'http://site-2.example/about.html';
const GONE = 'http://site-1.example/gone';
const IMAGE = 'http://site-1.example/picture';
const COPY = 'http://copy.example/';
const HIDDEN = 'http://hidden.example/';
const DENIED = 'http://denied.example/';
/** A page that changes, and one with the bytes of its later version, which links to it. */
const NEWS = 'http://news.example/';
const SAME_NEWS = 'http://same-news.example/';
const [first = ''] = small.seeds;
const seeds = [...small.seeds, MOVED, GONE, IMAGE, COPY, HIDDEN, DENIED];
let topic: string;
let proxy: string;
let isLater = false;

/** The generated web with a redirect, a picture, the first seed under another URL, and a page that asks not to be kept. */
const source: PageSource = {
  get(host, path) {
    const url = `http://${host}${path}`;
    const html = { 'content-type': 'text/html' };
    const bare = (small.web.page(first)?.html ?? '').replace(/<a [^>]*>/g, '');
    const changed = bare.replace('</p>', ` This has changed, as <a href="${SAME_NEWS}">others say</a>.</p>`);
    const answers: Readonly<Record<string, PageAnswer>> = {
      [MOVED]: { status: 301, headers: { location: TARGET }, body: Buffer.alloc(0) },
      [IMAGE]: { status: 200, headers: { 'content-type': 'image/png' }, body: Buffer.from('png') },
      [COPY]: { status: 200, headers: html, body: Buffer.from(small.web.page(first)?.html ?? '') },
      [NEWS]: { status: 200, headers: html, body: Buffer.from(isLater ? changed : bare) },
      [SAME_NEWS]: { status: 200, headers: html, body: Buffer.from(changed) },
      [HIDDEN]: {
        status: 200,
        headers: { ...html, 'x-robots-tag': 'noindex' },
        body: Buffer.from((small.web.page(first)?.html ?? '').replace('<body', '<body class="hidden"')),
      },
    };
    return answers[url] ?? small.web.source.get(host, path) ?? { status: 404, headers: html, body: Buffer.from('none') };
  },
};

beforeAll(async () => {
  const robots = new Map([['denied.example', 'User-agent: *\nDisallow: /\n']]);
  const server = await startWebProxy(source, { robots });
  afterAll(() => server.close());
  proxy = server.proxy;
  topic = await trainedOn(small);
});
afterAll(() => small.close());

function crawled(name: string, more: Partial<Parameters<typeof crawl>[0]> = {}) {
  return crawl({ dir: path(name), topic, seeds, proxy, delay: 0, tunnel: 1000, ...more });
}

async function frozen(name: string, more: Partial<Parameters<typeof freeze>[0]> = {}) {
  const out = path(`${name}.jsonl.gz`);
  const report = await freeze({ dir: path(name), out, force: true, ...more });
  const web = await FrozenWeb.open(out);
  const visits = new Map<string, FrozenVisit>(web.urls.map((url, i) => [url, web.visit(i)]));
  web.close();
  return { report, visits, header: web.header };
}

const extractor = pageExtractor({ productToken: 'forager' });

/** What the web itself has at a URL. */
function ofTheWeb(url: string): FrozenVisit {
  const { host, pathname, search } = new URL(url);
  const answer = source.get(host, `${pathname}${search}`);
  if (answer === null || answer.status !== 200) throw new Error(`${url} is no page`);
  const { outlinks, ...page } = extractor.extract({ url: urlOf(url), headers: answer.headers, body: answer.body });
  const links = outlinks.map(({ url: to, rel: _, ...words }) => ({ url: to, text: words }));
  const payloadSha256 = createHash('sha256').update(answer.body).digest('hex');
  return { url: urlOf(url), status: 200, kind: 'page', content: { payloadSha256, ...pageTexts(page), noindex: false, links } };
}

const ENDS: readonly [string, object][] = [
  [MOVED, { kind: 'redirect', status: 301, to: TARGET }],
  [GONE, { kind: 'failed', status: 404, code: 'http-4xx' }],
  [IMAGE, { kind: 'refused', status: 200, reason: 'content-type' }],
  [DENIED, { kind: 'refused', status: null, reason: 'robots' }],
];

function contentOf(visit: FrozenVisit | undefined) {
  return visit?.kind === 'page' ? visit.content : null;
}

function linksOf(visit: FrozenVisit | undefined): readonly string[] {
  return contentOf(visit)?.links.map(({ url }) => url) ?? [];
}

test('a recorded crawl freezes to what the web has: every page, all links, every end', async () => {
  const { counts } = await crawled('recorded', { record: true });
  const { report, visits, header } = await frozen('recorded');
  expect(visits.size).toBe(counts.visited + 1); // what robots.txt denies was not visited
  expect(report).toMatchObject({ partial: 0, redirects: 1, refused: 2, failed: 1, complete: counts.visited - 3 });
  expect(header.extractor).toBe('block');
  for (const [url, end] of ENDS) expect(visits.get(url)).toEqual({ url, ...end });
  const special = new Set([...ENDS.map(([url]) => url), HIDDEN]);
  const pages = [...visits.keys()].filter((url) => !special.has(url));
  expect(pages.length).toBeGreaterThan(size(180, 110));
  for (const url of pages) expect(visits.get(url)).toEqual(ofTheWeb(url));
  const hidden = visits.get(HIDDEN);
  expect(hidden).toMatchObject({ kind: 'page', content: { title: '', text: '', noindex: true } });
  expect(linksOf(hidden)).toEqual(linksOf(ofTheWeb(HIDDEN)));
});

test.each([
  ['emptied', () => Buffer.alloc(0)],
  ['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
])('a recording that was %s is damage, not a crawl without visits', async (name, damage) => {
  cpSync(path('recorded'), path(name), { recursive: true });
  const visits = path(name, 'corpus', 'visits.jsonl.gz');
  writeFileSync(visits, damage(readFileSync(visits)));
  const frozen = freeze({ dir: path(name), out: path(`${name}.jsonl.gz`) });
  await expect(frozen).rejects.toMatchObject({
    code: 'STORE_CORRUPT',
    exitCode: 3,
    message: expect.stringContaining('were committed; restore it'),
  });
  expect(existsSync(path(`${name}.jsonl.gz`))).toBe(false);
});

wholeTest('without a recording kept pages are whole, off-topic ones have the links that were new, and both are counted', async () => {
  const { counts } = await crawled('plain');
  const { report, visits } = await frozen('plain');
  expect(visits.size).toBe(counts.visited + 1);
  expect(report).toMatchObject({
    redirects: 1,
    refused: 2,
    failed: 1,
    complete: counts.kept + counts.duplicate,
    partial: counts.offTopic + 1,
  });
  for (const [url, end] of ENDS) expect(visits.get(url)).toEqual({ url, ...end });
  expect(visits.get(COPY)).toEqual(ofTheWeb(COPY));
  let complete = 0;
  let fewer = 0;
  for (const [url, visit] of visits) {
    if (visit.kind !== 'page' || url === HIDDEN) continue;
    const whole = ofTheWeb(url);
    if (JSON.stringify(visit) === JSON.stringify(whole)) complete += 1;
    else if (whole.kind === 'page') {
      expect([visit.content.title, visit.content.text, visit.content.lang]).toEqual([
        whole.content.title,
        whole.content.text,
        whole.content.lang,
      ]);
      expect(whole.content.links).toEqual(expect.arrayContaining([...visit.content.links]));
      fewer += 1;
    }
  }
  expect(complete).toBe(counts.kept + counts.duplicate);
  expect(fewer).toBe(counts.offTopic);
  const reached = new Set([...visits.values()].flatMap(linksOf));
  for (const url of visits.keys()) if (!seeds.includes(url) && url !== TARGET) expect(reached).toContain(url);
});

wholeTest('a recording that began late counts from there; before it, as much as the crawl stored', async () => {
  await crawled('late', { maxPages: 60, concurrency: 1 });
  const before = new Set((await frozen('late')).visits.keys());
  await crawl({ dir: path('late'), record: true, maxPages: 120 });
  await crawl({ dir: path('late') });
  const { report, visits } = await frozen('late');
  expect(report.partial).toBeGreaterThan(0);
  expect(report.partial).toBeLessThan(60);
  for (const [url, visit] of visits) if (!before.has(url) && visit.kind === 'page') expect(visit).toEqual(ofTheWeb(url));
  expect(visits.size).toBeGreaterThan(180);
});

test('a page is frozen as it was first, and one with the bytes of its later version as that', async () => {
  isLater = false;
  await crawled('versions', { seeds: [NEWS] });
  const before = ofTheWeb(NEWS);
  isLater = true;
  const { counts, revisited } = await crawl({ dir: path('versions'), revisit: 0 });
  expect([counts.kept, counts.duplicate, revisited]).toEqual([1, 1, { changed: 1 }]);
  const { visits } = await frozen('versions');
  expect([visits.get(NEWS), visits.get(SAME_NEWS)]).toEqual([before, ofTheWeb(SAME_NEWS)]);
});

test('the file appears when it is complete, replaces another only by force, and is not put inside the crawl', async () => {
  const out = path('web.jsonl.gz');
  const dir = path('recorded');
  const stop = AbortSignal.abort(new Error('stopped'));
  await expect(freeze({ dir, out, signal: stop, onProgress: () => undefined })).rejects.toThrow('stopped');
  expect([existsSync(out), existsSync(`${out}.tmp`)]).toEqual([false, false]);
  writeFileSync(out, 'mine');
  await expect(freeze({ dir, out })).rejects.toThrow(UsageError);
  expect(readFileSync(out, 'utf8')).toBe('mine');
  await freeze({ dir, out, force: true });
  await expect(freeze({ dir, out: path('recorded', 'corpus', 'visits.jsonl.gz'), force: true })).rejects.toThrow(
    'belongs to the crawl itself',
  );
  await expect(freeze({ dir, out: small.dir })).rejects.toThrow('is a folder');
  expect(existsSync(path('recorded', 'lock'))).toBe(false);
});

/** A WARC file whose first page says something else, in no more bytes. */
async function withAnotherPage(warc: string): Promise<Buffer> {
  const members: Buffer[] = [];
  const bytes = readFileSync(warc);
  let changed = false;
  for await (const { fields, start, end } of walkWarc(warc, () => false)) {
    const member = bytes.subarray(start, end);
    const change: boolean = fields.get('warc-type') === 'response' && !changed;
    changed ||= change;
    members.push(change ? gzipSync(gunzipSync(member).toString('latin1').replace('</p>', '.../p'), { level: 9 }) : member);
  }
  return Buffer.concat(members);
}

test('a page that is not in the WARC as it was read has its text and the stored links; a file that is gone is named', async () => {
  await crawled('lost', { maxPages: 20, concurrency: 1 });
  const whole = await frozen('lost');
  const warc = path('lost', 'corpus', 'forager-00000.warc.gz');
  const other = await withAnotherPage(warc);
  expect(other.length).toBeLessThanOrEqual(readFileSync(warc).length);
  writeFileSync(warc, other);
  const { report, visits } = await frozen('lost');
  const copies = 2; // the first page kept is the first seed, or its copy
  expect(report).toMatchObject({ complete: whole.report.complete - copies, partial: whole.report.partial + copies });
  const changed = [...visits].filter(([url, visit]) => JSON.stringify(visit) !== JSON.stringify(whole.visits.get(url)));
  expect(changed.length).toBeGreaterThan(0); // the page that was read first had only new links
  for (const [url, visit] of changed) {
    expect([visit, linksOf(visit).length < linksOf(whole.visits.get(url)).length]).toEqual([
      expect.objectContaining({ kind: 'page' }),
      true,
    ]);
    if (visit.kind === 'page') expect(visit.content.text).toBe(contentOf(whole.visits.get(url))?.text);
  }
  rmSync(warc);
  await expect(frozen('lost')).rejects.toThrow(/forager-00000\.warc\.gz: cannot be read/);
});

test('a crawl that runs, that has not begun, or that is none is refused', async () => {
  const error = await freeze({ dir: small.dir, out: path('x.gz') }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'USAGE', message: expect.stringContaining('no crawl is here') });
  const tries: Promise<unknown>[] = [];
  const running = crawl({
    dir: path('running'),
    topic,
    seeds,
    proxy,
    delay: 0,
    maxPages: 30,
    onEvent: (event) => {
      if (event.type === 'judged') tries.push(freeze({ dir: path('running'), out: path('x.gz') }).catch((thrown: unknown) => thrown));
    },
  });
  await running;
  expect(await tries[0]).toBeInstanceOf(StoreError);
  expect(await tries[0]).toMatchObject({ code: 'STORE_LOCKED' });
  expect(existsSync(path('x.gz'))).toBe(false);
});
