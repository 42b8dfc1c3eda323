/** `--url-list`: the URLs of files as candidates of a crawl, their source, and runs that end while the file is read. */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { crawl, type LedgerLine, ledger } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { wholeTest } from '../../support/whole-test.ts';
import { done, forager, jsonLines, start } from './forager.ts';
import { type Served, smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
/** Of one host: with one request at a time, their order is always the same. */
const [seed = '', first = '', second = '', third = ''] = ofLargestHost(small.web.urlsOf(small.topic));
const bibliography = small.path('refs.bib');
let served: Served;
let topic: string;

/** A crawl that follows no link. */
const args = (dir: string, ...more: string[]) => [
  ...['crawl', small.path(dir), '--topic', topic, '--seeds', seed, '--proxy', served.proxy, '--delay', '0', '--concurrency', '1'],
  ...['--max-depth', '1', '--scope', `regex:${[seed, first, second, third].map((url) => url.replaceAll('.', '\\.')).join('|')}`, ...more],
];
const lines = async (dir: string) => jsonLines<LedgerLine>(await done('ledger', small.path(dir)));
const lists = (dir: string) => (JSON.parse(readFileSync(small.path(dir, 'crawl.json'), 'utf8')) as { urlLists: object[] }).urlLists;

function ofLargestHost(urls: readonly string[]): readonly string[] {
  const hosts = urls.map((url) => urls.filter((other) => new URL(other).host === new URL(url).host));
  return hosts.sort((a, b) => b.length - a.length)[0] ?? [];
}

beforeAll(async () => {
  served = await small.serve();
  topic = await trainedOn(small);
  writeFileSync(
    bibliography,
    `@misc{a, title = {Of all mosses}, url = {${first}}}\n@misc{b, url = {${second}}}\n@misc{c, url = {http://out.example/}}\n`,
  );
});
afterAll(() => small.close());

test('the URLs of a bibliography are visited, their titles are anchor texts, and ledger and why name the file without its folder', async () => {
  await done(...args('refs', '--url-list', bibliography));
  const found = new Map<string, LedgerLine>((await lines('refs')).map((line) => [line.url, line]));
  expect(found.get(first)).toMatchObject({ state: 'kept', referrer: 'file:///refs.bib', anchorText: 'Of all mosses', depth: 1 });
  expect(found.get(second)).toMatchObject({ state: 'kept', referrer: 'file:///refs.bib', anchorText: '' });
  expect(found.get('http://out.example/')).toMatchObject({ state: 'refused', reason: 'scope', referrer: 'file:///refs.bib' });
  expect(lists('refs')).toEqual([{ path: bibliography, urls: 3 }]);
  const why = await done('why', small.path('refs'), first);
  expect(why).toContain('Link from file:///refs.bib');
  expect(why).toContain('anchor "Of all mosses", in url-list>line');
  expect(why).toContain('relevance of anchor and context');
  expect(await done('status', small.path('refs'))).toContain('kept');
});

wholeTest('a list that is given again is read again, and a read one is not needed any more', async () => {
  const list = small.path('more.txt');
  writeFileSync(list, `${first}\n`);
  await done(...args('again', '--url-list', list));
  writeFileSync(list, `${first}\n${third}\n`);
  const before = served.pages.length;
  await done('crawl', small.path('again'), '--proxy', served.proxy);
  expect(served.pages.length).toBe(before);
  await done('crawl', small.path('again'), '--proxy', served.proxy, '--url-list', list);
  expect(served.pages.slice(before)).toEqual([third]);
  rmSync(list);
  await done('crawl', small.path('again'), '--proxy', served.proxy);
  expect(lists('again')).toEqual([{ path: list, urls: 2 }]);
});

test('a list is refused before anything is written; one that is damaged further on leaves a crawl that can go on', async () => {
  const refused = await forager(...args('refused', '--url-list', small.path('no-such.cdx')));
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringMatching(/^forager: \S+no-such\.cdx: cannot be read \(no such file\); .* or --url-list none\n$/),
  ]);
  expect(existsSync(small.path('refused'))).toBe(false);
  const damaged = small.path('damaged.gz');
  writeFileSync(damaged, gzipSync(Array.from({ length: 9000 }, (_, i) => `${first}?${i * 7919}`).join('\n')).subarray(0, 9000));
  const { code, stderr } = await forager(...args('damaged', '--url-list', damaged));
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^forager: \S+damaged\.gz:\d+: the gzip file is damaged here .*\n$/)]);
  const again = await forager('crawl', small.path('damaged'), '--proxy', served.proxy);
  expect(again.stderr).toContain('damaged.gz:');
  await done('crawl', small.path('damaged'), '--proxy', served.proxy, '--url-list', 'none');
  expect(lists('damaged')).toEqual([]);
});

wholeTest('the library and a file of options have it too', async () => {
  const options = { topic, seeds: [seed], proxy: served.proxy, delay: 0, maxDepth: 0, workers: 1 };
  await crawl({ ...options, dir: small.path('library'), urlList: [bibliography], maxPages: 2 });
  const found = new Map<string, string | null>();
  for await (const { url, referrer } of ledger(small.path('library'))) found.set(url, referrer);
  expect(found.get(second)).toBe('file:///refs.bib');
  await expect(crawl({ ...options, dir: small.path('bad'), urlList: [small.dir] })).rejects.toThrow('it is a folder, not a file');
  const config = small.path('lists.yaml');
  writeFileSync(config, `crawl:\n  url-list: [${bibliography}]\n`);
  await done(...args('by-file', '--config', config, '--max-pages', '1'));
  expect(lists('by-file')).toMatchObject([{ urls: 3 }]);
});

wholeTest('a crawl that is killed while it reads a list goes on to the state of one that was not', async () => {
  const list = small.path('large.txt');
  const count = 200_000;
  writeFileSync(list, [first, ...Array.from({ length: count }, (_, i) => `http://out-${i % 100}.example/${i}`), second].join('\n'));
  await done(...args('whole', '--url-list', list));
  const killed = start(args('killed', '--url-list', list));
  const database = small.path('killed', 'frontier', 'data.mdb');
  // A part of the list is in the frontier, and no page was asked for.
  while (killed.child.exitCode === null && (!existsSync(database) || statSync(database).size < 1_000_000))
    await new Promise((resolve) => setTimeout(resolve, 5));
  killed.child.kill('SIGKILL');
  await killed.ended;
  expect(lists('killed')).toEqual([{ path: list, urls: null }]);
  expect((await lines('killed')).length).toBeLessThan(count);
  await done('crawl', small.path('killed'), '--proxy', served.proxy);
  const facts = async (dir: string) =>
    (await lines(dir)).map(({ url, state, reason, referrer, depth, priority, order }) =>
      [url, state, reason, referrer, depth, priority, order].join(' '),
    );
  expect(await facts('killed')).toEqual(await facts('whole'));
  expect(lists('killed')).toEqual([{ path: list, urls: count + 2 }]);
});
