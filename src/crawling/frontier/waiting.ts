import { placeInChunk, RowChunks } from '../../base/core/row-chunks.ts';
import type { HostState, HostTable } from './hosts.ts';
import type { PoliteQueue } from './polite-queue.ts';
import type { Slot, UrlTable } from './url-table.ts';

/** Counts of the waiting URLs: how many may be requested at all, and by the links of which discovery they wait. */
export class WaitingCounts {
  readonly #urls: UrlTable;
  readonly #hosts: HostTable;
  readonly #queue: PoliteQueue;
  /** Number of URLs that wait (or are leased) by one of the edges of each discovery. Rescoring skips the many discoveries without any. */
  readonly #byDiscovery = new RowChunks(4);
  #discoveries = 0;
  /** URLs of hosts that are over their page cap, or given up. */
  #ofSkippedHosts = 0;
  #hostsGivenUp = 0;
  /** URLs that reached the top and have a parked pattern. */
  #aside = 0;
  /** Pages due for a revisit, of hosts that were not given up. */
  #due = 0;

  constructor(urls: UrlTable, hosts: HostTable, queue: PoliteQueue) {
    this.#urls = urls;
    this.#hosts = hosts;
    this.#queue = queue;
  }

  /** Number of skipped URLs. */
  get parked(): number {
    return this.#ofSkippedHosts + this.#aside;
  }

  get hostsGivenUp(): number {
    return this.#hostsGivenUp;
  }

  /** Is any URL waiting that may be requested, now or later? */
  get any(): boolean {
    return this.#due > 0 || this.#urls.countOf('waiting') > this.parked;
  }

  get due(): number {
    return this.#due;
  }

  /** A kept page became due for a revisit (1), or is no longer due (-1). */
  countDue(host: HostState, by: 1 | -1): void {
    this.change(host, () => {
      host.due += by;
    });
  }

  /** Counts URLs of a host that started waiting, or stopped if negative. */
  count(host: HostState, by: number): void {
    host.waiting += by;
    if (this.#queue.isSkipped(host)) this.#ofSkippedHosts += by;
  }

  /** Changes a host in a way that may make it skipped, or no longer skipped. */
  change(host: HostState, how: () => void): void {
    const before = this.#queue.isSkipped(host) ? host.waiting : 0;
    const wasGivenUp = host.health.givenUp;
    const due = dueOf(host);
    how();
    this.#due += dueOf(host) - due;
    this.#hostsGivenUp += Number(host.health.givenUp) - Number(wasGivenUp);
    this.#ofSkippedHosts += (this.#queue.isSkipped(host) ? host.waiting : 0) - before;
  }

  /** Counts all waiting URLs of restored columns. O(URLs). */
  restore(): void {
    const ofHost = new Uint32Array(this.#hosts.size);
    for (let slot = 0; slot < this.#urls.size; slot++) {
      if (this.#urls.state(slot) !== 'waiting') continue;
      ofHost[this.#urls.hostOf(slot)] = (ofHost[this.#urls.hostOf(slot)] ?? 0) + 1;
      this.countEdge(slot, 1);
    }
    for (const [index, waiting] of ofHost.entries()) this.count(this.#hosts.known(index), waiting);
  }

  /** A URL started or stopped waiting by its edge. */
  countEdge(slot: Slot, by: 1 | -1): void {
    const index = this.#urls.discoveryOf(slot);
    this.#discoveries = Math.max(this.#discoveries, index + 1);
    this.#byDiscovery.reserve(this.#discoveries);
    const { words } = this.#byDiscovery.of(index);
    words[placeInChunk(index)] = (words[placeInChunk(index)] ?? 0) + by;
  }

  /** Does any URL wait by an edge of this discovery? */
  anyBy(discovery: number): boolean {
    return discovery < this.#discoveries && (this.#byDiscovery.of(discovery).words[placeInChunk(discovery)] ?? 0) > 0;
  }

  /** A URL that was just taken from the queue has a parked pattern: it is skipped until it is readmitted. */
  exclude(slot: Slot): void {
    if (!this.#urls.exclude(slot)) return;
    this.#aside += 1;
    this.#countHostOf(slot, -1);
  }

  /** @returns whether it was excluded; the caller must offer it to the queue again. */
  readmit(slot: Slot): boolean {
    if (!this.#urls.readmit(slot)) return false;
    this.#aside -= 1;
    this.#countHostOf(slot, 1);
    return true;
  }

  /** A pattern was released; the caller must rebuild the queue. O(discovered URLs), and rare. */
  readmitAll(): void {
    for (let slot = 0; this.#aside > 0 && slot < this.#urls.size; slot++) this.readmit(slot);
  }

  #countHostOf(slot: Slot, by: 1 | -1): void {
    this.count(this.#hosts.known(this.#urls.hostOf(slot)), by);
  }
}

/** Kept pages of a host that this process may revisit. */
function dueOf({ due, health, away }: HostState): number {
  return health.givenUp || away ? 0 : due;
}
