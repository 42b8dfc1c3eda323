import type { CanonicalUrl, DiscoveredLink, Discovery, EpochMs, RefusalReason } from '../../base/core/types.ts';
import type { ForeignLinks } from './foreign-links.ts';
import type { HostTable } from './hosts.ts';
import { type LinkEnds, linkEndsOf } from './packed-discovery.ts';
import type { PoliteQueue } from './polite-queue.ts';
import { StatedAlternates } from './stated-alternates.ts';
import type { FrontierStore, LinkPriorities, StoredDiscovery } from './store.ts';
import type { Slot, UrlTable } from './url-table.ts';
import type { WaitingCounts } from './waiting.ts';

/** Refusals that another sighting can lift: they concern the way to the URL, not the URL. */
const OF_THE_WAY: ReadonlySet<RefusalReason | null> = new Set(['max-depth', 'tunnel', 'next-round']);

/** Can another sighting lift this refusal? */
export function isOfTheWay(refusal: RefusalReason | null): boolean {
  return OF_THE_WAY.has(refusal);
}

/** Can a sighting without a refusal lift this one? So can it where a host turned out to have pages under names of files. */
function isLiftable(refusal: RefusalReason | null): boolean {
  return isOfTheWay(refusal) || refusal === 'content-type';
}

/**
 * Most links that are stored as one discovery, since leases decode whole discoveries: half the number of links that the store keeps decoded. A page
 * has at most 5,000 links, and few of them are new.
 */
export const MOST_LINKS_STORED = 4096;

/** The effect of a sighting. `edge`: a new edge and priority, because the URL is new or the sighting is better. `way`: only new depths. `none`: nothing. */
type Change = 'edge' | 'way' | 'none';

/** Processes links as they are found: which URLs they discover, and how they change waiting URLs. */
export class Sightings {
  readonly #urls: UrlTable;
  readonly #hosts: HostTable;
  readonly #waiting: WaitingCounts;
  readonly #queue: PoliteQueue;
  readonly #store: FrontierStore;
  readonly #foreign: ForeignLinks | null;
  readonly stated: StatedAlternates;
  /** Number of stored discoveries, and the number of the next one. */
  discoveries = 0;

  /** @param foreign receives links to hosts of other workers; null if this frontier has all hosts */
  constructor(
    urls: UrlTable,
    hosts: HostTable,
    waiting: WaitingCounts,
    queue: PoliteQueue,
    store: FrontierStore,
    foreign: ForeignLinks | null = null,
  ) {
    this.#urls = urls;
    this.#hosts = hosts;
    this.#waiting = waiting;
    this.#queue = queue;
    this.#store = store;
    this.#foreign = foreign;
    this.stated = new StatedAlternates(store);
  }

  /** @returns the URLs that were unknown and that no rule of the user excludes. */
  add(discovery: Discovery, now: EpochMs): CanonicalUrl[] {
    const fresh: CanonicalUrl[] = [];
    for (let at = 0; at < discovery.links.length; at += MOST_LINKS_STORED)
      this.#addPiece({ ...discovery, links: discovery.links.slice(at, at + MOST_LINKS_STORED) }, now, fresh);
    return fresh;
  }

  /** @param fresh receives the URLs that were unknown */
  #addPiece(discovery: Discovery, now: EpochMs, fresh: CanonicalUrl[]): void {
    const kept: DiscoveredLink[] = [];
    const shorterWayOnly: number[] = [];
    const foreign: DiscoveredLink[] = [];
    for (const found of discovery.links) {
      const link = this.#ofRound(found);
      if (this.#foreign !== null && this.#hosts.isAway(link.host)) {
        if (this.#foreign.wants(link)) foreign.push(link);
        continue;
      }
      const known = this.#urls.size;
      const change = this.#sight(link, discovery, kept.length, now);
      if (this.#urls.size > known && isFollowable(link)) fresh.push(link.url);
      const states = link.alternates !== undefined && this.#urls.state(this.#urls.find(link.url)) === 'waiting';
      if (change === 'none' && !(states && link.refusal === null)) continue;
      this.#noteAlternates(link, kept.length);
      if (change !== 'edge') shorterWayOnly.push(kept.length);
      kept.push(link);
    }
    if (foreign.length > 0) this.#foreign?.pass({ ...discovery, links: foreign });
    if (kept.length > 0) this.#store.appendDiscovery(this.discoveries++, { ...discovery, links: kept, shorterWayOnly });
  }

  /** Repeats a stored discovery. @param since priorities that rescoring gave its links later; null for none */
  again(discovery: StoredDiscovery, since: LinkPriorities | null): void {
    const shorterWayOnly = new Set(discovery.shorterWayOnly);
    const links = linkEndsOf(discovery);
    for (let position = 0; position < links.length; position++)
      this.#sightAgain(links[position] as LinkEnds, discovery, position, shorterWayOnly.has(position), since);
    this.discoveries += 1;
  }

  /**
   * Handles one sighting of a URL: claims it, or improves the waiting URL. A URL keeps the *maximum* of its priorities with the edge that gave it,
   * and the *minimum* of its depths.
   * @param position where the sighting is stored if it changes anything
   */
  #sight(link: DiscoveredLink, discovery: Discovery, position: number, now: EpochMs): Change {
    const { slot, isNew } = this.#urls.claim(link.url);
    const reopened = this.#urls.state(slot) === 'refused';
    const change = isNew ? this.#admit(slot, link, discovery) : this.#improve(slot, link, discovery);
    if (change === 'edge') this.#takeEdge(slot, link, discovery, position, !isNew && !reopened);
    if (change === 'none' || link.refusal !== null) return change;
    // The new way may come from an on-topic page.
    const wasAside = this.#waiting.readmit(slot);
    if (change === 'edge' || wasAside) this.#queue.offer(slot, now);
    return change;
  }

