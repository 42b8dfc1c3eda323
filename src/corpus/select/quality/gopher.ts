import { shareOf } from '../../../base/core/share.ts';
import type { QualityRuleSet } from '../quality-rules.ts';
import { duplicatesIn } from './measured-text.ts';
import { repeatedRunChars, topRunChars } from './word-runs.ts';

const BULLETS = /^(?:[•‣▪●◦*]|[-–—] )/;

/**
 * Rae et al. 2021, "Scaling Language Models: Methods, Analysis & Insights from Training Gopher", appendix A.1.1 and table A1: quality, and repetition.
 * Fractions of characters are of the code units of the text. Runs of words ("n-grams") are counted as in datatrove: the most frequent run with all its
 * occurrences for 2 to 4 words, all runs that equal an earlier one for 5 to 10.
 */
export const gopher = {
  name: 'gopher',
  source: 'Rae et al. 2021',
  bounds: {
    words: { least: 50, most: 100_000 },
    meanWordLength: { least: 3, most: 10 },
    hashesPerWord: { most: 0.1 },
    ellipsesPerWord: { most: 0.1 },
    bulletLines: { most: 0.9 },
    ellipsisLines: { most: 0.3 },
    alphabeticWords: { least: 0.8 },
    stopWords: { least: 2 },
    duplicateLines: { most: 0.3 },
    duplicateLineChars: { most: 0.2 },
    duplicateParagraphs: { most: 0.3 },
    duplicateParagraphChars: { most: 0.2 },
    top2: { most: 0.2 },
    top3: { most: 0.18 },
    top4: { most: 0.16 },
    repeated5: { most: 0.15 },
    repeated6: { most: 0.14 },
    repeated7: { most: 0.13 },
    repeated8: { most: 0.12 },
    repeated9: { most: 0.11 },
    repeated10: { most: 0.1 },
  },
  measure(measured) {
    const { text, lines, paragraphs, words, lengths, tokens, alphabetic, stopWords } = measured;
    const chars = lengths.reduce((sum, length) => sum + length, 0);
    const repeatedLines = duplicatesIn(lines);
    const repeatedParagraphs = duplicatesIn(paragraphs);
    const top = (n: number) => shareOf(topRunChars(words, lengths, n), text.length);
    const repeated = (n: number) => shareOf(repeatedRunChars(words, lengths, n), text.length);
    return {
      words: words.length,
      meanWordLength: shareOf(chars, words.length),
      hashesPerWord: shareOf(occurrences(text, '#'), words.length),
      ellipsesPerWord: shareOf(occurrences(text, '...') + occurrences(text, '…'), words.length),
      bulletLines: measured.shareOfLines((line) => BULLETS.test(line)),
      ellipsisLines: measured.shareOfLines((line) => line.endsWith('...') || line.endsWith('…')),
      alphabeticWords: shareOf(alphabetic, tokens),
      stopWords,
      duplicateLines: shareOf(repeatedLines.items, lines.length),
      duplicateLineChars: shareOf(repeatedLines.chars, text.length),
      duplicateParagraphs: shareOf(repeatedParagraphs.items, paragraphs.length),
      duplicateParagraphChars: shareOf(repeatedParagraphs.chars, text.length),
      top2: top(2),
      top3: top(3),
      top4: top(4),
      repeated5: repeated(5),
      repeated6: repeated(6),
      repeated7: repeated(7),
      repeated8: repeated(8),
      repeated9: repeated(9),
      repeated10: repeated(10),
    };
  },
} as const satisfies QualityRuleSet;

function occurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++;
  return count;
}
