import { expect, test } from 'vitest';
import type { RefusalReason, UrlState } from '../../../src/base/core/types.ts';
import { UrlTable } from '../../../src/crawling/frontier/url-table.ts';

const STATES: readonly UrlState[] = ['waiting', 'leased', 'fetched', 'kept', 'off-topic', 'duplicate', 'refused', 'failed'];
const REFUSALS: readonly RefusalReason[] = [
  ...(['robots', 'robots-unreachable', 'scope', 'max-depth', 'tunnel', 'private-address'] as const),
  ...(['content-type', 'too-large', 'redirect-limit', 'noindex', 'opt-out'] as const),
];

test('a URL is claimed once, is found under its slot, and keeps every column while the table grows', () => {
  const table = new UrlTable();
  const count = 5000;
  const of = (slot: number) => ({
    priority: Math.fround(slot / count),
    host: slot * 3,
    discovery: slot * 5,
    position: slot % 65_536,
    depth: (slot * 7) % 65_536,
    offTopicDepth: (slot * 11) % 65_536,
    attempts: slot % 256,
    learnedFrom: slot * 13,
    aside: slot % 2,
    state: STATES[slot % STATES.length] ?? 'waiting',
    refusal: slot % 12 === 0 ? null : (REFUSALS[(slot % 12) - 1] ?? null),
  });
  for (let slot = 0; slot < count; slot++) {
    expect(table.claim(`http://h.test/${slot}`)).toEqual({ slot, isNew: true });
    expect([table.state(slot), table.refusal(slot), table.isWaiting(slot)]).toEqual(['waiting', null, true]);
    const { state, refusal, host, attempts, aside, ...found } = of(slot);
    table.admit(slot, host, found, refusal);
    table.takeEdge(slot, found);
    table.retry(slot, attempts);
    if (aside === 1) table.exclude(slot);
    if (state === 'waiting') table.putBack(slot);
    else if (state === 'leased') table.lease(slot);
    else table.end(slot, state);
  }
  for (let slot = 0; slot < count; slot++) {
    const { state, refusal, ...columns } = of(slot);
    const found = {
      priority: table.priorityOf(slot),
      host: table.hostOf(slot),
      discovery: table.discoveryOf(slot),
      position: table.positionOf(slot),
      depth: table.depthOf(slot),
      offTopicDepth: table.offTopicDepthOf(slot),
      attempts: table.attemptsOf(slot),
      learnedFrom: table.learnedFromOf(slot),
      aside: Number(table.isAside(slot)),
    };
    expect(found).toEqual(columns);
    expect([table.state(slot), table.refusal(slot), table.priorityOf(slot)]).toEqual([state, refusal, columns.priority]);
    expect(table.isWaiting(slot)).toBe(state === 'waiting' && columns.aside === 0);
  }
  expect(table.claim('http://h.test/7')).toEqual({ slot: 7, isNew: false });
  expect([table.find('http://h.test/7'), table.find('http://h.test/none'), table.size]).toEqual([7, -1, count]);
  expect(STATES.map((state) => table.countOf(state))).toEqual(STATES.map(() => count / STATES.length));
});

test('what is due waits whatever its state; a refusal can be taken back', () => {
  const table = new UrlTable();
  const { slot } = table.claim('http://h.test/');
  table.end(slot, 'kept');
  expect(table.isWaiting(slot)).toBe(false);
  table.beDue(slot);
  expect(table.isWaiting(slot)).toBe(true);
  const refused = table.claim('http://h.test/refused').slot;
  table.admit(refused, 0, { depth: 1, offTopicDepth: 1 }, 'tunnel');
  expect([table.refusal(refused), table.state(refused)]).toEqual(['tunnel', 'refused']);
  table.lift(refused);
  expect([table.refusal(refused), table.state(refused)]).toEqual([null, 'waiting']);
});

test('who gives a priority: the edge that a URL takes, a scorer, or the relevance of a page that was read', () => {
  const table = new UrlTable();
  const { slot } = table.claim('http://h.test/');
  table.takeEdge(slot, { discovery: 3, position: 4, priority: 0.25, learnedFrom: 10 });
  expect(table.rescore(slot, 0.25, 20)).toBe(false);
  expect(table.rescore(slot, 0.5, 30)).toBe(true);
  expect([table.priorityOf(slot), table.learnedFromOf(slot), table.discoveryOf(slot)]).toEqual([0.5, 30, 3]);
  table.reopen(slot, 0.75);
  expect([table.priorityOf(slot), table.learnedFromOf(slot)]).toEqual([0.75, 30]);
  table.takeEdge(slot, { discovery: 5, position: 0, priority: 0.125, learnedFrom: 40 });
  expect([table.priorityOf(slot), table.learnedFromOf(slot), table.discoveryOf(slot)]).toEqual([0.125, 40, 5]);
});

test('a table restored from columns is the same, and its parked URLs wait again', () => {
  const table = new UrlTable();
  const count = 70_000;
  for (let i = 0; i < count; i++) {
    const { slot } = table.claim(`http://h.test/${i}`);
    table.admit(slot, i % 7, { depth: i % 9, offTopicDepth: i % 5 }, i % 11 === 0 ? 'scope' : null);
    table.takeEdge(slot, { discovery: i >> 3, position: i & 7, priority: (i % 64) / 64, learnedFrom: i });
    if (i % 13 === 0) table.exclude(slot);
    if (i % 17 === 0) table.end(slot, 'kept');
  }
  const again = new UrlTable();
  const copied = Object.entries(table.columns()).map(([name, parts]) => [name, parts.map((part) => part.slice())]);
  expect(again.restore(Object.fromEntries(copied))).toBe(true);
  expect(new UrlTable().restore({})).toBe(false);
  const row = (one: UrlTable, i: number) => [
    ...[one.find(`http://h.test/${i}`), one.state(i), one.refusal(i), one.priorityOf(i), one.hostOf(i), one.discoveryOf(i)],
    ...[one.positionOf(i), one.learnedFromOf(i), one.depthOf(i), one.offTopicDepthOf(i), one.attemptsOf(i)],
  ];
  const slots = Array.from({ length: count }, (_, i) => i);
  expect(slots.filter((i) => row(table, i).join() !== row(again, i).join())).toEqual([]);
  expect(STATES.map((state) => again.countOf(state))).toEqual(STATES.map((state) => table.countOf(state)));
  expect([again.isAside(13), table.isAside(13), again.isWaiting(13)]).toEqual([false, true, true]);
  expect([again.claim('http://h.test/more').slot, again.size]).toEqual([count, count + 1]);
});
