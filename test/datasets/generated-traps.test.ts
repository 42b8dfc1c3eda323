/** The hosts without end of the generated web: months, facets, session ids. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type GeneratedWebOptions, knobsOf } from '../../datasets/generated-web/options.ts';
import { startGeneratedWeb } from '../../datasets/generated-web/serve.ts';
import { type GeneratedWeb, generateWeb } from '../../datasets/generated-web/web.ts';
import { canonicalize } from '../../src/base/web/url.ts';
import { sample, size } from '../support/extent.ts';
import { viaProxy } from './proxy-client.ts';

const TRAPS = { calendarTrap: true, facetTrap: true, sessionTrap: true };
const SHOP = 'http://shop.example';
const FORUM = 'http://forum.example';
/** Each new trap, and where a page outside may lead into it. */
const ENDLESS = [
  { trap: 'facet', entry: `${SHOP}/list` },
  { trap: 'session', entry: `${FORUM}/page-7` },
] as const;

function small(options: Partial<GeneratedWebOptions> = {}): GeneratedWeb {
  return generateWeb({ seed: 1, pages: 400, hosts: 10, topics: 4, ...options });
}

function htmlAt(web: GeneratedWeb, url: string): string {
  const page = web.page(url);
  if (page === null) throw new Error(`no page at ${url}`);
  return page.html;
}

function hrefsOf(html: string): readonly string[] {
  return [...html.matchAll(/<a href="([^"]*)">/g)].map((match) => (match[1] ?? '').replaceAll('&amp;', '&'));
}

/** Words that a page shows in its middle, the links' own left out. */
function textOf(html: string): string {
  const main = /<main>(.*)<\/main>/s.exec(html)?.[1] ?? '';
  return main.replace(/<a .*?<\/a>/gs, '').replace(/<[^>]*>/g, ' ');
}

/** Links of a page that stay on its trap, by the canonical URL that a crawler would know them by. */
function onwards(web: GeneratedWeb, url: string): readonly string[] {
  const trap = web.trapOf(url);
  const own = web.links(url).filter((link) => link.zone === 'content' && web.trapOf(link.url) === trap);
  return own.map((link) => canonicalize(link.url) ?? '');
}

/** The first `count` URLs that a breadth-first crawl asks for, and all that it then knows. */
function walk(web: GeneratedWeb, entry: string, count: number) {
  const known = new Set([entry]);
  const asked: string[] = [];
  for (const url of known) {
    if (asked.length === count) break;
    asked.push(url);
    for (const next of onwards(web, url)) known.add(next);
  }
  return { asked, known };
}

/** Every page, home and about page of a web, with its links, its seeds and training pages. */
function digest(web: GeneratedWeb): string {
  const hash = createHash('sha256');
  const sites = web.hosts.flatMap((host) => [`http://${host}/`, `http://${host}/about.html`, `http://${host}/calendar/2024/11`]);
  for (const url of [...web.urls(), ...sites]) {
    hash.update(`${url}\n${web.page(url)?.html ?? 'none'}\n`);
    for (const link of web.links(url)) hash.update(`${link.zone} ${link.url} ${link.anchorText}\n`);
  }
  for (const topic of web.topics) hash.update([...web.seeds(topic, 3), ...web.examples(topic, 2)].join('\n'));
  return hash.digest('hex');
}

const TUNNELS = { islands: 2, size: 5, depth: 2 };
/** Digests made by the code as it was before there were a shop and a forum. */
const EARLIER: readonly (readonly [string, Partial<GeneratedWebOptions>])[] = [
  ['42f09c42363d53047b138f43e590e00eec49fc0a348f37d0e5bf5fc429ec5bf0', {}],
  [
    '1e92a34a34c82abd3f3f2a2e6d0a0e83d47ebe9200c92f8b0ed3a99871968de7',
    { calendarTrap: true, hubs: 0.1, nearDuplicates: 0.1, tunnels: TUNNELS },
  ],
  ['fe8c2bc380a39b72c0280f067ea9911b6951249675f2e447d4422d57b5ad82d1', { boilerplate: 0, locality: 0.3, calendarTrap: true }],
];

