/** A signal with a limit of time. */
import type { Ms } from './types.ts';

/**
 * Signal that aborts with a TimeoutError after `ms`, or with one of `signals`. Node 20 collects an `AbortSignal.timeout` that only an `AbortSignal.any` knows,
 * and then it never fires; the timer of this one holds it. A process that has nothing else to do ends before.
 */
export function signalWithin(ms: Ms, ...signals: readonly AbortSignal[]): AbortSignal {
  const late = new AbortController();
  setTimeout(() => late.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')), ms).unref();
  return AbortSignal.any([late.signal, ...signals]);
}
