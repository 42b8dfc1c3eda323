/** The questions on the screens of each browser, and the answers that it can take back: several people label one crawl in one session. */
import type { EpochMs, Ms } from '../../base/core/types.ts';
import type { QueueName } from '../../study/label/label-queue.ts';
import type { Question } from '../../study/label/page-questions.ts';
import type { ImportReport } from '../../study/label/stored-import.ts';

/** The session of one browser. */
export class Sitting {
  /** Questions that it was shown, the newest last: an answer belongs to its queue, even if others have answered meanwhile. */
  readonly asked = new Map<string, QueueName>();
  /** Lines of the label file that each step wrote: undo takes back a step. */
  readonly steps: (readonly number[])[] = [];
  /** The last import of labels, until the next answer. */
  imported: ImportReport | null = null;
  /** URL of the page that it answered last: the first of a grid. */
  last: string | null = null;
  /** URLs on its screen. */
  #shown: readonly string[] = [];
  #at: EpochMs = 0;

  show(questions: readonly Pick<Question, 'url' | 'queue'>[], at: EpochMs): void {
    [this.#shown, this.#at] = [questions.map(({ url }) => url), at];
    for (const { url, queue } of questions) {
      this.asked.delete(url);
      this.asked.set(url, queue);
    }
    for (const oldest of this.asked.keys()) {
      if (this.asked.size <= MOST_ASKED) break;
      this.asked.delete(oldest);
    }
  }

  shownSince(since: EpochMs): readonly string[] {
    return this.#at >= since ? this.#shown : [];
  }
}

/** Grids of eight tabs. */
const MOST_ASKED = 100;
/** More than one crawl has people. */
const MOST_SITTINGS = 64;

export class BrowserSessions {
  readonly #of = new Map<string, Sitting>();
  readonly #patience: Ms;

  /** @param patience a person who shows no sign of life for so long has left: the pages on that screen are for others */
  constructor(patience: Ms) {
    this.#patience = patience;
  }

  /** The session of a browser, which is then the newest. */
  of(browser: string): Sitting {
    const sitting = this.#of.get(browser) ?? new Sitting();
    this.#of.delete(browser);
    this.#of.set(browser, sitting);
    for (const oldest of this.#of.keys()) {
      if (this.#of.size <= MOST_SITTINGS) break;
      this.#of.delete(oldest);
    }
    return sitting;
  }

  /** URLs that other browsers show. */
  elsewhere(browser: string, now: EpochMs): ReadonlySet<string> {
    const others = [...this.#of].filter(([id]) => id !== browser);
    return new Set(others.flatMap(([, sitting]) => sitting.shownSince(now - this.#patience)));
  }

  /** Forgets all steps after a training, an import, and at the end of a session: nothing before it can be taken back. */
  settle(): void {
    for (const { steps } of this.#of.values()) steps.length = 0;
  }
}
