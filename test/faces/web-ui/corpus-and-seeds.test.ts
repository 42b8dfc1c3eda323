/** Seeds, corpus and compare: every number is that of the library, and what the page makes is what the library makes. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { crawl, evaluate, findSeeds, harvest, openLabelling, status } from 'forager';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freezeSource } from '../../../datasets/freeze.ts';
import { type OpenPage, openPage } from '../../../dist/faces/web-ui/open-page.js';
import { compareCrawls } from '../../../dist/study/inspect/compare-crawls.js';
import { survey } from '../../../dist/study/inspect/survey.js';
import { DESCRIPTIONS } from '../../../src/corpus/describe/descriptions.ts';
import { HANGS } from '../../support/cpu-time.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { refused } from '../cli/forager.ts';
import { crawlToLabel } from '../cli/labelled-crawl.ts';
import { smallWeb } from '../cli/small-web.ts';
import { PageClient, sent } from './page-client.ts';
import { cellsOf, type Screen } from './tables.ts';

const small = smallWeb();
let dir: string;
let other: string;
let page: OpenPage;
let client: PageClient;

beforeAll(async () => {
  const made = await crawlToLabel(small, 100);
  dir = made.dir;
  other = small.path('other');
  const common = { topic: made.topic, seeds: small.seeds, proxy: made.served.proxy, delay: 0, maxPages: 60, concurrency: 1 };
  await crawl({ dir: other, strategy: 'bfs', ...common });
  page = await openPage({ dir, address: '0', run: null, others: [other, dir] });
  client = await PageClient.of(page.url);
});
afterAll(async () => {
  await page.close();
  await small.close();
});

/** The screen when its work is no longer running. */
async function atRest(path: string): Promise<Screen> {
  return vi.waitFor(
    async () => {
      const screen = await client.screen(path);
      expect(screen.querySelector('main .job')).toBeNull();
      return screen;
    },
    { timeout: HANGS, interval: 50 },
  );
}

const textOf = (screen: Screen) => screen.querySelector('main')?.textContent ?? '';
const number = (text: string | undefined) => Number(text?.replaceAll(',', ''));

test('Seeds: hosts and pages are those of findSeeds, with reasons and citing pages', async () => {
  expect((await client.post('/seeds/search')).status).toBe(303);
  const screen = await atRest('/seeds');
  const found = await findSeeds({ dir, top: 40 });
  expect(found.pages.length).toBeGreaterThan(3);
  const examples = (of: (typeof found.pages)[number]['examples']) => of.map((one) => `“${one.anchorText}” on ${one.page}`).join('');
  expect(cellsOf(screen, 'Pages that were not visited')).toEqual(
    found.pages.map(({ url, hosts, pages, state, reason, examples: of }) => [
      ...['', url, String(hosts), String(pages)],
      reason === '' ? state : `${state}: ${reason}`,
      examples(of),
    ]),
  );
  expect(cellsOf(screen, 'Hosts without a visited page').map(([, host, seed, citing]) => [host, seed, citing])).toEqual(
    found.hosts.map(({ host, seed, hosts }) => [host, seed, String(hosts)]),
  );
  expect(textOf(screen)).toContain(`Links of ${found.read} on-topic pages were counted.`);
  const boxes = [...screen.querySelectorAll('input[name="seed"]')].map((one) => one.getAttribute('value'));
  expect(boxes).toEqual([...found.hosts.map(({ seed }) => seed), ...found.pages.map(({ url }) => url)]);
});

wholeTest('Seeds: chosen ones are a file for --seeds, and the next run visits them', async () => {
  const copy = small.path('to-continue');
  cpSync(dir, copy, { recursive: true });
  const opened = await openPage({ dir: copy, address: '0', run: null });
  const choosing = await PageClient.of(opened.url);
  const { pages } = await findSeeds({ dir: copy, top: 2 });
  const [first, second] = pages.map(({ url }) => url);
  await choosing.post('/seeds/add', { seed: first ?? '', others: `\r\n${second}\r\n${first}\r\n` });
  const file = join(copy, 'chosen-seeds.txt');
  expect(readFileSync(file, 'utf8')).toBe(`${first}\n${second}\n`);
  expect(textOf(await choosing.screen('/seeds'))).toContain(`forager crawl ${copy} --seeds ${file}`);
  await crawl({ dir: copy, seeds: [file], maxPages: 102 });
  const { pages: left } = await findSeeds({ dir: copy, top: 1000 });
  expect(left.map(({ url }) => url)).not.toContain(first);
  await choosing.post('/seeds/clear');
  expect(existsSync(file)).toBe(false);
  await opened.close();
});

