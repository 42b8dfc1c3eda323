import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crawl, type FoundSeeds, findSeeds } from 'forager';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { virtualSource } from '../../../datasets/page-source.ts';
import { type RunningWeb, startWebProxy } from '../../../datasets/web-proxy.ts';
import { Citations } from '../../../src/study/inspect/citations.ts';
import { hostOf, urlOf } from '../../support/frontier-values.ts';
import { trainedOnce } from '../../support/trained-once.ts';
import { done, refused } from '../cli/forager.ts';

const MOSS = [
  'Moss is a small plant without flowers. It grows in cushions on damp stones and drinks water through its leaves.',
  'The spores of a moss ripen in a capsule on a stalk, and the wind carries them from the capsule over the bog.',
  'Sphagnum moss builds peat. Its dead cells hold water, so the bog stays wet and sour and little rots in it.',
  'A carpet of feather moss keeps the forest floor damp. Its stems branch like feathers and lie one over another.',
  'Mosses have no roots. Fine threads called rhizoids hold the cushion of moss to bark, soil or stone.',
  'In the shade of the gorge the liverwort and the moss share the wet rock where the spray of the fall reaches.',
];
const TRAMS = [
  'The tram leaves the depot at six. The driver checks the brakes, and the conductor counts the change in the drawer.',
  'A timetable for the winter hangs at each stop, with the fares of the night lines printed under it in red.',
  'The overhead wire carries the current, and the rails carry it back to the power station by the harbour.',
];

/** @param nth turns the sentences, so that no two pages are the same */
function page(sentences: readonly string[], nth: number, links: readonly (readonly [url: string, anchor: string])[], head = ''): string {
  const turned = [...sentences.slice(nth % 6), ...sentences.slice(0, nth % 6)];
  const list = links.map(([url, anchor]) => `<p>See also <a href="${url}">${anchor}</a>.</p>`).join('\n');
  return `<!doctype html><html lang="en"><title>Page ${nth}</title>${head}<main>${turned.map((s) => `<p>${s}</p>`).join('\n')}\n${list}</main></html>`;
}

const PEAT = 'http://peat.example/';
const WEB = virtualSource(
  new Map([
    [
      'a.example',
      new Map([
        [
          '/',
          page(MOSS, 0, [
            ['/two', 'More of moss'],
            ['/gone', 'Gone'],
            ['http://b.example/', 'Moss of the bog'],
            ['http://c.example/', 'Moss of the wood'],
            ['http://trams.example/', 'Trams'],
            [PEAT, 'Peat society'],
            ['http://pictures.example/moss.png', 'A picture of moss'],
          ]),
        ],
        [
          '/two',
          page(MOSS, 1, [
            [PEAT, 'Peat'],
            ['http://closed.example/mosses', 'Mosses'],
            ['/deep/1', 'Moss, deeper'],
          ]),
        ],
        ['/deep/1', page(MOSS, 2, [['/deep/2', 'Moss, deeper still']])],
        // Its own links are not to be followed.
        ['/hidden', page(MOSS, 3, [['http://hidden.example/', 'Moss, hidden']], '<meta name="robots" content="nofollow">')],
      ]),
    ],
    [
      'b.example',
      new Map([
        [
          '/',
          page(MOSS, 4, [
            [`${PEAT}about`, 'About peat'],
            ['http://closed.example/mosses', 'The mosses'],
            ['http://a.example/hidden', 'Moss'],
          ]),
        ],
      ]),
    ],
    [
      'c.example',
      new Map([
        [
          '/',
          page(MOSS, 5, [
            [PEAT, 'The peat society'],
            ['/copy', 'Moss again'],
          ]),
        ],
        [
          '/copy',
          page(MOSS, 5, [
            [PEAT, 'The peat society'],
            ['/copy', 'Moss again'],
          ]),
        ],
      ]),
    ],
    [
      'trams.example',
      new Map([
        [
          '/',
          page(TRAMS, 0, [
            ['http://rails.example/', 'Rails'],
            ['http://rails.example/2', 'Rails'],
          ]),
        ],
      ]),
    ],
    ['closed.example', new Map([['/mosses', page(MOSS, 2, [])]])],
  ]),
);

