/** Addresses of hosts that several workers ask: they ask one after the other, one request at a time, with the delay in between. */
import { askAgain } from '../../base/core/ask-again.ts';
import type { Clock } from '../../base/core/clock.ts';
import type { HostKey, Ms } from '../../base/core/types.ts';
import { persistently } from './sql-client.ts';
import type { EngineWorker } from './worker.ts';

/** Time between two attempts to take a turn that another worker has: it may give it back early. */
const ATTEMPT_EVERY: Ms = 100;

/** One for each group of hosts with one address. Within one worker, the frontier leases one of them at a time. */
export class SharedAddresses {
  readonly #worker: Pick<EngineWorker, 'noteAddress' | 'turnsFrom' | 'takeTurn' | 'endTurn'>;
  readonly #clock: Clock;
  readonly #delay: Ms;
  readonly #signal: AbortSignal;
  readonly #partitionOf: (host: HostKey) => number;
  /** The address of each host that has one. */
  readonly #of = new Map<HostKey, string>();
  /** Addresses that are asked one after the other. */
  readonly #alternating = new Set<string>();
  /** The number of the last one that is known. */
  #last = 0;
  readonly #held = new Set<HostKey>();

  /** @param signal ends all waiting */
  constructor(
    worker: Pick<EngineWorker, 'noteAddress' | 'turnsFrom' | 'takeTurn' | 'endTurn'>,
    clock: Clock,
    delay: Ms,
    partitionOf: (host: HostKey) => number,
    signal: AbortSignal,
  ) {
    [this.#worker, this.#clock, this.#delay, this.#partitionOf, this.#signal] = [worker, clock, delay, partitionOf, signal];
  }

  /** Learns which addresses are asked one after the other, up to a number. @throws EngineGoneError, StoreError */
  async learn(last: number): Promise<void> {
    if (last <= this.#last) return;
    for (const { no, ip } of await this.#worker.turnsFrom(this.#last + 1)) {
      this.#alternating.add(ip);
      this.#last = Math.max(this.#last, no);
    }
  }

  /** The groups of a host are known. While the database is gone, it waits. @throws EngineGoneError when the signal aborts; StoreError */
  async know(host: HostKey, groups: readonly string[]): Promise<void> {
    const ip = groups.find((group) => group.startsWith(IP));
    if (ip === undefined) return;
    this.#of.set(host, ip);
    await persistently(() => this.#worker.noteAddress(ip, this.#partitionOf(host)), this.#signal);
    await persistently(() => this.learn(Number.POSITIVE_INFINITY), this.#signal);
  }

  /** Waits until this worker may ask a host. While the database is gone, it waits too. @throws EngineGoneError when the signal aborts; StoreError */
  async enter(host: HostKey): Promise<void> {
    const ip = this.#of.get(host);
    if (ip === undefined || !this.#alternating.has(ip)) return;
    const take = () => persistently(() => this.#worker.takeTurn(ip), this.#signal);
    const pauseAfter = (wait: Ms) => (wait === 0 || this.#signal.aborted ? null : Math.min(wait, ATTEMPT_EVERY));
    const wait = await askAgain(take, pauseAfter, this.#clock, this.#signal);
    if (wait === 0) this.#held.add(host);
  }

  /** The visit has ended. */
  leave(host: HostKey): void {
    const ip = this.#of.get(host);
    if (ip === undefined || !this.#held.delete(host)) return;
    // Without an answer the turn ends by its time.
    void persistently(() => this.#worker.endTurn(ip, this.#delay), this.#signal).catch(() => undefined);
  }
}

/** The beginning of a group of one address: see `hostPolicyOf`. */
const IP = 'ip ';
