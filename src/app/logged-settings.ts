import type { CrawlLimits } from '../crawl/crawl.ts';
import type { CrawlManifest } from './crawl-directory.ts';
import type { CrawlOptions } from './crawl-options.ts';
import { proxyOf } from './crawl-settings.ts';
import { VERSION } from './version.ts';

/** What a run goes by, for the log. Nothing that is a secret: of a proxy its host alone, of files about hosts their paths. */
export function loggedSettings(
  manifest: CrawlManifest,
  seeds: number,
  options: CrawlOptions,
  limits: CrawlLimits,
  resumed: boolean,
): object {
  const { topic, topics, strategy, scope, userAgent, contact, delayMs, delayFactor, optOut, hosts, cookies, http2 } = manifest;
  const proxy = proxyOf(options, manifest);
  return {
    dir: options.dir,
    resumed,
    software: `forager/${VERSION}`,
    node: process.version,
    topics: topics.length === 0 ? [topic] : topics,
    seeds,
    strategy,
    scope,
    userAgent,
    contact,
    proxy: proxy === null ? null : new URL(proxy).host,
    delayMs,
    delayFactor,
    optOut,
    hosts,
    cookies,
    http2,
    revisitMs: options.revisit ?? null,
    maxPages: finiteOrNull(limits.maxPages),
    maxTimeMs: finiteOrNull(limits.maxTime),
    concurrency: limits.concurrency,
    stopYield: limits.stopYield ?? null,
  };
}

function finiteOrNull(n: number): number | null {
  return Number.isFinite(n) ? n : null;
}
