import type { Clock } from '../../base/core/clock.ts';
import type { HostKey, Ms } from '../../base/core/types.ts';

/** Requests outside of a crawl: one at a time for each host, with a delay in between. */
export class HostTurns {
  readonly #last = new Map<HostKey, Promise<void>>();
  readonly #clock: Clock;
  readonly #delay: Ms;
  readonly #signal: AbortSignal;

  /** @param signal ends all delays */
  constructor(clock: Clock, delay: Ms, signal: AbortSignal) {
    [this.#clock, this.#delay, this.#signal] = [clock, delay, signal];
  }

  /** Does something when it is the host's turn. @param work returns whether it made a request: then the host rests @throws the error of `work` */
  async take(host: HostKey, work: () => Promise<boolean>): Promise<void> {
    const rest = () => this.#clock.sleep(this.#delay, this.#signal);
    const done = (this.#last.get(host) ?? Promise.resolve()).then(work);
    this.#last.set(
      host,
      done.then((asked) => (asked ? rest() : undefined), rest),
    );
    await done;
  }
}