test.each(EARLIER)('a web without shop and forum has the bytes it always had: %s', (earlier, options) => {
  expect(digest(small({ pages: 200, ...options }))).toBe(earlier);
});

const FAR = size(5000, 1500);

test.each(sample(ENDLESS, [0]))(`$trap: ${FAR} pages on, a crawl still finds new ones, more than it asks for`, ({ trap, entry }) => {
  const web = small(TRAPS);
  const { asked, known } = walk(web, entry, FAR);
  expect(asked).toHaveLength(FAR);
  const waiting = [...known].slice(asked.length);
  expect(waiting.length).toBeGreaterThan(FAR);
  for (const url of waiting.slice(-100)) {
    expect(web.page(url)).toMatchObject({ url, kind: trap, topic: null });
    expect(onwards(web, url).some((next) => !known.has(next))).toBe(true);
  }
});

test.each(sample(ENDLESS, [0]))(`$trap: ${FAR} links deep, each page has a link never seen before`, ({ entry }) => {
  const web = small(TRAPS);
  const known = new Set<string>([entry]);
  let url: string = entry;
  for (let depth = 0; depth < FAR; depth++) {
    const fresh = onwards(web, url).filter((next) => !known.has(next));
    expect(fresh.length, `links on from ${url}, ${depth} links deep`).toBeGreaterThan(0);
    for (const next of fresh) known.add(next);
    url = fresh[0] ?? '';
  }
  expect(known.size).toBeGreaterThan(FAR);
});

test.each(sample(ENDLESS, [0]))('$trap: a URL has the same bytes whenever, wherever and in whatever order it is asked for', ({ entry }) => {
  const [one, two, other] = [small(TRAPS), small(TRAPS), small({ ...TRAPS, seed: 2 })];
  const { asked } = walk(one, entry, 60);
  const bytes = (web: GeneratedWeb, urls: readonly string[]) => urls.map((url) => htmlAt(web, url));
  const backwards = bytes(two, [...asked].reverse()).reverse();
  expect(bytes(one, asked)).toEqual(backwards);
  expect(bytes(one, asked)).toEqual(backwards);
  expect(bytes(other, asked)).not.toEqual(backwards);
  const local = one.onLoopback(8080);
  const moved = asked.map((url) => url.replace(new URL(url).host, local.hosts[one.hosts.indexOf(new URL(url).host)] ?? ''));
  const paths = (html: string) => hrefsOf(html).map((href) => href.replace(/^http:\/\/[^/]*/, ''));
  expect(moved.map((url) => paths(htmlAt(local, url)))).toEqual(backwards.map(paths));
});

test.each(sample(ENDLESS, [0]))('$trap: links() are the links of the HTML, each leads to a page, and none to its own', ({ entry }) => {
  const web = small(TRAPS);
  const home = new URL('/', entry).href;
  for (const url of [home, ...walk(web, entry, 60).asked]) {
    const links = web.links(url);
    expect(links.map((link) => link.url)).toEqual(hrefsOf(htmlAt(web, url)));
    expect(htmlAt(web, url)).not.toMatch(/&(?!amp;)/);
    const content = links.filter((link) => link.zone === 'content').map((link) => link.url);
    expect(new Set([url, ...content]).size).toBe(content.length + 1);
    for (const link of links) expect(web.page(link.url)?.url).toBe(link.url);
  }
});

test.each(sample(ENDLESS, [0]))('$trap: linked from one page in fifty, and reachable() stays outside', ({ trap }) => {
  const web = small({ ...TRAPS, pages: 4000 });
  const doors = web.urls().filter((url) => web.links(url).some((link) => web.trapOf(link.url) === trap));
  // Four standard errors of a share of 0.02 in 4,000.
  expect(Math.abs(doors.length / 4000 - 0.02)).toBeLessThan(0.009);
  expect([...web.reachable(web.seeds('topic-1', 2))].filter((url) => web.trapOf(url) !== null)).toEqual([]);
});

