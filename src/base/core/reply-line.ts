import { TurnShare } from './turn-share.ts';
import type { Ms } from './types.ts';

/**
 * A page of 20 KB takes the crawl about 1 ms, and with a thousand requests in flight some hundred replies may be ready at once. One reply a turn would
 * wake other threads and servers for each of them, which took a tenth more CPU time in `npm run bench -- crawl`.
 */
const SHARE: Ms = 10;

/** Replies of servers and reading threads on their way to the visits: first come, first served, as many in each turn of the event loop as fit into a share of it. */
export class ReplyLine {
  readonly #ready: (() => void)[] = [];
  readonly #share: TurnShare;
  #isHanding = false;

  /** @param now a monotonic clock */
  constructor(now?: () => Ms) {
    this.#share = new TurnShare(SHARE, now);
  }

  /** Hands a reply over at once, or after those that wait. */
  add(hand: () => void): void {
    this.#ready.push(hand);
    if (!this.#isHanding) this.#next();
  }

  #next(): void {
    this.#isHanding = true;
    if (this.#share.isUsedUp()) {
      setImmediate(() => this.#next());
      return;
    }
    // A reply starts microtasks. A tick that one of them asks for comes after all of them. It comes too if the reply throws.
    queueMicrotask(() => process.nextTick(() => this.#after()));
    this.#ready.shift()?.();
  }

  #after(): void {
    if (this.#ready.length === 0) this.#isHanding = false;
    else this.#next();
  }
}

/** The line of this thread, which has one event loop: a crowd of responses and one of read pages share its turns. */
export const REPLIES = new ReplyLine();
