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

/** A run of words that both texts have, or that one of them alone has. */
export interface WordPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly words: readonly string[];
}

/**
 * Both texts as runs of words, by a shortest list of removed and added words (Myers 1986); of two words that replace each other, the removed one is first.
 * White space does not count; scripts without spaces are cut into words. O(words + the square of the words that differ), at most a million steps.
 */
export function wordParts(before: string, after: string): readonly WordPart[] {
  const [a, b] = [wordsIn(before), wordsIn(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const [oldWords, newWords] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  const found = diffArrays(oldWords, newWords, { maxEditLength: MAX_EDIT_WORDS }) ?? [
    { value: oldWords, removed: true, added: false },
    { value: newWords, removed: false, added: true },
  ];
  const parts = found.map(
    ({ value, added, removed }): WordPart => ({ kind: added ? 'added' : removed ? 'removed' : 'same', words: value }),
  );
  const same = (words: readonly string[]): WordPart => ({ kind: 'same', words });
  return [same(b.slice(0, start)), ...parts, same(b.slice(b.length - end))].filter(({ words }) => words.length > 0);
}

/** The words that differ, in the order of the new text. Cost as that of `wordParts`. */
export function wordDiff(before: string, after: string): WordDiff {
  let [at, wordsRemoved, wordsAdded, editCount] = [0, 0, 0, 0];
  const edits: { at: number; removed: string; added: string }[] = [];
  let open: { at: number; removed: string; added: string } | null = null;
  for (const { kind, words } of wordParts(before, after)) {
    if (kind === 'same') {
      at += words.length;
      open = null;
      continue;
    }
    if (open === null) {
      open = { at, removed: '', added: '' };
      editCount++;
      if (edits.length < MAX_EDITS) edits.push(open);
    }
    open[kind] = words.join(' ');
    if (kind === 'removed') wordsRemoved += words.length;
    else {
      wordsAdded += words.length;
      at += words.length;
    }
  }
  return { wordsRemoved, wordsAdded, edits, editCount };
}

function wordsIn(text: string): string[] {
  return (withWordBreaks(text) ?? text).split(BETWEEN_WORDS).filter((word) => word !== '');
}

const BETWEEN_WORDS = new RegExp(`[\\s${WORD_BREAK}]+`, 'u');
