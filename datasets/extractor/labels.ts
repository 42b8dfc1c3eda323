/** Which blocks of a page belong to the main text a human gave for it. */
import type { PageContent } from '../../src/reading/extract/blocks.ts';

/** Runs of words that are compared: shorter ones stand anywhere. */
const SHINGLE = 4;
/** A short block belongs where its words stand between those of its labelled neighbours, so many words further at most. */
const SLACK = 12;
/** Neighbours whose places in the gold are further apart than this say nothing of what lies between. */
const MAX_GAP = 600;

/** Lower-case words; a character of Han or kana is a word. */
export function goldWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/** The share of each block's words that stand in the gold text in their order, 0 to 1, shape [blocks.length]. */
export function labelsOf(page: PageContent, gold: string): Float32Array {
  const words = goldWords(gold);
  const placesOf = new Map<string, number[]>();
  for (let i = 0; i + SHINGLE <= words.length; i++) {
    const key = words.slice(i, i + SHINGLE).join(' ');
    const places = placesOf.get(key);
    if (places) places.push(i);
    else placesOf.set(key, [i]);
  }
  const blocks = page.blocks.map((block) => goldWords(page.text.slice(block.start, block.end)));
  const labels = new Float32Array(blocks.length);
  const firsts = new Int32Array(blocks.length).fill(-1);
  const lasts = new Int32Array(blocks.length).fill(-1);
  let at = 0;
  for (const [i, own] of blocks.entries()) {
    if (own.length < SHINGLE) continue;
    let hits = 0;
    const total = own.length - SHINGLE + 1;
    for (let k = 0; k < total; k++) {
      const places = placesOf.get(own.slice(k, k + SHINGLE).join(' '));
      if (!places) continue;
      hits++;
      const place = places.find((p) => p >= at) ?? (places[0] as number);
      if (firsts[i] === -1) firsts[i] = place;
      lasts[i] = place + SHINGLE;
    }
    labels[i] = hits / total;
    if (hits / total >= 0.5) at = lasts[i] as number;
  }
  labelShortBlocks(blocks, words, labels, firsts, lasts);
  return labels;
}

function labelShortBlocks(
  blocks: readonly (readonly string[])[],
  words: readonly string[],
  labels: Float32Array,
  firsts: Int32Array,
  lasts: Int32Array,
): void {
  const nextFirst = new Int32Array(blocks.length).fill(-1);
  for (let i = blocks.length - 1, next = words.length; i >= 0; i--) {
    nextFirst[i] = next;
    if ((labels[i] ?? 0) >= 0.5 && (blocks[i]?.length ?? 0) >= SHINGLE) next = firsts[i] ?? next;
  }
  let from = 0;
  for (const [i, own] of blocks.entries()) {
    if (own.length >= SHINGLE) {
      if ((labels[i] ?? 0) >= 0.5) from = lasts[i] ?? from;
      continue;
    }
    const to = Math.min(words.length, (nextFirst[i] ?? words.length) + SLACK);
    if (own.length === 0 || to - from > MAX_GAP) continue;
    for (let k = Math.max(0, from - SLACK); k + own.length <= to; k++) {
      if (!own.every((word, w) => words[k + w] === word)) continue;
      labels[i] = 1;
      // What stands once in the gold is one block's.
      if (k >= from) from = k + own.length;
      break;
    }
  }
}
