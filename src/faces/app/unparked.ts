/** Patterns of URLs that a run releases as it begins. */
import { UsageError } from '../../base/core/errors.ts';
import type { Queue } from '../../base/core/parts/queueing.ts';
import { commandOn } from '../../base/text/forager-command.ts';

/** @returns the released patterns. @throws UsageError if one of the patterns is not parked */
export function unparked(frontier: Pick<Queue, 'unpark'>, patterns: readonly string[], dir: string): readonly string[] {
  const released = new Set(['all']);
  for (const pattern of patterns) {
    for (const name of frontier.unpark(pattern)) released.add(name);
    if (!released.has(pattern))
      throw new UsageError(
        `--unpark ${pattern}: no such pattern is parked; ${commandOn('status', dir)} lists the parked patterns, and all releases all of them`,
      );
  }
  return [...released].filter((name) => name !== 'all');
}