test('Seeds: markup stays text, and what is no URL adds nothing', async () => {
  const hostile = 'http://evil.example/"><script>alert(1)</script>';
  await client.post('/seeds/add', { others: hostile });
  const { text } = await client.get('/seeds');
  expect(text).not.toContain('<script>alert');
  expect(text).toContain('evil.example');
  const before = readFileSync(join(dir, 'chosen-seeds.txt'), 'utf8');
  for (const bad of ['javascript:alert(1)', '<img src=x onerror=alert(1)>', '\0', '']) {
    const answer = await client.post('/seeds/add', { others: `http://good.example/\n${bad}` });
    if (bad.trim() === '') continue;
    expect([answer.status, answer.text.includes('<img src=x')]).toEqual([400, false]);
    expect(readFileSync(join(dir, 'chosen-seeds.txt'), 'utf8')).toBe(before);
  }
  expect((await client.post('/seeds/add', { others: ' \n' })).status).toBe(400);
  await client.post('/seeds/clear');
});

wholeTest('Corpus: kept pages, harvested pages and precision at each threshold', async () => {
  const steps = cellsOf(await client.screen('/corpus'), 'A harvest by its least relevance');
  const { status: said, keptByRelevance } = await survey(dir);
  expect(steps[0]?.slice(0, 3)).toEqual([`${said.topic.threshold.toFixed(4)}, of the model`, String(said.counts.kept), 'not measured']);
  for (const [least, kept] of steps.slice(1))
    expect(number(kept), least).toBe(keptByRelevance.slice(Math.round(100 * Number(least))).reduce((sum, one) => sum + one, 0));
  await client.post('/corpus/count');
  const counted = cellsOf(await atRest('/corpus'), 'A harvest by its least relevance');
  expect(counted.length).toBeGreaterThan(2);
  for (const [i, [least = '', , kept, duplicates, reserved]] of counted.entries()) {
    const minRelevance = i === 0 ? said.topic.threshold : Number(least);
    const { card } = await harvest({ dir, out: small.path(`at-${i}`), minRelevance });
    expect([kept, duplicates, reserved].map(number), least).toEqual([
      card.records.kept,
      card.records.leftOut.exact,
      card.records.leftOut.rights,
    ]);
  }
});

test('Corpus: the form offers the copies that harvest omits, and the count says which pages it omits', async () => {
  const screen = await client.screen('/corpus');
  const offered = [...screen.querySelectorAll('select[name="dedupe"] option')].map((option) => option.getAttribute('value'));
  expect(offered).toEqual(['exact', 'near', 'contained', 'none']);
  expect(screen.querySelector('select[name="dedupe"] option[selected]')?.getAttribute('value')).toBe('exact');
  expect(textOf(screen)).toContain('mining rights reserved, relevance too low, same text as another page');
  expect(textOf(screen)).toContain('Only a harvest compares pages for near-duplicates.');
});

wholeTest('Corpus: the precision with labels is that of status, and higher thresholds have their own', async () => {
  const copy = small.path('labelled');
  cpSync(dir, copy, { recursive: true });
  const labelling = await openLabelling({ dir: copy });
  for (let i = 0; i < 60; i++) {
    const question = await labelling.next();
    if (question === null) break;
    await labelling.answer(i % 5 === 0 ? 'n' : 'y');
  }
  await labelling.close();
  const opened = await openPage({ dir: copy, address: '0', run: null });
  const rows = cellsOf(await (await PageClient.of(opened.url)).screen('/corpus'), 'A harvest by its least relevance');
  await opened.close();
  const { precision } = await status(copy);
  if (precision === null) throw new Error('sixty answers measure the precision');
  const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
  const share = (part: number) => percent.format(part).replace('%', ' %');
  expect(rows[0]?.[2]).toBe(`${share(precision.share)} (${share(precision.low)} to ${share(precision.high)})`);
  expect(new Set(rows.map((row) => row[2])).size).toBeGreaterThan(1);
});

/** Of each file of a folder except its descriptions, which say when it was made. */
function digests(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => statSync(join(folder, name)).isFile() && !DESCRIPTIONS.some(({ file }) => file === name),
  );
  return Object.fromEntries(
    files.map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ]),
  );
}

