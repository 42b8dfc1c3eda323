import type { Fate } from '../../base/core/types.ts';

/** Failed URLs by cause, e.g. `HTTP 404`, `timeout`. */
export type FailureCounts = Readonly<Record<string, number>>;

/** The end of a URL, as in an event. */
export interface FailedEnd extends Pick<Fate, 'status'> {
  readonly state: Fate['state'] | null;
  readonly reason: string;
}

/** Counts failed URLs, one end at a time. */
export class FailureTally {
  readonly #counts = new Map<string, number>();

  /** Ends of another kind are ignored. */
  add({ state, reason, status }: FailedEnd): void {
    if (state !== 'failed') return;
    const kind = status !== null && reason.startsWith('http-') ? `HTTP ${status}` : reason;
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
  }

  /** The most frequent first; equal counts by name. */
  counts(): FailureCounts {
    return Object.fromEntries([...this.#counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
  }
}
