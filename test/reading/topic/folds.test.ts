import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRng } from '../../../src/base/core/rng.ts';
import { assignFolds, type FoldMember } from '../../../src/reading/topic/folds.ts';

const member = fc.record({
  host: fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g')),
  onTopic: fc.boolean(),
  alwaysByHost: fc.boolean(),
});
const on = (host: string | null): FoldMember => ({ host, onTopic: true, alwaysByHost: false });

test('from three hosts on, no host is in two folds; every fold holds an example', () => {
  fc.assert(
    fc.property(fc.array(member, { minLength: 1, maxLength: 60 }), fc.nat(), (members, seed) => {
      const { kind, count, of } = assignFolds(members, seededRng(seed));
      const examples = members.filter((m) => m.onTopic);
      const hosts = new Set(examples.flatMap((m) => m.host ?? []));
      if (kind === 'none') {
        expect(examples.length < 2 || hosts.size === 1).toBe(true);
        return;
      }
      expect(kind).toBe(hosts.size >= 3 ? 'by-host' : 'by-example');
      const foldsOf = new Map<string, Set<number>>();
      members.forEach(({ host }, i) => {
        if (host !== null) foldsOf.set(host, (foldsOf.get(host) ?? new Set()).add(of[i] ?? -1));
      });
      if (kind === 'by-host') for (const folds of foldsOf.values()) expect(folds.size).toBe(1);
      expect(new Set([...of].filter((_, i) => members[i]?.onTopic)).size).toBe(count);
      expect([...of].every((fold) => fold >= 0 && fold < count)).toBe(true);
    }),
  );
});

test('few hosts: examples are held out one by one, evenly', () => {
  const { kind, count, of } = assignFolds(
    Array.from({ length: 20 }, () => on('a')),
    seededRng(1),
  );
  expect([kind, count]).toEqual(['by-example', 5]);
  for (let fold = 0; fold < 5; fold++) expect([...of].filter((f) => f === fold)).toHaveLength(4);
});

test('a single example cannot be held out', () => {
  expect(assignFolds([on('a')], seededRng(1)).kind).toBe('none');
});

test('the same seed gives the same folds', () => {
  const members = Array.from({ length: 30 }, (_, i) => on(`h${i % 7}`));
  expect(assignFolds(members, seededRng(3))).toEqual(assignFolds(members, seededRng(3)));
});
