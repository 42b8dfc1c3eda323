/** Names that end like files are requested until four answers of the host were no page. */
import { expect, test } from 'vitest';
import type { Fate, FrontierEntry } from '../../../src/base/core/types.ts';
import { TrapGuard } from '../../../src/crawling/frontier/trap-guard.ts';
import { fate, hostOf, NO_TEXT, referrer, urlOf } from '../../support/frontier-values.ts';

const FILE = fate('refused', { reason: 'content-type', visited: true });
const UNASKED = fate('refused', { reason: 'content-type', visited: false });
const PAGE = fate('off-topic', { relevance: 0.1 });
const WIKI = 'http://a.test/wiki/File:';

function entryOf(url: string, isSeed = false): FrontierEntry {
  const edge = isSeed ? null : { referrer: referrer('http://a.test/'), link: NO_TEXT, learnedFrom: 0 };
  // An on-topic page links to it.
  return {
    url: urlOf(url),
    host: hostOf(url),
    priority: 0.5,
    depth: 1,
    offTopicDepth: 0,
    redirects: 0,
    attempts: 0,
    edge,
  } as FrontierEntry;
}

/** A guard that was told of the URLs in this order, and their fates for a replay. */
function told(...settled: readonly (readonly [url: string, fate: Fate])[]) {
  const guard = new TrapGuard(() => null);
  const all = settled.map(([url, ended], i) => ({
    entry: entryOf(url),
    stored: { fate: ended, order: i + 1, priority: 0.5, learnedFrom: 0 },
  }));
  const released = all.map(({ entry, stored }) => guard.settled(entry, stored));
  return { guard, all, released, parks: (url: string, one = guard) => one.reasonFor(entryOf(url)) };
}

const files = (count: number, path = WIKI, ending = 'jpg') =>
  Array.from({ length: count }, (_, i) => [`${path}${i}.${ending}`, FILE] as const);

test('the fourth file of a host parks its ending, with the reason', () => {
  expect(told(...files(3)).parks(`${WIKI}x.jpg`)).toBeNull();
  const { parks } = told(...files(4));
  expect(parks(`${WIKI}x.JPG?y`)).toBe('pattern http://a.test/*.jpg: 4 answers that are not pages');
  for (const other of [
    `${WIKI}x.png`,
    'http://b.test/wiki/File:x.jpg',
    'https://a.test/wiki/File:x.jpg',
    `${WIKI}x`,
    'http://a.test/x.jpg/',
  ])
    expect(parks(other)).toBeNull();
});

test('a page of that ending, on any path and on topic or not, keeps it open; a URL that was not asked says nothing', () => {
  expect(told(['http://a.test/x.jpg', PAGE], ...files(9)).parks(`${WIKI}x.jpg`)).toBeNull();
  expect(told(...files(3), [`${WIKI}y.jpg`, fate('kept', { relevance: 0.9 })], ...files(9)).parks(`${WIKI}x.jpg`)).toBeNull();
  expect(
    told(...files(3), ['http://a.test/y.jpg', UNASKED], ['http://a.test/z.jpg', fate('failed', { reason: 'http-4xx' })]).parks(
      `${WIKI}x.jpg`,
    ),
  ).toBeNull();
});

test('scripts, archives and documents likewise, each for itself', () => {
  const { parks } = told(
    ...files(4, 'http://a.test/t/', 'js'),
    ...files(4, 'http://a.test/blob/', 'zip'),
    ...files(3, 'http://a.test/topics/', 'pdf'),
  );
  expect(parks('http://a.test/three.js')).not.toBeNull();
  expect(parks('http://a.test/tree/x.zip')).not.toBeNull();
  expect(parks('http://a.test/topics/x.pdf')).toBeNull();
});

test('it is released by name, by all, and by a page; seeds are asked', () => {
  for (const pattern of ['http://a.test/*.jpg', 'all']) {
    const { guard, parks } = told(...files(4));
    expect(guard.unpark(pattern)).toContain('http://a.test/*.jpg');
    expect(parks(`${WIKI}x.jpg`)).toBeNull();
  }
  const { guard, parks, released } = told(...files(4), [`${WIKI}late.jpg`, PAGE]);
  expect([released.at(-1), parks(`${WIKI}x.jpg`)]).toEqual([true, null]);
  expect(told(...files(4)).guard.reasonFor(entryOf(`${WIKI}x.jpg`, true))).toBeNull();
  expect(guard.unpark('all')).toEqual([]);
});

test('a replay, and columns, give the same', () => {
  const { guard, all, parks } = told(...files(5), ...files(2, 'http://b.test/', 'js'));
  const replayed = new TrapGuard(() => null);
  for (const { entry, stored } of all) replayed.settled(entry, stored);
  const restored = new TrapGuard(() => null);
  expect(restored.restore(guard.columns())).toBe(true);
  for (const other of [replayed, restored]) {
    expect(parks(`${WIKI}x.jpg`, other)).toBe(parks(`${WIKI}x.jpg`));
    expect(parks('http://b.test/x.js', other)).toBeNull();
  }
  const { endings: _, ...older } = guard.columns();
  expect(new TrapGuard(() => null).restore(older)).toBe(false);
});
