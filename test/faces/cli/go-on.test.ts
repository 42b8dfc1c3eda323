import { expect, test } from 'vitest';
import { continueCommand, hasMore, nextBudget } from '../../../src/study/inspect/continue-command.ts';

test('after a spent budget the command to go on with has a larger one; a larger budget is no advice where nothing waits', () => {
  expect(continueCommand('c', 'max-pages', 600)).toBe('npx forager crawl c --max-pages 1200');
  expect(continueCommand('c', 'max-pages', 600, '--unpark', 'all')).toBe('npx forager crawl c --unpark all --max-pages 1200');
  expect([nextBudget(600, 500), nextBudget(0, 500), nextBudget(0)]).toEqual([1200, 500, 1]);
  expect(continueCommand('c', 'interrupted', 600)).toBe('npx forager crawl c');
  expect([hasMore({ waiting: 3, parked: 3 }), hasMore({ waiting: 4, parked: 3 })]).toEqual([false, true]);
});
