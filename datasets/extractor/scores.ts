/** F1 of a choice of blocks against the human text: words as multisets, a character of Han or kana a word. */
import { goldWords } from './labels.ts';
import type { LabelledPage } from './pages.ts';

export interface Judged {
  readonly page: LabelledPage;
  /** Of each block. */
  readonly probabilities: Float32Array;
  /** Blocks are chosen from this probability on. */
  readonly threshold: number;
}

const wordsOfPage = new WeakMap<LabelledPage, { readonly gold: readonly string[]; readonly blocks: readonly (readonly string[])[] }>();

function wordsOf(page: LabelledPage) {
  const known = wordsOfPage.get(page);
  if (known) return known;
  const { text, blocks } = page.content;
  const found = { gold: goldWords(page.text), blocks: blocks.map((block) => goldWords(text.slice(block.start, block.end))) };
  wordsOfPage.set(page, found);
  return found;
}

function f1({ page, probabilities, threshold }: Judged): number {
  const { gold, blocks } = wordsOf(page);
  const left = new Map<string, number>();
  for (const word of gold) left.set(word, (left.get(word) ?? 0) + 1);
  let hits = 0;
  let found = 0;
  for (const [i, own] of blocks.entries()) {
    if ((probabilities[i] ?? 0) < threshold) continue;
    found += own.length;
    for (const word of own) {
      const count = left.get(word) ?? 0;
      if (count > 0) hits += 1;
      left.set(word, count - 1);
    }
  }
  return found + gold.length === 0 ? 1 : (2 * hits) / (found + gold.length);
}

/** Mean F1 over pages. */
export function scoreOf(judged: readonly Judged[]): number {
  return judged.reduce((sum, one) => sum + f1(one), 0) / Math.max(1, judged.length);
}

/** A line for each file and type. */
export function scoreByType(judged: readonly Judged[]): string[] {
  const groups = new Map<string, Judged[]>();
  for (const one of judged) {
    for (const key of new Set([one.page.file, `${one.page.file} ${one.page.type}`])) groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, group]) => `${key.padEnd(32)} ${String(group.length).padStart(5)} pages  F1 ${scoreOf(group).toFixed(4)}`);
}
