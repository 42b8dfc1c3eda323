/** Paragraphs, sentences and tokens of a text: Unicode text segmentation (UAX #29), with dictionaries for scripts without spaces. */
import { primaryLang } from './language.ts';

/** A part of a text without white space. */
export interface Token {
  readonly form: string;
  /** Does a space follow, before the next token of the paragraph? True for the last of a paragraph. */
  readonly spaceAfter: boolean;
}

export interface Sentence {
  /** Text with single spaces, and none at its ends. */
  readonly text: string;
  /** Whether a space follows, as for tokens. */
  readonly spaceAfter: boolean;
}

/** The algorithm and its data, for files that state how they were cut. */
export const SEGMENTATION = `Intl.Segmenter (UAX #29, ICU ${process.versions['icu']})`;

/** The rules of languages that ICU does not know, and of unknown ones: they are those of UAX #29. */
const PLAIN = 'en';
/** Includes the separators that Python's `splitlines` takes as line ends. */
const SPACES = /[\s\p{Cc}]+/gu;

/** Text that a segmenter gets at once. Each step of Intl.Segmenter takes the time of its whole text: 2 ns a character in Node 20. */
const WINDOW = { sentence: 2000, word: 500 };
/** Breaks nearer to the end of a window are not believed, since they depend on the text behind it. */
const MARGIN = 100;
const LOW_SURROGATE = /[\udc00-\udfff]/;

interface Segmenters {
  readonly sentence: Intl.Segmenter;
  readonly word: Intl.Segmenter;
}

const known = new Map<string, Segmenters>();

/** Memory: two segmenters for each language that ICU knows and that was used. @param lang BCP 47 */
function segmentersOf(lang: string): Segmenters {
  const primary = primaryLang(lang.toLowerCase()) ?? PLAIN;
  const rules = isKnown(primary) ? primary : PLAIN;
  let found = known.get(rules);
  if (found === undefined) {
    found = { sentence: new Intl.Segmenter(rules, { granularity: 'sentence' }), word: new Intl.Segmenter(rules, { granularity: 'word' }) };
    known.set(rules, found);
  }
  return found;
}

function isKnown(lang: string): boolean {
  try {
    return Intl.Segmenter.supportedLocalesOf(lang).length > 0;
  } catch {
    return false;
  }
}

/** The segments of a text of any length, in windows. A segment that is longer than its window gets a larger one. O(length). */
function* segments(segmenter: Intl.Segmenter, text: string, window: number): Generator<string> {
  let size = window;
  for (let at = 0; at < text.length; ) {
    const end = at + size + (LOW_SURROGATE.test(text[at + size] ?? '') ? 1 : 0);
    const part = text.slice(at, end);
    const limit = end >= text.length ? part.length : part.length - MARGIN;
    let used = 0;
    for (const { segment } of segmenter.segment(part)) {
      if (used + segment.length > limit) break;
      yield segment;
      used += segment.length;
      if (size > window) break;
    }
    size = used === 0 ? size * 2 : window;
    at += used;
  }
}

/** The text as one line in Unicode NFC: each run of white space and control characters is a space, and a lone surrogate is U+FFFD. */
export function oneLineOf(text: string): string {
  return text.toWellFormed().normalize('NFC').replace(SPACES, ' ').trim();
}

/** Start and end, as offsets of UTF-16 code units. */
export type SegmentRange = readonly [start: number, end: number];

/** Line ends with the blank lines after them. */
function* lineEndsOf(text: string): Generator<{ readonly start: number; readonly end: number; readonly isBlank: boolean }> {
  for (let start = text.indexOf('\n'); start >= 0; ) {
    let end = start + 1;
    for (let at = end; BLANKS.has(text[at] ?? ''); at += 1) if (text[at] === '\n') end = at + 1;
    yield { start, end, isBlank: end > start + 1 };
    start = text.indexOf('\n', end);
  }
}
const BLANKS = new Set('\n\r\t\v\f \u00a0\u3000');

/** White space between two paragraphs: a blank line, or a line end in texts without blank lines. Forager 0.2 wrote a paragraph a line. */
export function paragraphGap(text: string): string {
  for (const { isBlank } of lineEndsOf(text)) if (isBlank) return '\n\n';
  return '\n';
}

