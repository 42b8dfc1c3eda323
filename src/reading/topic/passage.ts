/** The part of a page that best shows why it is judged as it is. Pure. */
import type { Contribution } from '../../base/core/parts/reading.ts';
import { foldWord } from '../../base/text/letters.ts';
import { scanWords } from '../../base/text/tokens.ts';

/** A word of a passage, and its contribution to the log odds there: below 0 for words against. */
export interface WeightedWord {
  /** Offsets in the passage. */
  readonly start: number;
  readonly end: number;
  readonly contribution: number;
}

export interface Passage {
  readonly text: string;
  /** Is its start the start of the text, and its end the end? */
  readonly fromStart: boolean;
  readonly toEnd: boolean;
  /** Words that contribute, in order. */
  readonly words: readonly WeightedWord[];
}

/** Number of characters read for a passage: about 17,000 words, as much as a model reads. */
const MAX_CHARS = 100_000;

interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly gain: number;
}

/**
 * The run of whole sentences of at most `size` characters with the largest sum of positive contributions; the first `size` characters if there are
 * none. A longer sentence is cut. The contribution of a feature is that of all its occurrences, so each gets an equal part; each word of a pair gets
 * half of that.
 * @param contributions of `TopicModel.explain`; features with a name space, such as `title:`, belong to no text
 */
export function bestPassage(text: string, contributions: readonly Contribution[], size: number): Passage {
  const read = text.slice(0, MAX_CHARS);
  const words = weighted(read, contributions);
  const sentences = sentencesOf(read, words);
  const { start, end } = bestRun(sentences, size);
  const cut = Math.min(end, start + size);
  return {
    text: read.slice(start, cut).trimEnd(),
    fromStart: start === 0,
    toEnd: cut >= text.trimEnd().length,
    words: words
      .filter((word) => word.contribution !== 0 && word.start >= start && word.end <= cut)
      .map((word) => ({ start: word.start - start, end: word.end - start, contribution: word.contribution })),
  };
}

/** Every word of a text with its part of the contributions. */
function weighted(text: string, contributions: readonly Contribution[]): WeightedWord[] {
  const words: { start: number; end: number; folded: string }[] = [];
  scanWords(text, (_hash, start, end) => {
    words.push({ start, end, folded: foldWord(text.slice(start, end)) });
  });
  const pairs = words.map(({ folded }, i) => (i === 0 ? '' : `${words[i - 1]?.folded} ${folded}`));
  const parts = partsOf(contributions, [...words.map(({ folded }) => folded), ...pairs]);
  return words.map(({ start, end, folded }, i) => {
    const around = (parts.get(pairs[i] ?? '') ?? 0) + (parts.get(pairs[i + 1] ?? '') ?? 0);
    return { start, end, contribution: (parts.get(folded) ?? 0) + around / 2 };
  });
}

/** The contribution of one occurrence of each name. Names that share a bucket are joined by a bar, and share the contribution. */
function partsOf(contributions: readonly Contribution[], occurrences: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of occurrences) counts.set(name, (counts.get(name) ?? 0) + 1);
  const parts = new Map<string, number>();
  for (const { feature, contribution } of contributions) {
    const names = feature.split('|').filter((name) => counts.has(name));
    const total = names.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
    for (const name of names) parts.set(name, contribution / total);
  }
  return parts;
}

/** Sentences, each with the positive contributions of its words. A line is a block of the page, so it also ends a sentence. */
function sentencesOf(text: string, words: readonly WeightedWord[]): Sentence[] {
  const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
  const sentences: Sentence[] = [];
  let at = 0;
  for (const { segment, index } of segmenter.segment(text)) {
    const end = index + segment.length;
    let gain = 0;
    for (let word = words[at]; word !== undefined && word.start < end; word = words[++at]) gain += Math.max(0, word.contribution);
    sentences.push({ start: index, end, gain });
  }
  return sentences;
}

/** The first of equal runs, with the sentences after it that still fit; the start of the text if no word supports the topic. */
function bestRun(sentences: readonly Sentence[], size: number): { readonly start: number; readonly end: number } {
  if (sentences.every((sentence) => sentence.gain === 0)) return { start: 0, end: size };
  let best = { start: 0, end: sentences[0]?.end ?? 0, gain: Number.NEGATIVE_INFINITY };
  let first = 0;
  let gain = 0;
  for (const [last, sentence] of sentences.entries()) {
    gain += sentence.gain;
    while (first < last && sentence.end - (sentences[first]?.start ?? 0) > size) gain -= sentences[first++]?.gain ?? 0;
    const start = sentences[first]?.start ?? 0;
    if (gain > best.gain || (gain === best.gain && start === best.start)) best = { start, end: sentence.end, gain };
  }
  return best;
}