test('lists of the shop are near-duplicates; the order of the parameters changes links only', () => {
  const web = small(TRAPS);
  const wares = (url: string) => [...htmlAt(web, url).matchAll(/<li>([^<]*)<\/li>/g)].map((match) => match[1]);
  const lists = walk(web, `${SHOP}/list`, 300).asked.map(wares);
  for (const list of lists) {
    const others = lists.map((other) => list.filter((ware) => !other.includes(ware)).length / list.length);
    expect(Math.max(...others)).toBeLessThanOrEqual(0.1);
  }
  expect(new Set(lists.map((list) => list.join())).size).toBeGreaterThan(200);
  const [one, two] = [`${SHOP}/list?colour=red&size=4&sort=price`, `${SHOP}/list?sort=price&colour=red&size=4`];
  expect(textOf(htmlAt(web, one))).toBe(textOf(htmlAt(web, two)));
  expect(onwards(web, one)).not.toEqual(onwards(web, two));
});

test('lists of the shop link to fifteen others, and choices pile up', () => {
  const web = small(TRAPS);
  const choices = (url: string) => new URL(url).searchParams.size;
  const { asked, known } = walk(web, `${SHOP}/list`, 2000);
  for (const url of asked.slice(0, 50)) expect(onwards(web, url)).toHaveLength(15);
  const last = [...known].at(-1) ?? '';
  for (const next of onwards(web, last)) expect(Math.abs(choices(next) - choices(last))).toBeLessThanOrEqual(1);
  expect(Math.max(...[...known].map(choices))).toBeGreaterThan(3);
});

test('the forum has two dozen texts, under ids in the path or in the query', () => {
  const web = small(TRAPS);
  const entry = `${FORUM}/page-7`;
  const { known } = walk(web, entry, 100);
  expect(new Set([...known].map((url) => textOf(htmlAt(web, url)))).size).toBe(24);
  const raw = web.links(entry).filter((link) => link.zone === 'content');
  expect(raw).toHaveLength(24);
  const inPath = raw.filter(({ url }) => /\/page-\d+;jsessionid=[0-9a-f]{16}$/.test(url));
  const inQuery = raw.filter(({ url }) => /\/page-\d+\?sid=[0-9a-f]{16}$/.test(url));
  expect(inPath.length + inQuery.length).toBe(24);
  expect(Math.min(inPath.length, inQuery.length)).toBeGreaterThan(4);
  // A canonical URL loses the one and keeps the other.
  expect(inPath.map(({ url }) => canonicalize(url))).toEqual(inPath.map(({ url }) => url.replace(/;.*/, '')));
  expect(inQuery.map(({ url }) => canonicalize(url))).toEqual(inQuery.map(({ url }) => url));
});

test('two sessions of one page never hand out the same ids', () => {
  const web = small(TRAPS);
  const hex = fc.stringMatching(/^[0-9a-f]{16}$/);
  fc.assert(
    fc.property(hex, hex, (one, two) => {
      fc.pre(one !== two);
      const first = new Set(
        web
          .links(`${FORUM}/page-7?sid=${one}`)
          .map((link) => link.url)
          .filter((url) => url.includes('id=')),
      );
      const second = web.links(`${FORUM}/page-7?sid=${two}`).filter((link) => first.has(link.url));
      expect([first.size, second]).toEqual([24, []]);
    }),
  );
});

test('traps have a home and an about page as other hosts do, and are off every topic', () => {
  const web = small(TRAPS);
  for (const { trap, entry } of ENDLESS) {
    const home = new URL('/', entry).href;
    const about = new URL('/about.html', entry).href;
    expect(web.page(home)).toMatchObject({ kind: 'home', topic: null });
    expect(web.page(about)).toMatchObject({ kind: 'about', topic: null });
    expect(onwards(web, home).every((url) => web.page(url)?.kind === trap)).toBe(true);
    expect(onwards(web, home).length).toBeGreaterThan(10);
    expect(web.links(entry).map((link) => link.url)).toEqual(expect.arrayContaining([home, about]));
    expect(web.topicOf(entry)).toBeNull();
  }
});

