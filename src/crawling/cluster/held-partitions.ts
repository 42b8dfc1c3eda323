/** The partitions that a worker has leased, from the moment it takes one until it gives it back. */
import type { EpochMs, HostKey } from '../../base/core/types.ts';
import { partitionsOf } from './partition-of.ts';
import { FencedError } from './sql-client.ts';
import type { CrawlSnapshot, EngineCrawl } from './worker.ts';

/** A leased partition. `taken`: its log is being read. `open`: its hosts are asked. `leaving`: it is given back when all of it is committed. */
interface Holding {
  readonly epoch: number;
  readonly state: 'taken' | 'open' | 'leaving';
  /** Time before which no host of the partition is asked. */
  readonly restedBy: EpochMs;
}

export class HeldPartitions {
  readonly #crawl: Pick<EngineCrawl, 'name' | 'partitions'>;
  readonly partitionOf: (host: HostKey) => number;
  readonly #all = new Map<number, Holding>();
  /** Partitions that are committed and wait to be given back. */
  #released: number[] = [];

  constructor(crawl: Pick<EngineCrawl, 'name' | 'partitions'>) {
    this.#crawl = crawl;
    this.partitionOf = partitionsOf(crawl.partitions);
  }

  isOpen(host: HostKey): boolean {
    return this.#all.get(this.partitionOf(host))?.state === 'open';
  }

  /** Time from which the hosts of its partition may be asked. */
  restedBy(host: HostKey): EpochMs {
    return this.#all.get(this.partitionOf(host))?.restedBy ?? 0;
  }

  get open(): number[] {
    return this.#in('open');
  }

  get taken(): number[] {
    return this.#in('taken');
  }

  get leaving(): number[] {
    return this.#in('leaving');
  }

  get released(): readonly number[] {
    return this.#released;
  }

  /** Does this worker ask all hosts of the crawl? */
  get isAlone(): boolean {
    return this.open.length === this.#crawl.partitions;
  }

  /** The epochs of the partitions that this worker writes. */
  epochs(): Map<number, number> {
    return new Map([...this.#all].flatMap(([partition, { epoch, state }]) => (state === 'taken' ? [] : [[partition, epoch]])));
  }

  /**
   * The leases as the database has them.
   * @param at when this worker asked: rests count from there
   * @throws FencedError if another worker took over a partition of this one
   */
  compare(held: CrawlSnapshot['held'], at: EpochMs): void {
    const epochs = new Map(held.map(([partition, epoch]) => [partition, epoch]));
    for (const [partition, { epoch }] of this.#all)
      if (epochs.get(partition) !== epoch) throw new FencedError(`${this.#crawl.name}: another worker took over partition ${partition}`);
    for (const [partition, epoch, rest] of held)
      if (!this.#all.has(partition) && !this.#released.includes(partition))
        this.#all.set(partition, { epoch, state: 'taken', restedBy: at + rest });
  }

  /** Opens partitions whose logs are read: their hosts are asked from now on. */
  opened(partitions: readonly number[]): void {
    this.#move(partitions, 'open');
  }

  /** Marks all partitions as taken: another frontier reads their logs again. */
  reopen(): void {
    this.#move([...this.#all.keys()], 'taken');
  }

  /** Another worker is to have the open partitions beyond the quota. @returns whether there are any */
  leaveBeyond(quota: number): boolean {
    const excess = this.open.slice(quota);
    this.#move(excess, 'leaving');
    return excess.length > 0;
  }

  /** Everything of these partitions is committed. */
  left(partitions: readonly number[]): void {
    for (const partition of partitions) this.#all.delete(partition);
    this.#released.push(...partitions);
  }

  /** The database knows that these are given back. */
  givenBack(partitions: readonly number[]): void {
    this.#released = this.#released.filter((partition) => !partitions.includes(partition));
  }

  #in(wanted: Holding['state']): number[] {
    return [...this.#all].flatMap(([partition, { state }]) => (state === wanted ? [partition] : []));
  }

  #move(partitions: readonly number[], state: Holding['state']): void {
    for (const partition of partitions) {
      const holding = this.#all.get(partition);
      if (holding) this.#all.set(partition, { ...holding, state });
    }
  }
}
