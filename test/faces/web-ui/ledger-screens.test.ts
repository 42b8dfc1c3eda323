/** Pages, why, frontier and hosts show what ledger, why and status of the library return: all cells are compared. */
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CrawlLedgerLine, crawl, status, type Why, why } from 'forager';
import { parseHTML } from 'linkedom';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostKeyOf } from '../../../dist/base/web/url.js';
import { openCrawl } from '../../../dist/crawling/crawl-dir/open-crawl.js';
import { type OpenPage, openPage } from '../../../dist/faces/web-ui/open-page.js';
import { wilson } from '../../../dist/reading/topic/wilson.js';
import { exploredText } from '../../../dist/study/inspect/grounds-words.js';
import { ledgerOf } from '../../../dist/study/inspect/ledger-lines.js';
import { featureText } from '../../../dist/study/inspect/shown-sum.js';
import { survey } from '../../../dist/study/inspect/survey.js';
import { ROUTES } from '../../../src/faces/web-ui/screens.ts';
import { trainedOnce } from '../../support/trained-once.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { smallWeb, trainedOn } from '../cli/small-web.ts';
import { PageClient } from './page-client.ts';
import { allCells, cellsOf, counted, factsOf, percent } from './tables.ts';

/** Markup, a change of direction, and more than any column holds. */
const EVIL = '"><script>alert(1)</script><img src=x onerror=alert(1)>\u202egnp.exe\u2066\0\u0007';
const LONG = 'moss '.repeat(20_000);
const HUB = 'http://hub.example/';
const OUT = 'http://hub.example/"><img%20src=x%20onerror=alert(1)>?q=%E2%80%AE';

const asText = (text: string) => text.replaceAll('<', '&lt;');
const small = smallWeb();
const dir = small.path('crawl');
const optOut = small.path('opt-out.txt');
let page: OpenPage;
let client: PageClient;
let ledger: CrawlLedgerLine[];

beforeAll(async () => {
  const topic = await trainedOn(small);
  const [example = ''] = small.web.examples(small.topic, 1);
  const links = `<p><a href='${OUT}'>${asText(EVIL)}</a> <a href="http://gone.example/">${LONG}</a> ${small.seeds.map((url) => `<a href="${url}">seed</a>`).join(' ')}</p>`;
  const hub = example.replace(/<title>[^<]*/, `$&${asText(EVIL)}`).replace('<body>', `<body>${links}`);
  const { proxy } = await small.serve({ extra: new Map([[HUB, hub]]) });
  writeFileSync(optOut, '# nobody yet');
  await crawl({ dir, topic, seeds: [HUB], proxy, delay: 0, maxPages: 120, concurrency: 1, explore: 0.2, optOut });
  ledger = await ledgerNow();
  page = await openPage({ dir, address: '0', run: null });
  client = await PageClient.of(page.url);
});
afterAll(async () => {
  await page.close();
  await small.close();
});

