import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Watch } from '../../src/fetch/watch.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('ticks while there is something to watch, and stops after', () => {
  const watch = new Watch(100);
  const seen: number[] = [];
  const watched = { check: (now: number) => seen.push(now) };
  watch.add(watched);
  vi.advanceTimersByTime(300);
  expect(seen).toEqual([100, 200, 300]);
  watch.delete(watched);
  vi.advanceTimersByTime(1000);
  expect(seen).toHaveLength(3);
  expect(vi.getTimerCount()).toBe(0);
  watch.add(watched);
  vi.advanceTimersByTime(100);
  expect(seen).toHaveLength(4);
  watch.close();
});

test('a stalled event loop costs no request its time', () => {
  const watch = new Watch(100);
  watch.add({ check: () => {} });
  vi.advanceTimersByTime(100);
  const stalled = performance.now() + 60_000;
  vi.spyOn(performance, 'now').mockReturnValue(stalled);
  vi.advanceTimersByTime(100);
  expect(watch.now).toBe(300);
  watch.close();
});

test('what ends within a tick is not checked again', () => {
  const watch = new Watch(100);
  const seen: string[] = [];
  const second = { check: () => seen.push('second') };
  watch.add({
    check: () => {
      seen.push('first');
      watch.delete(second);
    },
  });
  watch.add(second);
  vi.advanceTimersByTime(100);
  expect(seen).toEqual(['first']);
  watch.close();
});
