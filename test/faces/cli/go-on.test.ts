import { expect, test } from 'vitest';
import { goOnCommand, hasMore, nextBudget } from '../../../src/study/inspect/go-on.ts';

test('after a spent budget the command to go on with has a larger one; a larger budget is no advice where nothing waits', () => {
  expect(goOnCommand('c', 'max-pages', 600)).toBe('npx forager crawl c --max-pages 1200');
  expect(goOnCommand('c', 'max-pages', 600, '--unpark', 'all')).toBe('npx forager crawl c --unpark all --max-pages 1200');
  expect([nextBudget(600, 500), nextBudget(0, 500), nextBudget(0)]).toEqual([1200, 500, 1]);
  expect(goOnCommand('c', 'interrupted', 600)).toBe('npx forager crawl c');
  expect([hasMore({ queued: 3, parked: 3 }), hasMore({ queued: 4, parked: 3 })]).toEqual([false, true]);
});
