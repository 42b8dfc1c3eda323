/** The share of known pages that a crawl keeps: what counts, what does not, and when it is enough. */
import { expect, test } from 'vitest';
import type { Standing } from '../../../src/base/core/parts/queueing.ts';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { canonicalize } from '../../../src/base/web/url.ts';
import type { KnownPages } from '../../../src/crawling/crawl-dir/known-pages.ts';
import { knownRecall, RecallWatch } from '../../../src/study/inspect/known-recall.ts';
import { recallLines } from '../../../src/study/inspect/recall-text.ts';

const at = (path: string): CanonicalUrl => canonicalize(`https://lake.example/${path}`) as CanonicalUrl;
const standing = (
  state: Standing['state'],
  reason: Standing['reason'] = 'fetched' as Standing['reason'],
  status: number | null = 200,
): Standing => ({
  state,
  reason,
  status,
  reopened: false,
});
const knownOf = (paths: readonly string[], origin: KnownPages['origin'] = 'independent'): KnownPages => ({
  origin,
  from: 'known.txt',
  urls: paths.map(at),
});
const frontierOf = (ends: Readonly<Record<string, Standing>>) => {
  const byUrl = new Map(Object.entries(ends).map(([path, end]) => [at(path), end]));
  return { standing: (url: CanonicalUrl) => byUrl.get(url) ?? null, set: (path: string, end: Standing) => void byUrl.set(at(path), end) };
};
const nowhere = () => false;

test('kept pages count, also as copies and behind redirects; missing ones are told by cause', () => {
  const frontier = frontierOf({
    kept: standing('kept'),
    copy: standing('duplicate'),
    moved: standing('refused', { kind: 'redirect', to: at('kept') }),
    'moved-to-nowhere': standing('refused', { kind: 'redirect', to: at('unseen') }),
    waits: standing('waiting'),
    off: standing('off-topic'),
    picture: standing('refused', 'content-type'),
    broken: standing('failed', 'timeout', null),
  });
  const found = knownRecall(
    knownOf(['kept', 'copy', 'moved', 'moved-to-nowhere', 'waits', 'off', 'picture', 'broken', 'unheard']),
    frontier,
    90,
    nowhere,
  );
  expect([found.known, found.kept, found.recall]).toEqual([9, 3, 3 / 9]);
  expect(found.missing.map(({ cause }) => cause)).toEqual(['undiscovered', 'waiting', 'off-topic', 'refused', 'failed', 'undiscovered']);
  expect(found.left?.low).toBe(Math.round(90 * (1 / found.high - 1)));
  expect(found.left?.high).toBe(Math.round(90 * (1 / found.low - 1)));
});

test('pages that no crawl with these rules can keep do not count, and are named', () => {
  const frontier = frontierOf({
    kept: standing('kept'),
    robots: standing('refused', 'robots'),
    out: standing('refused', 'scope'),
    asked: standing('refused', 'noindex'),
    gone: standing('failed', 'http-4xx', 410),
    denied: standing('failed', 'http-4xx', 403),
  });
  const found = knownRecall(knownOf(['kept', 'robots', 'out', 'asked', 'gone', 'denied', 'elsewhere']), frontier, 1, (url) =>
    url.endsWith('elsewhere'),
  );
  expect([found.known, found.kept]).toEqual([2, 1]);
  expect(found.excluded.map(({ url }) => url)).toEqual(['robots', 'out', 'asked', 'gone', 'elsewhere'].map(at));
  const lines = recallLines('crawls/lakes', found).join('\n');
  expect(lines).toContain('5 known pages that no crawl with these rules can keep, not counted');
  expect(lines).toContain('lake.example/robots (robots)');
});

test('the share of listed pages is never called recall', () => {
  const frontier = frontierOf({ a: standing('kept'), b: standing('kept') });
  const found = knownRecall(knownOf(['a', 'b', 'c'], 'listed'), frontier, 50, nowhere);
  expect(found).toMatchObject({ recall: null, ofListed: 2 / 3, left: null });
  const lines = recallLines('crawls/lakes', found).join('\n');
  expect(lines).toContain('share .67, which says little about other pages');
  expect(lines).not.toMatch(/recall/i);
});

test('few known pages are told to be few, and none is no share', () => {
  const frontier = frontierOf({ a: standing('kept') });
  expect(recallLines('d', knownRecall(knownOf(['a', 'b']), frontier, 5, nowhere)).join('\n')).toContain('2 pages say little');
  expect(knownRecall(knownOf([]), frontier, 5, nowhere)).toMatchObject({ recall: null, known: 0, left: null });
});

test('a crawl is complete with the 28th of 30 known pages for .8, also if they come by redirects', () => {
  const paths = Array.from({ length: 30 }, (_, i) => `p${i}`);
  const frontier = frontierOf(Object.fromEntries(paths.slice(0, 26).map((path) => [path, standing('kept')])));
  let looks = 0;
  const known = knownOf(paths);
  const watch = new RecallWatch(known, 0.8, frontier, () => {
    looks += 1;
    return knownRecall(known, frontier, 26, nowhere);
  });
  frontier.set('p26', standing('kept'));
  watch.settled(at('p26'));
  expect(watch.isReached).toBe(false);
  frontier.set('p27', standing('refused', { kind: 'redirect', to: at('other') }));
  watch.settled(at('p27'));
  watch.settled(at('unrelated'));
  expect([watch.isReached, looks]).toEqual([false, 3]);
  frontier.set('other', standing('kept'));
  watch.settled(at('other'));
  expect(watch.isReached).toBe(true);
});
