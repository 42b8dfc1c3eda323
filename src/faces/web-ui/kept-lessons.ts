/**
 * The settled URLs of a survey, kept for explanations: each explanation of a link teaches a fresh scorer with them, and reading them from the crawl takes
 * ten times longer than that.
 */
import type { LedgerVisitor, SettledUrl } from '../../study/inspect/ledger-walk.ts';

/** A kilobyte or two each: at most some 100 MB. A million discovered URLs have half as many. */
const MOST = 50_000;

export class KeptLessons implements LedgerVisitor {
  #kept: Pick<SettledUrl, 'entry' | 'fate'>[] = [];
  #isWhole = true;

  /** Adds a settled URL, in order of settlement, without the text of its page, which no lesson needs. */
  settled({ entry, fate }: SettledUrl): void {
    if (!this.#isWhole) return;
    if (this.#kept.length < MOST) this.#kept.push({ entry, fate: { ...fate, page: null } });
    else [this.#kept, this.#isWhole] = [[], false];
  }

  /** null if there were too many to keep. */
  get kept(): readonly Pick<SettledUrl, 'entry' | 'fate'>[] | null {
    return this.#isWhole ? this.#kept : null;
  }
}
