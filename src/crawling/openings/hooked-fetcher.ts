import type { Ledger } from '../../base/core/parts/queueing.ts';
import type { CanonicalUrl, FetchedPage, FetchOutcome } from '../../base/core/types.ts';
import type { Requests } from '../fetch/requests.ts';
import type { Hooks } from './hooks.ts';

/** Failures of `beforeFetch`, by the page that came without it. */
export type FetchTroubles = WeakMap<FetchedPage, string>;

/** Asks `beforeFetch` before each request for a page. Robots.txt, lists, resources of rendered pages and other files are requested without it. */
export function hookedFetcher(fetcher: Requests, hooks: Hooks, frontier: Pick<Ledger, 'find'>, troubles: FetchTroubles): Requests {
  const asked = async (url: CanonicalUrl, request: (fields: readonly string[]) => Promise<FetchOutcome>): Promise<FetchOutcome> => {
    const entry = frontier.find(url)?.entry;
    const reply = await hooks.ask('beforeFetch', url, { url, depth: entry?.depth ?? 0, referrer: entry?.edge?.referrer.url ?? null });
    if (reply.kind === 'failed' && hooks.strict) return failedBy(reply.trouble);
    const value = reply.kind === 'failed' || reply.value === 'go' ? null : reply.value;
    if (value !== null && 'refuse' in value) return refusedBy(value.refuse);
    const outcome = await request(value === null ? [] : fieldsOf(value.headers));
    if (reply.kind === 'failed' && outcome.kind === 'page') troubles.set(outcome.page, reply.trouble);
    return outcome;
  };
  return {
    fetch: (url, signal, unless) => asked(url, (fields) => fetcher.fetch(url, signal, unless, fields)),
    fetchSeed: (url, signal) => asked(url, (fields) => fetcher.fetchSeed(url, signal, fields)),
    fetchFile: (url, maxBytes, signal) => fetcher.fetchFile(url, maxBytes, signal),
    fetchResource: (url, wish, signal) => fetcher.fetchResource(url, wish, signal),
    close: () => fetcher.close(),
  };
}

function refusedBy(word: string): FetchOutcome {
  return { kind: 'refused', reason: 'hook', status: null, ms: 0, hook: { hook: 'beforeFetch', word } };
}

function failedBy(detail: string): FetchOutcome {
  return { kind: 'failed', code: 'hook', status: null, detail, retryAfter: null, ms: 0, isFinal: true };
}

function fieldsOf(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => [name.toLowerCase(), value]);
}
