/** Words for room that runs out: the same on terminal and page. */

import { countText, megabytesText } from '../../base/text/number-text.ts';
import { hoursToTell, type Room } from './resources-left.ts';

/** A line for disk and one for memory: `disk: about 5 hours left at this rate (12,000 MB free, 2,400 MB an hour)`. None while both last for a week. */
export function roomLines(room: Room | null): string[] {
  if (room === null) return [];
  return (['disk', 'memory'] as const).flatMap((what) => {
    const hours = hoursToTell(room[what]);
    const { free, perHour } = room[what];
    if (hours === null) return [];
    return [`${what}: about ${countText(hours)} hours left at this rate (${megabytesText(free)} free, ${megabytesText(perHour)} an hour)`];
  });
}
