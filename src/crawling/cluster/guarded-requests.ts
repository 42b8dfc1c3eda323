/** The requests of a worker: each ends before another worker may ask the same host. */
import type { FetchOutcome, Ms } from '../../base/core/types.ts';
import type { Requests } from '../fetch/requests.ts';

/**
 * @param endsIn time until each request must have ended, asked when a request begins
 * @returns a fetcher whose requests fail as timeouts at that time, also if the machine stood still meanwhile: their URLs are tried again
 */
export function guardedRequests(fetcher: Requests, endsIn: () => Ms): Requests {
  const guarded = async (signal: AbortSignal, ask: (signal: AbortSignal) => Promise<FetchOutcome>): Promise<FetchOutcome> => {
    const end = AbortSignal.timeout(Math.ceil(endsIn()));
    const startedAt = performance.now();
    try {
      return await ask(AbortSignal.any([signal, end]));
    } catch (error) {
      if (signal.aborted || error !== end.reason) throw error;
      const detail = 'the leases of this worker ran out';
      return { kind: 'failed', code: 'timeout', status: null, detail, retryAfter: null, ms: performance.now() - startedAt };
    }
  };
  return {
    fetch: (url, signal, unless) => guarded(signal, (end) => fetcher.fetch(url, end, unless)),
    fetchFile: (url, maxBytes, signal) => guarded(signal, (end) => fetcher.fetchFile(url, maxBytes, end)),
    fetchResource: (url, wish, signal) => guarded(signal, (end) => fetcher.fetchResource(url, wish, end)),
    fetchSeed: (url, signal) => guarded(signal, (end) => fetcher.fetchSeed(url, end)),
    close: () => fetcher.close(),
  };
}
