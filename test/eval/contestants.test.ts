import { expect, test } from 'vitest';
import { contestantNamed } from '../../src/eval/contestants.ts';
import { PARTS } from '../../src/links/apprentice.ts';

test('a strategy, the parts it goes without and the tunnel of its own', () => {
  expect(contestantNamed('shark')).toEqual({ found: 'shark', without: new Set(), ownTunnel: null });
  expect(contestantNamed('one-step')).toEqual({ found: 'one-step', without: new Set(), ownTunnel: null });
  expect(contestantNamed('parent@0')).toEqual({ found: 'parent', without: new Set(), ownTunnel: 0 });
  expect(contestantNamed('apprentice-url-yield of the place@12')).toEqual({
    found: 'apprentice',
    without: new Set(['url', 'yield of the place']),
    ownTunnel: 12,
  });
});

test('every part of the apprentice can be named', () => {
  for (const part of PARTS) expect([...contestantNamed(`apprentice-${part}`).without]).toEqual([part]);
});

test.each([
  ['best', /best: not one of apprentice, /],
  ['', /not one of apprentice/],
  ['apprentice-luck', /luck is no part of the apprentice; it has anchor, /],
  ['bfs-url', /only the apprentice has parts/],
  ['apprentice@', /not one of/],
  ['apprentice@-1', /not one of/],
])('%s is refused', (name, reason) => {
  expect(() => contestantNamed(name)).toThrow(reason);
});