test('Corpus: a harvest by the page is the one of the library, file by file', async () => {
  const query = 'name=by+the+page&format=jsonl&format=text&least=0.6&languages=en&dedupe=near';
  const screen = await client.screen(`/corpus?${query}`);
  const out = join(dirname(dir), 'by the page');
  expect([...screen.querySelectorAll('.command')].map((command) => command.textContent)).toEqual([
    `npx forager harvest ${dir} --out ${dir}-corpus-near --format jsonl --dedupe near`,
    `npx forager harvest ${dir} --out '${out}' --format jsonl,text --min-relevance 0.6 --lang en --dedupe near`,
  ]);
  expect(screen.querySelector('select[name="dedupe"] option[selected]')?.getAttribute('value')).toBe('near');
  expect(existsSync(out)).toBe(false);
  const form = screen.querySelector('form[action="/corpus/harvest"]');
  const fields = [...(form?.querySelectorAll('input') ?? [])].map((one): [string, string] => [
    one.getAttribute('name') ?? '',
    one.getAttribute('value') ?? '',
  ]);
  const answer = await sent(client.origin, '/corpus/harvest', {
    method: 'POST',
    headers: { cookie: client.cookie, origin: client.origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
  expect(answer.status).toBe(303);
  const after = await atRest('/corpus');
  const own = await harvest({
    dir,
    out: small.path('own'),
    formats: ['jsonl', 'text'],
    minRelevance: 0.6,
    languages: ['en'],
    dedupe: 'near',
  });
  expect(digests(out)).toEqual(digests(own.outDir));
  expect(Object.keys(digests(out)).length).toBeGreaterThan(1);
  expect(textOf(after)).toContain(`${own.card.records.kept} of ${own.card.records.read} pages are in ${out}.`);
  expect(cellsOf(after, 'Files of the corpus').map(([name, bytes]) => [name, number(bytes)])).toEqual(
    own.card.files.map(({ name, bytes }) => [name, bytes]),
  );
});

wholeTest('Corpus: an error of the harvest is shown as the library says it', async () => {
  const name = 'occupied';
  mkdirSync(join(dirname(dir), name));
  writeFileSync(join(dirname(dir), name, 'thesis.txt'), 'mine');
  await client.post('/corpus/harvest', { name, format: 'jsonl' });
  const said = await harvest({ dir, out: join(dirname(dir), name) }).catch((error: unknown) =>
    error instanceof Error ? error.message : '',
  );
  expect(textOf(await atRest('/corpus'))).toContain(said);
  expect(readdirSync(join(dirname(dir), name))).toEqual(['thesis.txt']);
});

test('Corpus: names that are not plain names are refused, and nothing is written', async () => {
  const before = readdirSync(dirname(dir)).sort();
  for (const name of [
    '../out',
    '..',
    '.',
    '/tmp/out',
    'a/b',
    'a\\b',
    'a\0b',
    '-rf',
    '.hidden',
    '',
    'x'.repeat(300),
    '\u202egpj',
    '<b>x</b>',
  ]) {
    const { status: code, text } = await client.post('/corpus/harvest', { name, format: 'jsonl' });
    expect([code, text.includes('is not one plain name'), text.includes('<b>x</b>')], name).toEqual([400, true, false]);
    expect((await client.get(`/corpus?${new URLSearchParams({ name, format: 'jsonl' })}`)).text).not.toContain('<b>x</b>');
  }
  for (const fields of [
    { format: 'exe' },
    { format: 'jsonl', least: '2' },
    { format: 'jsonl', least: 'x' },
    { format: 'jsonl', dedupe: 'all' },
  ])
    expect((await client.post('/corpus/harvest', { name: 'plain', ...fields })).status).toBe(400);
  expect(readdirSync(dirname(dir)).sort()).toEqual(before);
});

test('without the token of a form nothing is done', async () => {
  const before = readdirSync(dirname(dir)).sort();
  for (const path of ['/seeds/search', '/seeds/add', '/seeds/clear', '/seeds/stop', '/corpus/count', '/corpus/harvest', '/corpus/stop']) {
    const { status: code } = await sent(client.origin, path, {
      method: 'POST',
      headers: { cookie: client.cookie, origin: client.origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'name=forged&format=jsonl&seed=http%3A%2F%2Fevil.example%2F&formToken=x',
    });
    expect(code, path).toBe(403);
  }
  expect(readdirSync(dirname(dir)).sort()).toEqual(before);
  expect(existsSync(join(dir, 'chosen-seeds.txt'))).toBe(false);
});

const figureOf = (screen: Screen, name: string) =>
  [...screen.querySelectorAll('.figure')]
    .find((one) => one.querySelector('dt')?.textContent === name)
    ?.querySelector('dd')
    ?.textContent?.trim();

test('Compare: overlap, states and hosts are those of both ledgers', async () => {
  const screen = await client.screen(`/compare?with=${encodeURIComponent(other)}`);
  const found = await compareCrawls(dir, other);
  const [name, otherName] = [basename(dir), basename(other)];
  expect(figureOf(screen, 'Kept by both')).toBe(String(found.both));
  expect(figureOf(screen, `Only in ${name}`)).toBe(String(found.onlyFirst.pages));
  expect(figureOf(screen, `Only in ${otherName}`)).toBe(String(found.onlySecond.pages));
  const [first, second] = [await status(dir), await status(other)];
  expect(cellsOf(screen, 'Crawl').map(([crawled, kept, visited]) => [crawled, number(kept), number(visited)])).toEqual([
    [dir, first.counts.kept, first.counts.visited],
    [other, second.counts.kept, second.counts.visited],
  ]);
  expect(found.both + found.onlyFirst.pages).toBe(first.counts.kept);
  expect(found.both + found.onlySecond.pages).toBe(second.counts.kept);
  expect(found.onlyFirst.pages).toBeGreaterThan(0);
  for (const only of [found.onlyFirst, found.onlySecond])
    expect(Object.values(only.elsewhere).reduce((sum, one) => sum + one, 0)).toBe(only.pages);
  expect(Object.fromEntries(cellsOf(screen, `Only in ${name}: states`).map(([state, count]) => [state, number(count)]))).toEqual(
    found.onlyFirst.elsewhere,
  );
  expect(cellsOf(screen, 'Hosts with the greatest difference').map(([host, a, b, both]) => [host, ...[a, b, both].map(number)])).toEqual(
    found.hosts.map((row) => [row.host, row.first, row.second, row.both]),
  );
  expect(screen.querySelectorAll('svg.curve:not(.key) polyline')).toHaveLength(2);
});

test('Compare: a crawl with itself has nothing of its own', async () => {
  const screen = await client.screen(`/compare?with=${encodeURIComponent(dir)}`);
  expect(figureOf(screen, 'Kept by both')).toBe(String((await status(dir)).counts.kept));
  expect(figureOf(screen, `Only in ${dir}`)).toBe('0');
});

test('Compare: an address opens no folder that was not given', async () => {
  for (const folder of ['/etc', '../other', `${other}/`, '<b>x</b>']) {
    const { status: code, text } = await client.get(`/compare?with=${encodeURIComponent(folder)}`);
    expect([code, text.includes('was not given to this page'), text.includes('<b>x</b>')], folder).toEqual([400, true, false]);
  }
});

test('Compare: an evaluation is shown as forager eval reports it, and what is none is refused by name', async () => {
  const [web, labels, out] = [small.path('web.jsonl.gz'), small.path('labels.csv'), small.path('evaluation')];
  freezeSource(small.web.source, [...small.web.urls()], web);
  const lines = small.web.urls().map((url) => `${url},${Number(small.web.isOnTopic(url, small.topic))}`);
  writeFileSync(labels, `url,on_topic\n${lines.join('\n')}\n`);
  await evaluate({ web, topic: small.path('model'), judge: labels, strategies: ['parent', 'bfs'], budget: 60, repeats: 2, out });
  const opened = await openPage({ dir, address: '0', run: null, others: [out] });
  const looking = await PageClient.of(opened.url);
  const screen = await looking.screen('/compare');
  expect(screen.querySelector('pre')?.textContent).toBe(readFileSync(join(out, 'report.md'), 'utf8'));
  expect([...screen.querySelectorAll('.legend li')].map((one) => one.textContent?.trim())).toEqual([
    'parent',
    'bfs',
    'bound',
    'parent',
    'bfs',
    'bound',
  ]);
  const points = [...screen.querySelectorAll('svg.curve:not(.key) polyline')].map((one) => one.getAttribute('points')?.split(' ').length);
  expect(points).toEqual([100, 100, 100, 100, 100, 100]);
  const whole = readFileSync(join(out, 'results.json'), 'utf8');
  for (const changed of [
    '{"strategies":["<b>x</b>"]}',
    whole.replace('"curve":[', '"curve":["<b>x</b>",'),
    whole.replace('"refusals":{', '"refusals":{"x":"<b>x</b>",'),
    whole.replace('"notes":[', '"notes":[{"html":"<b>x</b>"},'),
    'null',
    whole.slice(0, -9),
  ]) {
    expect(changed).not.toBe(whole);
    writeFileSync(join(out, 'results.json'), changed);
    const { status: code, text } = await looking.get('/compare');
    expect([changed.slice(0, 40), code, text.includes('is not an evaluation of this version'), text.includes('<b>x</b>')]).toEqual([
      changed.slice(0, 40),
      400,
      true,
      false,
    ]);
  }
  await opened.close();
});

test('open takes further crawls, and refuses a folder that is neither crawl nor evaluation', async () => {
  await refused(2, ['no crawl'], 'open', dir, small.path('nothing'), '--page', '0');
});
