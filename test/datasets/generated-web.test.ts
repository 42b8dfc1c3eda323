import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { GeneratedWebOptions } from '../../datasets/generated-web/options.ts';
import { startGeneratedWeb } from '../../datasets/generated-web/serve.ts';
import { type GeneratedWeb, generateWeb } from '../../datasets/generated-web/web.ts';
import { runs, sample } from '../support/extent.ts';
import { viaProxy } from './proxy-client.ts';

/** What a reader of the HTML sees: attribute values and text, by a plain scan of our own regular markup. */
function hrefsOf(html: string): readonly string[] {
  return [...html.matchAll(/<a href="([^"]*)">/g)].map((match) => match[1] ?? '');
}

function pageAt(web: GeneratedWeb, url: string) {
  const page = web.page(url);
  if (page === null) throw new Error(`no page at ${url}`);
  return page;
}

function small(options: Partial<GeneratedWebOptions> = {}): GeneratedWeb {
  return generateWeb({ seed: 1, pages: 400, hosts: 10, topics: 4, ...options });
}

/** Fewest off-topic pages on the way from `start` to each URL, by 0-1 breadth-first search. */
function offTopicHops(web: GeneratedWeb, start: readonly string[], topic: string): ReadonlyMap<string, number> {
  const hops = new Map<string, number>();
  let level = [...start];
  for (let cost = 0; level.length > 0; cost++) {
    const next: string[] = [];
    for (const url of level) {
      if (hops.has(url)) continue;
      hops.set(url, cost);
      for (const { url: to } of web.links(url)) (web.isOnTopic(to, topic) ? level : next).push(to);
    }
    level = next.filter((url) => !hops.has(url));
  }
  return hops;
}

test('same options, same bytes; another seed, other bytes', () => {
  const [one, two, three] = [small(), small(), small({ seed: 2 })];
  const bytes = (web: GeneratedWeb) => web.urls().map((url) => pageAt(web, url).html);
  expect(bytes(one)).toEqual(bytes(two));
  expect(bytes(one)).not.toEqual(bytes(three));
  expect(one.examples('topic-1', 3)).toEqual(two.examples('topic-1', 3));
  expect(one.seeds('topic-2', 3)).toEqual(two.seeds('topic-2', 3));
});

test('the order in which pages are asked for does not matter', () => {
  const [one, two] = [small(), small()];
  const backwards = [...one.urls()].reverse().map((url) => pageAt(one, url).html);
  expect(backwards.reverse()).toEqual(two.urls().map((url) => pageAt(two, url).html));
});

test.each(sample([0.2, 0.5, 0.8], [0]))('measured locality follows the knob %f', (locality) => {
  const web = generateWeb({ seed: 3, pages: 3000, hosts: 20, topics: 6, locality, hubs: 0.03, nearDuplicates: 0.05 });
  // About 500 pages × 12 links a topic: a standard error under 0.007.
  for (const topic of web.topics) expect(Math.abs(web.measuredLocality(topic) - locality)).toBeLessThan(0.03);
});

test('locality of the HTML is that of the knob within sampling error, whatever the hosts, hubs and topics', () => {
  const knobs = fc.record({
    seed: fc.nat(),
    locality: fc.constantFrom(0.1, 0.3, 0.5, 0.7),
    hosts: fc.integer({ min: 1, max: 20 }),
    topics: fc.integer({ min: 2, max: 6 }),
    hubs: fc.constantFrom(0, 0.05),
    sameHost: fc.constantFrom(0, 0.5, 0.9),
  });
  fc.assert(
    fc.property(knobs, (options) => {
      const web = generateWeb({ pages: 600, ...options });
      for (const topic of web.topics) {
        const targets = web.urlsOf(topic).flatMap((url) => hrefsOf(/<main>(.*)<\/main>/s.exec(pageAt(web, url).html)?.[1] ?? ''));
        const share = targets.filter((url) => web.isOnTopic(url, topic)).length / targets.length;
        // Five standard errors: one false alarm in over ten thousand runs of this test.
        const error = Math.sqrt((options.locality * (1 - options.locality)) / targets.length);
        expect(Math.abs(share - options.locality)).toBeLessThan(5 * error);
      }
    }),
    { numRuns: runs(25) },
  );
});

test('links() are the links of the HTML, in order, each content target once', () => {
  const web = small({ calendarTrap: true, hubs: 0.1, nearDuplicates: 0.1, tunnels: { islands: 2, size: 5, depth: 2 } });
  for (const url of web.urls()) {
    const links = web.links(url);
    expect(links.map((link) => link.url)).toEqual(hrefsOf(pageAt(web, url).html));
    const content = links.filter((link) => link.zone === 'content').map((link) => link.url);
    expect(new Set(content).size).toBe(content.length);
    expect(content).not.toContain(url);
  }
});

