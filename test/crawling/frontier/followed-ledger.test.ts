/** A ledger that follows a crawl equals one that is opened now, after any steps of another process, also of one that was killed. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Frontier, LiveLedger } from '../../../src/base/core/parts/queueing.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import type { Fate } from '../../../src/base/core/types.ts';
import { openLmdbFrontier, openLmdbLedger } from '../../../src/crawling/frontier/frontier.ts';
import { runs } from '../../support/extent.ts';
import { ALTERNATE, fate, link, outlinks, seeds, urlOf } from '../../support/frontier-values.ts';
import { startWriter, WRITER_OPTIONS, type WriterOrder } from '../../support/random-writer.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const root = mkdtempSync(join(tmpdir(), 'forager-followed-'));
const writers: ChildProcess[] = [];
afterAll(() => {
  for (const writer of writers) writer.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

/** Later than any time of the writer. */
const clock = new VirtualClock(10 ** 12);
const opened = (folder: string) => openLmdbLedger(folder, { clock, ...WRITER_OPTIONS });

async function writerOf(folder: string): Promise<ChildProcess> {
  const writer = await startWriter(folder);
  writers.push(writer);
  return writer;
}

/** Everything that a ledger tells. */
function shown(ledger: LiveLedger) {
  const lines = [...ledger.ledger()];
  return {
    counts: ledger.counts(),
    lines,
    found: lines.map(({ url }) => ledger.find(url)),
    settled: [...ledger.settled()],
    refusals: [...ledger.refusals()].sort(),
    earlier: ledger.earlierVisits(),
    revisits: [...ledger.revisits()].sort((a, b) => (a.url < b.url ? -1 : 1)),
    commit: ledger.lastCommit(),
    notes: ledger.notes,
    runs: ledger.runs,
    scoredBy: ledger.scoredBy,
  };
}

test('after any steps of a writer, killed or not, a followed ledger equals a new one', { timeout: 300_000 }, async () => {
  const kinds = new Set<string>();
  for (let run = 0; run < runs(30); run++) {
    const folder = join(root, String(run));
    const rng = seededRng(run + 1);
    let writer = await writerOf(folder);
    const work = async (steps: number) => {
      writer.send({ seed: Math.floor(rng() * 2 ** 31), steps } satisfies WriterOrder);
      await once(writer, 'message');
    };
    await work(60);
    let followed = opened(folder);
    let before = followed.counts().discovered;
    for (let turn = 0; turn < 12; turn++) {
      if (rng() < 0.25) {
        writer.send({ seed: turn, steps: 1000 } satisfies WriterOrder);
        await new Promise((resolve) => setTimeout(resolve, rng() * 100));
        writer.kill('SIGKILL');
        await once(writer, 'exit');
        writer = await writerOf(folder);
        kinds.add('killed');
      } else await work(1 + Math.floor(rng() * 150));
      const isFollowed = followed.follow();
      kinds.add(isFollowed ? 'followed' : 'replaced');
      if (!isFollowed) {
        await followed.close();
        followed = opened(folder);
      }
      const fresh = opened(folder);
      expect(shown(followed)).toEqual(shown(fresh));
      await fresh.close();
      if (followed.counts().discovered > before) kinds.add('more');
      if (followed.era > 0) kinds.add('era');
      before = followed.counts().discovered;
      for (const { state } of followed.ledger()) kinds.add(state);
    }
    await followed.close();
    writer.kill('SIGKILL');
  }
  expect([...kinds]).toEqual(
    expect.arrayContaining(['killed', 'followed', 'more', 'era', 'parked', 'kept', 'off-topic', 'refused', 'failed', 'waiting']),
  );
});

test('a page that was off topic and waits as an alternate is followed', async () => {
  const folder = join(root, 'alternate');
  const writer = openLmdbFrontier(folder, { clock, ...WRITER_OPTIONS });
  const commit = () => writer.commit({}, Promise.resolve());
  const [fr, en] = ['http://a.test/fr', 'http://b.test/en'];
  writer.add(seeds(link(fr, 1), link(en, 0.5)));
  settleOne(writer, fate('off-topic', { relevance: 0.1 }));
  settleOne(writer, fate('kept', { relevance: 0.9 }));
  await commit();
  const followed = opened(folder);
  const expectSame = async (state: string) => {
    expect(followed.follow()).toBe(true);
    const fresh = opened(folder);
    expect(shown(followed)).toEqual(shown(fresh));
    await fresh.close();
    expect(followed.find(urlOf(fr))?.line.state).toBe(state);
  };
  await expectSame('off-topic');
  const { era } = followed;
  writer.add(outlinks(en, [link(fr, 0.5, null, {}, ALTERNATE)]));
  await commit();
  await expectSame('waiting');
  expect(followed.era).toBeGreaterThan(era);
  settleOne(writer, fate('kept', { relevance: 0.9, reason: { kind: 'alternate', of: urlOf(en) } }));
  await commit();
  await expectSame('kept');
  await followed.close();
  await writer.close();
});

function settleOne(writer: Frontier, end: Fate): void {
  const next = writer.next();
  if (next.kind !== 'lease') throw new Error('no lease');
  writer.settle(next.lease, { kind: 'done', fate: end, discovered: null, host: null });
}

test('a database that was replaced, and priorities of its own, are not followed', async () => {
  const folder = join(root, 'replaced');
  const writer = openLmdbFrontier(folder, { clock, ...WRITER_OPTIONS });
  writer.add(seeds(link('http://a.test/', 1)));
  await writer.commit({}, Promise.resolve());
  await writer.close();
  const [one, other] = [opened(folder), opened(folder)];
  expect(one.follow()).toBe(true);
  expect(other.follow()).toBe(true);
  other.rescore({ score: (entries) => Float32Array.from(entries, () => 0.25) }, 1);
  expect(other.follow()).toBe(false);
  await other.close();
  cpSync(join(folder, 'data.mdb'), join(folder, 'copy'));
  renameSync(join(folder, 'copy'), join(folder, 'data.mdb'));
  expect(one.follow()).toBe(false);
  await one.close();
});
