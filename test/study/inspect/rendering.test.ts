/** The part of a browser in a crawl, as its fates have it. */
import { expect, test } from 'vitest';
import type { RenderedVisit } from '../../../src/base/core/rendering.ts';
import { openMemoryFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { renderedLines, renderedVisitText } from '../../../src/study/inspect/rendering-text.ts';
import { FateTally } from '../../../src/study/inspect/tally.ts';
import { fate, link, seeds, WELL } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const visit = (known: Partial<RenderedVisit>): RenderedVisit => ({
  because: 'shell',
  text: [0, 900],
  links: [2, 12],
  used: true,
  ms: 400,
  requests: 3,
  bytes: 5000,
  ...known,
});

const VISITS: readonly (RenderedVisit | undefined)[] = [
  visit({}),
  visit({ text: [100, 2000], links: [0, 0], ms: 600, requests: 5 }),
  visit({ because: 'pattern', text: [300, 1500], links: [4, 5], trouble: 'render-unsettled' }),
  visit({ because: 'check', text: [4000, 4000], links: [9, 9], used: false }),
  visit({ text: [40, null], links: [1, null], used: false, trouble: 'render-crash', ms: 15_000, requests: 1 }),
  undefined,
];

function crawled() {
  const frontier = openMemoryFrontier({ clock: new VirtualClock(), delay: 0, maxPagesPerHost: 12 });
  frontier.add(seeds(...VISITS.map((_, i) => link(`http://a.test/${i}`, 1 - i / 10))));
  for (const rendered of VISITS) {
    const next = frontier.next();
    if (next.kind !== 'lease') throw new Error('no lease');
    const end = fate('kept', { relevance: 0.9, ...(rendered && { rendered }) });
    frontier.settle(next.lease, { kind: 'done', fate: end, discovered: null, host: WELL });
  }
  return frontier;
}

test('pages count by ground and trouble; gains are those of the pages whose rendered document counts', () => {
  const { rendered } = FateTally.of(crawled(), { threshold: 0.5, topics: [] }).counts();
  expect(rendered).toEqual({
    pages: 5,
    because: { shell: 3, pattern: 1, check: 1 },
    used: 3,
    medianGain: { text: 1200, links: 1 },
    troubles: { 'render-unsettled': 1, 'render-crash': 1 },
    msAPage: 3360,
    requests: 15,
    bytes: 25_000,
  });
  expect(renderedLines(rendered)).toEqual([
    'rendered by a browser: 5 pages (3 empty without scripts, 1 like pages that gained by it, 1 to check their pattern); 3 gained text or links, in the median 1,200 characters and 1 link; 3,360 ms and 3 requests a page',
    '  troubles of the browser: 1 render-unsettled, 1 render-crash; why of a page has the consequence',
  ]);
});

test('a crawl without a browser has no words about one', () => {
  const frontier = openMemoryFrontier({ clock: new VirtualClock(), delay: 0, maxPagesPerHost: 12 });
  const { rendered } = FateTally.of(frontier, { threshold: 0.5, topics: [] }).counts();
  expect(rendered).toMatchObject({ pages: 0, used: 0, medianGain: null, msAPage: null });
  expect(renderedLines(rendered)).toEqual([]);
});

test('the ledger has the part of the browser in each visit, and why has it in words', () => {
  const lines = [...crawled().ledger()];
  expect(lines.map(({ rendered }) => rendered)).toEqual(VISITS);
  const words = lines.map((line) => renderedVisitText(line, 'auto'));
  expect(words[0]).toBe(
    'rendered by a browser (empty without scripts): 0 to 900 characters, 2 to 12 links; the rendered document counts; 400 ms, 3 requests',
  );
  expect(words[4]).toBe(
    'rendered by a browser (empty without scripts): 40 characters, 1 link; the page counts as the server sent it; 15,000 ms, 1 request; render-crash: the browser crashed, and the page stands as the server sent it',
  );
  expect(words[5]).toMatch(/^not rendered by a browser: it has no scripts, or a text of its own/);
});

test('a URL without a page, and a crawl without a browser, need no words', () => {
  const [line] = crawled().ledger();
  if (line === undefined) throw new Error('no line');
  const { rendered: _, ...plain } = line;
  expect(renderedVisitText({ ...plain, state: 'failed', reason: 'timeout' }, 'always')).toBeNull();
  expect(renderedVisitText(plain, 'never')).toBeNull();
  expect(renderedVisitText({ ...plain, state: 'refused', reason: 'needs-javascript' }, 'always')).toMatch(/it is not HTML/);
});