async function ledgerNow(): Promise<CrawlLedgerLine[]> {
  const open = openCrawl(dir);
  const lines = [...ledgerOf(open)];
  await open.close();
  return lines;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the page takes out
const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
const shown = (text: string) => text.replace(HIDDEN, '\ufffd').trim();

/** A line of the ledger as its row. */
function rowOf({ url, state, reason, relevance, priority, depth, order, anchorText }: CrawlLedgerLine): string[] {
  return [
    url,
    state,
    shown(reason),
    relevance?.toFixed(4) ?? '–',
    priority.toFixed(4),
    counted(depth),
    order === null ? '–' : counted(order),
    shown(anchorText),
  ];
}

const pagesBy = (query: string) => allCells((path) => client.screen(path), `/pages?${query}`);

test('pages: all lines of the ledger, a hundred a screen', async () => {
  expect(ledger.length).toBeGreaterThan(200);
  expect(await pagesBy('')).toEqual(ledger.map(rowOf));
  const first = await client.screen('/pages');
  expect(cellsOf(first)).toHaveLength(100);
  const total = counted(ledger.length);
  expect(first.querySelector('caption')?.textContent).toBe(
    `${total} of ${total} discovered URLs match. These are 1 to 100, in order of discovery.`,
  );
});

test('pages: each filter, alone and together, selects the lines that it names', async () => {
  const { states } = await status(dir);
  const offered = [...(await client.screen('/pages')).querySelectorAll('select[name="state"] option')].map((one) => one.textContent);
  expect(offered).toEqual([
    'all',
    ...Object.entries(states)
      .sort(([, a], [, b]) => b - a)
      .map(([state, n]) => `${state} (${counted(n)})`),
  ]);
  const isNear = ({ relevance }: CrawlLedgerLine) => relevance !== null && relevance >= 0.3 && relevance <= 0.6;
  const word = 'the';
  const cases: readonly (readonly [string, (line: CrawlLedgerLine) => boolean])[] = [
    ...Object.keys(states).map((state) => [`state=${state}`, (line: CrawlLedgerLine) => line.state === state] as const),
    ['reason=max-pages', ({ reason }) => reason === 'max-pages'],
    ['reason=reservations', ({ reason }) => reason.startsWith('reservations:')],
    ['host=SITE-1', ({ url }) => hostKeyOf(url).includes('site-1')],
    ['least=0.3&most=0.6', isNear],
    [`text=${word.toUpperCase()}`, ({ url, anchorText }) => `${url}\n${anchorText}`.toLowerCase().includes(word)],
    ['text=%3Cscript%3E', ({ anchorText }) => anchorText.includes('<script>')],
    ['state=kept&least=0.3&most=0.6&text=.html', (line) => line.state === 'kept' && isNear(line) && line.url.includes('.html')],
  ];
  for (const [query, isMeant] of cases) {
    const expected = ledger.filter(isMeant);
    expect(expected.length, query).toBeGreaterThan(0);
    expect(await pagesBy(query), query).toEqual(expected.map(rowOf));
  }
  expect((await client.screen('/pages?host=nowhere')).querySelector('main')?.textContent).toContain('No URL matches.');
  expect(await client.get('/pages?least=2')).toMatchObject({
    status: 400,
    text: expect.stringContaining('relevance 2: not a number from 0 to 1'),
  });
});

const signed = (value: number) => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(6)}`;

type Sum = Pick<NonNullable<Why['page']>['explanation'], 'bias' | 'contributions' | 'logit'>;

function sumRows({ bias, contributions, logit }: Sum): string[][] {
  const ordered = [...contributions.filter((one) => one.contribution > 0), ...contributions.filter((one) => one.contribution < 0)];
  const rows = ordered.map((one) => [shown(featureText(one)), signed(one.contribution), '']);
  return [...rows, ['bias', signed(bias), ''], ['= logit', signed(logit), '']];
}

test('why: state, page, link and edge are those of why, and the bars add up to the logit', async () => {
  const kept = ledger.filter((line) => line.state === 'kept' && line.referrer !== null).slice(-3);
  const waiting = ledger.filter(({ state }) => state === 'waiting').slice(0, 1);
  for (const { url } of [...kept, ...waiting]) {
    const said = await why(dir, url);
    const screen = await client.screen(`/why?all=yes&url=${encodeURIComponent(url)}`);
    const { line, page: judged, link } = said;
    expect(screen.querySelector('h1')?.textContent).toBe(url);
    expect(screen.querySelector('.state')?.textContent).toBe(line.reason === '' ? line.state : `${line.state} (${line.reason})`);
    if (judged !== null) {
      expect(factsOf(screen, 'section')).toMatchObject({
        Title: shown(judged.title),
        Relevance: judged.relevance.toFixed(4),
        Threshold: judged.threshold.toFixed(4),
      });
      expect(cellsOf(screen, 'Contributions to the relevance')).toEqual(sumRows(judged.explanation));
      const kinds = cellsOf(screen, 'Sums by kind').map(([, value]) => Number(value));
      expect(kinds.slice(0, -1).reduce((sum, one) => sum + one, 0)).toBeCloseTo(judged.explanation.logit, 4);
    }
    if (link === null) throw new Error(`${url} is no seed`);
    const { edge, explanation } = link;
    expect(factsOf(screen, 'section')).toMatchObject({
      Referrer: edge.referrer.url,
      'Relevance of the referrer': edge.referrer.relevance.toFixed(4),
      'Hops off topic': String(edge.referrer.offTopicDepth),
      'Anchor text': shown(edge.link.anchorText),
      Context: shown(edge.link.context),
      Priority: explanation.priority.toFixed(4),
      Formula: explanation.rule,
      'Lessons before': `${edge.learnedFrom} pages`,
    });
    expect(cellsOf(screen, 'Contributions to the priority')).toEqual(sumRows(explanation));
  }
});

test('why: ten of each sign, and the sum of the others; bars end where the next begin', async () => {
  const { url } = ledger.filter((line) => line.state === 'kept' && line.referrer !== null).at(-1) ?? {};
  const { page: judged } = await why(dir, url ?? '');
  const screen = await client.screen(`/why?url=${encodeURIComponent(url ?? '')}`);
  const rows = cellsOf(screen, 'Contributions to the relevance');
  const parts = rows.slice(0, -1).map(([, value]) => Number(value));
  expect(parts.reduce((sum, one) => sum + one, 0)).toBeCloseTo(judged?.explanation.logit ?? Number.NaN, 4);
  expect(rows.filter(([name]) => /^\d+ smaller contributions$/.test(name ?? ''))).toHaveLength(1);
  const [, table] = [...screen.querySelectorAll('section table')];
  const bars = [...(table?.querySelectorAll('rect') ?? [])];
  const [low, high] = [Math.min(...edges(parts)), Math.max(...edges(parts))];
  let sum = 0;
  for (const [i, part] of parts.entries()) {
    const [from, to] = [Math.min(sum, sum + part), Math.max(sum, sum + part)];
    expect(Number(bars[i]?.getAttribute('x'))).toBeCloseTo((100 * (from - low)) / (high - low), 1);
    expect(Number(bars[i]?.getAttribute('width'))).toBeCloseTo((100 * (to - from)) / (high - low), 1);
    sum += part;
  }
});

/** Where the running sum is, from zero on. */
function edges(parts: readonly number[]): number[] {
  let sum = 0;
  return [0, ...parts.map((part) => (sum += part))];
}

test('why: a seed, an unknown URL and something that is no URL', async () => {
  expect((await client.screen(`/why?url=${encodeURIComponent(HUB)}`)).querySelector('main')?.textContent).toContain('It is a seed');
  const unknown = await client.get('/why?url=http://nowhere.example/%3Cscript%3E');
  expect(unknown.status).toBe(400);
  expect(unknown.text).toContain('http://nowhere.example/%3Cscript%3E: this crawl never discovered it');
  expect(await client.get('/why?url=javascript:alert(1)')).toMatchObject({
    status: 400,
    text: expect.stringContaining('not an http(s) URL'),
  });
  expect((await client.get('/why')).status).toBe(200);
});

test('frontier: bands, depths, hosts and the best are those of the survey and of the ledger; random visits those of status', async () => {
  const [screen, { waiting }, said] = [await client.screen('/frontier'), await survey(dir), await status(dir)];
  const open = ledger.filter(({ state }) => state === 'waiting');
  expect(cellsOf(screen, 'Waiting URLs by priority').map(([, urls]) => urls)).toEqual(waiting.bands.map(counted).reverse());
  expect(cellsOf(screen, 'Waiting URLs by depth').map(([depth, urls]) => [Number(depth), urls])).toEqual(
    waiting.depths.map((_, depth) => [depth, counted(open.filter((line) => line.depth === depth).length)]),
  );
  const best = [...open].sort((a, b) => b.priority - a.priority).slice(0, 20);
  expect(cellsOf(screen, 'Waiting URLs with the highest priority')).toEqual(
    best.map(({ priority, depth, url, anchorText }) => [priority.toFixed(4), counted(depth), url, shown(anchorText)]),
  );
  for (const [host, urls] of cellsOf(screen, 'Hosts with the most waiting URLs'))
    expect([host, urls]).toEqual([host, counted(open.filter(({ url }) => hostKeyOf(url) === host).length)]);
  if (said.explored === null) throw new Error('a fifth of the visits are random');
  const line = exploredText(said.explored);
  expect(line).toContain(`${said.explored.onTopic} of ${said.explored.visits} visits on topic`);
  expect(screen.querySelector('main')?.textContent).toContain(`${line.slice(1)} (by the model; not measured).`);
});

const COLUMN = { kept: 1, visited: 2, waiting: 5, parked: 6, failed: 7, refused: 8 } as const;

test('hosts: every cell follows from the ledger; filter and order', async () => {
  const of = (host: string, isMeant: (line: CrawlLedgerLine) => boolean) =>
    ledger.filter((line) => hostKeyOf(line.url) === host && isMeant(line)).length;
  const rows = await allCells((path) => client.screen(path), '/hosts');
  const hosts = [...new Set(ledger.map(({ url }) => hostKeyOf(url)))];
  expect(rows.map(([host]) => host).sort()).toEqual([...hosts].sort());
  for (const [host = '', ...cells] of rows) {
    const [kept, visited] = [of(host, ({ state }) => state === 'kept'), of(host, ({ order }) => order !== null)];
    const { low, high } = wilson(kept, visited);
    expect([host, ...cells.slice(0, 8)]).toEqual([
      host,
      counted(kept),
      counted(visited),
      visited === 0 ? '–' : percent(kept / visited),
      visited === 0 ? '–' : `${percent(low)} to ${percent(high)}`,
      ...(['waiting', 'parked', 'failed', 'refused'] as const).map((state) => counted(of(host, (line) => line.state === state))),
    ]);
  }
  for (const [order, column] of Object.entries(COLUMN)) {
    const numbers = (await allCells((path) => client.screen(path), `/hosts?order=${order}`)).map((row) => Number(row[column]));
    expect(numbers, order).toEqual([...numbers].sort((a, b) => b - a));
  }
  const named = cellsOf(await client.screen('/hosts?order=host&host=SITE-1')).map(([host]) => host);
  expect(named).toEqual(hosts.filter((host) => host.includes('site-1')).sort());
});

test('text of the web stays text: no markup, no hidden characters, on any screen', async () => {
  const { url } = ledger.find(({ anchorText }) => anchorText.includes('<script>')) ?? {};
  const paths = [
    '/',
    '/pages',
    '/pages?text=%3Cscript%3E',
    '/frontier',
    '/hosts',
    `/why?url=${encodeURIComponent(url ?? '')}`,
    `/why?all=yes&url=${encodeURIComponent(HUB)}`,
  ];
  expect(url).toBeDefined();
  for (const path of [...paths, `/pages?host=${encodeURIComponent('"><script>x</script>')}`]) {
    const { status: code, text } = await client.get(path);
    expect(code, path).toBe(200);
    const elements = [...parseHTML(text).document.querySelectorAll('*')];
    expect(elements.filter(({ localName }) => localName === 'script' || localName === 'img').map(String), path).toEqual([
      '<script type="module" src="/assets/live.js"></script>',
    ]);
    const attributes = elements.flatMap((one) => [...one.attributes].map(({ name, value }) => [name, value] as const));
    expect(
      attributes.filter(([name, value]) => /^(on|style)/.test(name) || /^\s*javascript:/i.test(value)),
      path,
    ).toEqual([]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may come through
    expect(/[\u0000-\u0008\u202a-\u202e\u2066-\u2069]/.test(text), path).toBe(false);
  }
  expect((await client.screen(paths[5] ?? '')).querySelector('a[target="_blank"]')?.getAttribute('rel')).toBe('noreferrer noopener');
});

/** Each file with its content; LMDB's table of readers is written to by every reader. */
function filesOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && !path.endsWith('lock.mdb'));
  return Object.fromEntries(files.map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]));
}

wholeTest('GET of every route changes no file', async () => {
  // The screen of labels holds the lock of its crawl until the page closes.
  const copy = small.path('looked-at');
  cpSync(dir, copy, { recursive: true });
  const before = { ...filesOf(copy), [optOut]: readFileSync(optOut, 'utf8') };
  const opened = await openPage({ dir: copy, address: '0', run: null });
  const looking = await PageClient.of(opened.url);
  for (const { method, path } of ROUTES)
    if (method === 'GET') await looking.get(`${path}?url=${encodeURIComponent(HUB)}&host=http://hub.example&pattern=all&state=kept`);
  await opened.close();
  expect({ ...filesOf(copy), [optOut]: readFileSync(optOut, 'utf8') }).toEqual(before);
});

