/** Which patterns of URLs are parked: their pages brought nothing for so long that no more of them are asked for. */
import { ownString } from '../core/own-string.ts';
import type { CanonicalUrl, Simhash } from '../core/types.ts';
import { covers, type PatternKind, patternsOf, type UrlPattern } from '../web/url-pattern.ts';
import { RecentTexts, type Resemblance } from './recent-texts.ts';
import { Recently } from './recently.ts';

/** A visited page; `order` is its place in the order of settlement. */
export interface Visited {
  readonly url: CanonicalUrl;
  readonly order: number;
}

/** What is stored of the links of a visited page. */
export interface LinkTraces {
  /** It gave new URLs. */
  readonly bred: boolean;
  /** Which patterns of the page have all new URLs it gave, also when there were none: bit i is for `patternsOf(url)[i]`. */
  readonly within: number;
}

export interface Outcome extends LinkTraces {
  /** Off topic too are requests that gave no page. */
  readonly onTopic: boolean;
  /** Known to be a copy of a kept page, otherwise than by its text. */
  readonly copy: boolean;
  /** null where there is no text. */
  readonly simhash: Simhash | null;
}

/** How the pages of a pattern came out. `off`, `alike` and `inbred` are since the last one that was news, or led to some. */
interface Yield {
  seen: number;
  news: number;
  /** When the last was, in the order of settlement. */
  since: number;
  /** Off topic, or copies. */
  off: number;
  /** Of those: near-duplicates, leading nowhere new outside the pattern. */
  alike: number;
  /** Of those: all new URLs they gave are of the pattern itself; since the last that gave others. */
  inbred: number;
  /** The same as the page of their path was under other parameters, since the last that was not. */
  idle: number;
  /** Hosts met. */
  hosts: number;
}

interface Parked {
  readonly evidence: Evidence;
  readonly kind: PatternKind;
  readonly reason: string;
}

/** In the order they are asked: the first that is enough is the reason. */
const EVIDENCE = ['idle', 'alike', 'inbred', 'off'] as const;
type Evidence = (typeof EVIDENCE)[number];

const NEVER = Number.POSITIVE_INFINITY;
/**
 * Pages after which a pattern is parked. The first three tell traps, and are so chosen that one has its end before 40 requests and that
 * nothing else has: see test/crawl/traps.test.ts. Parameters that change nothing (session ids, sorting) show in fewer pages than a trap
 * has texts: 8. A page that repeats another and leads nowhere new is worth nothing however many follow: 16, the field notes' number for
 * shapes. A page with no other fault than being off topic and leading to more of its kind only: 24. Directories and hosts hold many sorts
 * of pages, so they take three times as many, and what is said of a domain is said of hosts that may be other people's.
 * Being off topic alone says nothing of why: 200, the notes' number for hosts, and more where the whole crawl finds little (`#patience`).
 */
const LIMITS: Readonly<Record<PatternKind, Readonly<Record<Evidence, number>>>> = {
  shape: { idle: 8, alike: 16, inbred: 24, off: 200 },
  path: { idle: 8, alike: 16, inbred: 24, off: 200 },
  directory: { idle: NEVER, alike: 48, inbred: 72, off: 200 },
  host: { idle: NEVER, alike: 48, inbred: 200, off: 200 },
  domain: { idle: NEVER, alike: 48, inbred: NEVER, off: NEVER },
};
/**
 * A pattern with this many misses in a row for each hit of the whole crawl has less than a tenth of its yield, with 95 % certainty: none of
 * n says at most 3/n (the rule of three).
 */
const MISSES_FOR_A_HIT = 30;
/** Hosts of a domain before it can be a farm: fewer are a site with a few names. */
const FARM_HOSTS = 16;
/** Patterns whose yields are remembered; those met the longest ago give way. Some 20 MB, the pages of the last ten thousand visits. */
const PATTERNS = 65_536;

/** URLs whose patterns are remembered: some 4 MB. */
const KNOWN_URLS = 4096;

