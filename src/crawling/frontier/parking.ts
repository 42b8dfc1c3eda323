/** Parked patterns of URLs: their pages brought nothing for so long that the crawl requests no more of them. */
import type { CanonicalUrl, Simhash } from '../../base/core/types.ts';
import { covers, type PatternKind, type UrlPattern } from '../../base/web/url-pattern.ts';
import { KnownPatterns } from './known-patterns.ts';
import { LruMap } from './lru-map.ts';
import { RecentTexts, type Resemblance, type SavedTexts } from './recent-texts.ts';

/** A visited page; `order` is its place in the order of settlement. */
export interface Visited {
  readonly url: CanonicalUrl;
  readonly order: number;
}

/** The stored facts about the links of a visited page. */
export interface LinkTraces {
  /** True if the page led to new URLs. */
  readonly ledToNew: boolean;
  /** Patterns of the page that match all its new URLs, or all patterns if it had none: bit i is for `patternsOf(url)[i]`. */
  readonly within: number;
}

export interface Outcome extends LinkTraces {
  /** Requests that returned no page also count as off topic. */
  readonly onTopic: boolean;
  /** True if the host reports that it has no such page (4xx). */
  readonly gone: boolean;
  /** Known to be a copy of a kept page, by other evidence than its text. */
  readonly copy: boolean;
  /** null without text. */
  readonly simhash: Simhash | null;
}

/** The outcomes of a pattern's pages. `off`, `similar` and `insular` count since the last page that was news or led to news. */
interface Yield {
  seen: number;
  news: number;
  /** Time at which the last news was settled, in the order of settlement. */
  since: number;
  /** Off-topic pages and copies. */
  off: number;
  /** Near-duplicates among those that led to nothing new outside the pattern. */
  similar: number;
  /** Pages among those whose new URLs all match the pattern, since the last page with other new URLs. */
  insular: number;
  /** Pages that were the same as the page of their path with other parameters, since the last that differed. */
  idle: number;
  /** Number of hosts seen. */
  hosts: number;
  /** Missing pages in a row. */
  gone: number;
  /** Copies and near-duplicates in a row, on topic or not, regardless of their links. */
  copies: number;
  /** The first of these, in the order of settlement. */
  copiesFrom: number;
}

interface Parked {
  readonly evidence: Evidence;
  readonly kind: PatternKind;
  /** The first of the copies, in the order of settlement. */
  readonly from: number;
  readonly reason: string;
}

/** The whole state as JSON holds it. Patterns of URLs are made again. */
export interface SavedParking {
  readonly yields: readonly (readonly [pattern: string, counted: Yield])[];
  readonly texts: SavedTexts;
  readonly seen: number;
  readonly news: number;
  readonly parked: readonly (readonly [pattern: string, parked: Parked])[];
}

/** Kinds of evidence, in the order of the checks: the first sufficient one is the reason. */
const EVIDENCE = ['idle', 'similar', 'copies', 'gone', 'insular', 'off'] as const;
type Evidence = (typeof EVIDENCE)[number];

const NEVER = Number.POSITIVE_INFINITY;
/**
 * Pages after which a pattern is parked. The first three columns detect traps. Their values are chosen so that every trap ends before 40 requests and
 * nothing else is parked: see test/crawling/crawl/traps.test.ts. Parameters without effect (session ids, sorting) show in fewer pages than a trap has texts:
 * 8. A page that repeats another and leads nowhere new is worthless, no matter how many follow: 16, the field notes' number for shapes. A page whose
 * only faults are being off topic and leading only to pages of its kind: 24. Directories and hosts contain many kinds of pages, so they take three
 * times as many, also of copies in a row, which are a trap even if they are on topic,
 * and of dead links in a row: with 95 % certainty, fewer than one in sixteen of the others is alive. A verdict on a domain affects hosts that may belong to other people. Being off topic alone explains nothing: 200, the notes' number
 * for hosts, and more if the whole crawl finds little (`#patience`).
 */
