/** Networks and partitions of a crawl, counted again by other programs. */
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { crawl, findSeeds, ledger } from 'forager';
import sqlite from 'node-sqlite3-wasm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fingerprint } from '../../../src/base/core/fingerprint.ts';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { registrableDomain } from '../../../src/base/web/domain.ts';
import { hostKeyOf } from '../../../src/base/web/url.ts';
import { recordsOf } from '../../../src/crawling/crawl-dir/corpus-soundness.ts';
import { openCrawl } from '../../../src/crawling/crawl-dir/open-crawl.ts';
import { keptLinks } from '../../../src/faces/app/kept-links.ts';
import { done, forager, refused } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
const dir = small.path('crawl');
const db = new sqlite.Database();
let topic: string;
afterAll(() => small.close());

/** All URLs and links of kept pages, in tables. */
beforeAll(async () => {
  const { proxy } = await small.serve();
  topic = await trainedOn(small);
  await crawl({ dir, topic, seeds: small.seeds, proxy, delay: 0, maxPages: 60 });
  db.exec(
    'create table url (url text primary key, host text, site text, state text, visited integer); create table link (source text, target text)',
  );
  for await (const line of ledger(dir)) {
    const url = line.url as string as CanonicalUrl;
    db.run('insert into url values (?, ?, ?, ?, ?)', [
      url,
      hostKeyOf(url),
      registrableDomain(url),
      line.state,
      line.order === null ? 0 : 1,
    ]);
  }
  const opened = openCrawl(dir);
  for await (const { url, outlinks } of keptLinks(opened, recordsOf(opened)))
    for (const target of new Set(outlinks.map((link) => link.url))) db.run('insert into link values (?, ?)', [url, target]);
  await opened.close();
});

const one = (sql: string) => Object.values((db.get(sql) ?? {}) as Record<string, number>)[0];

test.each(['hosts', 'pages'] as const)('a network of %s has the nodes and edges that SQL counts', async (nodes) => {
  const name = nodes === 'hosts' ? 'host' : 'url';
  const visited = '(select url, host from url where visited = 1)';
  const pairs = `select s.${name} as a, t.${name} as b from link join ${visited} s on s.url = link.source join ${visited} t on t.url = link.target where s.${name} <> t.${name}`;
  const csv = (await done('ledger', dir, '--format', 'csv', '--network', nodes)).trim().split('\n');
  expect(csv[0]).toBe('Source,Target,Weight');
  expect(csv.length - 1).toBe(one(`select count(*) from (select distinct a, b from (${pairs}))`));
  expect(csv.slice(1).reduce((sum, line) => sum + Number(line.split(',').at(-1)), 0)).toBe(one(`select count(*) from (${pairs})`));
  const gexf = await done('ledger', dir, '--format', 'gexf', '--network', nodes);
  expect(gexf.match(/<node /g)).toHaveLength(one(`select count(distinct ${name}) from url where visited = 1`) ?? -1);
  expect(gexf.match(/<edge /g)).toHaveLength(csv.length - 1);
});

test('networks and cited seeds have the links of the newest version of a page', async () => {
  const extra = new Map<string, string>();
  const { proxy } = await small.serve({ extra });
  const options = { dir: small.path('versions'), proxy, delay: 0 };
  await crawl({ ...options, topic, seeds: small.seeds, maxPages: 20 });
  const kept: string[] = [];
  for await (const { url, state } of ledger(options.dir)) if (state === 'kept') kept.push(url);
  const [page = '', cited = ''] = kept;
  const { host, pathname } = new URL(page);
  const lines = Array.from({ length: 12 }, (_, i) => `<p>A new line ${i} that <a href="${cited}?${i}">cites</a> a page of today.</p>`);
  const html = String(small.web.source.get(host, pathname)?.body);
  const fresh = `<p>See <a href="${cited}">this page</a> and <a href="http://fresh.example/">that site</a>.</p>`;
  extra.set(page, html.replaceAll(/<a [^>]*>/g, '<a>').replace('</article>', `${lines.join('')}${fresh}</article>`));
  await crawl({ ...options, revisit: 1, revisitOnly: true });
  const csv = (await done('ledger', options.dir, '--format', 'csv', '--network', 'pages')).trim().split('\n');
  expect(csv.filter((line) => line.startsWith(page))).toEqual([`${page},${cited},1`]);
  expect((await findSeeds({ dir: options.dir })).hosts.map((one) => one.host)).toContain('http://fresh.example');
});

