/** A version of the change log is read in one go: at most a hundred lines, the most important first. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const LONGEST = 100;
const [, ...sections] = readFileSync('CHANGELOG.md', 'utf8').split(/^(?=## \[)/m);
const released = sections
  .map((text) => ({ version: /^## \[(.+?)\]/.exec(text)?.[1] ?? '', text: text.trimEnd() }))
  .filter(({ version }) => version !== 'Unreleased');

test.each(released)('$version', ({ text }) => {
  expect(text.split('\n').length).toBeLessThanOrEqual(LONGEST);
});

test('the newest version begins with the most important changes', () => {
  expect(released.length).toBeGreaterThan(1);
  expect(/^### (.+)$/m.exec(released[0]?.text ?? '')?.[1]).toBe('Most important');
});
