/** Time until disk and memory of a running crawl are full if they fill as before. */
import type { Bytes, EpochMs, Ms } from '../../base/core/types.ts';
import type { RoomPoint } from '../../crawling/crawl-dir/room-points.ts';

export interface RoomLeft {
  /** Bytes that are free. */
  readonly free: Bytes;
  /** Bytes an hour by which the crawl grew, in the last hour at most. Negative if it shrank. */
  readonly perHour: Bytes;
  /** Hours until `free` is used up; null if the crawl does not grow. */
  readonly hours: number | null;
}

/** Room left on the disk and in memory. */
export interface Room {
  readonly disk: RoomLeft;
  readonly memory: RoomLeft;
}

/** Least time between two measurements: within less, one buffer or one collection decides. */
const LEAST_APART: Ms = 300_000;
/** Hours: room for a week needs nobody's attention. */
const SOON = 168;
const HOUR: Ms = 3_600_000;

/** null before there are points five minutes apart. @param since points before it are of an earlier run */
export function roomLeft(points: readonly RoomPoint[], since: EpochMs): Room | null {
  const [first, last] = [points.find(({ at }) => at >= since), points.at(-1)];
  if (first === undefined || last === undefined || last.at - first.at < LEAST_APART) return null;
  const perHour = (of: 'written' | 'resident') => ((last[of] - first[of]) * HOUR) / (last.at - first.at);
  return { disk: left(last.free, perHour('written')), memory: left(last.available, perHour('resident')) };
}

/** The hours that are worth telling; null if there are more, or if the crawl does not grow. */
export function hoursToTell({ hours }: RoomLeft): number | null {
  return hours === null || hours > SOON ? null : Math.floor(hours);
}

function left(free: Bytes, perHour: Bytes): RoomLeft {
  return { free, perHour: Math.round(perHour), hours: perHour > 0 ? free / perHour : null };
}