  /** Notes the alternates that a list states about a waiting page, if any. */
  #noteAlternates({ url, alternates, refusal }: LinkEnds, position: number): void {
    if (alternates !== undefined && refusal === null) this.stated.note(this.#urls.find(url), this.discoveries, position);
  }

  /** A URL that waits in this round is not held for the next one: the sighting counts like any other. */
  #ofRound(link: DiscoveredLink): DiscoveredLink {
    if (link.refusal !== 'next-round') return link;
    const slot = this.#urls.find(link.url);
    return slot >= 0 && this.#urls.state(slot) === 'waiting' ? { ...link, refusal: null } : link;
  }

  #admit(slot: Slot, link: LinkEnds, discovery: Discovery): Change {
    const host = this.#hosts.get(link.host);
    this.#urls.admit(slot, host.index, discovery, link.refusal);
    if (link.task.kind === 'list') host.lists += 1;
    if (link.refusal === null) this.#waiting.count(host, 1);
    return 'edge';
  }

  #improve(slot: Slot, link: DiscoveredLink, discovery: Discovery): Change {
    if (link.refusal === 'next-round') return this.#hold(slot, link, discovery);
    if (link.refusal !== null) return 'none';
    const reopened = this.#urls.state(slot) === 'refused' && isLiftable(this.#urls.refusal(slot));
    if (reopened) this.#reopen(slot);
    if (this.#urls.state(slot) !== 'waiting') return 'none';
    const shorter = this.#urls.shorten(slot, discovery);
    if (reopened || this.#outranks(slot, link)) return 'edge';
    return shorter ? 'way' : 'none';
  }

  /** Is a link better than the edge by which the URL waits? An alternate of a kept page takes the place of any other link, regardless of priorities. */
  #outranks(slot: Slot, { priority, task }: LinkEnds): boolean {
    const [is, was] = [task.kind === 'alternate', this.#urls.isAlternate(slot)];
    if (is !== was) return is;
    return Math.fround(priority) > this.#urls.priorityOf(slot) && this.#store.reopened(slot) === null;
  }

  /** A link to another host shows a way that the next round may take, to a URL that is held or refused for its way. */
  #hold(slot: Slot, link: DiscoveredLink, discovery: Discovery): Change {
    if (this.#urls.state(slot) !== 'refused' || !isLiftable(this.#urls.refusal(slot))) return 'none';
    const isNew = !this.#urls.isHeld(slot);
    this.#urls.hold(slot);
    const shorter = this.#urls.shorten(slot, discovery);
    return isNew || this.#outranks(slot, link) ? 'edge' : shorter ? 'way' : 'none';
  }

  #reopen(slot: Slot): void {
    this.#urls.lift(slot);
    this.#waiting.count(this.#hosts.known(this.#urls.hostOf(slot)), 1);
  }

  /** @param waited whether the URL already waited, by an edge that is now replaced */
  #takeEdge(slot: Slot, link: LinkEnds, discovery: Discovery, position: number, waited: boolean): void {
    if (waited) this.#waiting.countEdge(slot, -1);
    const { learnedFrom } = discovery;
    this.#urls.takeEdge(slot, { discovery: this.discoveries, position, priority: link.priority, learnedFrom });
    this.#urls.beAlternate(slot, link.task.kind === 'alternate');
    if (link.refusal === null) this.#waiting.countEdge(slot, 1);
  }

  /** Repeats the effect of a stored sighting, then that of rescoring, if any. */
  #sightAgain(link: LinkEnds, discovery: Discovery, position: number, shorterWayOnly: boolean, since: LinkPriorities | null): void {
    const { slot, isNew } = this.#urls.claim(link.url);
    const reopened = this.#urls.state(slot) === 'refused';
    if (isNew) this.#admit(slot, link, discovery);
    else if (link.refusal === 'next-round') this.#urls.hold(slot);
    else if (reopened) this.#reopen(slot);
    if (!isNew) this.#urls.shorten(slot, discovery);
    this.#noteAlternates(link, position);
    if (shorterWayOnly) return;
    this.#takeEdge(slot, link, discovery, position, !isNew && !reopened);
    const priority = since?.priorities[position] ?? Number.NaN;
    if (since !== null && !Number.isNaN(priority)) this.#urls.rescore(slot, priority, since.learnedFrom[position] ?? 0);
  }
}

/** Could the crawl ever request it? */
function isFollowable({ refusal }: DiscoveredLink): boolean {
  return refusal === null || isOfTheWay(refusal);
}
