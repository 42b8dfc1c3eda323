import { BLAME_AFTER, FIRST_HOST_PAUSE, HOST_PATIENCE, MAX_PAUSE } from '../core/failure-policy.ts';
import type { HostReport } from '../core/parts/queueing.ts';
import type { EpochMs } from '../core/types.ts';
import { afterRest } from './rest.ts';

/** What is known of a host's troubles. While it backs off it is not asked; then one request shows whether the trouble is over. */
export interface HostHealth {
  /** Failures in a row that are the host's. */
  readonly faults: number;
  /** Pauses in a row, each for trouble that came when the one before was over. */
  readonly pauses: number;
  /** When this row of troubles began; null when there is none. */
  readonly since: EpochMs | null;
  readonly backoffUntil: EpochMs;
  /** It is not asked any more in this run of the crawl. */
  readonly givenUp: boolean;
}

export const HEALTHY: HostHealth = { faults: 0, pauses: 0, since: null, backoffUntil: 0, givenUp: false };

/**
 * The health of a host after a request. Trouble of requests that began before the backoff was over is the trouble the host backs off for:
 * it can make the pause longer where the host says so, but takes no further step.
 * @param leasedAt when the request was let go. @param gave has the host ever given a page, or a way to one?
 */
export function healthAfter(
  before: HostHealth,
  report: HostReport,
  leasedAt: EpochMs,
  now: EpochMs,
  patience = HOST_PATIENCE,
  gave = true,
): HostHealth {
  if (leasedAt < before.backoffUntil) return prolonged(before, report, now);
  if (report.sign === 'unclear') return before;
  const isFruitless = report.sign === 'nothing' && !gave && patience.fruitless < Number.POSITIVE_INFINITY;
  if (report.sign === 'well' || (report.sign === 'nothing' && !isFruitless))
    return before.since === null ? before : { ...HEALTHY, backoffUntil: before.backoffUntil };
  const since = before.since ?? now;
  const faults = before.faults + (report.sign === 'busy' ? 0 : 1);
  const isBlamed = report.sign === 'busy' || faults >= BLAME_AFTER || before.pauses > 0;
  if (!isBlamed) return { ...before, faults, since };
  const pause = Math.min(report.retryAfter ?? FIRST_HOST_PAUSE * 2 ** before.pauses, MAX_PAUSE);
  const isEnough = before.pauses >= patience.pauses && now - since >= patience.trouble;
  const givenUp = isEnough || (isFruitless && before.pauses >= patience.fruitless);
  return { faults, since, pauses: before.pauses + 1, backoffUntil: afterRest(now, pause), givenUp };
}

function prolonged(before: HostHealth, { sign, retryAfter }: HostReport, now: EpochMs): HostHealth {
  if (sign !== 'busy' || retryAfter === null) return before;
  return { ...before, backoffUntil: Math.max(before.backoffUntil, afterRest(now, Math.min(retryAfter, MAX_PAUSE))) };
}

/** As a stored health counts at `now`: a clock that was set back since must not make a pause of days, nor trouble that begins in days. */
export function healthRestored(stored: HostHealth, now: EpochMs): HostHealth {
  const since = stored.since && Math.min(stored.since, now);
  return { ...stored, since, backoffUntil: Math.min(stored.backoffUntil, afterRest(now, MAX_PAUSE)) };
}

/** One more trial for a host that was given up on: what it asked for still holds. */
export function readmitted({ backoffUntil }: HostHealth): HostHealth {
  return { ...HEALTHY, backoffUntil };
}
