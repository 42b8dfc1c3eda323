import { expect, test } from 'vitest';
import type { RefusalReason, UrlState } from '../../src/core/types.ts';
import { UrlTable } from '../../src/frontier/url-table.ts';

const STATES: readonly UrlState[] = ['queued', 'leased', 'fetched', 'kept', 'off-topic', 'duplicate', 'refused', 'failed'];
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
    state: STATES[slot % STATES.length] ?? 'queued',
    refusal: slot % 12 === 0 ? null : (REFUSALS[(slot % 12) - 1] ?? null),
  });
  for (let slot = 0; slot < count; slot++) {
    expect(table.claim(`http://h.test/${slot}`)).toEqual({ slot, isNew: true });
    expect([table.state(slot), table.refusal(slot), table.isWaiting(slot)]).toEqual(['queued', null, true]);
    const { state, refusal, ...columns } = of(slot);
    for (const [name, value] of Object.entries(columns)) table[name as keyof typeof columns][slot] = value;
    table.setState(slot, state);
    table.setRefusal(slot, refusal);
  }
  for (let slot = 0; slot < count; slot++) {
    const { state, refusal, ...columns } = of(slot);
    const found = Object.fromEntries(Object.keys(columns).map((name) => [name, table[name as keyof typeof columns][slot]]));
    expect(found).toEqual(columns);
    expect([table.state(slot), table.refusal(slot), table.priorityOf(slot)]).toEqual([state, refusal, columns.priority]);
    expect(table.isWaiting(slot)).toBe(state === 'queued' && columns.aside === 0);
  }
  expect(table.claim('http://h.test/7')).toEqual({ slot: 7, isNew: false });
  expect([table.find('http://h.test/7'), table.find('http://h.test/none'), table.size]).toEqual([7, -1, count]);
  expect(STATES.map((state) => table.countOf(state))).toEqual(STATES.map(() => count / STATES.length));
});

test('what is due waits whatever its state; a refusal can be taken back', () => {
  const table = new UrlTable();
  const { slot } = table.claim('http://h.test/');
  table.setState(slot, 'kept');
  expect(table.isWaiting(slot)).toBe(false);
  table.due.add(slot);
  expect(table.isWaiting(slot)).toBe(true);
  table.setRefusal(slot, 'tunnel');
  table.setRefusal(slot, null);
  expect(table.refusal(slot)).toBeNull();
});
