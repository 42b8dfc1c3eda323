/**
 * Rules after the choice of main text, for structures: lists, tables, headings, footnotes and manual pages are kept whole. The model judges each block by
 * itself, so short ones (the name of an option, a cell) go astray.
 */
import { isLinked, isProper, LINE, LINE_SIZE, lineNumber, lineText, PART, type PageContent, STOPS } from './blocks.ts';
import { ROLE, RULE } from './main-text.ts';
import { manualSection } from './manual-sections.ts';
import { BOILERPLATE, FLAG } from './tags.ts';
import { keepTitles } from './title-rules.ts';

type Lines = Pick<PageContent, 'text' | 'lines' | 'parents'>;

/**
 * Least share of the words of a list or a table that the model keeps, for the rest to be kept as well. On the development pages, by folds, every share
 * between .3 and .7 gives the same mean F1 (within .0003), so the lowest one is taken: more of a manual's tables of options is whole.
 */
const LEAST_SHARE = 0.3;
/** Fewer parts are no list. */
const LEAST_PARTS = 3;
/** Sections of a page that is a manual page, of which one is `NAME` or `SYNOPSIS`. */
const LEAST_SECTIONS = 3;
/** Blocks between the main heading and the text that may be its opening. */
const MAX_OPENING = 4;
/** Least probability of main text of an opening. On the development pages, by folds, no value between .2 and .4 gains or loses more than .0005. */
const OPENING_PROBABILITY = 0.3;
/** Blocks of the last section of a manual page: some are of the page around it. */
const MAX_LAST_BLOCKS = 40;
/** Hints for parts of pages that are no text of the author. */
const ASIDE = FLAG.boilerplateHint | FLAG.related | FLAG.menu | FLAG.social | FLAG.signup;

/** The rules of this file. Changes roles and rules. O(blocks). @param rules of the blocks, if they are wanted */
export function keepStructures(page: Lines, roles: Uint8Array, probabilities: ArrayLike<number>, rules: Uint8Array | null): void {
  if (!roles.includes(ROLE.text)) return;
  const keep = (block: number, rule: number) => {
    roles[block] = ROLE.text;
    if (rules !== null) rules[block] = rule;
  };
  keepManual(page, roles, keep);
  keepWholes(page, roles, keep);
  keepOpening(page, roles, probabilities, keep);
  keepTitles(page, roles, keep);
  keepHeads(page, roles, keep);
  keepNotes(page, roles, keep);
}

type Keep = (block: number, rule: number) => void;

/** Lists and tables of which the text has a part: their other parts, unless they are links. */
function keepWholes({ lines }: Lines, roles: Uint8Array, keep: Keep): void {
  const wholes = sumsOfWholes(lines, roles);
  if (wholes.size === 0) return;
  for (let i = 0; i < roles.length; i += 1) {
    if (roles[i] === ROLE.text || lineNumber(lines, i, LINE.part) === PART.none) continue;
    const whole = wholes.get(lineNumber(lines, i, LINE.whole));
    if (whole !== undefined && isKept(whole) && isProper(lines, i)) keep(i, RULE.whole);
  }
}

/** Parts of a list or a table, and their half words: all, in links, in the text. */
interface Whole {
  parts: number;
  all: number;
  linked: number;
  kept: number;
}

function isKept({ parts, all, linked, kept }: Whole): boolean {
  return parts >= LEAST_PARTS && kept >= LEAST_SHARE * all && 2 * linked <= all;
}

/** The lists and tables of which the text has a part, by their nodes. Changes of roles later on do not change them. */
function sumsOfWholes(lines: Int32Array, roles: Uint8Array): ReadonlyMap<number, Whole> {
  const wholes = new Map<number, Whole>();
  for (let i = 0; i < roles.length; i += 1)
    if (roles[i] === ROLE.text && lineNumber(lines, i, LINE.part) !== PART.none)
      wholes.set(lineNumber(lines, i, LINE.whole), { parts: 0, all: 0, linked: 0, kept: 0 });
  if (wholes.size === 0) return wholes;
  for (let i = 0; i < roles.length; i += 1) {
    if (lineNumber(lines, i, LINE.part) === PART.none) continue;
    const whole = wholes.get(lineNumber(lines, i, LINE.whole));
    if (whole === undefined) continue;
    const words = lineNumber(lines, i, LINE.halfWords);
    whole.parts += 1;
    whole.all += words;
    whole.linked += lineNumber(lines, i, LINE.linkHalfWords);
    if (roles[i] === ROLE.text) whole.kept += words;
  }
  return wholes;
}

