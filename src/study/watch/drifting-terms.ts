/** Terms whose share of the pages differs between the pages of a period and the corpus before. */
import { foldWord } from '../../base/text/letters.ts';
import { scanWords } from '../../base/text/tokens.ts';
import type { DriftingTerm, TermDrift } from './watch-report.ts';

/** Least log-likelihood ratio of a term: it differs with an error of one in ten thousand (χ² with one degree of freedom). */
export const LEAST_G2 = 15.14;
/** Pages that must have a term, before or now: fewer show no drift. */
const LEAST_PAGES = 3;
/** Terms of each direction. */
const SHOWN = 20;
/** Terms in memory. Beyond that, those of one page before and none now are dropped: rare ones do not drift. */
const MOST_TERMS = 400_000;

/** Numbers of pages that have a term. */
interface PageCounts {
  now: number;
  before: number;
}

/** Counts terms by pages: each page counts a term once. The pages of the period come first. Memory: at most some 60 MB. */
export class TermCounts {
  readonly #terms = new Map<string, PageCounts>();
  #limit = MOST_TERMS;
  #now = 0;
  #before = 0;

  /** A page of the period. */
  addNow(text: string): void {
    this.#now += 1;
    for (const term of termsIn(text)) this.#of(term).now += 1;
  }

  /** A page of the corpus before. */
  addBefore(text: string): void {
    this.#before += 1;
    for (const term of termsIn(text)) this.#of(term).before += 1;
    if (this.#terms.size > this.#limit) this.#dropRare();
  }

  drift(): TermDrift {
    const drifting: DriftingTerm[] = [];
    for (const [term, { now, before }] of this.#terms) {
      if (now + before < LEAST_PAGES) continue;
      const g2 = logLikelihoodRatio(now, this.#now, before, this.#before);
      if (g2 >= LEAST_G2) drifting.push({ term, now, before, g2: Math.round(100 * g2) / 100 });
    }
    drifting.sort((a, b) => b.g2 - a.g2 || (a.term < b.term ? -1 : 1));
    const isMore = ({ now, before }: DriftingTerm) => now * this.#before > before * this.#now;
    const more = drifting.filter(isMore).slice(0, SHOWN);
    const less = drifting.filter((term) => !isMore(term)).slice(0, SHOWN);
    return { now: this.#now, before: this.#before, more, less };
  }

  #of(term: string): PageCounts {
    const known = this.#terms.get(term);
    if (known !== undefined) return known;
    const counts = { now: 0, before: 0 };
    this.#terms.set(term, counts);
    return counts;
  }

  #dropRare(): void {
    for (const [term, { now, before }] of this.#terms) if (now === 0 && before <= 1) this.#terms.delete(term);
    // Each pass is paid for by as many new terms.
    this.#limit = Math.max(MOST_TERMS, 2 * this.#terms.size);
  }
}

/**
 * Log-likelihood ratio (Dunning 1993) of two shares, `a` of `n` and `b` of `m`: twice the sum of O·ln(O/E) over the four cells of pages with and without the
 * term, now and before.
 */
export function logLikelihoodRatio(a: number, n: number, b: number, m: number): number {
  const all = n + m;
  if (all === 0) return 0;
  const share = (a + b) / all;
  const cell = (observed: number, expected: number) => (observed === 0 ? 0 : observed * Math.log(observed / expected));
  return 2 * (cell(a, n * share) + cell(b, m * share) + cell(n - a, n * (1 - share)) + cell(m - b, m * (1 - share)));
}

/** The distinct words of a text, folded, without numbers and single letters of scripts with spaces. */
function termsIn(text: string): ReadonlySet<string> {
  const terms = new Set<string>();
  scanWords(text, (_, start, end) => {
    const word = foldWord(text.slice(start, end));
    if (IS_TERM.test(word)) terms.add(word);
  });
  return terms;
}

const IS_TERM = /\p{L}{2}|\p{Lo}/u;
