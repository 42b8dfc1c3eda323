import { expect, test } from 'vitest';
import type { CanonicalUrl } from '../../../src/base/core/types.ts';
import { isGain, RenderHabits } from '../../../src/crawling/render/render-habits.ts';

const urlOf = (directory: string, n: number) => `http://a.example/${directory}/${n}` as CanonicalUrl;
const GAINED = { text: [100, 1000], links: [3, 3] } as const;
const VAIN = { text: [1000, 1000], links: [3, 3] } as const;

/** Visits pages of a directory. @returns the grounds */
function visits(habits: RenderHabits, directory: string, count: number, outcome: typeof GAINED | typeof VAIN, isShell = false) {
  return Array.from({ length: count }, (_, n) => {
    const url = urlOf(directory, n);
    const because = habits.groundFor(url, isShell);
    if (because === null) habits.notePlain(url);
    else habits.noteRendered(url, { because, ...outcome });
    return because;
  });
}

const counted = (grounds: readonly unknown[], ground: string | null) => grounds.filter((one) => one === ground).length;

test('shells are rendered, until five of a pattern in a row gain nothing', () => {
  const habits = new RenderHabits();
  expect(counted(visits(habits, 'app', 50, GAINED, true), 'shell')).toBe(50);
  expect(counted(visits(habits, 'login', 50, VAIN, true), 'shell')).toBe(5);
});

test('at most one plain page in twenty is checked, and a pattern that gains nothing stays plain', () => {
  const grounds = visits(new RenderHabits(), 'plain', 1000, VAIN);
  expect(counted(grounds, 'check')).toBeGreaterThan(40);
  expect(counted(grounds, 'check')).toBeLessThanOrEqual(50);
  expect(counted(grounds, 'pattern')).toBe(0);
});

test('a pattern whose check gains is rendered from then on, and others are not', () => {
  const habits = new RenderHabits();
  visits(habits, 'plain', 100, VAIN);
  const grounds = visits(habits, 'lists', 100, GAINED);
  const first = grounds.indexOf('check');
  expect(first).toBeGreaterThanOrEqual(0);
  expect(counted(grounds.slice(first + 1), 'pattern')).toBe(99 - first);
  expect(counted(visits(habits, 'plain', 100, VAIN), 'pattern')).toBe(0);
});

test('a pattern that gains no longer becomes plain again', () => {
  const habits = new RenderHabits();
  visits(habits, 'plain', 100, VAIN);
  const gained = visits(habits, 'lists', 50, GAINED);
  expect(gained.at(-1)).toBe('pattern');
  const after = visits(habits, 'lists', 200, VAIN);
  expect(after.at(-1)).toBeNull();
});

test('many pages of many small directories are checked too, within the share', () => {
  const habits = new RenderHabits();
  const grounds = Array.from({ length: 400 }, (_, n) => visits(habits, `d${n}`, 1, VAIN)).flat();
  expect(counted(grounds, 'check')).toBeGreaterThan(10);
  expect(counted(grounds, 'check')).toBeLessThanOrEqual(20);
});

test.each([
  ['twice the text', [300, 600], [1, 1], true],
  ['twice very little', [20, 60], [1, 1], false],
  ['more links', [300, 310], [10, 15], true],
  ['a link of a widget', [300, 310], [1, 3], false],
  ['no document', [300, null], [1, null], false],
] as const)('gain: %s', (_, text, links, expected) => expect(isGain(text, links)).toBe(expected));
