import type { HostState, HostTable } from './hosts.ts';
import type { PoliteQueue } from './polite-queue.ts';
import type { Slot, UrlTable } from './url-table.ts';

/** Counts of the URLs that wait: how many of them may be asked at all, and by whose links they wait. */
export class Waiting {
  readonly #urls: UrlTable;
  readonly #hosts: HostTable;
  readonly #queue: PoliteQueue;
  /** Of each discovery, how many URLs wait (or are leased) by an edge of it: rescoring passes over the many that have none left. */
  readonly #byDiscovery: number[] = [];
  /** Of hosts over their page cap, or given up on. */
  #passedOver = 0;
  #hostsGivenUp = 0;
  /** Came to the top, and are of a parked pattern. */
  #aside = 0;
  /** To be asked for again, of hosts that were not given up on. */
  #due = 0;

  constructor(urls: UrlTable, hosts: HostTable, queue: PoliteQueue) {
    this.#urls = urls;
    this.#hosts = hosts;
    this.#queue = queue;
  }

  /** How many are passed over. */
  get parked(): number {
    return this.#passedOver + this.#aside;
  }

  get hostsGivenUp(): number {
    return this.#hostsGivenUp;
  }

  /** Does any wait that may be asked, now or later? */
  get any(): boolean {
    return this.#due > 0 || this.#urls.countOf('queued') > this.parked;
  }

  get due(): number {
    return this.#due;
  }

  /** A kept page is to be asked for again, or (-1) no longer. */
  countDue(host: HostState, by: 1 | -1): void {
    this.change(host, () => {
      host.due += by;
    });
  }

  /** A URL of a host began (1) or ceased (-1) to wait. */
  count(host: HostState, by: 1 | -1): void {
    host.waiting += by;
    if (this.#queue.isPassedOver(host)) this.#passedOver += by;
  }

  /** Do something to a host by which it may come to be passed over, or cease to be. */
  change(host: HostState, how: () => void): void {
    const before = this.#queue.isPassedOver(host) ? host.waiting : 0;
    const wasGivenUp = host.health.givenUp;
    const due = dueOf(host);
    how();
    this.#due += dueOf(host) - due;
    this.#hostsGivenUp += Number(host.health.givenUp) - Number(wasGivenUp);
    this.#passedOver += (this.#queue.isPassedOver(host) ? host.waiting : 0) - before;
  }

  /** A URL began or ceased to wait by its edge. */
  countEdge(slot: Slot, by: 1 | -1): void {
    const index = this.#urls.discoveryOf(slot);
    this.#byDiscovery[index] = (this.#byDiscovery[index] ?? 0) + by;
  }

  /** Does any URL wait by an edge of a discovery? */
  anyBy(discovery: number): boolean {
    return (this.#byDiscovery[discovery] ?? 0) > 0;
  }

  /** A URL that was just taken from the queue is of a parked pattern: it is passed over until it is readmitted. */
  setAside(slot: Slot): void {
    if (!this.#urls.setAside(slot)) return;
    this.#aside += 1;
    this.#countHostOf(slot, -1);
  }

  /** @returns whether it was set aside; it is to be offered to the queue again. */
  readmit(slot: Slot): boolean {
    if (!this.#urls.readmit(slot)) return false;
    this.#aside -= 1;
    this.#countHostOf(slot, 1);
    return true;
  }

  /** A pattern was let go; the queue is to be built anew. O(discovered URLs), and rare. */
  readmitAll(): void {
    for (let slot = 0; this.#aside > 0 && slot < this.#urls.size; slot++) this.readmit(slot);
  }

  #countHostOf(slot: Slot, by: 1 | -1): void {
    this.count(this.#hosts.known(this.#urls.hostOf(slot)), by);
  }
}

/** Kept pages of a host that may be asked for again. */
function dueOf({ due, health }: HostState): number {
  return health.givenUp ? 0 : due;
}