/**
 * The paragraphs of a main text, without white space after them, and without line ends before them: the first line of code has its blanks. A text
 * without blank lines has a paragraph a line. O(text).
 */
export function* paragraphRanges(text: string): Generator<SegmentRange> {
  const hasBlankLines = paragraphGap(text).length > 1;
  let from = 0;
  for (const { start, end, isBlank } of lineEndsOf(text)) {
    if (hasBlankLines && !isBlank) continue;
    yield* insideOf(text, from, start);
    from = end;
  }
  yield* insideOf(text, from, text.length);
}

function* insideOf(text: string, from: number, end: number): Generator<SegmentRange> {
  const start = text[from] === '\n' ? from + 1 : from;
  const length = text.slice(start, end).trimEnd().length;
  if (length > 0) yield [start, start + length];
}

/**
 * Paragraphs of a main text as texts, each in the parts that no sentence crosses, by `oneLineOf`: lines that the next one does not continue, as items
 * of a list. Those of control characters alone are omitted.
 */
export function* paragraphsOf(text: string): Generator<readonly string[]> {
  for (const [start, end] of paragraphRanges(text)) {
    const parts = partsOf(text.slice(start, end)).map(oneLineOf).filter(Boolean);
    if (parts.length > 0) yield parts;
  }
}

/** Signs after which a sentence continues on the next line. */
const CONTINUES = /[,;–—،、，；-]$/u;
const STARTS_SMALL = /^\s*["'“‘«(]*\p{Ll}/u;

/** The lines of a paragraph; those that continue a sentence are joined with the line before: they begin with a small letter, or that one ends with a comma. */
function partsOf(paragraph: string): string[] {
  const parts: string[][] = [];
  for (const line of paragraph.split('\n')) {
    const last = parts.at(-1);
    if (last !== undefined && (STARTS_SMALL.test(line) || CONTINUES.test(last.at(-1) ?? ''))) last.push(line.trim());
    else parts.push([line.trim()]);
  }
  return parts.map((lines) => lines.join(' '));
}

/** The sentences of a text as they are, with the white space after them: joined they are the text. O(length). @param lang BCP 47, `und` for unknown */
export function sentenceSegments(text: string, lang: string): Generator<string> {
  return segments(segmentersOf(lang).sentence, text, WINDOW.sentence);
}

/** Words of a text; signs and white space are segments too. */
export function wordSegments(text: string, lang: string): Generator<string> {
  return segments(segmentersOf(lang).word, text, WINDOW.word);
}

/** O(length); a sentence at a time. @param paragraph a part of one, by `paragraphsOf` @param lang BCP 47, `und` for unknown */
export function* sentencesOf(paragraph: string, lang: string): Generator<Sentence> {
  let last: string | null = null;
  for (const segment of sentenceSegments(paragraph, lang)) {
    // A sentence has the spaces after it.
    if (last !== null && segment.trim() === '') last += segment;
    else {
      if (last !== null) yield { text: last.trim(), spaceAfter: last.endsWith(' ') || segment.startsWith(' ') };
      last = segment;
    }
  }
  if (last !== null && last.trim() !== '') yield { text: last.trim(), spaceAfter: true };
}

/** The sentences of a paragraph. @param parts by `paragraphsOf` @param lang BCP 47, `und` for unknown */
export function* sentencesIn(parts: readonly string[], lang: string): Generator<Sentence> {
  for (const part of parts) yield* sentencesOf(part, lang);
}

/** Words, numbers, and each sign of punctuation. O(length); a token at a time. */
export function* tokensOf({ text, spaceAfter }: Sentence, lang: string): Generator<Token> {
  let last: string | null = null;
  for (const segment of wordSegments(text, lang)) {
    // A combining mark may stand on a space (rule WB4): the two are one segment.
    for (const form of segment.includes(' ') ? segment.split(/( )/) : [segment]) {
      if (form === '') continue;
      if (last !== null && last !== ' ') yield { form: last, spaceAfter: form === ' ' };
      last = form;
    }
  }
  if (last !== null && last !== ' ') yield { form: last, spaceAfter };
}
