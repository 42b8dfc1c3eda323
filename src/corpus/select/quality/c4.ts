import { shareOf } from '../../../base/core/share.ts';
import type { QualityRuleSet } from '../quality-rules.ts';

/** Words of a line, and sentences of a page, that Raffel et al. ask for; datatrove has the same. */
const LEAST_WORDS = 3;
const LEAST_SENTENCES = 5;
/** A line with a longer word is skipped; not in the paper, but in its code (c4_utils.py of TensorFlow Datasets). */
const MAX_WORD_CHARS = 1000;
/** Lines about cookies and terms; in the same code. */
const POLICY = /terms of use|privacy policy|cookie policy|uses cookies|use of cookies|use cookies/i;

/**
 * Raffel et al. 2020, "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer" (T5), section 2.2. C4 keeps lines of at least
 * three words that end in terminal punctuation and do not speak of JavaScript, and pages of five sentences in such lines, without braces and "lorem
 * ipsum". Here the page is judged, and no line is cut. The list of bad words and the removal of repeated spans of three sentences are omitted.
 */
export const c4 = {
  name: 'c4',
  source: 'Raffel et al. 2020',
  bounds: {
    sentences: { least: LEAST_SENTENCES },
    braces: { most: 0 },
    loremIpsum: { most: 0 },
  },
  measure(measured) {
    const { text, lines } = measured;
    const kept = lines.filter((line) => isKept(line) && measured.endsInTerminal(line));
    return {
      sentences: kept.reduce((sum, line) => sum + sentencesIn(line), 0),
      braces: text.includes('{') ? 1 : 0,
      loremIpsum: /lorem ipsum/i.test(text) ? 1 : 0,
      keptLines: shareOf(kept.length, lines.length),
    };
  },
} as const satisfies QualityRuleSet;

function isKept(line: string): boolean {
  if (line.endsWith('...') || /javascript/i.test(line) || POLICY.test(line)) return false;
  const words = line.split(/\s+/);
  return words.length >= LEAST_WORDS && words.every((word) => word.length <= MAX_WORD_CHARS);
}

/** Number of sentences of a line that ends in terminal punctuation: places where such a mark stands before white space or the end. */
function sentencesIn(line: string): number {
  return Math.max(1, line.match(/[.!?;]["'”’»“‘«)]*(?=\s|$)/g)?.length ?? 0);
}