test('every link leads to a page', () => {
  const web = small({ calendarTrap: true, tunnels: { islands: 2, size: 5, depth: 2 } });
  for (const url of web.reachable(web.seeds('topic-1', 2))) expect(web.page(url)).not.toBeNull();
});

test.each(sample([1, 2, 3, 4], [1]))('islands lie behind exactly %i off-topic pages', (depth) => {
  const web = small({ pages: 800, tunnels: { islands: 4, size: 10, depth } });
  for (const topic of web.topics) {
    const own = web.urlsOf(topic);
    const islands = own.filter((url) => pageAt(web, url).kind === 'island');
    const outside = own.filter((url) => ['article', 'near-duplicate'].includes(pageAt(web, url).kind));
    const hops = offTopicHops(web, outside, topic);
    expect(islands).toHaveLength(10);
    for (const url of islands) expect(hops.get(url)).toBe(depth);
  }
});

test('an island is shut when off-topic pages are not followed, and open when they are', () => {
  const web = small({ tunnels: { islands: 4, size: 10, depth: 1 } });
  const isIsland = (url: string) => pageAt(web, url).kind === 'island';
  const topic = 'topic-1';
  const soft = [...web.reachable(web.seeds(topic, 3))].filter(isIsland);
  const hard = [...web.reachable(web.seeds(topic, 3), (url) => web.isOnTopic(url, topic))].filter(isIsland);
  expect(soft.filter((url) => web.isOnTopic(url, topic))).toHaveLength(10);
  expect(hard).toEqual([]);
});

test('labels: topics share out all pages but hubs, and words of a page are of its topic', () => {
  const web = small({ hubs: 0.1, confusion: 0 });
  const labelled = web.topics.flatMap((topic) => web.urlsOf(topic));
  const hubs = web.urls().filter((url) => pageAt(web, url).kind === 'hub');
  expect(new Set([...labelled, ...hubs])).toEqual(new Set(web.urls()));
  expect(labelled.length + hubs.length).toBe(400);
  expect(hubs.map((url) => web.topicOf(url))).toEqual(hubs.map(() => null));
  const words = (html: string) => new Set((/<main>(.*)<\/main>/s.exec(html)?.[1] ?? '').replace(/<[^>]*>/g, ' ').match(/[a-z]{4,}/g) ?? []);
  const known = new Map(web.topics.map((topic) => [topic, new Set(web.examples(topic, 10).flatMap((html) => [...words(html)]))]));
  const shared = (url: string, topic: string) => [...words(pageAt(web, url).html)].filter((word) => known.get(topic)?.has(word)).length;
  for (const url of labelled) {
    const topic = web.topicOf(url) ?? '';
    for (const other of web.topics) if (other !== topic) expect(shared(url, topic)).toBeGreaterThan(shared(url, other));
  }
});

test('hubs lead into one topic', () => {
  const web = small({ pages: 1000, hubs: 0.05 });
  const hubs = web.urls().filter((url) => pageAt(web, url).kind === 'hub');
  expect(hubs.length).toBeGreaterThan(20);
  for (const hub of hubs) {
    const content = web.links(hub).filter((link) => link.zone === 'content');
    const best = Math.max(...web.topics.map((topic) => content.filter((link) => web.isOnTopic(link.url, topic)).length));
    expect(best / content.length).toBeGreaterThan(0.6);
  }
});

test('near-duplicates differ from their original a little; all other pages are distinct, with their own title', () => {
  const web = small({ nearDuplicates: 0.2, pageBytes: 8000 });
  const pages = web.urls().map((url) => pageAt(web, url));
  const copies = pages.filter((page) => page.duplicateOf !== null);
  expect(copies.length).toBeGreaterThan(40);
  const body = (html: string) => /<main>(.*)<\/main>/s.exec(html)?.[1]?.split(/(?<=[.?!])\s/) ?? [];
  for (const copy of copies) {
    const original = new Set(body(pageAt(web, copy.duplicateOf ?? '').html));
    const fresh = body(copy.html).filter((text) => !original.has(text)).length;
    expect(fresh).toBeGreaterThan(0);
    expect(fresh / original.size).toBeLessThan(0.1);
    expect(web.topicOf(copy.duplicateOf ?? '')).toBe(copy.topic);
  }
  const titles = pages.filter((page) => page.duplicateOf === null).map((page) => /<title>(.*)<\/title>/.exec(page.html)?.[1]);
  expect(new Set(titles).size).toBe(titles.length);
});

