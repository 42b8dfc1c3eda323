import type { Parts } from '../core/parts.ts';
import type { CanonicalUrl, FetchOutcome } from '../core/types.ts';
import { durationOf } from './settlements.ts';

/** Tell that a request of a visit has been answered, or not. */
export function emitFetched(url: CanonicalUrl, outcome: FetchOutcome, { clock, emit }: Pick<Parts, 'clock' | 'emit'>): void {
  const bytes = outcome.kind === 'page' ? outcome.page.wireBody.byteLength : 0;
  emit({ type: 'fetched', at: clock.now(), url, outcome: outcome.kind, bytes, ms: durationOf(outcome) });
}
