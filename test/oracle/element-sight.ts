/** Which elements a reader of a page sees: buttons that are words, text that is hidden until a script has run, signs that are read by nobody. */

import type { Block } from '../../src/reading/extract/blocks.ts';
import { CLASS, CLASSES } from '../../src/reading/extract/character-classes.ts';
import { FLAG, NOT_COUNTED, type Tag, type TagKind, WORD_TAGS } from '../../src/reading/extract/tags.ts';
import type { Attributes } from './attributes.ts';

/** So many units before the button of a heading are a number: `12.` */
export const MAX_NUMBER = 4;

/** The name of a custom element (HTML Standard §4.13.2), which may be the whole page. */
export function isCustom({ name }: Tag): boolean {
  return name.includes('-');
}

/** The flags of a button: a word is not hidden; one that opens a text has its own flag. */
export function buttonFlags(own: number, kind: TagKind, attributes: Attributes): number {
  if (kind === 'inline') return own & ~FLAG.hidden;
  const opens = attributes.get('aria-expanded') !== null || attributes.get('aria-controls') !== null;
  return opens ? own | FLAG.disclosure : own;
}

/** The flags of an element with `aria-hidden`: a block is veiled, a link or a sign of an icon font is not seen, and the rest of a line is. */
export function quietFlags(own: number, kind: TagKind, tag: Tag): number {
  if (kind !== 'inline') return (own & ~FLAG.quiet) | FLAG.veiled;
  return tag.reader === 'link' || own & FLAG.icon ? own | FLAG.unseen : own;
}

/** Longest button that is a word, with its markup, in units; number of tags that may follow it. */
const MAX_BUTTON = 600;
const MAX_TAGS = 4;
const END = /<\/button[^>]*>/gi;
const TAG = /\s*<\/?([a-z]+)[^>]*>/iy;

/** The first code unit of the text that follows a button in its line; NaN for none. @param from after the name of its start tag */
export function codeAfterButton(html: string, from: number): number {
  const near = html.slice(from, from + MAX_BUTTON);
  END.lastIndex = 0;
  if (END.exec(near) === null) return Number.NaN;
  let at = END.lastIndex;
  for (let tags = 0; tags < MAX_TAGS; tags += 1) {
    TAG.lastIndex = at;
    const tag = TAG.exec(near);
    if (tag === null || !WORD_TAGS.has(tag[1]?.toLowerCase() ?? '')) break;
    at = TAG.lastIndex;
  }
  while (at < near.length && near.charCodeAt(at) <= 32) at += 1;
  return near.charCodeAt(at);
}

/** A letter or digit, or a sign that a sentence has after a word. */
export function isInSentence(code: number): boolean {
  return code > 127 ? isForeignLetter(code) : /[\w,.;:!?)'"]/.test(String.fromCharCode(code));
}

/** A small letter, or one that is not ASCII. */
export function isSmall(code: number): boolean {
  return code > 127 ? isForeignLetter(code) : code >= 97 && code <= 122;
}

function isForeignLetter(code: number): boolean {
  return CLASSES[code] === CLASS.letter || CLASSES[code] === CLASS.half;
}

/** Nearly all words of a page, apart from its navigation, header and footer. */
const NEARLY_ALL = 0.9;
/** All of them, apart from a line that asks for a script. */
const ALL = 0.98;
/** Fewer words are no text. */
const MIN_WORDS = 25;
/** A button of fewer words opens a menu: `Menu`, `See more`. */
const MIN_QUESTION = 3;

/**
 * The blocks with `hidden` for those that are veiled, unless one veiled element has nearly all words of the page, or several have all: then a script shows them.
 * @param veils where in the text each outermost veiled element starts
 */
export function unveiled(blocks: readonly Block[], veils: readonly number[]): readonly Block[] {
  if (!blocks.some(({ flags }) => flags & (FLAG.veiled | FLAG.disclosure))) return blocks;
  const [from, to] = mainVeil(blocks, veils);
  return blocks.map((block) => {
    const isQuestion = (block.flags & FLAG.disclosure) !== 0 && block.words >= MIN_QUESTION;
    let flags = isQuestion ? block.flags & ~FLAG.hidden : block.flags;
    if (flags & FLAG.veiled && (block.start < from || block.start >= to)) flags |= FLAG.hidden;
    return flags === block.flags && !(flags & FLAG.veiled) ? block : { ...block, flags: flags & ~FLAG.veiled };
  });
}

/** Start and end of the veiled text that is shown; both 0 if there is none. */
function mainVeil(blocks: readonly Block[], veils: readonly number[]): readonly [from: number, to: number] {
  let all = 0;
  let veiled = 0;
  let words = 0;
  let veil = -1;
  let most = 0;
  let found = -1;
  for (const block of blocks) {
    while ((veils[veil + 1] ?? Number.POSITIVE_INFINITY) <= block.start) {
      veil += 1;
      words = 0;
    }
    if (block.flags & NOT_COUNTED) continue;
    all += block.words;
    if (!(block.flags & FLAG.veiled)) continue;
    veiled += block.words;
    words += block.words;
    if (words > most) [most, found] = [words, veil];
  }
  if (veiled >= MIN_WORDS && veiled >= ALL * all) return [0, Number.POSITIVE_INFINITY];
  if (most < MIN_WORDS || most < NEARLY_ALL * all) return [0, 0];
  return [veils[found] ?? 0, veils[found + 1] ?? Number.POSITIVE_INFINITY];
}
