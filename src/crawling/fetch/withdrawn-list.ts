import { statSync } from 'node:fs';
import type { Clock } from '../../base/core/clock.ts';
import { messageOf } from '../../base/core/errors.ts';
import type { CanonicalUrl, EpochMs, Ms } from '../../base/core/types.ts';
import { Withdrawals } from '../../corpus/records/withdrawals.ts';

/** Least interval between checks of the file, as for an opt-out list. */
const POLL: Ms = 5000;

/** Pages that were taken back from a crawl. The file is read again after a change, and may appear while the crawl runs. */
export class WithdrawnList {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #warn: (message: string) => void;
  #version: string;
  #withdrawals: Withdrawals;
  #lookAt: EpochMs;

  /** @throws DamageError */
  constructor(path: string, clock: Clock, warn: (message: string) => void) {
    this.#path = path;
    this.#clock = clock;
    this.#warn = warn;
    this.#version = versionOf(path);
    this.#withdrawals = Withdrawals.at(path);
    this.#lookAt = clock.now() + POLL;
  }

  has(url: CanonicalUrl): boolean {
    if (this.#clock.now() >= this.#lookAt) this.#look();
    return this.#withdrawals.has(url);
  }

  /** Reads the file if it has changed. If it cannot be read, the last list stays valid. */
  #look(): void {
    this.#lookAt = this.#clock.now() + POLL;
    const version = versionOf(this.#path);
    if (version === this.#version) return;
    this.#version = version;
    try {
      this.#withdrawals = Withdrawals.at(this.#path);
    } catch (error) {
      this.#warn(`${messageOf(error)}; the list is used in its last version until then`);
    }
  }
}

/** '' without a file. */
function versionOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.mtimeMs} ${found.size} ${found.ino}`;
}
