/** A crawl of many hosts that are real on loopback, each an address of its own (127.0.x.y), some of which ask for more than the delay. */
import { type CrawlReport, crawl } from 'forager';
import { htmlAnswer, notFound, type PageAnswer, type PageSource } from '../../datasets/page-source.ts';
import { startWebProxy } from '../../datasets/web-proxy.ts';
import type { Ms } from '../../src/base/core/types.ts';
import { type HostPoliteness, politenessOf } from './politeness.ts';

/** Of ten hosts one asks for a pause in seconds, one until a date, and one for a Crawl-delay. */
const SECONDS = 1;
const DATE = 3;
const CRAWL_DELAY = 5;
const CRAWL_DELAY_MS: Ms = 1000;
const RETRY_AFTER_MS: Ms = 2000;
/** The page request of a host that is answered with the pause it asks for. */
const BUSY_AT = 2;

/** A pause that was asked for, on the clock of the server's log. */
interface Promised {
  readonly host: string;
  readonly at: Ms;
  readonly until: Ms;
}

export interface PoliteCrawl {
  readonly report: CrawlReport;
  readonly politeness: readonly HostPoliteness[];
  /** Pauses that hosts asked for, and how many of them were cut short. */
  readonly pauses: number;
  readonly brokenPauses: number;
}

export interface PoliteCrawlOptions {
  readonly dir: string;
  readonly topic: string;
  readonly hosts: number;
  readonly pagesPerHost: number;
  readonly delay: Ms;
  readonly concurrency: number;
}

/** Crawl them, and read from the server's log how they were treated. Needs Linux, where all of 127.0.0.0/8 is loopback. */
export async function politeCrawl(options: PoliteCrawlOptions): Promise<PoliteCrawl> {
  const { dir, topic, hosts, pagesPerHost, delay, concurrency } = options;
  const promised: Promised[] = [];
  const web = await startWebProxy(sourceOf(pagesPerHost, promised), { direct: true });
  const kindOf = (host: string) => numberOf(host) % 10;
  try {
    const seeds = Array.from({ length: hosts }, (_, i) => `http://127.0.${1 + (i >> 8)}.${i & 255}:${web.port}/0`);
    const report = await crawl({ dir, topic, seeds, delay, concurrency, tunnel: pagesPerHost, allowPrivate: true, workers: 1 });
    const politeness = politenessOf([...web.log], (host) => (kindOf(host) === CRAWL_DELAY ? Math.max(CRAWL_DELAY_MS, delay) : delay));
    const broken = promised.filter(({ host, at, until }) =>
      web.log.some((line) => line.host === host && line.start > at && line.start < until),
    );
    return { report, politeness, pauses: promised.length, brokenPauses: broken.length };
  } finally {
    await web.close();
  }
}

/** Each page links to the next of its host. */
function sourceOf(pagesPerHost: number, promised: Promised[]): PageSource {
  const asked = new Map<string, number>();
  return {
    get: (host, path) => {
      const kind = numberOf(host) % 10;
      if (path === '/robots.txt') return textAnswer(kind === CRAWL_DELAY ? `User-agent: *\nCrawl-delay: ${CRAWL_DELAY_MS / 1000}\n` : '');
      if (!/^\/\d+$/.test(path)) return notFound();
      const nth = (asked.get(host) ?? 0) + 1;
      asked.set(host, nth);
      if (nth === BUSY_AT && (kind === SECONDS || kind === DATE)) return busyAnswer(host, kind, promised);
      const next = Number(path.slice(1)) + 1;
      const link = next < pagesPerHost ? `<p><a href="/${next}">page ${next} of ${host}</a></p>` : '';
      return htmlAnswer(`<!doctype html><title>Page ${path} of ${host}</title><p>This is page ${path} of the host ${host}.</p>${link}`);
    },
  };
}

function busyAnswer(host: string, kind: number, promised: Promised[]): PageAnswer {
  const at = performance.now();
  if (kind === SECONDS) {
    promised.push({ host, at, until: at + RETRY_AFTER_MS });
    return { ...textAnswer('busy', 429), headers: { 'retry-after': String(RETRY_AFTER_MS / 1000) } };
  }
  const date = new Date(1000 * Math.ceil((Date.now() + RETRY_AFTER_MS) / 1000));
  promised.push({ host, at, until: date.getTime() - performance.timeOrigin });
  return { ...textAnswer('busy', 503), headers: { 'retry-after': date.toUTCString() } };
}

function textAnswer(text: string, status = 200): PageAnswer {
  return { status, headers: { 'content-type': 'text/plain' }, body: Buffer.from(text) };
}

/** Which host of the crawl an address is. */
function numberOf(host: string): number {
  const [, , high = 1, low = 0] = host.split(':', 1)[0]?.split('.').map(Number) ?? [];
  return 256 * (high - 1) + low;
}
