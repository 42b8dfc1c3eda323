/** The score of two pages as a pair, from all that is known of them. */
import { sigmoid } from '../../base/core/odds.ts';
import type { Unit } from '../../base/core/types.ts';
import type { PageLikeness } from './page-likeness.ts';

/** Ways by which two pages were found to be a pair, the strongest first. */
export const PAIRED_BY = ['hreflang', 'link', 'url', 'structure'] as const;
export type PairedBy = (typeof PAIRED_BY)[number];

/** Statements about two pages that do not come from their texts. */
export interface Evidence {
  /** Pages of the two that declare the other one as their version: 0, 1 or 2. */
  readonly declarations: number;
  /** Links between the two whose text names the language of their target: 0, 1 or 2. */
  readonly links: number;
  /** Relation of their URLs: by a pattern learned on their hosts, by the names of the languages, or none. */
  readonly url: 'learned' | 'named' | null;
}
export const NO_EVIDENCE: Evidence = { declarations: 0, links: 0, url: null };

/** Fitted by `tools/bench/page-pairs.ts --fit` on the packages of its first split. */
const WEIGHT = { bias: -5, firm: 5, words: 3, lines: 4, marked: 3, length: -2 } as const;
/** Information after which a share counts half. */
const HALF = { firm: 8, words: 12, marked: 3 } as const;
/** Log-odds that a statement adds. */
const STATED = { declarations: [0, 3.5, 8], links: [0, 4, 6], url: { learned: 4, named: 3 } } as const;

/** Log-odds of being a pair by the texts alone. */
export function contentLogit(likeness: PageLikeness): number {
  const { firm, words, lines, marked } = likeness;
  return (
    WEIGHT.bias +
    WEIGHT.firm * firm * trust(likeness.firmWeight, HALF.firm) +
    WEIGHT.words * words * trust(likeness.wordsWeight, HALF.words) +
    WEIGHT.lines * lines +
    WEIGHT.marked * marked * trust(likeness.markedLines, HALF.marked) +
    WEIGHT.length * likeness.length
  );
}

function trust(amount: number, half: number): Unit {
  return amount / (amount + half);
}

/** Score of a pair. Above one half it is likelier than not. */
export function pagePairOdds(content: number, { declarations, links, url }: Evidence): Unit {
  const stated = (STATED.declarations[declarations] ?? 0) + (STATED.links[links] ?? 0) + (url === null ? 0 : STATED.url[url]);
  return sigmoid(content + stated);
}

/** The strongest of the ways. */
export function pairedBy({ declarations, links, url }: Evidence): PairedBy {
  if (declarations > 0) return 'hreflang';
  if (links > 0) return 'link';
  return url === null ? 'structure' : 'url';
}
