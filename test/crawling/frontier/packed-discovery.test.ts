import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CanonicalUrl, type DiscoveredLink, type HostKey, type LinkTask, PAGE } from '../../../src/base/core/types.ts';
import {
  joinParts,
  linkAt,
  linkCountOf,
  linkEndsOf,
  packDiscovery,
  StoredLinks,
  unpackDiscovery,
} from '../../../src/crawling/frontier/packed-discovery.ts';
import type { StoredDiscovery } from '../../../src/crawling/frontier/store.ts';

const words = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', ''));
const unit = fc.double({ min: 0, max: 1, noNaN: true });
const score = fc.option(unit, { nil: null });
const texts = {
  anchorText: words,
  context: words,
  imageAlt: words,
  zone: fc.constantFrom('content' as const, 'navigation' as const, 'other' as const),
  tagPath: words,
  anchorScore: score,
  contextScore: score,
};
const task: fc.Arbitrary<LinkTask> = fc.oneof(
  fc.constant(PAGE),
  fc.record({ kind: fc.constant('list' as const), list: fc.constantFrom('sitemap' as const, 'feed' as const), level: fc.nat(3) }),
  fc.constant({ kind: 'reservations' as const }),
  fc.record(
    {
      kind: fc.constant('alternate' as const),
      of: fc.constantFrom(null, 'en'),
      hops: fc.nat(1),
      relevances: fc.array(unit, { maxLength: 2 }),
    },
    { requiredKeys: ['kind', 'of', 'hops'] },
  ),
);
const alternate = fc.record({ lang: fc.constantFrom('de', 'zh-hant'), url: fc.webUrl().map((url) => url as CanonicalUrl) });
const facts = {
  url: fc.webUrl().map((url) => url as CanonicalUrl),
  host: fc.constantFrom('http://a.test', 'http://b.test', 'https://c.test').map((host) => host as HostKey),
  priority: unit,
  refusal: fc.constantFrom(null, 'robots' as const, 'tunnel' as const),
  text: fc.record({ ...texts, weight: unit }, { requiredKeys: Object.keys(texts) as (keyof typeof texts)[] }),
  task,
};
const link: fc.Arbitrary<DiscoveredLink> = fc.record(
  { ...facts, alternates: fc.array(alternate, { maxLength: 3 }) },
  { requiredKeys: Object.keys(facts) as (keyof typeof facts)[] },
);
const discovery: fc.Arbitrary<StoredDiscovery> = fc.record({
  referrer: fc.constantFrom(null, { url: 'http://a.test/' as CanonicalUrl, title: 'moss', relevance: 0.5, depth: 1, offTopicDepth: 0 }),
  depth: fc.nat(9),
  offTopicDepth: fc.nat(9),
  redirects: fc.nat(3),
  learnedFrom: fc.nat(),
  links: fc.array(link, { maxLength: 8 }),
  shorterWayOnly: fc.array(fc.nat(7), { maxLength: 3 }),
});

test('a discovery comes out as it went in', () => {
  fc.assert(
    fc.property(discovery, (given) => {
      expect(unpackDiscovery(packDiscovery(given))).toEqual(given);
    }),
  );
});

test('a host is written once for neighbours that share it', () => {
  fc.assert(
    fc.property(discovery, (given) => {
      const hosts = given.links.map(({ host }) => host);
      const first = hosts.filter((host, i) => host !== hosts[i - 1]);
      expect(packDiscovery(given).hosts.length).toBe(first.join('').length + Math.max(0, hosts.length - 1));
    }),
  );
});

test('numbers that are part of a larger buffer are read as they are', () => {
  fc.assert(
    fc.property(discovery, (given) => {
      const packed = packDiscovery(given);
      const numbers = Buffer.concat([Buffer.alloc(8, 1), packed.numbers, Buffer.alloc(8, 2)]).subarray(8, 8 + packed.numbers.length);
      expect(unpackDiscovery({ ...packed, numbers })).toEqual(given);
    }),
  );
});

test('columns that do not fit each other are noticed', () => {
  const [given] = fc.sample(discovery, 1);
  if (!given) throw new Error('no sample');
  const packed = packDiscovery(given);
  expect(() => unpackDiscovery({ ...packed, urls: `${packed.urls}\nhttp://a.test/` })).toThrow('a link contains a line feed');
});

test('parts of a discovery, joined, are the whole, whatever links each has', () => {
  fc.assert(
    fc.property(discovery, fc.array(fc.nat(3), { minLength: 8, maxLength: 8 }), (given, partOf) => {
      fc.pre(given.links.length > 0);
      const whole = { ...given, shorterWayOnly: given.links.flatMap((_, i) => (given.shorterWayOnly.includes(i) ? [i] : [])) };
      const parts = [0, 1, 2, 3].flatMap((number) => {
        const places = whole.links.flatMap((_, place) => (partOf[place] === number ? [place] : []));
        if (places.length === 0) return [];
        const links = places.map((place) => whole.links[place] as DiscoveredLink);
        const shorterWayOnly = places.flatMap((place, i) => (whole.shorterWayOnly.includes(place) ? [i] : []));
        return [{ part: packDiscovery({ ...whole, links, shorterWayOnly }), places }];
      });
      expect(unpackDiscovery(joinParts(parts))).toEqual(whole);
      expect(joinParts(parts).hosts).toBe(packDiscovery(whole).hosts);
    }),
  );
});

test('each link of one that is packed is that of the whole, asked for alone or after others', () => {
  fc.assert(
    fc.property(discovery, fc.array(fc.nat(8), { maxLength: 8 }), (given, asked) => {
      const later = new StoredLinks(packDiscovery(given));
      expect(linkCountOf(later)).toBe(given.links.length);
      for (const position of asked) expect(linkAt(later, position)).toEqual(given.links[position]);
      for (const position of asked) expect(linkAt(new StoredLinks(packDiscovery(given)), position)).toEqual(given.links[position]);
    }),
  );
});

test('one that is unpacked later has the same links, facts and stored form', () => {
  fc.assert(
    fc.property(discovery, (given) => {
      const stored = packDiscovery(given);
      const later = new StoredLinks(stored);
      expect(packDiscovery(later)).toBe(stored);
      expect(linkEndsOf(later)).toEqual(given.links.map(({ text: _, ...ends }) => ends));
      const { referrer, depth, offTopicDepth, redirects, learnedFrom, shorterWayOnly, links } = later;
      expect({ referrer, depth, offTopicDepth, redirects, learnedFrom, shorterWayOnly, links }).toEqual(given);
      // A copy with other links has nothing of the stored ones.
      expect(packDiscovery({ ...later, links: [], shorterWayOnly: [] })).toEqual(
        packDiscovery({ ...given, links: [], shorterWayOnly: [] }),
      );
    }),
  );
});
