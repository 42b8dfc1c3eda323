/** Hours of disk and memory from the growth of a run. */
import { expect, test } from 'vitest';
import { hoursToTell, roomLeft } from '../../../src/study/inspect/resources-left.ts';

const MINUTE = 60_000;
const GB = 1e9;
const point = (minutes: number, written: number, resident: number) => ({
  at: minutes * MINUTE,
  written,
  resident,
  free: 10 * GB - written,
  available: 4 * GB,
});

test('growth an hour against the free bytes; points of an earlier run do not count', () => {
  const points = [point(0, 9 * GB, 0), point(10, 1 * GB, 2 * GB), point(40, 2 * GB, 2.5 * GB)];
  const room = roomLeft(points, 5 * MINUTE);
  expect(room).toEqual({
    disk: { free: 8 * GB, perHour: 2 * GB, hours: 4 },
    memory: { free: 4 * GB, perHour: GB, hours: 4 },
  });
});

test('nothing before five minutes; no hours without growth; weeks are not worth telling', () => {
  expect(roomLeft([point(0, 0, 0), point(4.9, GB, GB)], 0)).toBeNull();
  expect(roomLeft([], 0)).toBeNull();
  const [still, slow] = [roomLeft([point(0, GB, GB), point(5, GB, GB / 2)], 0), roomLeft([point(0, 0, 0), point(60, GB / 100, 1)], 0)];
  expect([still?.disk.hours, still?.memory.hours]).toEqual([null, null]);
  expect(slow?.disk.hours).toBeCloseTo(999);
  expect(slow && hoursToTell(slow.disk)).toBeNull();
});
