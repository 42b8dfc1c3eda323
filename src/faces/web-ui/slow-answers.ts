/** Screens that take longer than a person waits without a word: the browser gets a screen that says so, and asks again. */
import type { EpochMs, Ms } from '../../base/core/types.ts';
import type { Reply } from './route.ts';

interface Slow {
  readonly startedAt: EpochMs;
  readonly reply: Promise<Reply>;
}

/** Time before a screen shows its progress, as for a command. */
const PATIENCE: Ms = 2000;
/** A tab that was closed does not fetch its answer. */
const KEPT: Ms = 60_000;

export class SlowAnswers {
  readonly #slow = new Map<string, Slow>();
  readonly #patience: Ms;

  constructor(patience: Ms = PATIENCE) {
    this.#patience = patience;
  }

  /**
   * An answer that is under way for the same address and browser is waited for, not started again.
   * @param address path and query, with the cookie of the browser
   * @returns the reply; the time that it has taken so far if that is not there in time @throws as `answer`
   */
  async soon(address: string, answer: () => Promise<Reply>): Promise<Reply | Ms> {
    const slow = this.#slow.get(address) ?? { startedAt: Date.now(), reply: answer() };
    const reply = await within(this.#patience, slow.reply).catch((error: unknown) => {
      this.#slow.delete(address);
      throw error;
    });
    if (reply === null) this.#keep(address, slow);
    else this.#slow.delete(address);
    return reply ?? Date.now() - slow.startedAt;
  }

  #keep(address: string, slow: Slow): void {
    if (this.#slow.has(address)) return;
    this.#slow.set(address, slow);
    const forget = () => setTimeout(() => this.#slow.delete(address), KEPT).unref();
    slow.reply.then(forget, forget);
  }
}

/** null after that time. */
async function within(patience: Ms, reply: Promise<Reply>): Promise<Reply | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), patience);
  });
  return Promise.race([reply, late]).finally(() => clearTimeout(timer));
}
