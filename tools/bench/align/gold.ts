/** Pages of translated manuals, and the beads that are right by their catalogues. */

import type { ParallelEntry } from '../../../datasets/parallel-text/store.ts';
import { type Rng, shuffled } from '../../../src/base/core/rng.ts';
import type { Bead, TextAlignment } from '../../../src/corpus/align/aligned-text.ts';
import { BEAD_KINDS } from '../../../src/corpus/align/bead-search.ts';
import { cutText, type TextSentence } from '../../../src/corpus/align/text-sentences.ts';

/**
 * Forms in which a page is aligned: a blank line between paragraphs; a sentence a line, without a sign of paragraphs; a fifth of the right paragraphs missing;
 * half of the paragraphs of two or three sentences as one sentence on either side.
 */
export const ARRANGEMENTS = ['paragraphs', 'sentences', 'deleted', 'joined'] as const;
export type Arrangement = (typeof ARRANGEMENTS)[number];
const DELETED = 0.2;
const JOINED = 0.5;
const SENTENCE_END = /[.。!！?？]+["”»」)]*$/u;

export interface GoldPage {
  readonly left: string;
  readonly right: string;
  /** End of each entry in the left and the right text. A deleted entry ends where the one before does. */
  readonly ends: readonly (readonly [left: number, right: number])[];
}

/** Pages of a manual. @param leftLang and `rightLang` cut the sentences of `sentences` */
export function goldPages(
  entries: readonly ParallelEntry[],
  arrangement: Arrangement,
  [leftLang, rightLang]: readonly [string, string],
  rng: Rng,
): GoldPage[] {
  const pages = new Map<string, ParallelEntry[]>();
  for (const entry of entries) pages.set(entry.page, [...(pages.get(entry.page) ?? []), entry]);
  const gap = arrangement === 'sentences' ? '\n' : '\n\n';
  return [...pages.values()].map((page) => {
    const order = shuffled([...page.keys()], rng).slice(0, arrangement === 'deleted' ? Math.round(DELETED * page.length) : 0);
    const deleted = new Set(order);
    let [left, right] = ['', ''];
    const ends = page.map((entry, i): [number, number] => {
      const [leftText, rightText] = arranged(entry, [leftLang, rightLang], arrangement, rng);
      left += leftText + gap;
      if (!deleted.has(i)) right += rightText + gap;
      return [left.length, right.length];
    });
    return { left, right, ends };
  });
}

function arranged({ left, right }: ParallelEntry, langs: readonly [string, string], arrangement: Arrangement, rng: Rng): [string, string] {
  if (arrangement === 'paragraphs' || arrangement === 'deleted') return [left, right];
  const lefts = sentencesOf(left, langs[0]);
  const rights = sentencesOf(right, langs[1]);
  if (arrangement === 'sentences') return [lefts.join('\n'), rights.join('\n')];
  const isJoined = lefts.length === rights.length && lefts.length > 1 && lefts.length <= 3 && rng() < JOINED;
  if (!isJoined) return [left, right];
  return rng() < 0.5 ? [joined(lefts), right] : [left, joined(rights)];
}

function sentencesOf(text: string, lang: string): string[] {
  return cutText(text, lang).sentences.map(({ start, end }) => text.slice(start, end));
}

/** One sentence of several. */
function joined(sentences: readonly string[]): string {
  return sentences.map((sentence, i) => (i + 1 < sentences.length ? `${sentence.replace(SENTENCE_END, '')};` : sentence)).join(' ');
}

/** Counts of beads with both sides. */
export interface BeadCounts {
  right: number;
  found: number;
  gold: number;
}

/**
 * Strict counts: a bead is right if both of its ranges are. An entry with as many sentences on either side has 1-1 beads; one with a single sentence on a
 * side is one bead. Others do not say which of their sentences belong together: beads inside of them do not count.
 */
export function countBeads(page: GoldPage, alignment: Pick<TextAlignment, 'left' | 'right' | 'beads'>): BeadCounts {
  const gold = new Set<string>();
  const unclear = new Set<number>();
  const lefts = entriesOf(
    alignment.left,
    page.ends.map(([end]) => end),
  );
  const rights = entriesOf(
    alignment.right,
    page.ends.map(([, end]) => end),
  );
  let [i, j] = [0, 0];
  for (const entry of page.ends.keys()) {
    const [n, m] = [countOf(lefts, i, entry), countOf(rights, j, entry)];
    if (n > 0 && n === m) for (let k = 0; k < n; k++) gold.add(keyOf([i + k, i + k + 1], [j + k, j + k + 1]));
    else if (BEAD_KINDS.some(([a, b]) => a === n && b === m && Math.min(n, m) === 1)) gold.add(keyOf([i, i + n], [j, j + m]));
    else if (n > 0 && m > 0) unclear.add(entry);
    i += n;
    j += m;
  }
  const isUnclear = ({ left, right }: Bead): boolean => {
    const met = new Set([...lefts.slice(...left), ...rights.slice(...right)]);
    return met.size === 1 && [...met].every((entry) => unclear.has(entry));
  };
  const found = alignment.beads.filter((bead) => bead.left[0] < bead.left[1] && bead.right[0] < bead.right[1] && !isUnclear(bead));
  return { right: found.filter((bead) => gold.has(keyOf(bead.left, bead.right))).length, found: found.length, gold: gold.size };
}

/** F1 of counts. */
export function f1Of({ right, found, gold }: BeadCounts): number {
  return (2 * right) / Math.max(1, found + gold);
}

/** Entry of each sentence, by its end. */
function entriesOf(sentences: readonly TextSentence[], ends: readonly number[]): number[] {
  let entry = 0;
  return sentences.map(({ start }) => {
    while (start >= (ends[entry] ?? Number.POSITIVE_INFINITY)) entry += 1;
    return entry;
  });
}

function countOf(entries: readonly number[], from: number, entry: number): number {
  let end = from;
  while (entries[end] === entry) end += 1;
  return end - from;
}

function keyOf(left: readonly [number, number], right: readonly [number, number]): string {
  return `${left.join('-')} ${right.join('-')}`;
}
