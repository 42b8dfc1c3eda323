import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Frontier } from '../../../src/base/core/parts/queueing.ts';
import type { Fate } from '../../../src/base/core/types.ts';
import { openLmdbFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { rejudgeFrontier } from '../../../src/crawling/frontier/rejudge.ts';
import { judgedPages } from '../../../src/study/label/judged-pages.ts';
import { fate, link, seeds, WELL } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-label-pages-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function open(judgedBy: string | null): Frontier {
  return openLmdbFrontier(folder, { clock: new VirtualClock(), delay: 0, maxPagesPerHost: 1 }, judgedBy);
}

async function visit(frontier: Frontier, ended: Fate): Promise<void> {
  const next = frontier.next();
  if (next.kind !== 'lease') throw new Error('no lease');
  frontier.settle(next.lease, { kind: 'done', fate: ended, discovered: null, host: WELL });
  await frontier.commit({}, Promise.resolve());
}

test('a page that waits to be visited again is judged, even where its host has had all its visits', async () => {
  const page = { title: 'moss', text: 'moss', lang: null };
  const first = open(null);
  first.add(seeds(link('http://a.test/1', 1), link('http://a.test/2', 0.9)));
  await visit(first, fate('off-topic', { relevance: 0.1, page }));
  await first.close();
  const common = {
    threshold: 0.5,
    active: null,
    kept: new Map(),
    payloads: new Map(),
    scoresOf: () => ({ anchorScore: null, contextScore: null }),
  };
  await rejudgeFrontier(folder, { ...common, modelId: 'second', judge: () => ({ relevance: 0.6 }) });
  const again = open('second');
  await visit(again, fate('failed', { reason: 'http-4xx', relevance: null }));
  expect(judgedPages({ frontier: again, lost: new Set() })).toMatchObject([{ url: 'http://a.test/1', relevance: 0.6, kept: false }]);
  await again.close();
});