const folder = mkdtempSync(join(tmpdir(), 'forager-seeds-'));
const dir = join(folder, 'crawl');
let web: RunningWeb;
let found: FoundSeeds;

beforeAll(async () => {
  mkdirSync(join(folder, 'examples'));
  for (const at of MOSS.keys()) writeFileSync(join(folder, `examples/${at}.html`), page(MOSS, at, []));
  const topic = await trainedOnce({ examples: [join(folder, 'examples')], out: join(folder, 'model') });
  web = await startWebProxy(WEB, { robots: new Map([['closed.example', 'User-agent: *\nDisallow: /\n']]) });
  const scope = ['not:host:peat.example', 'not:host:rails.example', 'not:host:hidden.example'];
  await crawl({ dir, topic, seeds: ['http://a.example/'], proxy: web.proxy, delay: 0, maxDepth: 2, scope });
  found = await findSeeds({ dir });
});
afterAll(async () => {
  await web.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('what on-topic pages cite', () => {
  test('hosts not visited, by how many hosts and pages cite them, each page counted once, and why they were not visited', () => {
    expect(found.hosts.map(({ host, hosts, pages, seed, unvisited }) => ({ host, hosts, pages, seed, unvisited }))).toEqual([
      { host: 'http://peat.example', hosts: 3, pages: 4, seed: PEAT, unvisited: { 'refused: scope': 2 } },
      { host: 'http://closed.example', hosts: 2, pages: 2, seed: 'http://closed.example/mosses', unvisited: { 'refused: robots': 1 } },
    ]);
  });

  test('with one example of each citing host', () => {
    const [peat] = found.hosts;
    expect(peat?.examples).toContainEqual({ page: 'http://a.example/', anchorText: 'Peat society', url: PEAT });
    expect(peat?.examples.map(({ page }) => new URL(page).hostname).sort()).toEqual(['a.example', 'b.example', 'c.example']);
  });

  test('pages not visited', () => {
    expect(found.pages.map(({ url, hosts, pages, state, reason }) => [url, hosts, pages, state, reason])).toEqual([
      [PEAT, 2, 3, 'refused', 'scope'],
      ['http://closed.example/mosses', 2, 2, 'refused', 'robots'],
      ['http://a.example/deep/2', 1, 1, 'refused', 'max-depth'],
      ['http://peat.example/about', 1, 1, 'refused', 'scope'],
    ]);
  });

  test('every on-topic page was read but the copy, which the corpus has not', () => {
    expect([found.read, found.unread]).toEqual([6, 1]);
  });

  test('no more than asked for', async () => {
    const { hosts, pages } = await findSeeds({ dir, top: 1 });
    expect([hosts.length, pages.length]).toEqual([1, 1]);
    expect(hosts[0]).toEqual(found.hosts[0]);
  });

  test('an aborted search rejects', async () => {
    await expect(findSeeds({ dir, signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  });
});

describe('forager seeds', () => {
  test('--json is what the library gives; --hosts and --pages leave the other out', async () => {
    expect(JSON.parse(await done('seeds', dir, '--json'))).toEqual(found);
    expect(JSON.parse(await done('seeds', dir, '--json', '--hosts'))).toEqual({ ...found, pages: [] });
    expect(JSON.parse(await done('seeds', dir, '--json', '--pages', '--top', '2'))).toEqual({
      ...found,
      hosts: [],
      pages: found.pages.slice(0, 2),
    });
  });

  test('a list beside a crawl: its model ranks, and pages that it visited are omitted', async () => {
    const list = join(folder, 'list.csv');
    writeFileSync(list, `url,title\nhttp://a.example/,Moss\nhttp://new.example/trams,Trams\nhttp://new.example/moss,Moss of the bog\n`);
    const text = await done('seeds', dir, '--from', list);
    expect(text).toContain('2 URLs ranked by the words of title, context and path with the model');
    expect(text).toContain('; 1 more was visited by the crawl');
    expect(text.indexOf('new.example/moss')).toBeGreaterThan(0);
    expect(text).not.toContain('http://a.example/');
  });

  test('for people', async () => {
    const text = await done('seeds', dir);
    expect(text).toContain(`${dir}: links of 6 on-topic pages; 1 more is not in the corpus\n`);
    expect(text).toMatch(/^ +3 hosts, +4 pages {2}http:\/\/peat\.example {2}\(2 refused: scope\)$/m);
    expect(text).toMatch(/^ +"About peat" to http:\/\/peat\.example\/about on http:\/\/b\.example\/$/m);
    expect(text).toMatch(/^ +1 host, +1 page +http:\/\/a\.example\/deep\/2 {2}\(refused: max-depth\)$/m);
    expect(await done('seeds', dir, '--hosts')).not.toContain('deep/2');
  });

  test('--format urls is a file of seeds for another crawl', async () => {
    const file = join(folder, 'seeds.txt');
    writeFileSync(file, await done('seeds', dir, '--format', 'urls'));
    const report = await crawl({
      dir: join(folder, 'next'),
      topic: join(folder, 'model'),
      seeds: [file],
      proxy: web.proxy,
      delay: 0,
      scope: ['not:domain:example'],
    });
    expect(report.lostSeeds.map(({ url }) => url).sort()).toEqual(found.pages.map(({ url }) => url).sort());
  });

  test('what cannot be is refused', async () => {
    await refused(2, ['omit one of them'], 'seeds', dir, '--json', '--format', 'urls');
    await refused(2, ['--format xml', 'text, urls'], 'seeds', dir, '--format', 'xml');
    await refused(2, ['--top 0'], 'seeds', dir, '--top', '0');
    await refused(2, ['no crawl is here'], 'seeds', join(folder, 'gone'));
  });
});

describe('counting', () => {
  const links = (...urls: string[]) => urls.map((url) => ({ url: urlOf(url), anchorText: 'x' }));
  const nothing = () => false;

  test('what was visited is not counted; its host neither', () => {
    const citations = new Citations(
      (url) => url === 'http://x.test/1',
      (host) => host === hostOf('http://x.test/'),
    );
    citations.add(urlOf('http://a.test/'), links('http://x.test/1', 'http://x.test/2', 'http://a.test/'));
    expect(citations.pages().map(([url]) => url)).toEqual(['http://x.test/2']);
    expect(citations.hosts().map(([host]) => host)).toEqual(['http://a.test']);
  });

  test('beyond its room it forgets what one page alone has cited, and nothing else', () => {
    const citations = new Citations(nothing, nothing, 10);
    for (const page of ['http://a.test/', 'http://b.test/']) citations.add(urlOf(page), links('http://x.test/often'));
    citations.add(urlOf('http://a.test/2'), links(...Array.from({ length: 12 }, (_, i) => `http://y.test/${i}`)));
    expect(citations.pages().map(([url, { pages }]) => [url, pages])).toEqual([['http://x.test/often', 2]]);
    citations.add(urlOf('http://c.test/'), links('http://x.test/often', 'http://y.test/1'));
    expect(citations.pages().map(([url, { hosts }]) => [url, hosts])).toEqual([
      ['http://x.test/often', 3],
      ['http://y.test/1', 1],
    ]);
    expect(citations.hosts().map(([host, { pages }]) => [host, pages])).toEqual([
      ['http://x.test', 3],
      ['http://y.test', 2],
    ]);
  });

  test('where most are cited more than once, it does not forget again at every page', () => {
    const citations = new Citations(nothing, nothing, 10);
    const numbered = (from: number, count: number) => links(...Array.from({ length: count }, (_, i) => `http://x.test/${from + i}`));
    for (const page of ['http://a.test/', 'http://b.test/']) citations.add(urlOf(page), numbered(0, 8));
    citations.add(urlOf('http://a.test/2'), numbered(100, 3));
    expect(citations.pages().length).toBe(8);
    citations.add(urlOf('http://a.test/3'), numbered(200, 3));
    expect(citations.pages().length).toBe(11);
  });
});
