/** `forager corpus bias`, the host that has most pages, and the share of one host. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { corpusBias, crawl, harvest } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dominantHostText } from '../../../src/corpus/describe/dominant-host.ts';
import { done, jsonLines, refused } from './forager.ts';
import { type CrawlToLabel, crawlToLabel } from './labelled-crawl.ts';
import { smallWeb } from './small-web.ts';

const small = smallWeb();
const out = small.path('corpus');
let made: CrawlToLabel;
let urls: string[];

beforeAll(async () => {
  made = await crawlToLabel(small, 150);
  await harvest({ dir: made.dir, out, formats: ['jsonl'] });
  urls = jsonLines<{ url: string }>(readFileSync(`${out}/corpus.jsonl`, 'utf8')).map(({ url }) => url);
});
afterAll(() => small.close());

test('a frame drawn from the corpus shows no difference; a host that the corpus lacks is named first', async () => {
  const frame = small.path('frame.txt');
  writeFileSync(frame, urls.filter((_, i) => i % 2 === 0).join('\n'));
  const shown = await done('corpus', 'bias', out, '--frame', frame);
  expect(shown).toContain('no share differs by more than chance');
  expect(shown).toContain('the frame has URLs alone, without language, year, length, kind of document');
  const planted = Array.from({ length: 15 }, (_, i) => `https://absent.example/${i}`);
  writeFileSync(frame, [...urls, ...planted].join('\n'));
  const bias = await corpusBias(out, { frame });
  expect(bias.gaps[0]).toMatchObject({ corpus: 0, value: 'absent.example' });
  expect(bias.framePages).toBe(urls.length + 15);
});

test('another corpus is a frame with all properties; weights are a new file with a mean of 1', async () => {
  const weights = small.path('weights.csv');
  const shown = await done('corpus', 'bias', out, '--frame', made.dir, '--weights', weights, '--weight-by', 'length');
  expect(shown).toMatch(/length +0\.\d{3} \[0\.000, /);
  const rows = readFileSync(weights, 'utf8').trim().split('\n');
  expect(rows[0]).toBe('url,frameWeight');
  expect(rows).toHaveLength(urls.length + 1);
  const mean = rows.slice(1).reduce((sum, row) => sum + Number(row.split(',').at(-1)), 0) / urls.length;
  expect(mean).toBeCloseTo(1, 2);
  await refused(2, [weights], 'corpus', 'bias', out, '--frame', made.dir, '--weights', weights);
  const json = JSON.parse(await done('corpus', 'bias', out, '--frame', made.dir, '--json')) as { facets: object; weightedBy: unknown };
  expect(Object.keys(json.facets)).toEqual(['tld', 'host', 'hostSize', 'language', 'year', 'length', 'kind']);
  expect(json.weightedBy).toBeNull();
});

test('the bias of a crawl is stored: its harvest has it on the card, and the weights as a column of every format on request', async () => {
  const biased = small.path('biased');
  cpSync(made.dir, biased, { recursive: true });
  await refused(
    2,
    ['--columns frameWeight: was not measured', `corpus bias ${biased} --frame`],
    ...['harvest', biased, '--out', small.path('no')],
    '--columns',
    'frameWeight',
  );
  const frame = small.path('by-host.txt');
  const { host } = new URL(urls[0] ?? '');
  writeFileSync(
    frame,
    [...urls.filter((url) => new URL(url).host === host), ...Array.from({ length: 40 }, (_, i) => `https://absent.example/${i}`)].join(
      '\n',
    ),
  );
  const found = await corpusBias(biased, { frame, weightBy: 'host' });
  const to = small.path('weighted');
  await done('harvest', biased, '--out', to, '--format', 'jsonl,csv,sqlite', '--columns', 'frameWeight');
  const pages = jsonLines<{ url: string; frameWeight: number }>(readFileSync(`${to}/corpus.jsonl`, 'utf8'));
  const [other, own] = [false, true].map(
    (isOwn) => new Set(pages.filter(({ url }) => (new URL(url).host === host) === isOwn).map((page) => page.frameWeight)),
  );
  expect([other?.size, own?.size]).toEqual([1, 1]);
  expect(Math.max(...(own ?? []))).toBeGreaterThan(Math.max(...(other ?? [])));
  expect(readFileSync(`${to}/corpus.csv`, 'utf8').split('\n')[0]).toContain('frameWeight');
  const card = JSON.parse(readFileSync(`${to}/corpus-card.json`, 'utf8')) as { crawl: { bias: Record<string, unknown> } };
  const frameDigest = createHash('sha256').update(readFileSync(frame)).digest('hex');
  expect(card.crawl.bias).toMatchObject({
    frame: { kind: 'urls', name: 'by-host.txt' },
    frameDigest,
    visited: 150,
    weightedBy: 'host',
    framePages: found.framePages,
  });
  expect(JSON.stringify(card.crawl.bias)).not.toContain(small.path(''));
  expect(readFileSync(`${to}/corpus-card.md`, 'utf8')).toContain('host absent.example: none, in the frame');
  writeFileSync(`${biased}/bias.json`, '{');
  await refused(3, ['bias.json', 'delete it, and measure again'], 'harvest', biased, '--out', small.path('no'));
});

test('what cannot be compared is refused with its remedy', async () => {
  await refused(2, ['--frame is missing'], 'corpus', 'bias', out);
  await refused(2, ['no such file or folder'], 'corpus', 'bias', out, '--frame', small.path('none.cdx'));
  await refused(2, ['is not a crawl'], 'corpus', 'bias', out, '--frame', 'random');
  await refused(2, ['has 0 pages, too few', '--explore 5%'], 'corpus', 'bias', made.dir, '--frame', 'random');
  await refused(2, ['one corpus', 'not 2'], 'corpus', 'bias', out, out, '--frame', out);
  writeFileSync(small.path('few.txt'), urls.slice(0, 3).join('\n'));
  await refused(2, ['has 3 pages, too few'], 'corpus', 'bias', out, '--frame', small.path('few.txt'));
  writeFileSync(small.path('urls.txt'), urls.slice(0, 40).join('\n'));
  const args = ['corpus', 'bias', out, '--frame', small.path('urls.txt'), '--weights', small.path('no.csv'), '--weight-by', 'year'];
  await refused(2, ['--weight-by year', 'URLs alone'], ...args);
  expect(existsSync(small.path('no.csv'))).toBe(false);
  await refused(2, ['--weight-by', 'give --weights too'], 'corpus', 'bias', out, '--frame', small.path('urls.txt'), '--weight-by', 'host');
});

test('a host with most pages is told, with the options that help', () => {
  const text = dominantHostText({ host: 'https://big.example', pages: 86 }, 100, 12);
  expect(text).toMatch(/^https:\/\/big\.example has [\d,]+ of the [\d,]+ pages.*--per-host 200.*--max-share-per-host/);
  expect(dominantHostText({ host: 'https://big.example', pages: 53 }, 100, 2)).toContain('53 of the 100 pages');
  expect(dominantHostText({ host: 'https://big.example', pages: 49 }, 100, 12)).toBeNull();
  expect(dominantHostText({ host: 'https://only.example', pages: 100 }, 100, 1)).toBeNull();
  expect(dominantHostText({ host: 'https://big.example', pages: 9 }, 10, 2)).toBeNull();
  expect(dominantHostText(undefined, 0, 0)).toBeNull();
});

test('a host gets at most its share of the budget, and more with a larger budget', async () => {
  const dir = small.path('shared');
  const args = ['crawl', dir, '--topic', made.topic, '--seeds', ...small.seeds, '--proxy', made.served.proxy, '--delay', '0'];
  await done(...args, '--max-pages', '60', '--max-share-per-host', '20%');
  const most = async () => {
    const visited = jsonLines<{ url: string; state: string }>(await done('ledger', dir, '--state', 'kept,off-topic,failed,duplicate'));
    const hosts = new Map<string, number>();
    for (const { url } of visited) hosts.set(new URL(url).host, (hosts.get(new URL(url).host) ?? 0) + 1);
    return Math.max(...hosts.values());
  };
  expect(await most()).toBeLessThanOrEqual(12);
  await done('crawl', dir, '--max-pages', '120');
  expect(await most()).toBeGreaterThan(12);
  expect(await most()).toBeLessThanOrEqual(24);
  await refused(2, ['two limits of the same visits'], 'crawl', dir, '--max-pages', '130', '--max-pages-per-host', '9');
  const fresh = args.map((word) => (word === dir ? small.path('fresh') : word));
  await refused(2, ['--max-share-per-host', 'give --max-pages'], ...fresh, '--max-share-per-host', '10%');
  await expect(crawl({ dir: small.path('fresh'), topic: made.topic, seeds: small.seeds, maxSharePerHost: 2 })).rejects.toThrow(
    'maxSharePerHost 2',
  );
});
