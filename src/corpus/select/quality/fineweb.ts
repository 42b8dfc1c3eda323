import { shareOf } from '../../../base/core/share.ts';
import type { QualityRuleSet } from '../quality-rules.ts';
import { duplicatesIn } from './measured-text.ts';

const SHORT_LINE_CHARS = 30;

/**
 * Penedo et al. 2024, "The FineWeb Datasets", section 3.6, with the bounds of the code that made the corpus (datatrove, `FineWebQualityFilter`). The paper
 * has .1 for characters in duplicate lines where the code has .01.
 */
export const fineweb = {
  name: 'fineweb',
  source: 'Penedo et al. 2024',
  bounds: {
    punctuatedLines: { above: 0.12 },
    shortLines: { most: 0.67 },
    duplicateLineChars: { most: 0.01 },
    lineFeedsPerWord: { most: 0.3 },
  },
  measure(measured) {
    const { text, lines, words } = measured;
    const feeds = text.split('\n').length - 1;
    return {
      punctuatedLines: measured.shareOfLines((line) => measured.endsInTerminal(line)),
      shortLines: measured.shareOfLines((line) => line.length <= SHORT_LINE_CHARS),
      duplicateLineChars: shareOf(duplicatesIn(lines).chars, text.length - feeds),
      lineFeedsPerWord: shareOf(feeds, words.length),
    };
  },
} as const satisfies QualityRuleSet;
