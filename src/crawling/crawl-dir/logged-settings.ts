import { VERSION } from '../../base/core/version.ts';
import { COMMANDS } from '../settings/commands.ts';
import { loggedOf } from '../settings/derive.ts';
import type { CrawlManifest } from './crawl-directory.ts';
import { type CrawlSettings, proxyOf } from './crawl-settings.ts';

/** The settings of a run, for the log. Contains no secrets: only the host of a proxy, and only the paths of files about hosts. */
export function loggedSettings(
  manifest: CrawlManifest,
  seeds: number,
  options: CrawlSettings,
  concurrency: number,
  resumed: boolean,
): object {
  const { topic, topics, userAgent } = manifest;
  const proxy = proxyOf(options, manifest);
  return {
    dir: options.dir,
    resumed,
    software: `forager/${VERSION}`,
    node: process.version,
    topics: topics.length === 0 ? [topic] : topics,
    seeds,
    userAgent,
    proxy: proxy === null ? null : new URL(proxy).host,
    ...loggedOf(COMMANDS.crawl, { ...options, concurrency }, manifest),
  };
}
