/** Derives parked patterns from settled URLs. All its state follows from data that the frontier stores, in order of settlement. */
import { ownString } from '../../base/core/own-string.ts';
import { isReadRefusal, isWall, wordOf } from '../../base/core/reason.ts';
import type { CanonicalUrl, Fate, FrontierEntry, HostKey } from '../../base/core/types.ts';
import { covers, matches, type UrlPattern } from '../../base/web/url-pattern.ts';
import type { Checkpointed, Columns } from './checkpoint.ts';
import { FileEndings, type SavedEndings } from './file-endings.ts';
import { LruMap } from './lru-map.ts';
import { type LinkTraces, Parking, type SavedParking, type Visited } from './parking.ts';
import type { StoredFate, Unparking } from './store.ts';

/** Number of pages on the way to an on-topic page that get credit for it: as many off-topic pages as a crawl passes through by default (`--tunnel`). */
const WAY = 4;

/** Number of settled URLs whose place on the way is remembered, those used last: some 5 MB. The others are read from the store. */
const REMEMBERED = 16_384;

/** New URLs of a page that are checked against its patterns: a page that leads elsewhere shows it with the first ones. */
const TRACED_LINKS = 64;

export class TrapGuard implements Checkpointed {
  #parking = new Parking();
  #endings = new FileEndings();
  readonly #find: FindSettled;
  /** The place of settled URLs: when they were settled, and the page on which they were found. */
  #places = new LruMap<Place>(REMEMBERED);

  constructor(find: FindSettled) {
    this.#find = find;
  }

  /** A URL was settled. @returns whether this released a parked pattern */
  settled(entry: FoundUrl, { fate, order, traces }: Pick<StoredFate, 'fate' | 'order' | 'traces'>): boolean {
    const url = this.#parking.ownUrl(entry.url);
    this.#remember(url, entry.edge, order);
    const released = this.#endings.note(url, fate);
    const onTopic = isWanted(fate);
    if (!onTopic && !isDud(fate)) return released;
    const outcome = {
      onTopic,
      copy: fate.state === 'duplicate',
      gone: fate.reason === 'http-4xx',
      simhash: fate.simhash ?? null,
      ...(traces ?? NO_TRACES),
    };
    return this.#parking.note({ url, order }, outcome, () => this.#wayTo(entry, order)) || released;
  }

