import type { Ms } from '../../../src/base/core/types.ts';
import { type HostPoliteness, politenessOf } from '../../support/politeness.ts';
import { type SmallPage, smallCrawl } from './small-crawl.ts';

export interface PoliteHostsOptions {
  readonly hosts: number;
  readonly delay: Ms;
  /** Of the virtual clock. */
  readonly minutes: number;
  /** Of each answer. */
  readonly latency: Ms;
  readonly concurrency: number;
}

export interface PoliteHosts {
  /** Requests begun in each whole minute. */
  readonly perMinute: readonly number[];
  readonly politeness: readonly HostPoliteness[];
}

const MINUTE: Ms = 60_000;

/** The crawl's own loop and frontier on many hosts and a virtual clock. Each page links to the next of its host. */
export async function politeHosts({ hosts, delay, minutes, latency, concurrency }: PoliteHostsOptions): Promise<PoliteHosts> {
  const web: Record<string, SmallPage> = {};
  const pages = 1 + Math.ceil((minutes * MINUTE) / delay);
  for (let host = 0; host < hosts; host++)
    for (let page = 0; page < pages; page++)
      web[`http://h${host}.test/${page}`] = { relevance: 0.9, links: [`http://h${host}.test/${page + 1}`] };
  const { requests } = await smallCrawl({
    web,
    seeds: Array.from({ length: hosts }, (_, host) => `http://h${host}.test/0`),
    delay,
    limits: { concurrency, maxTime: minutes * MINUTE, maxPages: Number.POSITIVE_INFINITY },
    latency: () => latency,
  });
  const perMinute = Array.from({ length: minutes }, () => 0);
  const began = requests[0]?.start ?? 0;
  for (const { start } of requests) {
    const minute = Math.floor((start - began) / MINUTE);
    perMinute[minute] = (perMinute[minute] ?? 0) + 1;
  }
  const log = requests.map(({ url, start, end }) => ({ host: new URL(url).host, start, end }));
  return { perMinute, politeness: politenessOf(log, () => delay) };
}
