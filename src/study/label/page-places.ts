/** Pages of one host or directory: a person may answer them together. */
import { UsageError } from '../../base/core/errors.ts';
import { canonicalize, directoryOf, hostNameOf } from '../../base/web/url.ts';
import type { LabelCandidate, LabelPlan, LabelState } from './label-queue.ts';

/** Most answers to give together: as many as `judge` asks for and more. Training uses 2,000, and one host should not be all of them. */
export const MOST_OF_PLACE = 500;

/**
 * Judged pages without an answer.
 * @param place a host name, or the URL of a directory
 * @throws UsageError for an invalid URL
 */
export function unansweredOf<P extends LabelCandidate>(plan: LabelPlan<P>, { answers }: LabelState, place: string): P[] {
  const { host, directory } = placeOf(place);
  return plan.ofHost(host).filter(({ url }) => !answers.has(url) && url.startsWith(directory));
}

/** @throws UsageError if there are more pages than a person should answer at once */
export function refuseMany(pages: readonly unknown[], place: string): void {
  if (pages.length > MOST_OF_PLACE)
    throw new UsageError(
      `${place}: has ${pages.length} pages without an answer, and at most ${MOST_OF_PLACE} are answered together; name a directory of it`,
    );
}

function placeOf(place: string): { readonly host: string; readonly directory: string } {
  if (!place.includes('/')) return { host: place.toLowerCase(), directory: '' };
  const url = canonicalize(place);
  if (url === null)
    throw new UsageError(`${place}: is neither a host name nor an http(s) URL of a directory; give one, such as http://example.org/forum/`);
  return { host: hostNameOf(url), directory: directoryOf(url) };
}