test('the calendar has no end, is off topic, and is there only when asked for', () => {
  const web = small({ calendarTrap: true });
  let url = 'http://calendar.example/calendar/2024/11';
  for (let month = 0; month < 500; month++) {
    const next = web.links(url).find((link) => link.anchorText === 'Next month');
    expect(web.topicOf(url)).toBeNull();
    url = next?.url ?? '';
  }
  expect(url).toBe('http://calendar.example/calendar/2066/07');
  expect(web.urls().some((page) => web.links(page).some((link) => link.url.startsWith('http://calendar.example/')))).toBe(true);
  expect(small().page('http://calendar.example/calendar/2024/11')).toBeNull();
});

test('anchor quality is the share of anchors that name their target', () => {
  for (const anchorQuality of sample([0, 0.5, 1], [1])) {
    const web = small({ anchorQuality });
    const content = web.urls().flatMap((url) => web.links(url).filter((link) => link.zone === 'content'));
    const telling = content.filter((link) => pageAt(web, link.url).html.includes(`<h1>${link.anchorText} (no.`)).length;
    expect(Math.abs(telling / content.length - anchorQuality)).toBeLessThan(0.03);
  }
});

test('pages have about the bytes asked for', () => {
  for (const pageBytes of [6000, 20_000]) {
    const web = small({ pageBytes, hubs: 0 });
    const sizes = web.urls().map((url) => pageAt(web, url).html.length);
    for (const size of sizes) expect(Math.abs(size - pageBytes)).toBeLessThan(400);
  }
});

test('boilerplate 0 leaves only content links', () => {
  const web = small({ boilerplate: 0 });
  for (const url of web.urls()) expect(web.links(url).every((link) => link.zone === 'content')).toBe(true);
});

test('examples are no pages of the web', () => {
  const web = small();
  const titles = new Set(web.urls().map((url) => /<title>(.*)<\/title>/.exec(pageAt(web, url).html)?.[1]));
  const examples = web.topics.flatMap((topic) => web.examples(topic, 20));
  expect(new Set(examples).size).toBe(80);
  for (const html of examples) expect(titles.has(/<title>(.*)<\/title>/.exec(html)?.[1])).toBe(false);
});

test('what is no URL of the web has no page, no topic, no links', () => {
  const web = small();
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.integer().map((id) => `http://site-1.example/a/${id}x.html`),
      ),
      (url) => {
        expect([web.page(url), web.topicOf(url), web.links(url)]).toEqual([null, null, []]);
      },
    ),
    { numRuns: runs(100) },
  );
  const [first = ''] = web.urls();
  const elsewhere = web.hosts.find((host) => !first.includes(`//${host}/`));
  expect(web.page(first.replace(new URL(first).host, elsewhere ?? ''))).toBeNull();
});

test('bad knobs are usage errors', () => {
  const bad: Partial<GeneratedWebOptions>[] = [
    { locality: 1.1 },
    { topics: 1 },
    { pages: 0 },
    { topicShares: [1] },
    { tunnels: { islands: 100, size: 10, depth: 1 } },
    { hubs: 0.6, nearDuplicates: 0.6 },
    { anchorQuality: Number.NaN },
  ];
  for (const options of bad) expect(() => small(options)).toThrow(expect.objectContaining({ code: 'USAGE' }));
  expect(() => small().seeds('topic-9', 1)).toThrow(expect.objectContaining({ code: 'USAGE' }));
});

test('served through a proxy: the bytes of page(), 404 and 502', async () => {
  const web = small();
  const served = await startGeneratedWeb(web);
  try {
    for (const url of web.urls().slice(0, 20)) expect((await viaProxy(served.port, url)).body.toString()).toBe(pageAt(web, url).html);
    expect((await viaProxy(served.port, 'http://site-1.example/a/999999.html')).status).toBe(404);
    expect((await viaProxy(served.port, 'http://elsewhere.example/')).status).toBe(502);
  } finally {
    await served.close();
  }
});

test.runIf(process.platform === 'linux')('served directly: hosts are loopback addresses that answer, with the same topics', async () => {
  const named = small();
  const served = await startGeneratedWeb(named, { direct: true });
  try {
    const url = served.web.urls()[5] ?? '';
    expect(new URL(url).hostname).toMatch(/^127\.0\.1\.\d+$/);
    const reply = await fetch(url);
    expect(await reply.text()).toBe(pageAt(served.web, url).html);
    expect(served.web.urls().map((at) => served.web.topicOf(at))).toEqual(named.urls().map((at) => named.topicOf(at)));
    expect(served.log.map((line) => `http://${line.host}${line.path}`)).toEqual([url]);
  } finally {
    await served.close();
  }
});
