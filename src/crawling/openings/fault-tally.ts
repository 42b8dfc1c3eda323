import { basename } from 'node:path';
import { counted } from '../../base/text/number-text.ts';
import type { HookFault } from './hook-thread.ts';

/** Code of the user, as messages name it. */
export interface OwnCode {
  /** Path of its module, or its command. */
  readonly file: string;
  /** `hook`, `judge`: stands before the name of a failure. */
  readonly kind: string;
  /** The fate of a page whose call failed, and the next step. */
  readonly end: string;
}

const VERBS: Readonly<Record<HookFault['cause'], string>> = {
  threw: 'threw',
  hung: 'hung',
  exited: 'ended its thread',
  failed: 'failed',
  rubbish: 'returned rubbish',
};

/** Longest cause of a failure in the ledger, in characters. */
const MAX_TROUBLE = 300;

/** Counts the failures of code of the user, and warns of the first of each kind. */
export class FaultTally {
  readonly #code: OwnCode;
  readonly #warn: (message: string) => void;
  readonly #failures = new Map<string, number>();

  constructor(code: OwnCode, warn: (message: string) => void) {
    [this.#code, this.#warn] = [code, warn];
  }

  /** @param name of the function that failed. @returns it with the cause, as the ledger has them */
  failed(name: string, url: string, { cause, detail }: HookFault): string {
    const { file, kind, end } = this.#code;
    const failure = `${name} ${VERBS[cause]}`;
    const before = this.#failures.get(failure) ?? 0;
    this.#failures.set(failure, before + 1);
    const trouble = `${failure}: ${detail}`.replaceAll(/\s+/g, ' ').slice(0, MAX_TROUBLE);
    if (before === 0) this.#warn(`${file}: ${kind}${trouble}, at ${url}; ${end}`);
    return trouble;
  }

  /** Tells how often each kind of failure happened. */
  tell(): void {
    const { file, kind } = this.#code;
    for (const [failure, count] of this.#failures)
      if (count > 1) this.#warn(`${basename(file)}: ${kind}${failure} ${counted(count, 'time')} in this run`);
  }
}