export class Parking {
  readonly #yields = new Recently<Yield>(PATTERNS);
  readonly #texts = new RecentTexts();
  /** Of the pages asked for last, and of those on the way to them. */
  readonly #patterns = new Recently<readonly UrlPattern[]>(KNOWN_URLS);
  /** Pages of the whole crawl. */
  #seen = 0;
  #news = 0;
  /** By name of the pattern. At most one for each `LIMITS.shape.idle` pages. */
  readonly #parked = new Map<string, Parked>();

  /** A URL was visited. @param way the pages it was reached through, asked for where it matters. @returns whether a parked pattern was let go. */
  note(page: Visited, outcome: Outcome, way: () => readonly Visited[]): boolean {
    const like = this.#texts.compare(page.url, outcome.simhash);
    this.#seen += 1;
    if (outcome.onTopic && !outcome.copy && !like.near) return this.#good(page, like, way());
    this.#poor(page, outcome, like);
    return false;
  }

  /** Why a URL is not asked; null where it may be. @param trusted an on-topic page links to it: then only copies by one rule are a reason. */
  reasonFor(url: CanonicalUrl, trusted: boolean): string | null {
    if (this.#parked.size === 0) return null;
    for (const { name } of this.#patternsOf(url)) {
      const parked = this.#parked.get(name);
      if (parked && this.#holds(parked, url, trusted)) return parked.reason;
    }
    return null;
  }

  /** Does that a pattern is parked hold for this URL of it? Of pages with idle parameters each is asked for once. */
  #holds({ evidence, kind }: Parked, url: CanonicalUrl, trusted: boolean): boolean {
    if (evidence === 'idle') return this.#texts.knows(url);
    return !trusted || (evidence === 'alike' && isNarrow(kind));
  }

  /** Count a parked pattern anew from here, and with it all it has and all that have it. @param name of a pattern, or `all`. @returns the patterns let go. */
  unpark(name: string): string[] {
    const letGo = [...this.#parked.keys()].filter((other) => name === 'all' || covers(name, other));
    if (letGo.length === 0) return [];
    const isMeant = (other: string) => name === 'all' || covers(name, other) || covers(other, name);
    for (const other of [...this.#parked.keys()].filter(isMeant)) this.#parked.delete(other);
    for (const [other, counted] of this.#yields.entries()) if (isMeant(other)) Object.assign(counted, { ...NOTHING, idle: 0 });
    return letGo;
  }

  /**
   * A page is news. What its patterns and those of the pages on the way to it had against them is forgotten; but a page on the way counts
   * once only: where it was settled before the pattern's last news, it is the pages since then that have to show something. A pattern of
   * copies is let go only for news of its own, and one of idle parameters only for a page that they did change.
   */
  #good(page: Visited, like: Resemblance, way: readonly Visited[]): boolean {
    this.#news += 1;
    const own = new Set(this.#patternsOf(page.url).map(({ name }) => name));
    let letGo = false;
    for (const [name, order] of this.#latest([...way, page])) {
      const counted = this.#yields.use(name, noYield);
      if (order <= counted.since) continue;
      const idle = own.has(name) && like.ofPath === 'other' ? 0 : counted.idle;
      Object.assign(counted, { ...NOTHING, seen: counted.seen + 1, news: counted.news + 1, since: page.order, idle });
      const evidence = this.#parked.get(name)?.evidence;
      const stays = (evidence === 'alike' && !own.has(name)) || (evidence === 'idle' && idle > 0);
      if (evidence !== undefined && !stays) letGo = this.#parked.delete(name);
    }
    return letGo;
  }

  #poor({ url }: Visited, outcome: Outcome, like: Resemblance): void {
    const patterns = this.#patternsOf(url);
    const isNewHost = !this.#yields.has(patterns.at(-2)?.name ?? '');
    // A copy of an on-topic page speaks against the rule that made its URL, and for the rest of its site.
    const concerned = patterns.filter(({ kind }) => !outcome.onTopic || isNarrow(kind));
    for (const [i, { name }] of concerned.entries()) {
      const counted = this.#yields.use(name, noYield);
      if (isNewHost) counted.hosts += 1;
      countPoor(counted, outcome, like, ((outcome.within >> i) & 1) === 0);
    }
    // The narrowest pattern that has what it takes; a wider one is told by what comes from elsewhere in it.
    concerned.find((pattern) => this.#park(pattern));
  }

  #patternsOf(url: CanonicalUrl): readonly UrlPattern[] {
    // Names are cut from the URL, and that perhaps from a record.
    return this.#patterns.use(url, () => patternsOf(ownString(url)));
  }

  /** Each pattern of some pages, with the latest of its pages. */
  #latest(pages: readonly Visited[]): Map<string, number> {
    const orders = new Map<string, number>();
    for (const { url, order } of pages)
      for (const { name } of this.#patternsOf(url)) orders.set(name, Math.max(order, orders.get(name) ?? 0));
    return orders;
  }

  /** Off-topic pages in a row that any pattern may have: a crawl that finds one page in a hundred waits 3,000 for it. */
  #patience(): number {
    return (MISSES_FOR_A_HIT * this.#seen) / this.#news;
  }

  /** @returns whether the pattern is parked for that, now and not before. */
  #park({ kind, name }: UrlPattern): boolean {
    const counted = this.#yields.use(name, noYield);
    const before = this.#parked.get(name)?.evidence ?? null;
    if ((before !== null && before !== 'idle') || (kind === 'domain' && counted.hosts < FARM_HOSTS)) return false;
    const limitOf = (one: Evidence) => (one === 'off' ? Math.max(LIMITS[kind].off, this.#patience()) : LIMITS[kind][one]);
    const evidence = EVIDENCE.find((one) => one !== before && isEnough(counted, one, limitOf(one), kind));
    if (evidence === undefined) return false;
    this.#parked.set(name, { evidence, kind, reason: `pattern ${name}: ${textOf(evidence, counted)}` });
    return true;
  }
}

function countPoor(counted: Yield, { copy, bred }: Outcome, { near, ofPath }: Resemblance, leadsOut: boolean): void {
  counted.seen += 1;
  counted.off += 1;
  if ((near || copy) && !leadsOut) counted.alike += 1;
  if (leadsOut) counted.inbred = 0;
  else if (bred) counted.inbred += 1;
  if (ofPath !== null) counted.idle = ofPath === 'same' && !leadsOut ? counted.idle + 1 : 0;
}

function noYield(): Yield {
  return { seen: 0, news: 0, since: 0, ...NOTHING, idle: 0, hosts: 0 };
}

const NOTHING = { off: 0, alike: 0, inbred: 0 };

function isEnough(counted: Yield, evidence: Evidence, limit: number, kind: PatternKind): boolean {
  if (counted[evidence] < limit) return false;
  // Among many others a few copies say nothing.
  if (evidence === 'alike' && 2 * counted.alike < counted.off) return false;
  // Copies that one rule makes it will go on making, whatever else came of it.
  if (isNarrow(kind) && (evidence === 'idle' || evidence === 'alike')) return true;
  // What was good before may be poor for longer: its yield, one more good page taken for granted, has to be under 1 in `limit`.
  return counted.seen >= limit * (1 + counted.news);
}

/** All its URLs are made by one rule of the site. */
function isNarrow(kind: PatternKind): boolean {
  return kind === 'shape' || kind === 'path';
}

function textOf(evidence: Evidence, { off, alike, inbred, idle }: Yield): string {
  if (evidence === 'idle') return `${idle} pages in a row that other parameters had not changed, so each path is asked for once`;
  if (evidence === 'alike') return `${alike} near-duplicate pages of ${off} in a row without news`;
  if (evidence === 'inbred') return `${inbred} off-topic pages that lead only to more of them, of ${off} in a row`;
  return `${off} off-topic pages in a row`;
}