test('opting out appends the host to the file of the crawl, once, and the screen then says so', async () => {
  const answer = await client.post('/hosts/opt-out', { host: 'http://hub.example', order: 'failed' });
  expect([answer.status, answer.headers['location']]).toEqual([303, '/hosts?order=failed']);
  await client.post('/hosts/opt-out', { host: 'http://hub.example' });
  expect(readFileSync(optOut, 'utf8')).toBe('# nobody yet\nhttp://hub.example/\n');
  const [row] = cellsOf(await client.screen('/hosts?host=hub.example'));
  expect(row?.at(-1)).toBe('opted out');
  for (const host of ['', 'hub.example', 'javascript:x', 'http://a.example/\nhttp://b.example', 'http://a.example/path'])
    expect((await client.post('/hosts/opt-out', { host })).status, host).toBe(400);
  expect(readFileSync(optOut, 'utf8')).toBe('# nobody yet\nhttp://hub.example/\n');
});

test('what changes meanwhile is seen at the next loading', async () => {
  const before = await allCells((path) => client.screen(path), '/pages?state=kept');
  const { proxy } = await small.serve();
  await crawl({ dir, proxy, maxPages: 160, delay: 0 });
  ledger = await ledgerNow();
  const after = await allCells((path) => client.screen(path), '/pages?state=kept');
  expect(after.length).toBeGreaterThan(before.length);
  expect(after).toEqual(ledger.filter(({ state }) => state === 'kept').map(rowOf));
  expect((await client.screen('/')).querySelector('main')?.textContent).toContain('160');
});

