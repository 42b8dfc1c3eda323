import type { WebAccess } from '../fetch/requests.ts';
import type { EarlierResponses } from './earlier-responses.ts';

/**
 * Requests the pages of an earlier corpus under the condition that they have changed since. Where a server says that one has not, its stored response is the
 * page, so that its links are followed. Seeds, lists and other files are requested without conditions, and so is a page with conditions of its own.
 */
export function sinceFetcher(fetcher: WebAccess, earlier: EarlierResponses): WebAccess {
  return {
    async fetch(url, signal, unless, fields) {
      const stored = unless === undefined ? await earlier.of(url) : null;
      const outcome = await fetcher.fetch(url, signal, unless ?? stored?.validators, fields);
      if (stored === null || outcome.kind !== 'page' || outcome.page.status !== 304) return outcome;
      return { kind: 'page', page: stored.confirmedBy(outcome.page) };
    },
    fetchSeed: (url, signal, fields) => fetcher.fetchSeed(url, signal, fields),
    fetchFile: (url, maxBytes, signal) => fetcher.fetchFile(url, maxBytes, signal),
    fetchResource: (url, wish, signal) => fetcher.fetchResource(url, wish, signal),
    addressesOf: (host) => fetcher.addressesOf(host),
    get lookups() {
      return fetcher.lookups ?? { asked: 0, failed: 0 };
    },
    close: () => fetcher.close(),
  };
}
