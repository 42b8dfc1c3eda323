/** An instance of SearXNG as a search engine: its JSON interface, through the guards of a crawl. */
import { systemClock } from '../../base/core/clock.ts';
import { UsageError } from '../../base/core/errors.ts';
import type { RobotsPolicy } from '../../base/core/parts/fetching.ts';
import type { Bytes, Ms } from '../../base/core/types.ts';
import { PRODUCT_TOKEN } from '../../base/core/version.ts';
import { canonicalize } from '../../base/web/url.ts';
import { userAgentOf } from '../../base/web/user-agent.ts';
import { hostPolicyOf } from '../../crawling/fetch/host-policy.ts';
import { HttpFetcher } from '../../crawling/fetch/http-fetcher.ts';
import { probeProxy } from '../../crawling/fetch/probe-proxy.ts';
import { RobotsCache } from '../../crawling/fetch/robots-cache.ts';
import { hostnameIsPrivate } from '../../crawling/fetch/ssrf.ts';
import type { FetchListOptions } from '../../crawling/input/fetch-list.ts';
import { PoliteRequests, type Requested } from './polite-requests.ts';
import { type EngineAnswer, SEARXNG, type SearchEngine } from './search-engine.ts';
import { MOST_RESULTS, resultOf } from './search-results.ts';

/** An answer with a hundred results and the state of each engine is some 200 KB. */
const MOST_BYTES: Bytes = 4 * 1024 * 1024;
const DELAY: Ms = 1000;

/** @param name `searxng:` and the URL of the instance. @throws UsageError for another URL; EnvironmentError for a proxy that does not answer */
export async function openSearxng(name: string, options: Partial<FetchListOptions>): Promise<SearchEngine> {
  const base = name.slice(SEARXNG.length);
  if (canonicalize(base) === null)
    throw new UsageError(`--search ${name}: not a usable http(s) URL; give that of the instance, e.g. searxng:http://127.0.0.1:8888`);
  const { delay = DELAY, userAgent = null, contact = null, allowPrivate = false } = options;
  const proxy = options.proxy === 'none' ? null : (options.proxy ?? null);
  await probeProxy(proxy);
  const fetcher = new HttpFetcher({
    userAgent: userAgentOf(userAgent, contact),
    contact,
    clock: systemClock,
    allowPrivate,
    ...(proxy !== null && { proxy }),
  });
  const robots = hostnameIsPrivate(new URL(base).hostname) ? OWN : new RobotsCache(fetcher, PRODUCT_TOKEN, systemClock);
  const hostPolicy = hostPolicyOf({ perIp: false, perDomain: false }, fetcher, { optOut: null, withdrawn: null });
  const requests = new PoliteRequests({ fetcher, robots, hostPolicy }, { delay, scope: [], documents: [] });
  const search = async (query: string, signal: AbortSignal) => {
    const url = canonicalize(`${base.replace(/\/$/, '')}/search?q=${encodeURIComponent(query)}&format=json`);
    return url === null ? failed('the query is too long for a URL') : answerOf(await requests.file(url, MOST_BYTES, signal), base);
  };
  return { name, search, close: () => fetcher.close() };
}

/** An instance at a private address is the user's own. SearXNG's robots.txt refuses every search. */
const OWN: RobotsPolicy = {
  verdict: () => 'allow',
  load: async () => ({ crawlDelay: null, sitemaps: [] }),
  unreachable: () => null,
};

function answerOf(requested: Requested, base: string): EngineAnswer {
  if (requested.page === null) return failed(whyNot(requested.reason, base));
  const { results, unresponsive_engines: silent } = objectIn(requested.page.body);
  if (!Array.isArray(results)) return failed('the answer is not the JSON of SearXNG');
  const read = results.slice(0, MOST_RESULTS).map((value: unknown, i) => resultOf(value, i + 1));
  const found = read.filter((result) => result !== null);
  return { results: found, ignored: results.length - found.length, failure: silentText(silent) };
}

/** Engines behind the instance that gave nothing: another search may differ for that. */
function silentText(silent: unknown): string | null {
  const names = Array.isArray(silent) ? silent.map((one: unknown) => (Array.isArray(one) ? one.map(String).join(': ') : String(one))) : [];
  return names.length === 0 ? null : `no answer of ${names.join(', ')}`;
}

function whyNot(reason: string, base: string): string {
  if (reason.startsWith('http-4xx (403')) return `${reason}: the instance gives no JSON; its settings.yml needs json under search: formats`;
  if (reason === 'robots')
    return `robots: robots.txt of ${base} forbids searches by programs; ask its owner, or use an instance of your own`;
  if (reason === 'private-address') return `${reason}: --allow-private lets loopback and private addresses be asked`;
  return reason;
}

function failed(failure: string): EngineAnswer {
  return { results: [], ignored: 0, failure };
}

function objectIn(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
