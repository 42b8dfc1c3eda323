import type { AlignSide, TextAlignment } from '../../../src/corpus/align/aligned-text.ts';
import { TableLearner } from '../../../src/corpus/align/table-learner.ts';
import type { TranslationTable } from '../../../src/corpus/align/translation-table.ts';

/** The table of the beads with both sides, as sentence pairs are made. */
export function learnedFrom(pages: readonly (readonly [AlignSide, AlignSide])[], alignments: readonly TextAlignment[]): TranslationTable {
  const learner = new TableLearner();
  for (const [k, [leftSide, rightSide]] of pages.entries()) {
    const { left = [], right = [], beads = [] } = alignments[k] ?? {};
    for (const bead of beads) {
      if (bead.left[0] === bead.left[1] || bead.right[0] === bead.right[1]) continue;
      const leftText = leftSide.text.slice(left[bead.left[0]]?.start, left[bead.left[1] - 1]?.end);
      learner.add(leftText, rightSide.text.slice(right[bead.right[0]]?.start, right[bead.right[1] - 1]?.end));
    }
  }
  return learner.learn();
}
