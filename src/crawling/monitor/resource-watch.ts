/** Points of a run every half minute: its bytes on disk and in memory. */
import { memoryUsage } from 'node:process';
import { dateOf, systemClock } from '../../base/core/clock.ts';
import type { Bytes, Ms } from '../../base/core/types.ts';
import type { CrawlPaths } from '../crawl-dir/crawl-directory.ts';
import { type RoomPoint, removeRoomPoints, writeRoomPoints } from '../crawl-dir/room-points.ts';
import { spaceAt } from './headroom.ts';

/** A point takes a quarter of a millisecond; ten of them are there when a forecast may be made. */
const EVERY: Ms = 30_000;
/** An hour of points: growth of the first hour says little about the tenth. */
const MOST = 120;

export interface ResourceWatch {
  /** Never throws. */
  close(): void;
}

/**
 * A point that cannot be taken or stored is skipped: the watch must not harm the crawl.
 * @param written bytes of corpus and frontier so far; null while they are closed
 */
export function watchResources(paths: CrawlPaths, written: () => Bytes | null): ResourceWatch {
  const points: RoomPoint[] = [];
  let closed = false;
  const look = async () => {
    const point = await pointOf(paths.dir, written());
    if (point !== null) points.push(point);
    points.splice(0, points.length - MOST);
    // A run of seconds leaves no file.
    if (points.length > 1 && !closed) writeRoomPoints(paths, points);
  };
  const lookOrSkip = () => void look().catch(() => undefined);
  lookOrSkip();
  const timer = setInterval(lookOrSkip, EVERY).unref();
  return {
    close() {
      closed = true;
      clearInterval(timer);
      try {
        removeRoomPoints(paths);
      } catch {
        // The next run replaces the file; the end of this one must not fail for it.
      }
    },
  };
}

async function pointOf(dir: string, written: Bytes | null): Promise<RoomPoint | null> {
  if (written === null) return null;
  const { free } = await spaceAt(dir);
  return { at: dateOf(systemClock), written, free, resident: memoryUsage.rss(), available: process.availableMemory() };
}
