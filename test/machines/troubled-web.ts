/** A small frozen web with each way in which a URL can end or be delayed. */
import { createHash } from 'node:crypto';
import type { FrozenLink, FrozenVisit } from '../../src/base/core/frozen-visit.ts';
import type { PageFetcher, RobotsPolicy } from '../../src/base/core/parts/fetching.ts';
import type { JudgedText } from '../../src/base/core/parts/reading.ts';
import type { Parts } from '../../src/base/core/parts.ts';
import { seededRng } from '../../src/base/core/rng.ts';
import type { CanonicalUrl, EpochMs, FailureCode, HostKey, Ms } from '../../src/base/core/types.ts';
import { hostKeyOf } from '../../src/base/web/url.ts';
import { FrozenFile } from '../../src/corpus/records/frozen-file.ts';
import { FrozenWeb } from '../../src/corpus/records/frozen-web.ts';
import { Guide } from '../../src/study/eval/guide.ts';

const PAGES = 300;
const HOSTS = 12;
/** Its requests fail at first, so that the whole host rests. */
const SHAKY = hostOf(3);
const SHAKY_FAILURES = 5;
/** Its requests always fail, until the crawl gives it up. */
const DEAD = hostOf(11);
/** Its robots.txt cannot be fetched at first. */
const UNREACHABLE = hostOf(7);
/** Its robots.txt has a Crawl-delay. */
const SLOW = hostOf(5);
const CRAWL_DELAY: Ms = 7_000;
const LINKS = 8;

export const TROUBLED_START = urlOf(0);

/** Each page links to the next one, so that all are reached, and to seven others. */
export async function troubledWeb(file: string): Promise<FrozenWeb> {
  const out = FrozenFile.create(file, { software: 'test', extractor: null });
  for (let page = 0; page < PAGES; page++) out.add(visitOf(page));
  out.finish();
  return FrozenWeb.open(file);
}

/** Three pages of five are on topic; the words of links tell most of the time. */
export function guideOf(web: FrozenWeb): Guide {
  const isOnTopic = (url: string) => pageOf(url) % 5 < 3;
  return new Guide(web, {
    id: 'moss',
    threshold: 0.5,
    judge: (page: JudgedText) => (isOnTopic('url' in page ? (page.url ?? '') : '') ? 0.9 : 0.1),
    judgeText: (text: string) => (text.includes('moss') ? 0.8 : 0.2),
  });
}

/** The parts that delay: failures that pass, and robots.txt files that must be fetched. */
export function delays({ clock, fetcher, robots }: Parts): Pick<Parts, 'fetcher' | 'robots'> {
  return { fetcher: failingAtFirst(fetcher), robots: fetchedFirst(robots, clock) };
}

function failingAtFirst({ fetch, close }: PageFetcher): PageFetcher {
  const asked = new Set<string>();
  let shaky = 0;
  const failureOf = (url: CanonicalUrl): { readonly code: FailureCode; readonly retryAfter?: Ms } | null => {
    const [host, page, isFirst] = [hostKeyOf(url), pageOf(url), !asked.has(url)];
    asked.add(url);
    if (host === DEAD) return { code: 'dns' };
    if (host === SHAKY && shaky++ < SHAKY_FAILURES) return { code: 'connect' };
    if (isFirst && page % 17 === 2) return { code: 'http-5xx' };
    if (isFirst && page % 13 === 6) return { code: 'http-429', retryAfter: 45_000 };
    return null;
  };
  return {
    fetch: async (url, signal) => {
      const outcome = await fetch(url, signal);
      const failure = failureOf(url);
      return failure === null ? outcome : { kind: 'failed', status: null, detail: '', retryAfter: null, ms: 0, ...failure };
    },
    close,
  };
}

function fetchedFirst({ verdict }: RobotsPolicy, clock: Parts['clock']): RobotsPolicy {
  const fetched = new Set<HostKey>();
  let until: EpochMs | null = null;
  return {
    verdict: (url) => {
      const host = hostKeyOf(url);
      if (!fetched.has(host)) return 'unknown';
      if (host === UNREACHABLE && until !== null) {
        if (until > clock.now()) return 'deny';
        until = null;
      }
      return verdict(url);
    },
    load: async (host, signal) => {
      await clock.sleep(100, signal);
      fetched.add(host);
      if (host === UNREACHABLE) until = clock.now() + 90_000;
      return { crawlDelay: host === SLOW ? CRAWL_DELAY : null, sitemaps: [] };
    },
    unreachable: (host) => (host === UNREACHABLE && until !== null ? { until, cause: 'timeout' } : null),
  };
}

function visitOf(page: number): FrozenVisit {
  const url = urlOf(page);
  if (page % 15 === 7) return { url, status: 301, kind: 'redirect', to: urlOf((page * 3 + 1) % PAGES) };
  if (page % 23 === 9) return { url, status: 404, kind: 'failed', code: 'http-4xx' };
  if (page % 41 === 8) return { url, status: 500, kind: 'failed', code: 'http-5xx' };
  if (page % 31 === 11) return { url, status: 200, kind: 'refused', reason: 'content-type' };
  if (page % 37 === 5) return { url, status: null, kind: 'refused', reason: 'robots' };
  const rng = seededRng(page);
  const targets = [(page + 1) % PAGES, ...Array.from({ length: LINKS - 1 }, () => Math.floor(rng() * PAGES))];
  // Some pages have the payload of the page five before, which is as much on topic.
  const payload = page % 29 === 6 ? page - 5 : page;
  const content = {
    payloadSha256: createHash('sha256').update(String(payload)).digest('hex'),
    title: `${wordOf(payload)} ${payload}`,
    text: `${wordOf(payload)} page ${payload}`,
    lang: 'en',
    noindex: page % 19 === 4,
    links: targets.map((target): FrozenLink => linkTo(target, rng() < 0.8)),
  };
  return { url, status: 200, kind: 'page', content };
}

/** @param isTold do its words say what is there? */
function linkTo(page: number, isTold: boolean): FrozenLink {
  const anchorText = isTold ? `${wordOf(page)} ${page}` : `page ${page}`;
  return { url: urlOf(page), text: { anchorText, context: '', imageAlt: '', zone: 'content', tagPath: 'ul>li>a' } };
}

function wordOf(page: number): string {
  return page % 5 < 3 ? 'moss' : 'engine';
}

function hostOf(host: number): HostKey {
  return `http://host-${host}.example` as HostKey;
}

function urlOf(page: number): CanonicalUrl {
  return `${hostOf(page % HOSTS)}/${page}` as CanonicalUrl;
}

function pageOf(url: string): number {
  return Number(url.split('/').at(-1));
}