const LIMITS: Readonly<Record<PatternKind, Readonly<Record<Evidence, number>>>> = {
  shape: { idle: 8, similar: 16, copies: NEVER, gone: 24, insular: 24, off: 200 },
  path: { idle: 8, similar: 16, copies: NEVER, gone: 24, insular: 24, off: 200 },
  directory: { idle: NEVER, similar: 48, copies: 48, gone: 48, insular: 72, off: 200 },
  host: { idle: NEVER, similar: 48, copies: 48, gone: 48, insular: 200, off: 200 },
  domain: { idle: NEVER, similar: 48, copies: 48, gone: NEVER, insular: NEVER, off: NEVER },
};
/** No pattern is parked by fewer pages. */
const LEAST_LIMIT = Math.min(...Object.values(LIMITS).flatMap((limits) => Object.values(limits)));
/**
 * A pattern with this many misses in a row per hit of the whole crawl has, with 95 % certainty, less than a tenth of the crawl's yield: none of n
 * means at most 3/n (the rule of three).
 */
const MISSES_FOR_A_HIT = 30;
/** Hosts of a domain from which it can be a farm: fewer are a site with several names. */
const FARM_HOSTS = 16;
/** Patterns whose yields are remembered; those used longest ago are dropped. Some 20 MB, the pages of the last ten thousand visits. */
const PATTERNS = 65_536;

export class Parking {
  readonly #yields = new LruMap<Yield>(PATTERNS);
  readonly #texts = new RecentTexts();
  readonly #patterns = new KnownPatterns();
  /** The result of `#latest`, used again. */
  readonly #orders = new Map<string, number>();
  /** Counts for the whole crawl. */
  #seen = 0;
  #news = 0;
  /** Parked patterns by name. At most one for each `LIMITS.shape.idle` pages. */
  readonly #parked = new Map<string, Parked>();

  /** A URL was visited. @param page its URL has its own memory @param way the pages through which the crawl reached it; called only if needed @returns whether this released a parked pattern */
  note(page: Visited, outcome: Outcome, way: () => readonly Visited[]): boolean {
    const domain = this.patternsOf(page.url).at(-1)?.name ?? '';
    const like = this.#texts.compare(page.url, domain, outcome.simhash);
    this.#seen += 1;
    if (outcome.onTopic && !outcome.copy && !like.near) return this.#good(page, like, way());
    this.#poor(page, outcome, like);
    return false;
  }

