/** Two crawls side by side: the pages that both kept, and the fates of the others. */
import type { CanonicalUrl, HostKey } from '../../base/core/types.ts';
import { hostKeyOf } from '../../base/web/url.ts';
import { openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import type { CrawlLedgerLine } from './ledger-lines.ts';
import { type LedgerVisitor, walkLines } from './ledger-walk.ts';

/** Pages that one crawl kept and the other did not. */
export interface KeptByOne {
  readonly pages: number;
  /** Number of pages by their state in the other crawl: `off-topic`, `waiting: max-pages`, …; `undiscovered` if it never saw them. */
  readonly elsewhere: Readonly<Record<string, number>>;
  /** The first by discovery. */
  readonly examples: readonly { readonly url: CanonicalUrl; readonly elsewhere: string }[];
}

export interface ComparedHost {
  readonly host: HostKey;
  /** Kept pages of the host: of the first crawl, of the second, and of both. */
  readonly first: number;
  readonly second: number;
  readonly both: number;
}

export interface CrawlComparison {
  /** URLs that both kept. Copies of a page under two URLs are two. */
  readonly both: number;
  readonly onlyFirst: KeptByOne;
  readonly onlySecond: KeptByOne;
  /** Hosts with the greatest difference first, at most `MOST_HOSTS`. */
  readonly hosts: readonly ComparedHost[];
}

/** Most examples in a report: as many as a person looks at. */
const EXAMPLES = 20;
const MOST_HOSTS = 50;
/** The state of a URL that a crawl never saw, as in `findSeeds`. */
export const UNDISCOVERED = 'undiscovered';

/** Takes three walks over ledgers, one crawl open at a time, so that a crawl can be compared with itself. Memory: the kept URLs. */
export async function compareCrawls(first: string, second: string): Promise<CrawlComparison> {
  const ofFirst = await walked(first, new Map());
  const ofSecond = await walked(second, ofFirst.kept);
  const again = await walked(first, ofSecond.kept);
  return {
    both: [...ofFirst.kept.keys()].filter((url) => ofSecond.kept.has(url)).length,
    onlyFirst: keptByOne(ofFirst.kept, ofSecond),
    onlySecond: keptByOne(ofSecond.kept, again),
    hosts: hostsOf(ofFirst.kept, ofSecond.kept),
  };
}

type Kept = ReadonlyMap<CanonicalUrl, HostKey>;

interface Walked {
  readonly kept: Kept;
  /** States of the URLs that were asked about. */
  readonly states: ReadonlyMap<CanonicalUrl, string>;
}

class KeptAndAsked implements Walked, LedgerVisitor {
  readonly #asked: Kept;
  readonly kept = new Map<CanonicalUrl, HostKey>();
  readonly states = new Map<CanonicalUrl, string>();

  constructor(asked: Kept) {
    this.#asked = asked;
  }

  line({ url, state, reason }: CrawlLedgerLine): void {
    if (state === 'kept') this.kept.set(url, hostKeyOf(url));
    if (this.#asked.has(url)) this.states.set(url, reason === '' ? state : `${state}: ${reason}`);
  }
}

async function walked(dir: string, asked: Kept): Promise<Walked> {
  const crawl = openCrawl(dir);
  try {
    const states = new KeptAndAsked(asked);
    walkLines(crawl, [states]);
    return states;
  } finally {
    await crawl.close();
  }
}

function keptByOne(own: Kept, other: Walked): KeptByOne {
  const only = [...own.keys()].filter((url) => !other.kept.has(url));
  const elsewhere: Record<string, number> = {};
  const stateOf = (url: CanonicalUrl) => other.states.get(url) ?? UNDISCOVERED;
  for (const url of only) elsewhere[stateOf(url)] = (elsewhere[stateOf(url)] ?? 0) + 1;
  return { pages: only.length, elsewhere, examples: only.slice(0, EXAMPLES).map((url) => ({ url, elsewhere: stateOf(url) })) };
}

function hostsOf(first: Kept, second: Kept): ComparedHost[] {
  const counts = new Map<HostKey, { first: number; second: number; both: number }>();
  for (const [url, host] of new Map([...first, ...second])) {
    const count = counts.get(host) ?? { first: 0, second: 0, both: 0 };
    const [inFirst, inSecond] = [Number(first.has(url)), Number(second.has(url))];
    counts.set(host, { first: count.first + inFirst, second: count.second + inSecond, both: count.both + inFirst * inSecond });
  }
  const difference = ({ first: a, second: b }: ComparedHost) => Math.abs(a - b);
  return [...counts]
    .map(([host, count]) => ({ host, ...count }))
    .sort((a, b) => difference(b) - difference(a) || b.first + b.second - a.first - a.second || (a.host < b.host ? -1 : 1))
    .slice(0, MOST_HOSTS);
}
