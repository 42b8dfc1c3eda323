/** `crawl --alternates` on sites with each page in three languages, and a model that reads one of them. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CorpusRecord, type CrawlLedgerLine, crawl, gather, harvest, status } from 'forager';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CrawlManifest } from '../../../src/crawling/crawl-dir/crawl-directory.ts';
import { HAS_POSTGRES, PostgresServer } from '../../support/postgres-server.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, jsonLines, start } from '../cli/forager.ts';
import { smallWeb, trainedOn } from '../cli/small-web.ts';

const small = smallWeb(120);
const { path, seeds } = small;
/** The place where a page declares its alternates. */
const PLACES = ['link', 'header', 'sitemap', 'none'] as const;
const LANGS = ['fr', 'de'] as const;
const hashOf = (text: string) => createHash('sha256').update(text).digest();
const placeOf = (url: string) => PLACES[(hashOf(url)[0] ?? 0) % PLACES.length] ?? 'none';
const alternateOf = (url: string, lang: string) => url.replace('http://', `http://${lang}.`);

const SENTENCES = {
  fr: [
    'Le marché de la vieille ville ouvre ses portes tous les samedis matin.',
    'Les habitants du quartier se retrouvent au bord de la rivière.',
  ],
  de: [
    'Der Markt in der alten Stadt öffnet jeden Samstag am frühen Morgen.',
    'Die Bewohner des Viertels treffen sich am Ufer des kleinen Flusses.',
  ],
} as const;

/** A page in another language: each has numbers of its own, so that none is a copy. */
function translated(url: string, lang: (typeof LANGS)[number]): string {
  const numbers = [...hashOf(url)].map((byte, i) => `<p>${SENTENCES[lang][i % 2]} ${byte}.</p>`).join('\n');
  return `<html lang="${lang}"><head><title>${lang} ${url}</title></head><body><main>${numbers}<a href="/only-${lang}.html">+</a></main></body></html>`;
}

const requested: string[] = [];
/** Pages declare their alternates, and have a text of a later date. */
let [isDeclaring, isChanged] = [true, false];
const english = new Set<string>(small.web.urls());
const server = createServer(({ url = '' }, response) => {
  const { host, pathname } = new URL(url);
  requested.push(url);
  const [prefix = '', ...rest] = host.split('.');
  const lang = LANGS.find((one) => one === prefix);
  const original = `http://${rest.join('.')}${pathname}`;
  const html =
    lang !== undefined
      ? english.has(original)
        ? translated(original, lang)
        : null
      : (small.web.source.get(host, pathname)?.body.toString() ?? null);
  if (pathname === '/sitemap.xml' && lang === undefined)
    return void response.writeHead(200, { 'content-type': 'text/xml' }).end(sitemapOf(host));
  if (html === null || (lang === undefined && small.web.source.get(host, pathname)?.status !== 200))
    return void response.writeHead(404).end();
  const place = lang === undefined && isDeclaring ? placeOf(url) : 'none';
  const links = LANGS.map((one) => [one, alternateOf(url, one)] as const);
  const header = links.map(([one, to]) => `<${to}>; rel="alternate"; hreflang="${one}"`).join(', ');
  const elements = links.map(([one, to]) => `<link rel="alternate" hreflang="${one}" href="${to}">`).join('');
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...(place === 'header' && { link: header }) })
    .end(changed(place === 'link' ? html.replace('<head>', `<head>${elements}`) : html));
});

function changed(html: string): string {
  if (!isChanged) return html;
  const lines = Array.from({ length: 12 }, (_, i) => `<p>The page has a new line ${i} of some words since its last ${i} versions.</p>`);
  return html.replace('</article>', `${lines.join('')}</article>`);
}

