import { BLAME_AFTER, FIRST_HOST_PAUSE, HOST_PATIENCE, MAX_PAUSE } from '../../base/core/failure-policy.ts';
import type { HostReport } from '../../base/core/parts/queueing.ts';
import type { EpochMs } from '../../base/core/types.ts';
import { afterRest } from './rest.ts';

/** The known troubles of a host. During its backoff it gets no request. Then one request shows whether the trouble is over. */
export interface HostHealth {
  /** Failures in a row that count against the host. */
  readonly faults: number;
  /** Pauses in a row. Each was for trouble after the pause before had ended. */
  readonly pauses: number;
  /** Start of this series of troubles; null without trouble. */
  readonly since: EpochMs | null;
  readonly backoffUntil: EpochMs;
  /** True if this run of the crawl asks the host no more. */
  readonly givenUp: boolean;
}

export const HEALTHY: HostHealth = { faults: 0, pauses: 0, since: null, backoffUntil: 0, givenUp: false };

/**
 * The health of a host after a request. If the request started before the backoff ended, its trouble is the one for which the host already backs off.
 * Such trouble can prolong the pause, if the host asks for that, but does not count as another pause.
 * @param leasedAt when the request was leased
 * @param gave whether the host ever returned a page or a redirect
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

/** A stored health, corrected at `now`. If the clock was set back since, a pause must not take days, and trouble must not start in the future. */
export function healthRestored(stored: HostHealth, now: EpochMs): HostHealth {
  const since = stored.since && Math.min(stored.since, now);
  return { ...stored, since, backoffUntil: Math.min(stored.backoffUntil, afterRest(now, MAX_PAUSE)) };
}

/** One more trial for a host that was given up; the pause that it asked for still applies. */
export function readmitted({ backoffUntil }: HostHealth): HostHealth {
  return { ...HEALTHY, backoffUntil };
}
