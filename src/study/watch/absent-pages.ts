/** Kept pages that are absent from the web, or no longer are. */
import type { Absence } from '../../base/core/types.ts';

/**
 * The last state of each page whose state has changed since a line: without pages that were absent for a while between the two reports, and without those that
 * are absent as they were.
 * @param absences in their order
 * @param from the number of the first line of the period
 * @param returned was the page kept in another version after that state, and before the period?
 */
export function changedAbsences(absences: readonly Absence[], from: number, returned: (then: Absence) => boolean): Absence[] {
  const before = new Map(absences.slice(0, from).map((one) => [one.url, one]));
  const last = new Map(absences.slice(from).map((one) => [one.url, one]));
  return [...last.values()].filter((now) => {
    const then = before.get(now.url);
    const wasThere = then === undefined || then.state === 'back' || returned(then);
    return now.state === 'back' ? !wasThere : wasThere || then.state !== now.state || then.to !== now.to;
  });
}
