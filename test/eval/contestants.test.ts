import { expect, test } from 'vitest';
import { contestantNamed, DEFAULT_CONTESTANTS } from '../../src/eval/contestants.ts';
import { PARTS } from '../../src/links/apprentice.ts';
import { BY_GRAPH } from '../../src/links/strategies.ts';

test('a strategy, the parts it goes without and the tunnel of its own', () => {
  expect(contestantNamed('shark')).toEqual({ found: 'shark', without: new Set(), ownTunnel: null, explore: 0 });
  expect(contestantNamed('one-step')).toEqual({ found: 'one-step', without: new Set(), ownTunnel: null, explore: 0 });
  expect(contestantNamed('parent@2+5')).toEqual({ found: 'parent', without: new Set(), ownTunnel: 2, explore: 0.05 });
  expect(contestantNamed('parent@0')).toEqual({ found: 'parent', without: new Set(), ownTunnel: 0, explore: 0 });
  expect(contestantNamed('apprentice-url-yield of the place@12')).toEqual({
    found: 'apprentice',
    without: new Set(['url', 'yield of the place']),
    ownTunnel: 12,
    explore: 0,
  });
});

test('those by the graph of links compete only where they are named', () => {
  for (const name of BY_GRAPH) {
    expect(DEFAULT_CONTESTANTS).not.toContain(name);
    expect(contestantNamed(name).found).toBe(name);
  }
  expect(DEFAULT_CONTESTANTS).toContain('apprentice');
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
