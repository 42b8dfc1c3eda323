/** Priorities that rescoring gave are on disk: who reads a frontier, or opens it again, has those that it had. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import type { Ledger } from '../../../src/base/core/parts/queueing.ts';
import type { Rescorer } from '../../../src/base/core/parts/scoring.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import type { FrontierEntry } from '../../../src/base/core/types.ts';
import { openLmdbFrontier, openLmdbLedger } from '../../../src/crawling/frontier/frontier.ts';
import { runs } from '../../support/extent.ts';
import { fate, link, outlinks, seeds, WELL } from '../../support/frontier-values.ts';
import { rescored } from '../../support/rescored.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const root = mkdtempSync(join(tmpdir(), 'forager-priorities-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const OPTIONS = { clock: new VirtualClock(), delay: 0, maxPagesPerHost: 1000 };
let folders = 0;

/** Gives each link a number of its own, another one each time. */
function scorerOf(turn: number): Rescorer {
  return { score: (entries: readonly FrontierEntry[]) => Float32Array.from(entries, ({ url }) => seededRng(url.length * 31 + turn)()) };
}

function shown(frontier: Ledger) {
  return [...frontier.ledger()].map(({ url, state, priority }) => ({
    url,
    state,
    priority,
    learnedFrom: frontier.find(url)?.entry.edge?.learnedFrom,
  }));
}

test('any run of pages, retries, rescorings and commits: a reader sees the priorities of the last commit, without a scorer', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 1_000_000 }), async (seed) => {
      const rng = seededRng(seed);
      const folder = join(root, String(++folders));
      const frontier = openLmdbFrontier(folder, OPTIONS);
      frontier.add(seeds(link('http://h0.test/', 1)));
      frontier.noteScoredBy('model');
      let committed = shown(frontier);
      await frontier.commit({}, Promise.resolve());
      for (let step = 1; step < 40; step++) {
        const pick = rng();
        const next = pick < 0.7 ? frontier.next() : null;
        if (next?.kind === 'lease' && rng() < 0.2)
          frontier.settle(next.lease, { kind: 'retry', reason: 'timeout', notBefore: 0, host: WELL });
        else if (next?.kind === 'lease') {
          const found = Array.from({ length: 5 }, () => link(`http://h${Math.floor(rng() * 4)}.test/${Math.floor(rng() * 60)}`, rng()));
          const discovered = outlinks(next.lease.entry.url, found, { learnedFrom: step });
          frontier.settle(next.lease, { kind: 'done', fate: fate('kept', { relevance: rng() }), discovered, host: WELL });
        } else if (pick < 0.8) frontier.rescore(scorerOf(step), step + 1);
        else if (pick < 0.9) rescored(frontier, { ...scorerOf(step), learnedFrom: step + 1 }, 1 + rng() * 30);
        else {
          frontier.storePriorities();
          committed = shown(frontier);
          await frontier.commit({}, Promise.resolve());
        }
      }
      await frontier.close();
      for (const open of [openLmdbLedger, openLmdbFrontier]) {
        const again = open(folder, OPTIONS);
        expect(again.scoredBy).toBe('model');
        expect(shown(again)).toEqual(committed);
        await again.close();
      }
    }),
    { numRuns: runs(60) },
  );
});

test('priorities of rescoring by steps are stored when that is asked for, or with every 64th commit', async () => {
  const folder = join(root, 'steps');
  const frontier = openLmdbFrontier(folder, OPTIONS);
  frontier.add(seeds(link('http://h0.test/', 1)));
  const lease = frontier.next();
  if (lease.kind !== 'lease') throw new Error('nothing to lease');
  const found = outlinks(lease.lease.entry.url, [link('http://h1.test/', 0.5)], { learnedFrom: 1 });
  frontier.settle(lease.lease, { kind: 'done', fate: fate('kept', { relevance: 1 }), discovered: found, host: WELL });
  const commit = async () => {
    await frontier.commit({}, Promise.resolve());
    const reader = openLmdbLedger(folder, OPTIONS);
    const [priority] = [...reader.ledger()].filter(({ url }) => url === 'http://h1.test/').map((line) => line.priority);
    await reader.close();
    return priority;
  };
  const rescore = (priority: number, step: number) => {
    const scorer = { score: ({ length }: readonly FrontierEntry[]) => new Float32Array(length).fill(priority), learnedFrom: step };
    rescored(frontier, scorer, 1000);
  };
  expect(frontier.storePriorities()).toBe(false);
  rescore(0.25, 2);
  expect(await commit()).toBe(0.5);
  expect(frontier.storePriorities()).toBe(true);
  expect(frontier.storePriorities()).toBe(false);
  expect(await commit()).toBe(0.25);
  rescore(0.75, 3);
  const seen: (number | null | undefined)[] = [];
  for (let commits = 0; commits < 63; commits++) seen.push(await commit());
  expect(seen.lastIndexOf(0.25)).toBe(61);
  expect(seen.at(-1)).toBe(0.75);
  await frontier.close();
});

test('a frontier of which no priority was ever stored does not say by which model they are', async () => {
  const folder = join(root, 'never');
  const frontier = openLmdbFrontier(folder, OPTIONS);
  frontier.add(seeds(link('http://h0.test/', 1)));
  await frontier.commit({}, Promise.resolve());
  await frontier.close();
  const again = openLmdbLedger(folder, OPTIONS);
  expect(again.scoredBy).toBeNull();
  await again.close();
});
