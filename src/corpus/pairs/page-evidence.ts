/** The score of two pages as a pair, from all that is known of them. */
import type { Unit } from '../../base/core/types.ts';
import type { PageLikeness } from './page-likeness.ts';

/** Ways by which two pages were found to be a pair, the strongest first. */
export const PAIRED_BY = ['hreflang', 'link', 'url', 'structure'] as const;
export type PairedBy = (typeof PAIRED_BY)[number];

/** Facts about two pages that do not come from their texts. */
export interface Evidence {
  /** Pages of the two that declare the other one as their version: 0, 1 or 2. */
  readonly declarations: number;
  /** Links between the two whose text names the language of their target: 0, 1 or 2. */
  readonly links: number;
  /** Pairs of the pattern that their URLs follow, as a share of the most frequent pattern of the right host; 0 for none. */
  readonly pattern: Unit;
  /** Whether their URLs are equal without the names of the languages. */
  readonly isNamed: boolean;
}
export const NO_EVIDENCE: Evidence = { declarations: 0, links: 0, pattern: 0, isNamed: false };

/**
 * Log-odds by the texts, from a logistic regression on 193,000 candidate pairs of the sites `dev` of the parallel web, each of six pairs of languages.
 * A share counts by the amount it was measured on: `half` is the amount that gives half of its weight, and `cost` the loss by a share of 0.
 */
const CONTENT = {
  bias: 3.5,
  firm: { gain: 12.3, cost: 4.9, half: 8 },
  words: { gain: 2.2, cost: 2.1, half: 12 },
  lines: { gain: 7.4, cost: 5.3, half: 4 },
  marked: { gain: 6.7, cost: 2, half: 3 },
  length: -3.1,
} as const;
/** Larger differences of length count no more. */
const MAX_LENGTH_APART = 2;
/** Log-odds that other facts add; without any, texts alone have to be a little more alike. */
const STATED = { none: -1, declarations: [0, 4.5, 9], links: [0, 4, 6], pattern: 2, share: 5, named: 4, url: 9 } as const;

/** Log-odds of being a pair by the texts alone. */
export function contentLogit(likeness: PageLikeness): number {
  const parts = (['firm', 'words', 'lines', 'marked'] as const).map((part) => {
    const { gain, cost, half } = CONTENT[part];
    const { share, amount } = likeness[part];
    return ((gain * share - cost) * amount) / (amount + half);
  });
  return parts.reduce((sum, part) => sum + part, CONTENT.bias + CONTENT.length * Math.min(MAX_LENGTH_APART, likeness.lengthApart));
}

/** Log-odds of being a pair by all that is known. Above 0 it is likelier than not. */
export function pairLogit(content: number, { declarations, links, pattern, isNamed }: Evidence): number {
  const byPattern = pattern === 0 ? 0 : STATED.pattern + STATED.share * pattern;
  const url = Math.min(STATED.url, byPattern + (isNamed ? STATED.named : 0));
  const stated = (STATED.declarations[declarations] ?? 0) + (STATED.links[links] ?? 0) + url;
  return content + (stated === 0 ? STATED.none : stated);
}

/** The strongest of the ways. */
export function pairedBy({ declarations, links, pattern, isNamed }: Evidence): PairedBy {
  if (declarations > 0) return 'hreflang';
  if (links > 0) return 'link';
  return pattern > 0 || isNamed ? 'url' : 'structure';
}