test('trapOf tells the host of a trap from all others, under names and on loopback', () => {
  const web = small(TRAPS);
  const calendar = 'http://calendar.example/calendar/2024/11';
  const inside = [calendar, `${SHOP}/list?size=4`, `${SHOP}/`, `${FORUM}/page-3;jsessionid=0123456789abcdef`, `${FORUM}/gone`];
  expect(inside.map((url) => web.trapOf(url))).toEqual(['calendar', 'facet', 'facet', 'session', 'session']);
  for (const url of [...web.urls(), 'http://site-1.example/', 'http://elsewhere.example/', 'shop.example', `https://shop.example/list`, ''])
    expect(web.trapOf(url)).toBeNull();
  const local = web.onLoopback(8080);
  expect(local.hosts.map((host) => local.trapOf(`http://${host}/`)).slice(-4)).toEqual([null, 'calendar', 'facet', 'session']);
  expect(inside.map((url) => small().trapOf(url))).toEqual(inside.map(() => null));
});

test.each([
  ['calendar', { calendarTrap: true }],
  ['facet', { facetTrap: true }],
  ['session', { sessionTrap: true }],
] as const)('%s alone: only pages that link to it differ from those of the web without it', (trap, options) => {
  const [plain, web] = [small(), small(options)];
  const opens = (url: string) => web.links(url).some((link) => web.trapOf(link.url) === trap);
  const differing = web.urls().filter((url) => htmlAt(web, url) !== htmlAt(plain, url));
  expect(differing).toEqual(web.urls().filter(opens));
  expect(differing.length).toBeGreaterThan(0);
  expect(web.hosts).toHaveLength(plain.hosts.length + 1);
});

test('what the shop and the forum do not have is not there', () => {
  const web = small(TRAPS);
  const missing = [
    `${SHOP}/list?colour=crimson`,
    `${SHOP}/list?shape=round`,
    `${SHOP}/list?size=4&size=5`,
    `${SHOP}/list?size=4&`,
    `${SHOP}/list?size=4=4`,
    `${SHOP}/list/`,
    `${SHOP}/a/1.html`,
    `${FORUM}/page-0`,
    `${FORUM}/page-25`,
    `${FORUM}/page-7?sid=0123`,
    `${FORUM}/page-7;jsessionid=0123456789abcdef?sid=0123456789abcdef`,
    `${FORUM}/list`,
    'http://site-1.example/list',
    'http://calendar.example/',
  ];
  expect(missing.filter((url) => web.page(url) !== null)).toEqual([]);
  expect([small().page(`${SHOP}/list`), small().page(`${FORUM}/page-7`)]).toEqual([null, null]);
});

test('served through a proxy: queries count on the hosts of traps, which have a robots.txt as all have', async () => {
  const web = small(TRAPS);
  const served = await startGeneratedWeb(web);
  try {
    for (const url of [...walk(web, `${SHOP}/list`, 20).asked, ...walk(web, `${FORUM}/page-7`, 20).asked])
      expect((await viaProxy(served.port, url)).body.toString()).toBe(htmlAt(web, url));
    expect((await viaProxy(served.port, `${SHOP}/list?shape=round`)).status).toBe(404);
    for (const host of [SHOP, FORUM]) expect((await viaProxy(served.port, `${host}/robots.txt`)).status).toBe(200);
  } finally {
    await served.close();
  }
});

test('hosts leave room for the traps among loopback addresses', () => {
  expect(knobsOf({ seed: 1, hosts: 62_497 }).hosts).toBe(62_497);
  expect(() => knobsOf({ seed: 1, hosts: 62_498 })).toThrow(expect.objectContaining({ code: 'USAGE' }));
});
