import { BLAME_AFTER } from '../core/failure-policy.ts';
import type { HostKey } from '../core/types.ts';

/** Consecutive failures of each host that has any. */
export class HostHealth {
  readonly #failures = new Map<HostKey, number>();

  /** @returns whether the host is now to be rested as a whole. */
  failed(host: HostKey): boolean {
    const failures = (this.#failures.get(host) ?? 0) + 1;
    this.#failures.set(host, failures);
    return failures >= BLAME_AFTER;
  }

  succeeded(host: HostKey): void {
    this.#failures.delete(host);
  }
}