  /**
   * The data stored about the links of a page; null for anything other than a page.
   * @param fresh the URLs that the page discovered. At most a third of a millisecond.
   */
  tracesOf(url: CanonicalUrl, fate: Fate, fresh: readonly CanonicalUrl[]): LinkTraces | null {
    return fate.relevance === null ? null : tracesIn(this.#parking.patternsOf(url), fresh);
  }

  /** Reason not to request a waiting URL; null if it may be requested. Seeds always may. */
  reasonFor({ url, edge, offTopicDepth }: FrontierEntry): string | null {
    if (edge === null) return null;
    const referrer = () => this.#visited(edge.referrer.url);
    return this.#parking.reasonFor(url, offTopicDepth === 0, referrer) ?? this.#endings.reasonFor(url);
  }

  /** @returns a test: may a pattern be parked that has URLs of this host? */
  parkedHosts(): (host: HostKey) => boolean {
    const names = [...this.#parking.parkedNames(), ...this.#endings.parkedNames()];
    const hosts = new Set(names.map((name) => name.slice(0, hostEndIn(name))));
    const domains = names.filter((name) => name.startsWith('*.'));
    // A long name may end within its host.
    const starts = names.filter((name) => hostEndIn(name) === name.length);
    return (host) => hosts.has(host) || domains.some((name) => covers(name, host)) || starts.some((name) => host.startsWith(name));
  }

  /** @param pattern its name, or `all` @returns the released patterns */
  unpark(pattern: string): readonly string[] {
    return [...this.#parking.unpark(pattern), ...this.#endings.unpark(pattern)];
  }

  /** Forgets everything, and derives it from all settled URLs and the releases in between, in their order. */
  startAgain(settled: Iterable<{ readonly entry: FoundUrl; readonly stored: StoredFate }>, unparkings: readonly Unparking[]): void {
    [this.#parking, this.#endings, this.#places] = [new Parking(), new FileEndings(), new LruMap<Place>(REMEMBERED)];
    const waiting = [...unparkings];
    const unparkBefore = (order: number) => {
      while (waiting[0] !== undefined && waiting[0].settled < order) this.unpark(waiting.shift()?.pattern ?? '');
    };
    for (const { entry, stored } of settled) {
      unparkBefore(stored.order);
      this.settled(entry, stored);
    }
    unparkBefore(Number.POSITIVE_INFINITY);
  }

  /** The state as bytes. The remembered places are read from the store again. */
  columns(): Columns {
    return { parking: [Buffer.from(JSON.stringify(this.#parking.saved()))], endings: [Buffer.from(JSON.stringify(this.#endings.saved()))] };
  }

  restore({ parking: savedParking, endings: savedEndings }: Columns): boolean {
    const [[parking] = [], [endings] = []] = [savedParking, savedEndings];
    if (parking === undefined || endings === undefined) return false;
    this.#parking.restore(JSON.parse(Buffer.from(parking).toString('utf8')) as SavedParking);
    this.#endings.restore(JSON.parse(Buffer.from(endings).toString('utf8')) as SavedEndings);
    return true;
  }

  /** A page that a later model reopened is on no way: it may have been settled again since. */
  #wayTo({ edge }: FoundUrl, order: number): Visited[] {
    const way: Visited[] = [];
    for (let url = edge?.referrer.url ?? null; url !== null && way.length < WAY; ) {
      const place: Place | null = this.#placeOf(url);
      if (place === null || place.order >= order) break;
      way.push({ url, order: place.order });
      url = place.referrer;
    }
    return way;
  }

  #visited(url: CanonicalUrl): Visited | null {
    const place = this.#placeOf(url);
    return place && { url, order: place.order };
  }

  #placeOf(url: CanonicalUrl): Place | null {
    const known = this.#places.get(url);
    if (known) return known;
    const found = this.#find(url);
    if (found === null) return null;
    return this.#remember(ownString(url), found.entry.edge, found.order);
  }

  /** @param url has its own memory */
  #remember(url: CanonicalUrl, edge: FoundUrl['edge'], order: number): Place {
    const referrer = edge && (this.#places.ownKey(edge.referrer.url) ?? ownString(edge.referrer.url));
    const place = { order, referrer };
    this.#places.set(url, place, true);
    return place;
  }
}

/** The end of the host in the name of a pattern of one host. */
function hostEndIn(name: string): number {
  const at = name.indexOf('/', 8);
  return at < 0 ? name.length : at;
}

/** The place of a settled URL: in the order of settlement, and on the way to others. */
interface Place {
  readonly order: number;
  /** null for a seed. */
  readonly referrer: CanonicalUrl | null;
}

/** A URL and the page on which it was found; null for a seed. */
export interface FoundUrl {
  readonly url: CanonicalUrl;
  readonly edge: { readonly referrer: { readonly url: CanonicalUrl } } | null;
}

/** A settled URL; null for any other. */
export type FindSettled = (url: CanonicalUrl) => { readonly entry: FoundUrl; readonly order: number } | null;

function tracesIn(patterns: readonly UrlPattern[], fresh: readonly CanonicalUrl[]): LinkTraces {
  const some = fresh.slice(0, TRACED_LINKS);
  let within = 0;
  let held = false;
  for (const [i, pattern] of patterns.entries()) {
    const holds: boolean = held || some.every((one) => matches(pattern, one));
    if (holds) within |= 1 << i;
    // Of directories, host and domain, each contains the one before.
    held = holds && pattern.kind !== 'shape' && pattern.kind !== 'path';
  }
  return { ledToNew: fresh.length > 0, within };
}

const NO_TRACES: LinkTraces = { ledToNew: false, within: 0 };

/** A page that the crawl is looking for: kept, or not kept because it is a copy or asks not to be stored. */
function isWanted({ state, reason }: Fate): boolean {
  return state === 'kept' || state === 'duplicate' || (state === 'refused' && isReadRefusal(reason));
}

/** A request in vain: off topic, no page, a wall in its place, or an unreadable page. Temporary failures say nothing. */
function isDud({ state, reason, visited }: Fate): boolean {
  return state === 'off-topic' || (visited && (reason === 'http-4xx' || wordOf(reason) === 'content-type' || isWall(reason)));
}