  saved(): SavedParking {
    return {
      yields: [...this.#yields.entries()],
      texts: this.#texts.saved(),
      seen: this.#seen,
      news: this.#news,
      parked: [...this.#parked],
    };
  }

  /** Takes the state of another one in place of its own first state. */
  restore({ yields, texts, seen, news, parked }: SavedParking): void {
    this.#yields.restore(yields);
    this.#texts.restore(texts);
    this.#seen = seen;
    this.#news = news;
    for (const [name, one] of parked) this.#parked.set(name, one);
  }

  /**
   * Reason not to request a URL; null if it may be requested.
   * @param trusted an on-topic page links to it: then only copies are a reason
   * @param referrer the page on which it was found; called only if needed
   */
  reasonFor(url: CanonicalUrl, trusted: boolean, referrer: () => Visited | null): string | null {
    if (this.#parked.size === 0) return null;
    for (const { name } of this.patternsOf(url)) {
      const parked = this.#parked.get(name);
      if (parked && this.#holds(name, parked, url, trusted, referrer)) return parked.reason;
    }
    return null;
  }

  /** Does a parked pattern apply to this URL? Of pages with idle parameters, each is requested once. Of copies, only links on them are a reason. */
  #holds(name: string, { evidence, kind, from }: Parked, url: CanonicalUrl, trusted: boolean, referrer: () => Visited | null): boolean {
    if (evidence === 'idle') return this.#texts.knows(url);
    if (evidence === 'gone') return true;
    if (evidence === 'copies') return this.#isCopyOf(name, from, referrer());
    return !trusted || (evidence === 'similar' && isNarrow(kind));
  }

  /** All pages of the pattern since `from` are copies. */
  #isCopyOf(pattern: string, from: number, page: Visited | null): boolean {
    return page !== null && page.order >= from && this.patternsOf(page.url).some(({ name }) => name === pattern);
  }

  /**
   * Counts a parked pattern again from zero, with the patterns it covers and those that cover it.
   * @param name of a pattern, or `all`
   * @returns the released patterns
   */
  unpark(name: string): string[] {
    const released = [...this.#parked.keys()].filter((other) => name === 'all' || covers(name, other));
    if (released.length === 0) return [];
    const isMeant = (other: string) => name === 'all' || covers(name, other) || covers(other, name);
    for (const other of [...this.#parked.keys()].filter(isMeant)) this.#parked.delete(other);
    for (const [other, counted] of this.#yields.entries())
      if (isMeant(other)) Object.assign(counted, { ...NOTHING, idle: 0, copies: 0, gone: 0 });
    return released;
  }

  /**
   * A page is news. It clears the counts of its own patterns and of those of the pages on the way to it. But a page on the way counts only once: if
   * it was settled before the pattern's last news, the pages since then must show something. News of its own is needed to release a pattern of
   * copies. Only a page that its parameters changed releases one of idle parameters.
   */
  #good(page: Visited, like: Resemblance, way: readonly Visited[]): boolean {
    this.#news += 1;
    let released = false;
    for (const [name, order] of this.#latest(way, page)) {
      const counted = this.#yields.use(name, noYield);
      if (order <= counted.since) continue;
      // Pages on the way were settled before.
      const isOwn = order === page.order;
      countNews(counted, page.order, isOwn && like.ofPath === 'other');
      const evidence = this.#parked.size === 0 ? undefined : this.#parked.get(name)?.evidence;
      const stays = (evidence === 'similar' && !isOwn) || (evidence === 'idle' && counted.idle > 0);
      if (evidence !== undefined && !stays) released = this.#parked.delete(name);
    }
    return released;
  }

  #poor({ url, order }: Visited, outcome: Outcome, like: Resemblance): void {
    const patterns = this.patternsOf(url);
    const isNewHost = !this.#yields.has(patterns.at(-2)?.name ?? '');
    const yields: Yield[] = [];
    for (const [i, { kind, name }] of patterns.entries()) {
      const counted = this.#yields.use(name, noYield);
      yields.push(counted);
      if (isNewHost) counted.hosts += 1;
      // A copy of an on-topic page is evidence against the rule that made its URL, but not against the rest of its site.
      if (!outcome.onTopic || isNarrow(kind)) countPoor(counted, outcome, like, ((outcome.within >> i) & 1) === 0);
      counted.gone = outcome.gone ? counted.gone + 1 : 0;
      countCopies(counted, order, outcome, like);
    }
    // Parks the narrowest pattern with enough evidence; a wider one needs pages from elsewhere in it.
    const at = patterns.findIndex((pattern, i) => this.#park(pattern, yields[i] as Yield));
    if (at < 0) return;
    const { copies, gone } = yields[at] as Yield;
    for (const wider of yields.slice(at + 1)) {
      wider.copies = Math.max(0, wider.copies - copies);
      wider.gone = Math.max(0, wider.gone - gone);
    }
  }

  parkedNames(): Iterable<string> {
    return this.#parked.keys();
  }

  /** A copy of a URL in its own memory: that of a page that was just requested is there already. */
  ownUrl(url: CanonicalUrl): CanonicalUrl {
    return this.#patterns.ownUrl(url);
  }

  /** The patterns of a URL, narrowest first. */
  patternsOf(url: CanonicalUrl): readonly UrlPattern[] {
    return this.#patterns.of(url);
  }

  /** Each pattern of a page and of those on the way to it, with the place of its latest page. Valid until the next call. */
  #latest(way: readonly Visited[], page: Visited): ReadonlyMap<string, number> {
    this.#orders.clear();
    for (const visited of way) this.#addOrders(visited);
    this.#addOrders(page);
    return this.#orders;
  }

  #addOrders({ url, order }: Visited): void {
    for (const { name } of this.patternsOf(url)) this.#orders.set(name, Math.max(order, this.#orders.get(name) ?? 0));
  }

  /** Off-topic pages in a row that any pattern may have: a crawl that finds one page in a hundred allows 3,000. */
  #patience(): number {
    return (MISSES_FOR_A_HIT * this.#seen) / this.#news;
  }

  /** @returns whether the pattern is parked for that now, and was not before */
  #park({ kind, name }: UrlPattern, counted: Yield): boolean {
    if (!isAnyAbove(counted, LEAST_LIMIT)) return false;
    const before = this.#parked.get(name)?.evidence ?? null;
    if ((before !== null && before !== 'idle' && before !== 'copies') || (kind === 'domain' && counted.hosts < FARM_HOSTS)) return false;
    const limitOf = (one: Evidence) => (one === 'off' ? Math.max(LIMITS[kind].off, this.#patience()) : LIMITS[kind][one]);
    const evidence = EVIDENCE.find((one) => one !== before && isEnough(counted, one, limitOf(one), kind));
    if (evidence === undefined) return false;
    this.#parked.set(name, { evidence, kind, from: counted.copiesFrom, reason: `pattern ${name}: ${textOf(evidence, counted)}` });
    return true;
  }
}

function countNews(counted: Yield, order: number, isOther: boolean): void {
  counted.seen += 1;
  counted.news += 1;
  counted.since = order;
  counted.off = 0;
  counted.similar = 0;
  counted.insular = 0;
  counted.copies = 0;
  counted.gone = 0;
  if (isOther) counted.idle = 0;
}

/** A page without text and new links, such as one that is gone, is no copy and ends no row of them. */
function countCopies(counted: Yield, order: number, { copy, simhash, ledToNew }: Outcome, { near }: Resemblance): void {
  if (copy || near) {
    if (counted.copies === 0) counted.copiesFrom = order;
    counted.copies += 1;
  } else if (simhash !== null || ledToNew) counted.copies = 0;
}

function countPoor(counted: Yield, { copy, ledToNew }: Outcome, { near, ofPath }: Resemblance, leadsOut: boolean): void {
  counted.seen += 1;
  counted.off += 1;
  if ((near || copy) && !leadsOut) counted.similar += 1;
  if (leadsOut) counted.insular = 0;
  else if (ledToNew) counted.insular += 1;
  if (ofPath !== null) counted.idle = ofPath === 'same' && !leadsOut ? counted.idle + 1 : 0;
}

function noYield(): Yield {
  return { seen: 0, news: 0, since: 0, ...NOTHING, idle: 0, hosts: 0, gone: 0, copies: 0, copiesFrom: 0 };
}

const NOTHING = { off: 0, similar: 0, insular: 0 };

function isAnyAbove({ idle, similar, copies, gone, insular, off }: Yield, least: number): boolean {
  return idle >= least || similar >= least || copies >= least || gone >= least || insular >= least || off >= least;
}

function isEnough(counted: Yield, evidence: Evidence, limit: number, kind: PatternKind): boolean {
  if (counted[evidence] < limit) return false;
  if (evidence === 'copies' || evidence === 'gone') return true;
  // A few copies among many other pages say nothing.
  if (evidence === 'similar' && 2 * counted.similar < counted.off) return false;
  // One rule that makes copies will continue to make them, regardless of its other pages.
  if (isNarrow(kind) && (evidence === 'idle' || evidence === 'similar')) return true;
  // A pattern that was good may be poor for longer: its yield, with one more good page assumed, must be below 1 in `limit`.
  return counted.seen >= limit * (1 + counted.news);
}

/** One rule of the site makes all its URLs. */
function isNarrow(kind: PatternKind): boolean {
  return kind === 'shape' || kind === 'path';
}

function textOf(evidence: Evidence, { off, similar, insular, idle, copies, gone }: Yield): string {
  if (evidence === 'gone') return `${gone} dead links in a row`;
  if (evidence === 'copies') return `${copies} copies in a row, so the links on them are not followed`;
  if (evidence === 'idle') return `${idle} pages in a row that other parameters had not changed, so each path is asked for once`;
  if (evidence === 'similar') return `${similar} near-duplicate pages of ${off} in a row without news`;
  if (evidence === 'insular') return `${insular} off-topic pages that lead only to more of them, of ${off} in a row`;
  return `${off} off-topic pages in a row`;
}