test('why: a page that was asked again has its last answer', async () => {
  const { proxy } = await small.serve();
  await crawl({ dir, proxy, maxPages: 1, revisit: 1 });
  const [line] = (await ledgerNow()).filter(({ revisit }) => revisit !== undefined);
  if (line?.revisit === undefined) throw new Error('every kept page was asked again');
  const { at, status: code, result } = line.revisit;
  expect(factsOf(await client.screen(`/why?url=${encodeURIComponent(line.url)}`), 'section')).toMatchObject({
    'Last answer': at,
    Result: result,
    'HTTP status': String(code),
    'Newest version in the corpus': 'the first one',
  });
});

wholeTest('why: in a crawl of several topics, each of them explains the page', async () => {
  const examples = small.path('examples-2');
  mkdirSync(examples);
  for (const [i, html] of small.web.examples('topic-2', 12).entries()) writeFileSync(join(examples, `${i}.html`), html);
  const topics = [await trainedOn(small), await trainedOnce({ examples: [examples], out: small.path('model-2') })];
  const { proxy } = await small.serve();
  const both = small.path('both');
  await crawl({ dir: both, topic: topics, seeds: small.seeds, proxy, delay: 0, maxPages: 12, concurrency: 1 });
  const shownBoth = await openPage({ dir: both, address: '0', run: null });
  const watcher = await PageClient.of(shownBoth.url);
  const [url = ''] = small.seeds;
  const { page: judged } = await why(both, url);
  if (judged?.topics === undefined) throw new Error('two topics judged the seed');
  const at = (topic: string) => watcher.screen(`/why?all=yes&url=${encodeURIComponent(url)}${topic}`);
  expect(cellsOf(await at(''), 'By each topic')).toEqual(
    judged.topics.map(({ name, relevance, threshold, onTopic }) => [
      name,
      relevance.toFixed(4),
      threshold.toFixed(4),
      onTopic ? 'on topic' : 'off topic',
    ]),
  );
  for (const { name } of judged.topics) {
    const said = await why(both, url, { topicName: name });
    if (said.page === null) throw new Error('the seed was judged');
    expect(cellsOf(await at(`&topic=${name}`), 'Contributions to the relevance'), name).toEqual(sumRows(said.page.explanation));
  }
  expect((await watcher.get(`/why?url=${encodeURIComponent(url)}&topic=none`)).status).toBe(400);
  await shownBoth.close();
});

test('a file of hosts that cannot be used does not hide the hosts, and opting out says so', async () => {
  appendFileSync(optOut, 'http://[\n');
  expect((await client.get('/hosts')).status).toBe(200);
  expect((await client.post('/hosts/opt-out', { host: 'http://gone.example' })).status).toBe(400);
});