test('GEXF and GraphML open in NetworkX, with equal counts', async (context) => {
  if (spawnSync('/usr/bin/python3', ['-c', 'import networkx']).status !== 0) context.skip("needs Debian's python3-networkx");
  for (const format of ['gexf', 'graphml']) {
    const path = small.path(`n.${format}`);
    writeFileSync(path, await done('ledger', dir, '--format', format));
    const program = `import networkx as n, sys; g = n.read_${format}(sys.argv[1]); print(len(g), g.number_of_edges(), sum(d['weight'] for *_, d in g.edges(data=True)), sum(d['kept'] for _, d in g.nodes(data=True)))`;
    const [nodes, edges, weight, kept] = execFileSync('/usr/bin/python3', ['-c', program, path], { encoding: 'utf8' })
      .trim()
      .split(' ')
      .map(Number);
    const csv = (await done('ledger', dir, '--format', 'csv', '--network', 'hosts')).trim().split('\n').slice(1);
    expect([nodes, kept]).toEqual([
      one('select count(distinct host) from url where visited = 1'),
      one("select count(*) from url where state = 'kept'"),
    ]);
    expect([edges, weight]).toEqual([csv.length, csv.reduce((sum, line) => sum + Number(line.split(',').at(-1)), 0)]);
  }
});

test.each([
  ['url', 7],
  ['host', 4],
  ['site', 3],
] as const)('partitions by %s are those that SQL counts', async (by, count) => {
  db.exec('drop table if exists part; create table part (url text primary key, p integer)');
  for (const { url, host, site } of db.all('select * from url') as { url: string; host: string; site: string }[]) {
    const key = { url, host, site }[by];
    db.run('insert into part values (?, ?)', [url, fingerprint(key, { hi: 0, lo: 0 }).lo % count]);
  }
  const report = JSON.parse(await done('status', dir, '--partitions', `${by}:${count}`, '--json'));
  const shares = Array.from({ length: count }, (_, p) =>
    db.get(
      `select count(*) as discovered, coalesce(sum(visited), 0) as visited, coalesce(sum(state = 'kept'), 0) as kept from url join part using (url) where p = ${p}`,
    ),
  );
  expect(report.shares).toEqual(shares);
  const links = 'from link join part s on s.url = source join part t on t.url = target';
  expect([report.links, report.across]).toEqual([one(`select count(*) ${links}`), one(`select count(*) ${links} where s.p <> t.p`)]);
  expect(report.links).toBeGreaterThan(50);
  const visited = shares.map((share) => Number((share as { visited: number }).visited));
  expect(report.balance).toBeCloseTo((Math.max(...visited) * count) / visited.reduce((a, b) => a + b), 12);
  expect(await done('status', dir, '--partitions', `${by}:${count}`)).toMatch(/links across partitions: [\d,]+ of [\d,]+ \([\d.]+ %\)/);
});

test('the ledger as CSV has a line for each URL, and quotes what needs it', async () => {
  const lines = (await done('ledger', dir, '--format', 'csv', '--state', 'kept')).trim().split('\n');
  expect(lines[0]).toBe('url,state,reason,order,depth,priority,relevance,status,fetchedAt,referrer,anchorText,rendered');
  expect(lines.length - 1).toBe(one("select count(*) from url where state = 'kept'"));
});

test.each([
  [['ledger', dir, '--network', 'hosts'], /--network: JSON lines have none/],
  [['ledger', dir, '--format', 'gexf', '--state', 'kept'], /a network has none/],
  [['status', dir, '--partitions', 'planet:3'], /--partitions planet:3: not a way to divide; write url:N/],
  [['status', dir, '--partitions', 'host:0'], /not a way to divide/],
])('%j is refused', async (words, message) => {
  const { code, stderr } = await forager(...words);
  expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  await refused(2, [], ...words);
});
