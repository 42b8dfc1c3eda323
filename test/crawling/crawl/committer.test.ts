import { expect, test } from 'vitest';
import { StoreError } from '../../../src/base/core/errors.ts';
import type { CrawlEvent } from '../../../src/base/core/parts/crawl-events.ts';
import type { Ms } from '../../../src/base/core/types.ts';
import { Committer } from '../../../src/crawling/crawl/committer.ts';
import { openMemoryFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

/** A committer over a corpus whose flush takes `flushTime`, or fails from the `failsAt`th on. */
function committer({ flushTime = 0, failsAt = Number.POSITIVE_INFINITY }: { readonly flushTime?: Ms; readonly failsAt?: number } = {}) {
  const clock = new VirtualClock(0);
  const frontier = openMemoryFrontier({ clock, delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY });
  const events: CrawlEvent[] = [];
  const state = { records: 0, flushes: 0, failures: 0 };
  const never = new AbortController().signal;
  const corpus = {
    recorded: false,
    append: () => undefined,
    offsets: () => ({ 'records.jsonl': state.records }),
    flush: async () => {
      state.flushes += 1;
      if (state.flushes >= failsAt) throw new StoreError('STORE_FULL', `flush ${state.flushes}`);
      await clock.sleep(flushTime, never);
    },
    close: async () => undefined,
  };
  const onFailure = () => {
    state.failures += 1;
  };
  const parts = { clock, frontier, corpus, emit: (event: CrawlEvent) => events.push(event) };
  const settle = (times: number, to: Committer) => {
    for (let i = 0; i < times; i++) {
      state.records += 1;
      to.settled();
    }
  };
  const made = new Committer(parts, onFailure);
  const sizes = () => events.map((event) => (event.type === 'committed' ? event.settlements : 0));
  return { made, clock, frontier, state, sizes, settle: (times: number) => settle(times, made) };
}

/** Let what is ready run. */
async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

test('a hundred settlements are committed at once, fewer after a quarter of a second', async () => {
  const { made, clock, sizes, settle } = committer();
  settle(99);
  await turn();
  expect(sizes()).toEqual([]);
  settle(1);
  await turn();
  expect(sizes()).toEqual([100]);
  settle(3);
  clock.advance(249);
  await turn();
  expect(sizes()).toEqual([100]);
  clock.advance(1);
  await turn();
  expect(sizes()).toEqual([100, 3]);
  await made.finish();
  expect(sizes()).toEqual([100, 3]);
});

test('one commit runs at a time; what came meanwhile goes into the next, with the offsets of that moment', async () => {
  const { made, clock, frontier, sizes, settle } = committer({ flushTime: 1000 });
  settle(100);
  await turn();
  settle(150);
  await turn();
  expect(sizes()).toEqual([]);
  clock.advance(1000);
  await turn();
  expect(sizes()).toEqual([100]);
  expect(frontier.committedOffsets()).toEqual({ 'records.jsonl': 100 });
  clock.advance(1000);
  await turn();
  expect(sizes()).toEqual([100, 150]);
  expect(frontier.committedOffsets()).toEqual({ 'records.jsonl': 250 });
  await made.finish();
});

test('what is settled while a slow commit runs is committed after it, though nothing follows', async () => {
  const { clock, sizes, settle } = committer({ flushTime: 1000 });
  settle(100);
  await turn();
  settle(2);
  clock.advance(300);
  await turn();
  clock.advance(700);
  await turn();
  clock.advance(1000);
  await turn();
  expect(sizes()).toEqual([100, 2]);
});

test('finish commits the rest without waiting for the clock', async () => {
  const { made, sizes, settle } = committer();
  settle(7);
  await made.finish();
  expect(sizes()).toEqual([7]);
});

test('a failed commit is told, thrown by finish, and the last: nothing is committed after it', async () => {
  const { made, frontier, state, sizes, settle } = committer({ failsAt: 2 });
  settle(100);
  await turn();
  settle(100);
  await turn();
  expect([made.failed, state.failures]).toEqual([true, 1]);
  settle(500);
  await turn();
  await expect(made.finish()).rejects.toThrow('flush 2');
  expect(sizes()).toEqual([100]);
  expect(state.flushes).toBe(2);
  expect(frontier.committedOffsets()).toEqual({ 'records.jsonl': 100 });
});

test('what cannot be committed for another reason is thrown by finish too', async () => {
  const { made, state, settle } = committer();
  settle(1);
  made.fail(new StoreError('STORE_IO', 'the record'));
  made.fail(new StoreError('STORE_IO', 'a later one'));
  await expect(made.finish()).rejects.toThrow('the record');
  expect(state.flushes).toBe(0);
});

test('a commit that runs while the crawl ends is waited for, and so is the one after it with the rest', async () => {
  const { made, clock, frontier, sizes, settle } = committer({ flushTime: 1000 });
  settle(100);
  await turn();
  settle(7);
  let ended = false;
  const finish = made.finish().then(() => {
    ended = true;
  });
  await turn();
  expect([ended, sizes()]).toEqual([false, []]);
  clock.advance(1000);
  await turn();
  expect([ended, sizes()]).toEqual([false, [100]]);
  clock.advance(1000);
  await finish;
  expect([sizes(), frontier.committedOffsets()]).toEqual([[100, 7], { 'records.jsonl': 107 }]);
});

test('priorities of what waits are stored by a commit of their own when others still run as the crawl ends', async () => {
  const { made, clock, frontier, sizes, settle } = committer({ flushTime: 1000 });
  const stored: string[] = [];
  const { commit } = frontier;
  frontier.storePriorities = () => stored.push('priorities') > 0;
  frontier.commit = (...args) => {
    stored.push('commit');
    return commit.apply(frontier, args);
  };
  settle(100);
  await turn();
  settle(7);
  const finish = made.finish();
  for (let i = 0; i < 3; i++) {
    clock.advance(1000);
    await turn();
  }
  await finish;
  expect(stored).toEqual(['commit', 'commit', 'priorities', 'commit']);
  expect(sizes()).toEqual([100, 7, 0]);
});
