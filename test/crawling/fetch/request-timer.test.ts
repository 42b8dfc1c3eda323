import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RequestTimer } from '../../../src/crawling/fetch/request-timer.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('ticks while there is something to time, and stops after', () => {
  const timer = new RequestTimer(100);
  const seen: number[] = [];
  const request = { check: (now: number) => seen.push(now) };
  timer.add(request);
  vi.advanceTimersByTime(300);
  expect(seen).toEqual([100, 200, 300]);
  timer.delete(request);
  vi.advanceTimersByTime(1000);
  expect(seen).toHaveLength(3);
  expect(vi.getTimerCount()).toBe(0);
  timer.add(request);
  vi.advanceTimersByTime(100);
  expect(seen).toHaveLength(4);
  timer.close();
});

test('a stalled event loop costs no request its time', () => {
  const timer = new RequestTimer(100);
  timer.add({ check: () => {} });
  vi.advanceTimersByTime(100);
  const stalled = performance.now() + 60_000;
  vi.spyOn(performance, 'now').mockReturnValue(stalled);
  vi.advanceTimersByTime(100);
  expect(timer.now).toBe(300);
  timer.close();
});

test('what ends within a tick is not checked again', () => {
  const timer = new RequestTimer(100);
  const seen: string[] = [];
  const second = { check: () => seen.push('second') };
  timer.add({
    check: () => {
      seen.push('first');
      timer.delete(second);
    },
  });
  timer.add(second);
  vi.advanceTimersByTime(100);
  expect(seen).toEqual(['first']);
  timer.close();
});
