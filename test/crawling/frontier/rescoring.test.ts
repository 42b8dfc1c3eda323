import { expect, test } from 'vitest';
import type { LinkEvidence, Rescorer } from '../../../src/base/core/parts/scoring.ts';
import type { FrontierEntry } from '../../../src/base/core/types.ts';
import { openMemoryFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { fate, link, outlinks, seeds, WELL } from '../../support/frontier-values.ts';
import { rescored } from '../../support/rescored.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

class Evidence implements LinkEvidence {
  readonly bytes: number;
  readonly urls: readonly string[];
  constructor(urls: readonly string[], bytes: number) {
    this.urls = urls;
    this.bytes = bytes;
  }
}

/** Gives all the same priority by default. Counts the links that it had to read, and those that it scored. */
class Reader implements Rescorer {
  read = 0;
  scored = 0;
  priority = 0;
  priorityOf: (url: string) => number = () => this.priority;
  readonly #bytesEach: number;
  constructor(bytesEach = 100) {
    this.#bytesEach = bytesEach;
  }
  score(entries: readonly FrontierEntry[]): Float32Array {
    return this.scoreAgain(this.evidenceOf(entries));
  }
  evidenceOf(entries: readonly FrontierEntry[]): Evidence {
    this.read += entries.length;
    return new Evidence(
      entries.map(({ url }) => url),
      this.#bytesEach * entries.length,
    );
  }
  scoreAgain(evidence: LinkEvidence, only?: readonly number[]): Float32Array {
    const { urls } = evidence as Evidence;
    const scored = only?.map((at) => urls[at] ?? '') ?? urls;
    this.scored += scored.length;
    return Float32Array.from(scored, (url) => this.priorityOf(url));
  }
}

function opened() {
  return openMemoryFrontier({ clock: new VirtualClock(), delay: 0, maxPagesPerHost: Number.POSITIVE_INFINITY });
}

function page(n: number, links: number, learnedFrom = 0) {
  const found = Array.from({ length: links }, (_, i) => link(`http://h${i}.test/${n}`, 0.5));
  return outlinks(`http://p.test/${n}`, found, { learnedFrom });
}

test('links are read once, however often they are scored anew', () => {
  const [frontier, scorer] = [opened(), new Reader()];
  for (let n = 0; n < 5; n++) frontier.add(page(n, 4));
  for (const priority of [0.25, 0.5, 0.75]) {
    scorer.priority = priority;
    expect(frontier.rescore(scorer, 1)).toBe(20);
    expect(new Set([...frontier.ledger()].map((line) => line.priority))).toEqual(new Set([priority]));
  }
  expect(scorer.read).toBe(20);
});

test('a link that was leased then and waits again has its new priority with the others', () => {
  const [frontier, scorer] = [opened(), new Reader()];
  frontier.add(page(1, 3));
  const next = frontier.next();
  if (next.kind !== 'lease') throw new Error('nothing to lease');
  expect(frontier.rescore(scorer, 1)).toBe(2);
  frontier.settle(next.lease, { kind: 'retry', reason: 'timeout', notBefore: 0, host: WELL });
  scorer.priority = 0.875;
  expect(frontier.rescore(scorer, 2)).toBe(3);
  expect(frontier.find(next.lease.entry.url)?.line.priority).toBe(0.875);
});

test('settled links, and those that wait by a better edge, keep what they have', () => {
  const [frontier, scorer] = [opened(), new Reader()];
  frontier.add(page(1, 2));
  frontier.rescore(scorer, 1);
  const next = frontier.next();
  if (next.kind !== 'lease') throw new Error('nothing to lease');
  frontier.settle(next.lease, { kind: 'done', fate: fate('kept'), discovered: null, host: WELL });
  frontier.add(outlinks('http://q.test/', [link('http://h1.test/1', 0.9)]));
  scorer.priority = 0.25;
  scorer.scored = 0;
  expect(frontier.rescore(scorer, 2)).toBe(1);
  expect([scorer.read, scorer.scored]).toEqual([3, 1]);
});

test('a link that waits again is scored with the others, and each has its own priority', () => {
  const [frontier, scorer] = [opened(), new Reader()];
  frontier.add(page(1, 4));
  frontier.rescore(scorer, 1);
  const settled = frontier.next();
  const leased = frontier.next();
  if (settled.kind !== 'lease' || leased.kind !== 'lease') throw new Error('nothing to lease');
  frontier.settle(settled.lease, { kind: 'done', fate: fate('kept'), discovered: null, host: WELL });
  frontier.rescore(scorer, 2);
  frontier.settle(leased.lease, { kind: 'released', host: WELL });
  scorer.scored = 0;
  scorer.priorityOf = (url) => Number(/h(\d)/.exec(url)?.[1]) / 8;
  expect(frontier.rescore(scorer, 3)).toBe(3);
  expect(scorer.scored).toBe(3);
  const waiting = [...frontier.ledger()].filter(({ state }) => state === 'waiting');
  expect(waiting.map(({ priority }) => priority)).toEqual(waiting.map(({ url }) => scorer.priorityOf(url)));
});

test('the priority of a list of URLs is its own', () => {
  const [frontier, scorer] = [opened(), new Reader()];
  const task = { kind: 'list', list: 'sitemap', level: 0 } as const;
  frontier.add(seeds(link('http://a.test/sitemap.xml', 1, null, {}, task), link('http://b.test/', 0.5)));
  expect(frontier.rescore(scorer, 1)).toBe(1);
  expect([...frontier.ledger()].map(({ priority }) => priority)).toEqual([1, 0]);
});

test('as fresh ones are left alone, remembered or not', () => {
  const [frontier, scorer] = [opened(), new Reader()];
  frontier.add(page(1, 2, 7));
  expect(frontier.rescore(scorer, 7)).toBe(0);
  expect(frontier.rescore(scorer, 8)).toBe(2);
  expect(frontier.rescore(scorer, 9, 7)).toBe(0);
});

test('what is remembered is bounded: beyond it links are read again, and the newest stay', () => {
  // 80 MB have room for 79 of them, with the objects around them.
  const [frontier, scorer] = [opened(), new Reader(2 ** 20)];
  for (let n = 0; n < 100; n++) frontier.add(page(n, 1));
  frontier.rescore(scorer, 1);
  expect(scorer.read).toBe(100);
  frontier.rescore(scorer, 2);
  expect(scorer.read).toBe(100 + 21);
  for (let n = 100; n < 110; n++) frontier.add(page(n, 1));
  frontier.rescore(scorer, 3);
  expect(scorer.read).toBe(100 + 21 + 10 + 31);
  expect(rescored(frontier, Object.assign(scorer, { learnedFrom: 4 }), 10)).toBe(10);
  expect(scorer.read).toBe(100 + 21 + 10 + 31);
});

/** Rescores with a limit. @returns the pages whose links have a new priority */
function turn(frontier: ReturnType<typeof opened>, scorer: Reader, limit: number): number[] {
  scorer.priority = (scorer.priority + 0.01) % 1;
  const taken = new Set<number>();
  scorer.priorityOf = (url) => {
    taken.add(Number(new URL(url).pathname.slice(1)));
    return scorer.priority;
  };
  rescored(frontier, Object.assign(scorer, { learnedFrom: 1 }), limit);
  return [...taken];
}

test('with a limit every link has its turn: the newest first, then those that had none, then the newest again', () => {
  const [frontier, scorer] = [opened(), new Reader()];
  for (let n = 0; n < 7; n++) frontier.add(page(n, 4));
  expect([1, 2, 3, 4].map(() => turn(frontier, scorer, 8))).toEqual([
    [6, 5],
    [4, 3],
    [2, 1],
    [0, 6],
  ]);
  // A link found meanwhile has a fresh priority, and its turn with the next round.
  frontier.add(page(7, 4));
  expect([1, 2, 3].map(() => turn(frontier, scorer, 12))).toEqual([
    [5, 4, 3],
    [2, 1, 0],
    [7, 6, 5],
  ]);
  // Enough for all of them: each once, and the next time begins with the newest.
  expect(turn(frontier, scorer, 1000).sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(turn(frontier, scorer, 1)).toEqual([7]);
  // Without a limit the newest are first too.
  expect(turn(frontier, scorer, Number.POSITIVE_INFINITY)).toEqual([7, 6, 5, 4, 3, 2, 1, 0]);
});

test('a long list of a site is reached to its end at bounded cost, the same links each time', () => {
  const run = () => {
    const [frontier, scorer] = [opened(), new Reader()];
    for (let n = 0; n < 60; n++) frontier.add(page(n, 50));
    const turns = Array.from({ length: 10 }, () => turn(frontier, scorer, 1000));
    return { turns, links: scorer.scored };
  };
  const { turns, links } = run();
  expect(new Set(turns.slice(0, 3).flat()).size).toBe(60);
  expect(turns.map(({ length }) => length)).toEqual(turns.map(() => 20));
  expect(links).toBe(10 * 1000);
  expect(run()).toEqual({ turns, links });
});
