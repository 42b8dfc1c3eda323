import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FrozenVisit } from '../../../src/base/core/frozen-visit.ts';
import type { FrozenWeb } from '../../../src/corpus/records/frozen-web.ts';
import { WebGraph } from '../../../src/study/eval/graph.ts';
import { measure, SHARES, Targets } from '../../../src/study/eval/measures.ts';
import { runs } from '../../support/extent.ts';
import { urlOf } from '../../support/frontier-values.ts';

interface SmallPage {
  readonly links: readonly number[];
  readonly payload: number;
  readonly onTopic: boolean;
}

const webs = fc.integer({ min: 1, max: 12 }).chain((size) =>
  fc.array(
    fc.record({
      links: fc.array(fc.nat({ max: size }), { maxLength: 3 }),
      payload: fc.nat({ max: 8 }),
      onTopic: fc.boolean(),
    }),
    { minLength: size, maxLength: size },
  ),
);
const url = (i: number) => urlOf(`http://a.test/${i}`);

/** What `Targets` and `WebGraph` ask of a frozen web, from a table. A link to a page that is not there leads out of the web. */
function webOf(pages: readonly SmallPage[]): FrozenWeb {
  const visits = pages.map(
    ({ links, payload }, i): FrozenVisit => ({
      url: url(i),
      status: 200,
      kind: 'page',
      content: {
        payloadSha256: String(payload),
        title: '',
        text: '',
        lang: null,
        noindex: false,
        links: links.map((to) => ({ url: url(to), text: { anchorText: '', context: '', imageAlt: '', zone: 'other', tagPath: '' } })),
      },
    }),
  );
  const urls = visits.map((visit) => visit.url);
  return {
    urls,
    size: urls.length,
    indexOf: (one: string) => urls.indexOf(urlOf(one)),
    visit: (i: number) => visits[i],
  } as unknown as FrozenWeb;
}

function reachedFrom(pages: readonly SmallPage[], starts: readonly number[]): Set<number> {
  const reached = new Set(starts);
  for (const at of reached) for (const to of pages[at]?.links ?? []) if (to < pages.length) reached.add(to);
  return reached;
}

test('targets, found pages and measures are those of a count by hand', async () => {
  await fc.assert(
    fc.asyncProperty(
      webs,
      fc.array(fc.nat({ max: 11 }), { minLength: 1, maxLength: 2 }),
      fc.integer({ min: 1, max: 30 }),
      async (pages, some, budget) => {
        const starts = some.map((at) => at % pages.length);
        const web = webOf(pages);
        const onTopic = Uint8Array.from(pages, (page) => Number(page.onTopic));
        const judge = { name: 'table', onTopic, relevant: onTopic };
        const targets = new Targets(web, await WebGraph.of(web), judge, starts);
        const reached = [...reachedFrom(pages, starts)];
        const payloads = (of: readonly number[]) => new Set(of.filter((at) => pages[at]?.onTopic).map((at) => pages[at]?.payload)).size;
        expect(targets.total).toBe(payloads(reached));

        const order = reached.slice(0, budget);
        const found = targets.found(order);
        const foundAfter = (visits: number) => payloads(order.slice(0, visits));
        expect([...found]).toEqual(order.map((_, i) => foundAfter(i + 1)));

        const { recallAuc, recall, harvestRate } = measure(found, targets.total, budget);
        const recallAfter = (visits: number) => (targets.total === 0 ? 0 : foundAfter(visits) / targets.total);
        const mean = Array.from({ length: budget }, (_, i) => recallAfter(i + 1)).reduce((sum, one) => sum + one, 0) / budget;
        expect(recallAuc).toBeCloseTo(mean, 9);
        for (const [i, share] of SHARES.entries()) {
          const visits = Math.max(1, Math.round(share * budget));
          expect(recall[i]).toBeCloseTo(recallAfter(visits), 9);
          expect(harvestRate[i]).toBeCloseTo(foundAfter(visits) / Math.min(visits, order.length), 9);
        }
      },
    ),
    { numRuns: runs(300) },
  );
});