function sitemapOf(host: string): string {
  const pages = [...english].filter((url) => new URL(url).host === host && placeOf(url) === 'sitemap');
  const entry = (url: string) =>
    `<url><loc>${url}</loc>${LANGS.map((lang) => `<xhtml:link rel="alternate" hreflang="${lang}" href="${alternateOf(url, lang)}"/>`).join('')}</url>`;
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${pages.map(entry).join('')}</urlset>`;
}

let topic: string;
let proxy: string;
beforeAll(async () => {
  topic = await trainedOn(small);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await small.close();
});

type Options = Partial<Parameters<typeof crawl>[0]>;
const crawled = (dir: string, more: Options = {}) =>
  crawl({ dir: path(dir), topic, seeds, proxy, delay: 0, workers: 1, concurrency: 1, sitemaps: 'always', tunnel: 1, warmUp: 0, ...more });
const recordsOf = (dir: string) => jsonLines<CorpusRecord>(readFileSync(path(dir, 'corpus', 'records.jsonl'), 'utf8'));
const isTranslation = (url: string) => LANGS.some((lang) => url.startsWith(`http://${lang}.`));
const pagesAsked = (from = 0) => requested.slice(from).filter((url) => !/robots.txt|tdmrep.json|sitemap.xml/.test(url));

/** Kept pages by URL, each with the page that it was kept for. */
const keptIn = (dir: string) => new Map<string, string | null>(recordsOf(dir).map(({ url, alternateOf = null }) => [url, alternateOf]));
/** What a crawl that has kept these English pages has to keep. */
function expected(kept: ReadonlyMap<string, string | null>): Map<string, string | null> {
  const pages = [...kept.keys()].filter((url) => !isTranslation(url));
  const alternates = pages
    .filter((url) => placeOf(url) !== 'none')
    .flatMap((url) => LANGS.map((lang) => [alternateOf(url, lang), url] as const));
  return new Map<string, string | null>([...pages.map((url) => [url, null] as const), ...alternates]);
}
const sorted = (kept: ReadonlyMap<string, string | null>) => [...kept].sort(([a], [b]) => (a < b ? -1 : 1));

test('each alternate of a kept page is kept with it, none of another page, and why, ledger, status and harvest name it', async () => {
  const plain = await crawled('plain');
  const from = requested.length;
  const report = await crawled('both', { alternates: ['fr', 'de'] });
  const asked = pagesAsked(from);
  const kept = keptIn('both');
  expect(sorted(kept)).toEqual(sorted(expected(kept)));
  const alternates = [...kept].filter(([, of]) => of !== null);
  expect(alternates.length).toBeGreaterThan(20);
  // The English pages are those of a crawl without the option.
  const english = [...kept.keys()].filter((url) => !isTranslation(url));
  expect(english.sort()).toEqual([...keptIn('plain').keys()].sort());
  expect(plain.counts.kept).toBe(english.length);
  // One request each, and one more for each alternate that was visited before its page.
  expect(asked.length - new Set(asked).size).toBe(report.counts.earlierVisits);
  expect(asked.filter((url) => url.includes('/only-'))).toEqual([]);

  const [[url = '', of = null] = []] = alternates;
  expect(await done('why', path('both'), url)).toMatch(
    new RegExp(`state kept \\(alternate:${of}\\)[\\s\\S]*off topic by the model[\\s\\S]*kept with ${of}`),
  );
  const lines = jsonLines<CrawlLedgerLine>(await done('ledger', path('both'), '--reason', 'alternate'));
  expect(lines.map((line) => [line.url, line.reason]).sort()).toEqual(alternates.map(([one, page]) => [one, `alternate:${page}`]).sort());
  expect((await status(path('both'))).reasons['kept:alternate']).toBe(alternates.length);
  expect(await done('status', path('both'))).toMatch(/alternate +\d+ +in a language that the model cannot read, with their page/);
  await harvest({ dir: path('both'), out: path('corpus'), formats: ['jsonl'] });
  const harvested = jsonLines<CorpusRecord>(readFileSync(path('corpus', 'corpus.jsonl'), 'utf8'));
  expect(harvested.filter(({ alternateOf }) => alternateOf !== undefined)).toHaveLength(alternates.length);
});

test('a later run follows the alternates of pages that were kept before, after a run that was stopped there too', async () => {
  await crawled('later');
  const stop = new AbortController();
  stop.abort();
  await crawl({ dir: path('later'), proxy, workers: 1, concurrency: 1, alternates: ['fr', 'de'], signal: stop.signal });
  const followed = start(['crawl', path('later'), '--proxy', proxy, '--workers', '1', '--concurrency', '1']);
  expect((await followed.ended).stderr).toMatch(/reads \d+ kept pages again/);
  // Alternates that a sitemap alone names are known when it is read again.
  const isDeclared = ([, of]: readonly [string, string | null]) => of === null || placeOf(of) !== 'sitemap';
  const kept = keptIn('later');
  expect(sorted(kept).filter(isDeclared)).toEqual(sorted(expected(kept)).filter(isDeclared));
  expect(sorted(kept).filter(isDeclared)).toEqual(sorted(keptIn('both')).filter(isDeclared));
  const again = start(['crawl', path('later'), '--proxy', proxy]);
  expect((await again.ended).stderr).not.toContain('kept pages again');
});

const again = (dir: string, more: Options = {}) => crawl({ dir: path(dir), proxy, workers: 1, concurrency: 1, ...more });
const manifestOf = (dir: string): CrawlManifest => JSON.parse(readFileSync(path(dir, 'crawl.json'), 'utf8'));
/** The warnings of a run, each with the manifest at that moment. */
async function warningsOf(dir: string, more: Options) {
  const warnings: { readonly message: string; readonly manifest: CrawlManifest }[] = [];
  const onEvent: Options['onEvent'] = (event) => {
    if (event.type === 'warning') warnings.push({ message: event.message, manifest: manifestOf(dir) });
  };
  const report = await again(dir, { ...more, onEvent });
  return { warnings, report };
}

test('a later run follows the alternates that the newest versions of pages declare', async () => {
  isDeclaring = false;
  await crawled('versions', { sitemaps: 'never' });
  [isDeclaring, isChanged] = [true, true];
  await again('versions', { revisit: 1, revisitOnly: true });
  isChanged = false;
  await again('versions', { alternates: LANGS });
  const { threshold } = manifestOf('versions').topic;
  const lines = (await linesOf('versions')).filter(({ state }) => state === 'kept');
  // An alternate has the relevance of the newest version of its page, which may be off topic.
  const pages = lines.filter(({ url, relevance }) => !isTranslation(url) && relevance !== null && relevance >= threshold);
  const declared = pages.map(({ url }) => url).filter((url) => ['link', 'header'].includes(placeOf(url)));
  expect(declared.length).toBeGreaterThan(5);
  expect(
    lines
      .map(({ url }) => url)
      .filter(isTranslation)
      .sort(),
  ).toEqual(declared.flatMap((url) => LANGS.map((lang) => alternateOf(url, lang))).sort());
});

test('the languages of a later run are stored before any alternate waits, and its message counts those that wait', async () => {
  await crawled('stored', { sitemaps: 'never' });
  const closed = [...english].map((url) => `not:host:de.${new URL(url).host}`);
  const from = requested.length;
  const { warnings } = await warningsOf('stored', { alternates: LANGS, scope: [...new Set(closed)] });
  const [reading, found] = warnings;
  expect(reading?.message).toMatch(/reads \d+ kept pages again/);
  expect(reading?.manifest).toMatchObject({ alternates: LANGS, keptAlternates: [] });
  const asked = pagesAsked(from).filter((url) => isTranslation(url));
  expect(asked.length).toBeGreaterThan(5);
  expect(found?.message).toContain(`: ${asked.length} more alternates of its kept pages may be visited`);
  expect(manifestOf('stored').keptAlternates).toEqual(LANGS);
});

wholeTest('a later run whose time is over stops to read, and the next one reads again', async () => {
  await crawled('timed', { sitemaps: 'never' });
  const { warnings, report } = await warningsOf('timed', { alternates: LANGS, maxTime: 1 });
  expect(report.stopReason).toBe('max-time');
  expect(warnings.map(({ message }) => message).join('\n')).toMatch(/stopped after 0 of them; the next run/);
  expect(manifestOf('timed').keptAlternates).toEqual([]);
  const next = await warningsOf('timed', {});
  expect(next.warnings.map(({ message }) => message).join('\n')).toMatch(/reads \d+ kept pages again/);
  expect([...keptIn('timed').keys()].some((url) => isTranslation(url))).toBe(true);
});

wholeTest('a damaged page ends a later run with the option that skips it, and with it the run continues', async () => {
  await crawled('damaged', { sitemaps: 'never' });
  const [name = ''] = readdirSync(path('damaged', 'corpus')).filter((file) => file.endsWith('.warc.gz'));
  const file = path('damaged', 'corpus', name);
  const bytes = readFileSync(file);
  const half = Math.round(bytes.length / 2);
  bytes.fill(0, half, half + 40);
  writeFileSync(file, bytes);
  await expect(again('damaged', { alternates: LANGS })).rejects.toThrow(/damaged at byte .*--skip-damaged/);
  const damage: string[] = [];
  await again('damaged', { onDamaged: (message) => void damage.push(message) });
  expect(damage.length).toBeGreaterThan(0);
  expect([...keptIn('damaged').keys()].some((url) => isTranslation(url))).toBe(true);
});

describe.skipIf(!HAS_POSTGRES)('on several machines', () => {
  let database: PostgresServer;
  beforeAll(async () => {
    database = await PostgresServer.start();
  });
  afterAll(() => database?.close());

  const joining = (dir: string, at: string, more: Options = {}) =>
    crawl({ dir: path(dir), at, proxy, delay: 0, workers: 1, concurrency: 1, sitemaps: 'never', tunnel: 1, ...more });

  wholeTest('a worker reads the pages of its own corpus again, once, and a worker without pages none', async () => {
    const at = database.address('later');
    await joining('first', at, { topic, seeds });
    const stored: CrawlManifest['keptAlternates'][] = [];
    const onEvent: Options['onEvent'] = ({ type }) => type === 'settled' && stored.push(manifestOf('first').keptAlternates);
    const before = keptIn('first').size;
    await joining('first', at, { alternates: LANGS, onEvent });
    expect(keptIn('first').size).toBeGreaterThan(before);
    expect(stored[0]).toEqual(LANGS);
    const warnings: string[] = [];
    await joining('second', at, { alternates: LANGS, onEvent: (event) => event.type === 'warning' && warnings.push(event.message) });
    expect(warnings.filter((message) => message.includes('again'))).toEqual([]);
  });

  wholeTest('a gathered crawl knows the alternates that its workers follow', async () => {
    const at = database.address('new');
    await joining('worker', at, { topic, seeds, alternates: LANGS, maxPages: 10 });
    await gather({ dir: path('gathered'), at });
    expect(manifestOf('gathered').keptAlternates).toEqual(LANGS);
  });
});

test('a crawl that is killed and resumed keeps the same pages for the same pages', async () => {
  const options = ['--topic', topic, '--seeds', ...seeds, '--proxy', proxy, '--delay', '0', '--workers', '1', '--concurrency', '1'];
  const more = ['--sitemaps', 'always', '--tunnel', '1', '--warm-up', '0', '--alternates', 'fr,de'];
  for (const after of [12, 30]) {
    const from = requested.length;
    const running = start(['crawl', path('killed'), ...options, ...more]);
    await vi.waitUntil(() => pagesAsked(from).length >= after, { timeout: 60_000, interval: 5 });
    running.child.kill('SIGKILL');
    await running.ended;
  }
  await crawl({ dir: path('killed'), proxy, workers: 1, concurrency: 1 });
  const kept = keptIn('killed');
  expect(sorted(kept)).toEqual(sorted(expected(kept)));
  expect(sorted(kept)).toEqual(sorted(keptIn('both')));
});

test('a crawl whose frontier is lost is repaired with its alternates', async () => {
  const before = await linesOf('killed');
  expect(await done('verify', path('killed'))).toContain('nothing is damaged');
  rmSync(path('killed', 'frontier'), { recursive: true });
  await done('repair', path('killed'));
  const after = await linesOf('killed');
  expect(after.filter(({ state }) => state === 'kept')).toEqual(before.filter(({ state }) => state === 'kept'));
  expect(after.some(({ reason }) => reason.startsWith('alternate:'))).toBe(true);
});

const linesOf = async (dir: string) =>
  jsonLines<CrawlLedgerLine>(await done('ledger', path(dir)))
    .map(({ url, state, reason, relevance }) => ({ url, state, reason, relevance }))
    .sort((a, b) => (a.url < b.url ? -1 : 1));
