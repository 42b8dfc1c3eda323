/** Hashes that come with a link give the apprentice what it would read from the link's text. */
import { describe, expect, test } from 'vitest';
import type { CanonicalUrl, LinkText } from '../../../src/base/core/types.ts';
import { packLinks, unpackLinks } from '../../../src/crawling/reader/packed-links.ts';
import { Apprentice } from '../../../src/reading/links/apprentice.ts';
import type { LinkWithEdge } from '../../../src/reading/links/hashed-link.ts';
import { LinkFeatures } from '../../../src/reading/links/link-features.ts';

const TEXT: LinkText = {
  anchorText: 'Solar power of the future',
  context: 'read more about it in the next part',
  imageAlt: 'A panel',
  zone: 'content',
  tagPath: 'main>p>a',
  anchorScore: 0.4,
  contextScore: 0.7,
};
const URLS = [
  'http://a.example/',
  'http://a.example/solar/power/index.html?page=2',
  'https://b.example:8443/a/b/c/d/e/f/g/h/i/j',
  'http://c.example/x.y?z/w.v',
];

function linkTo(url: string, text: LinkText): LinkWithEdge {
  const referrer = { url: 'http://r.example/' as CanonicalUrl, title: 'Title', relevance: 0.8, depth: 0, offTopicDepth: 0 };
  return { url: url as CanonicalUrl, depth: 1, offTopicDepth: 0, edge: { referrer, link: text, learnedFrom: 0 } };
}

const plain = URLS.map((url) => linkTo(url, TEXT));
const features = new LinkFeatures();
const hashed = URLS.map((url) => linkTo(url, { ...TEXT, hashes: features.hashesOf(url, TEXT) }));

test('evidence and scores are the same, before and after learning', () => {
  const apprentice = new Apprentice({ threshold: 0.5 });
  expect(apprentice.evidenceOf(hashed)).toEqual(apprentice.evidenceOf(plain));
  for (const link of plain) apprentice.learn(link, 0.9);
  const priorities = apprentice.score(plain);
  expect(apprentice.score(hashed)).toEqual(priorities);
  expect(apprentice.scoreAgain(apprentice.evidenceOf(hashed))).toEqual(priorities);
  expect(apprentice.scoreAgain(apprentice.evidenceOf(hashed), [1])).toEqual(priorities.slice(1, 2));
  expect(apprentice.explain(hashed[1] as LinkWithEdge)).toEqual(apprentice.explain(plain[1] as LinkWithEdge));
});

test('hashes are of all kinds of features: without one of them, the text is read', () => {
  const without = new Apprentice({ threshold: 0.5, without: new Set(['anchor']) });
  expect(without.evidenceOf(hashed)).toEqual(without.evidenceOf(plain));
  expect(without.evidenceOf(hashed).numbers.length).toBeLessThan(new Apprentice({ threshold: 0.5 }).evidenceOf(hashed).numbers.length);
});

test('a link with more words than features are read', () => {
  const text = { ...TEXT, anchorText: Array.from({ length: 300 }, (_, i) => `word${i}`).join(' ') };
  const apprentice = new Apprentice({ threshold: 0.5 });
  const url = URLS[1] ?? '';
  expect(apprentice.evidenceOf([linkTo(url, { ...text, hashes: features.hashesOf(url, text) })])).toEqual(
    apprentice.evidenceOf([linkTo(url, text)]),
  );
});

describe('packed for another thread', () => {
  const links = hashed.map(({ url, edge }) => ({ url, text: edge.link }));
  const packed = packLinks(links);

  test('each link has its hashes again', () => {
    const apprentice = new Apprentice({ threshold: 0.5 });
    const again = unpackLinks(structuredClone(packed)).map(({ url, text }) => linkTo(url, text));
    expect(apprentice.evidenceOf(again)).toEqual(apprentice.evidenceOf(plain));
  });

  test('packed again, nothing is copied', () => {
    const again = packLinks(unpackLinks(packed));
    expect(again).toEqual(packed);
    expect(again.hashes?.numbers).toBe(packed.hashes?.numbers);
  });

  test('links without hashes have none', () => {
    expect(packLinks(plain.map(({ url, edge }) => ({ url, text: edge.link }))).hashes).toBeNull();
    expect(unpackLinks(packLinks([{ url: URLS[0] as CanonicalUrl, text: TEXT }]))[0]?.text).toEqual(TEXT);
  });
});
