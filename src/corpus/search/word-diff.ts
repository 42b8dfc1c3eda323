/** The words that differ between two texts. */
import { diffArrays } from 'diff';
import { WORD_BREAK, withWordBreaks } from '../../base/text/word-breaks.ts';

/** Words that are next to each other in their texts, and replace each other. */
export interface WordEdit {
  /** Place of the edit in the new text, in words from 0. */
  readonly at: number;
  /** '' if nothing was removed. */
  readonly removed: string;
  /** '' if nothing was added. */
  readonly added: string;
}

export interface WordDiff {
  readonly wordsRemoved: number;
  readonly wordsAdded: number;
  /** The first `MAX_EDITS`, in order. */
  readonly edits: readonly WordEdit[];
  /** Number of edits. */
  readonly editCount: number;
}

export const MAX_EDITS = 100;
/** Words that are removed or added. With more, everything between the first and the last difference is one edit: the search takes the square of them. */
const MAX_EDIT_WORDS = 1000;

/**
 * A shortest list of removed and added words (Myers 1986). White space does not count; scripts without spaces are cut into words. O(words + the square of
 * the words that differ), at most a million steps.
 */
export function wordDiff(before: string, after: string): WordDiff {
  const [a, b] = [wordsIn(before), wordsIn(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [oldWords, newWords] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const parts = diffArrays(oldWords, newWords, { maxEditLength: MAX_EDIT_WORDS }) ?? [
    { value: oldWords, removed: true, added: false },
    { value: newWords, removed: false, added: true },
  ];
  let [at, wordsRemoved, wordsAdded, editCount] = [start, 0, 0, 0];
  const edits: { at: number; removed: string; added: string }[] = [];
  let open: { at: number; removed: string; added: string } | null = null;
  for (const { value, added, removed } of parts) {
    if (!added && !removed) {
      at += value.length;
      open = null;
      continue;
    }
    if (open === null) {
      open = { at, removed: '', added: '' };
      editCount++;
      if (edits.length < MAX_EDITS) edits.push(open);
    }
    if (removed) {
      open.removed = value.join(' ');
      wordsRemoved += value.length;
    } else {
      open.added = value.join(' ');
      wordsAdded += value.length;
      at += value.length;
    }
  }
  return { wordsRemoved, wordsAdded, edits, editCount };
}

function wordsIn(text: string): string[] {
  return (withWordBreaks(text) ?? text).split(BETWEEN_WORDS).filter((word) => word !== '');
}

const BETWEEN_WORDS = new RegExp(`[\\s${WORD_BREAK}]+`, 'u');
