import { expect, test } from 'vitest';
import { contestantNamed, DEFAULT_CONTESTANTS } from '../../src/eval/contestants.ts';
import { strategiesThat } from '../../src/links/strategies.ts';

const BY_GRAPH = strategiesThat(({ needsGraph }) => needsGraph);

test('strategies and oracles have plain names', () => {
  for (const name of ['shark', 'one-step', 'distance']) expect(contestantNamed(name)).toBe(name);
});

test('those by the graph of links compete only where they are named', () => {
  for (const name of BY_GRAPH) {
    expect(DEFAULT_CONTESTANTS).not.toContain(name);
    expect(contestantNamed(name)).toBe(name);
  }
  expect(DEFAULT_CONTESTANTS).toContain('apprentice');
});

test.each(['best', '', 'apprentice-url', 'apprentice@2', 'apprentice+5'])('%s is refused, with the names that are', (name) => {
  expect(() => contestantNamed(name)).toThrow(`--strategies ${name}: not one of apprentice, `);
});