/** Headings and terms directly above text, after its first block. From the end: a heading above a heading that is kept is also above text. */
function keepHeads({ lines }: Lines, roles: Uint8Array, keep: Keep): void {
  const first = roles.indexOf(ROLE.text);
  for (let i = roles.length - 2; i > first; i -= 1) {
    if (roles[i] === ROLE.text || roles[i + 1] !== ROLE.text) continue;
    const isHead = isHeading(lines, i) || lineNumber(lines, i, LINE.part) === PART.term;
    if (isHead && isProper(lines, i) && (lineNumber(lines, i, LINE.flags) & ASIDE) === 0) keep(i, RULE.heading);
  }
}

/** Sentences between the main heading of a page and its first text. */
function keepOpening({ text, lines }: Lines, roles: Uint8Array, probabilities: ArrayLike<number>, keep: Keep): void {
  const first = roles.indexOf(ROLE.text);
  let heading = first - 1;
  while (heading >= 0 && heading >= first - 1 - MAX_OPENING && !isHeading(lines, heading)) heading -= 1;
  if (heading < 0 || !isHeading(lines, heading)) return;
  for (let i = heading + 1; i < first; i += 1) {
    const isSentence = STOPS.includes(text.charAt(lineNumber(lines, i, LINE.end) - 1));
    if (isSentence && isProper(lines, i) && (probabilities[i] ?? 0) >= OPENING_PROBABILITY) keep(i, RULE.opening);
  }
}

/** Footnotes: numbers with the paragraphs behind them, texts that begin with a number in brackets or end with a link back to their place. */
function keepNotes(page: Lines, roles: Uint8Array, keep: Keep): void {
  const { lines } = page;
  let isOfNumber = false;
  for (let i = roles.indexOf(ROLE.text) + 1; i < roles.length; i += 1) {
    if (!isNote(lines, i)) {
      isOfNumber = false;
      continue;
    }
    const text = lineText(page, i);
    isOfNumber = NOTE_NUMBER.test(text) ? isNote(lines, i + 1) && !isLinked(lines, i + 1) : isOfNumber && isPlain(lines, i);
    if (roles[i] !== ROLE.text && (isOfNumber || (!isLinked(lines, i) && NOTE.test(text)))) keep(i, RULE.note);
  }
}

/** A class name for footnotes and the like, and no boilerplate but an `aside`: Docutils puts each footnote into one. */
function isNote(lines: Int32Array, block: number): boolean {
  const flags = lineNumber(lines, block, LINE.flags);
  return (flags & FLAG.note) !== 0 && (flags & BOILERPLATE & ~FLAG.aside) === 0;
}

/** A paragraph, or part of a definition: of a note, where it follows the number. */
function isPlain(lines: Int32Array, block: number): boolean {
  const part = lineNumber(lines, block, LINE.part);
  return !isHeading(lines, block) && (part === PART.none || part === PART.definition);
}

/** `1`, `[1]`, and with the places that mention it `1(1,2)`. */
const NOTE_NUMBER = /^\[?(?:\d{1,3}|[*†‡§])[\].)]?(?:\s?\([\d,\s]+\))?$/u;
const NOTE = /^\[\d{1,3}\]\s*\S|[↩↵⏎]\uFE0E?$/u;

/** The sections of a manual page, from its name to the end of the last one: also the line of its purpose, its synopsis and its references. */
function keepManual(page: Lines, roles: Uint8Array, keep: Keep): void {
  const sections = sectionsOf(page);
  const [first, last] = [sections[0], sections.at(-1)];
  if (first === undefined || last === undefined) return;
  // Programs name a section by its heading: `see-also` is no hint.
  let own = 0;
  for (let i = first; i < roles.length; i += 1) {
    const flags = lineNumber(page.lines, i, LINE.flags);
    if (i <= last && isHeading(page.lines, i)) own = flags & ASIDE;
    const foreign = flags & (BOILERPLATE | (ASIDE & ~own));
    if (i > last && (i > last + MAX_LAST_BLOCKS || foreign !== 0 || isHeading(page.lines, i))) return;
    if (roles[i] !== ROLE.text && foreign === 0) keep(i, RULE.manual);
  }
}

/** The headings of a manual page's sections, in their order; [] for another page. */
function sectionsOf(page: Lines): readonly number[] {
  const { lines } = page;
  const found: number[] = [];
  const kinds = new Set<string>();
  let begins = false;
  for (let i = 0; i * LINE_SIZE < lines.length; i += 1) {
    if (!isHeading(lines, i)) continue;
    const heading = lineText(page, i);
    const section = manualSection(heading);
    begins ||= section === 'name' || section === 'synopsis';
    if (section === null || !begins) continue;
    found.push(i);
    kinds.add(heading.toLowerCase());
  }
  return kinds.size >= LEAST_SECTIONS ? found : [];
}

function isHeading(lines: Int32Array, block: number): boolean {
  return (lineNumber(lines, block, LINE.flags) & FLAG.heading) !== 0;
}
