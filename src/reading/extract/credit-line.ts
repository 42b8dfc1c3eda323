/** Days in one line of credits: `Published on 3 May 2021 | Updated June 7, 2023`. */
import type { FoundDate } from '../../base/text/date-search.ts';
import { isRole } from './author-names.ts';
import { MODIFIED_WORD, OTHER_DAY, PUBLISHED_WORD, SIDE_WORDS } from './byline-words.ts';

/** A day of a line of credits. */
export interface Credit {
  readonly kind: 'published' | 'modified' | 'plain';
  readonly date: string;
}

/** Names of months and words of credits that follow a word without space: `Ada ValePublished: Dec 22, 2023`. */
const GLUE =
  /(?<=[\p{L}\p{N})])(?=(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?\s\d{1,2},?\s\d{4})|(?<=\p{Ll}|\d|[ap]m|\b[A-Z]{2,4})(?=(?:Published|Posted|Updated|Last [Uu]pdated|Modified)\b)/gu;

/** The line with marks in place of its days. */
export function withoutDates(text: string): string {
  const line = unglued(text);
  return /\d/.test(line)
    ? line.replaceAll(/(?<!\p{L})(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?\s\d{1,2}(?!\d)|\d{1,4}/gu, ' | ')
    : line;
}

/** The line with marks between words of its parts, where tags stood. */
export function unglued(text: string): string {
  return text.replace(GLUE, ' | ');
}

const RANGE = /^[\s,]*(?:[-–—~]|to|bis|until|à|au|al?|até|do|до|t\/m|至|から)\s*$/iu;
export const SENTENCE_END = /[.!?。！？]["'”’)]*$/u;
/** Signs between the parts of a line of credits. */
const SEPARATORS = /[|·•,;/()[\]–—‒-]|\s{2,}/u;
/** Words that are no name and no word of credits, in one part of a line. */
const MOST_CAPITALS = 4;

/** The days of a line, if it credits the page. */
export function creditsIn(line: string, dates: readonly FoundDate[]): readonly Credit[] {
  if (dates.length === 0 || dates.length > 3) return [];
  const befores = dates.map(({ from }, i) => line.slice(dates[i - 1]?.to ?? 0, from));
  if (befores.some((before, i) => i > 0 && RANGE.test(before))) return [];
  const credits = dates.map(({ date }, i): Credit => ({ kind: kindOf(befores[i] ?? ''), date }));
  const rest = line.slice(dates.at(-1)?.to ?? 0);
  const residue = [...befores.map((before) => before.replace(PUBLISHED_WORD, ' ').replace(MODIFIED_WORD, ' ')), rest];
  const isPlain = credits.some(({ kind }) => kind === 'plain');
  if (OTHER_DAY.test(residue.join(' | '))) return [];
  if (
    isPlain &&
    (credits.filter(({ kind }) => kind === 'plain').length > 1 || SENTENCE_END.test(line.replace(/\b(?:[ap]\.m|г|r|Uhr)\.$/iu, '')))
  )
    return [];
  return residue.every((part) => isSideline(part, isPlain)) ? credits : [];
}

function kindOf(before: string): Credit['kind'] {
  if (MODIFIED_WORD.test(before)) return 'modified';
  return PUBLISHED_WORD.test(before) ? 'published' : 'plain';
}

/** Is a part of the line about the page, as names and sections are? */
function isSideline(part: string, isPlain: boolean): boolean {
  if (isPlain && /:\s*$/.test(part)) return false;
  const pieces = part
    .replaceAll(SIDE_WORDS, ' ')
    .split(SEPARATORS)
    .map((piece) => piece.trim());
  return pieces.every((piece) => isLabel(piece) || isRole(piece));
}

/** No sentence: few words, with capitals if the script has any. */
function isLabel(piece: string): boolean {
  const words = piece.split(/[^\p{L}\p{M}\p{N}'’@._]+/u).filter((word) => /\p{L}/u.test(word));
  const lower = words.filter(
    (word) =>
      /^\p{Ll}/u.test(word) && !/^(?:by|and|von|und|par|et|por|y|di|e|da|door|en|in|for|of|the|de|van|om|for|av|af|przez|i)$/iu.test(word),
  );
  return lower.length === 0 && words.length <= MOST_CAPITALS + 2;
}
