import { afterAll, beforeAll, expect, test } from 'vitest';
import { PARTS } from '../../../src/reading/links/apprentice.ts';
import { type FrozenCase, frozenCase } from '../../../test/study/eval/small-web.ts';
import { variantNamed, variantOf } from './variants.ts';

let frozen: FrozenCase;
beforeAll(async () => {
  frozen = await frozenCase();
});
afterAll(() => frozen.close());

test('a strategy, the parts it goes without and the tunnel of its own', () => {
  expect(variantNamed('shark')).toEqual({ plain: 'shark', without: new Set(), ownTunnel: null, explore: 0 });
  expect(variantNamed('one-step')).toEqual({ plain: 'one-step', without: new Set(), ownTunnel: null, explore: 0 });
  expect(variantNamed('parent@2+5')).toEqual({ plain: 'parent', without: new Set(), ownTunnel: 2, explore: 0.05 });
  expect(variantNamed('parent@0')).toEqual({ plain: 'parent', without: new Set(), ownTunnel: 0, explore: 0 });
  expect(variantNamed('apprentice-url-yield of the place@12')).toEqual({
    plain: 'apprentice',
    without: new Set(['url', 'yield of the place']),
    ownTunnel: 12,
    explore: 0,
  });
});

test('an aid comes last', () => {
  expect(variantNamed('apprentice-url@2+5@ask30')).toEqual({
    plain: 'apprentice@ask30',
    without: new Set(['url']),
    ownTunnel: 2,
    explore: 0.05,
  });
  expect(variantNamed('shark=truth')).toEqual({ plain: 'shark=truth', without: new Set(), ownTunnel: null, explore: 0 });
});

test('every part of the apprentice can be named', () => {
  for (const part of PARTS) expect([...variantNamed(`apprentice-${part}`).without]).toEqual([part]);
});

test.each([
  ['best', /best: not one of apprentice, /],
  ['', /not one of apprentice/],
  ['apprentice-luck', /luck is no part of the apprentice; it has anchor, /],
  ['bfs-url', /only the apprentice has parts/],
  ['apprentice@', /not one of/],
  ['apprentice@-1', /not one of/],
])('%s is refused', (name, reason) => {
  expect(() => variantNamed(name)).toThrow(reason);
});

test('a variant is run under its own name, with a tunnel and visits by chance of its own', () => {
  const trial = { ...frozen, starts: frozen.onTopic.slice(0, 3) };
  expect(variantOf('apprentice-url@2+5', trial, 4, 7)).toMatchObject({
    name: 'apprentice-url@2+5',
    tunnel: 2,
    explore: { share: 0.05, seed: 7 },
  });
  expect(variantOf('parent', trial, 4, 7)).toMatchObject({ name: 'parent', tunnel: 4, explore: null });
  expect(variantOf('bfs', trial, 4, 7).tunnel).toBe(Number.POSITIVE_INFINITY);
});
