/**
 * Days and authors that a page has as text by its title, without markup for them: `By Ada Vale, 3 May 2021`. Most days of a text are of its subject, so
 * only lines count that credit the page, and lists of such lines are of other pages.
 */
import type { EpochMs } from '../../base/core/types.ts';
import type { DateOrder } from '../../base/text/date-order.ts';
import { datesIn, type FoundDate } from '../../base/text/date-search.ts';
import { isPerson, isRole, namesIn } from './author-names.ts';
import { LINE, LINE_SIZE, type LinkSighting, type PageContent } from './blocks.ts';
import { authorsIn, LEADS } from './byline-authors.ts';
import { MODIFIED_WORD, OTHER_DAY, PUBLISHED_WORD, SIDE_WORDS } from './byline-words.ts';
import { FLAG } from './tags.ts';
import { isBelievable } from './times.ts';

type Lines = Pick<PageContent, 'text' | 'lines' | 'links' | 'title' | 'heading'>;

/** Pages of authors, by their addresses in common content systems. */
const AUTHOR_PAGE =
  /\/(?:authors?|autor(?:es|en)?|auteurs?|autori|by|contributors?|writers?|columnists?|journalists?|reporters?|bios?)\/[^/?#]*[a-z]/i;

/** Words before other people in a line of credits. */
const NO_AUTHORS =
  /\b(?:(?:medically |expert )?reviewed|fact[- ]?checked|checked|edited|updated|illustrat\w+|photos?|photography|translated|contact|presented|sponsored|narrated|hosted)\b/i;

/** Days as ISO 8601; null for none. */
export interface TextDays {
  readonly published: string | null;
  readonly modified: string | null;
}

const NO_DAYS: TextDays = { published: null, modified: null };
/** Lines that are looked at for the title, and then behind it, before it and at the end of the page. */
const MOST_LINES = 3_000;
const LINES_AFTER = 14;
const LINES_BEFORE = 4;
const LINES_AT_END = 12;
/** Characters of other text between the title and its line of credits: a standfirst, a caption. */
const MOST_BETWEEN = 700;
/** Longest line that may be the label of the next. */
const MOST_LABEL = 30;
/** Longest line of credits. */
const MOST_CHARS = 220;
/** A list shows its next day after less text than this. */
const ENTRY_CHARS = 600;
/** A line this long is prose. */
const PROSE_CHARS = 100;
const NOT_OWN = FLAG.nav | FLAG.aside | FLAG.hidden | FLAG.veiled | FLAG.form | FLAG.related;
const COPYRIGHT = /©|\(c\)|copyright/i;
const DIGITS = /(?:19|20)\d{2}|\d[./-]\d{2}(?!\d)/;

interface Line {
  readonly text: string;
  readonly flags: number;
}

/** A day of a line of credits. */
interface Credit {
  readonly kind: 'published' | 'modified' | 'plain';
  readonly date: string;
}

/** The lines around the title of one page. */
export class Byline {
  readonly #page: Lines;
  readonly #order: () => DateOrder | null;
  readonly #now: EpochMs;
  #knownTitle: number | null = null;
  #days: TextDays | null = null;

  /** @param order that of day and month in numbers; asked for only if a line has numbers */
  constructor(page: Lines, order: () => DateOrder | null, now: EpochMs) {
    this.#page = page;
    this.#order = order;
    this.#now = now;
  }

  get #title(): number {
    this.#knownTitle ??= titleLine(this.#page);
    return this.#knownTitle;
  }

  get days(): TextDays {
    this.#days ??= this.#title < 0 ? NO_DAYS : this.#readDays();
    return this.#days;
  }

  #readDays(): TextDays {
    const after = this.#creditsAfter();
    const labelled = after.find(({ kind }) => kind === 'published') ?? after.find(({ kind }) => kind === 'plain');
    const published = labelled ?? this.#creditBefore();
    const modified = after.find(({ kind }) => kind === 'modified') ?? this.#creditAtEnd();
    return { published: published?.date ?? null, modified: modified?.date ?? null };
  }

  /** Names by the title; [] if several lines name different ones, as a list does. */
  get authors(): readonly string[] {
    if (this.#title < 0) return [];
    const isMarkedPage = (this.#titleFlags & FLAG.bio) !== 0;
    let found: readonly string[] = [];
    for (const { line, label, index } of this.#linesAfter()) {
      const isMarked = !isMarkedPage && (line.flags & FLAG.bio) !== 0 && !this.#isComment(line);
      const names =
        this.#linkedAuthors(line, index) ??
        (isMarked || LEADS.test(line.text) || LEADS.test(label)
          ? authorsIn(withoutDates(line.text), /^(?:written |posted )?by:?$/i.test(label) ? label : '', isMarked)
          : []);
      if (names === null) return [];
      if (names.length === 0 || names.join() === found.join()) continue;
      if (found.length > 0) return [];
      found = names;
    }
    return found;
  }

  /** Texts of links to the pages of authors in a line; null without any. */
  #linkedAuthors({ text }: Line, index: number): readonly string[] | null {
    if (text.length > MOST_CHARS) return null;
    const from = this.#page.lines[LINE_SIZE * index + LINE.start] ?? 0;
    const to = from + (NO_AUTHORS.exec(text)?.index ?? text.length);
    const names = this.#links(index)
      .filter(({ href, end }) => end <= to && AUTHOR_PAGE.test(href))
      .map(({ start, end }) => this.#page.text.slice(start, end));
    const people = [...new Set(names.flatMap(namesIn))];
    return people.length > 0 && people.every(isPerson) ? people : null;
  }

  #links(line: number): readonly LinkSighting[] {
    const { links } = this.#page;
    let from = 0;
    let to = links.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((links[middle]?.block ?? 0) < line) from = middle + 1;
      else to = middle;
    }
    const found: LinkSighting[] = [];
    for (let i = from; links[i]?.block === line; i += 1) found.push(...links.slice(i, i + 1));
    return found;
  }

  /** The page's own lines behind the title, up to the text, each with the label in the line before it. */
  *#linesAfter(): Generator<{ readonly line: Line; readonly label: string; readonly index: number }> {
    let between = 0;
    let seen = 0;
    let label = '';
    let isBelowHeading = false;
    for (let index = this.#title + 1; index <= this.#title + 5 * LINES_AFTER && seen < LINES_AFTER && between < MOST_BETWEEN; index += 1) {
      const line = this.#line(index);
      if (line === null) return;
      if (!this.#isOwn(line) || (between > PROSE_CHARS && this.#isComment(line))) continue;
      seen += 1;
      const isHeading = (line.flags & FLAG.heading) !== 0;
      if (isHeading && (between > PROSE_CHARS || isBelowHeading)) return;
      isBelowHeading ||= isHeading;
      yield { line, label, index };
      label = line.text.length <= MOST_LABEL ? line.text : '';
      if (!isHeading) between += line.text.length;
      // A subtitle has its line of credits next to it; below another heading is the text of an entry.
      if (isBelowHeading && !isHeading && line.text.length > PROSE_CHARS) return;
    }
  }

  get #titleFlags(): number {
    return this.#page.lines[LINE_SIZE * this.#title + LINE.flags] ?? 0;
  }

  #line(index: number): Line | null {
    const at = LINE_SIZE * index;
    const { lines, text } = this.#page;
    const flags = lines[at + LINE.flags];
    return flags === undefined ? null : { text: text.slice(lines[at + LINE.start], lines[at + LINE.end]), flags };
  }

  /** Is the line part of the text that its title heads? */
  #isOwn({ flags }: Line): boolean {
    return (flags & NOT_OWN & ~this.#titleFlags) === 0;
  }

  /** A class name says so; on a line by the title it may mean the number of comments. */
  #isComment({ flags }: Line): boolean {
    return (flags & ~this.#titleFlags & FLAG.comments) !== 0;
  }

  #creditsAfter(): readonly Credit[] {
    const found: Credit[] = [];
    for (const { line, label, index } of this.#linesAfter()) {
      const credits = this.#creditsOf(line, label);
      if (credits.some(({ kind }) => kind === 'plain') && this.#isList(index, credits)) break;
      found.push(...credits);
    }
    return found;
  }

  #creditBefore(): Credit | null {
    let between = 0;
    for (let i = this.#title - 1; i >= Math.max(0, this.#title - LINES_BEFORE) && between < PROSE_CHARS; i -= 1) {
      const line = this.#line(i);
      if (line === null || (line.flags & FLAG.heading) !== 0) break;
      if (!this.#isOwn(line) || (line.flags & FLAG.list) !== 0) break;
      const credit = this.#creditsOf(line).find(({ kind }) => kind !== 'modified');
      if (credit !== undefined) return this.#isList(this.#title, [credit]) ? null : credit;
      between += line.text.length;
    }
    return null;
  }

  /** `Last updated on 3 May 2021` below the text. */
  #creditAtEnd(): Credit | null {
    const last = this.#page.lines.length / LINE_SIZE - 1;
    for (let i = last; i > Math.max(this.#title, last - LINES_AT_END); i -= 1) {
      const line = this.#line(i);
      const credit = line && !COPYRIGHT.test(line.text) && this.#creditsOf(line).find(({ kind }) => kind === 'modified');
      if (credit) return credit;
    }
    return null;
  }

  /** Do the next lines have other such days? Then they are of the entries of a list. */
  #isList(index: number, [credit]: readonly Credit[]): boolean {
    let between = 0;
    for (let i = index + 1; i < index + 30 && between < ENTRY_CHARS; i += 1) {
      const line = this.#line(i);
      if (line === null) return false;
      if (!this.#isOwn(line)) continue;
      const other = this.#creditsOf(line).find(({ kind }) => kind === 'plain');
      if (other !== undefined && other.date.slice(0, 10) !== credit?.date.slice(0, 10)) return true;
      between += line.text.length;
    }
    return false;
  }

  #creditsOf({ text, flags }: Line, label = ''): readonly Credit[] {
    if (text.length > MOST_CHARS || !DIGITS.test(text) || (flags & (FLAG.table | FLAG.pre)) !== 0) return [];
    // `Release date:`, and the day in the next line.
    if (OTHER_DAY.test(label)) return [];
    const isLabelled = /[:：]\s*$/.test(label) || PUBLISHED_WORD.test(label) || MODIFIED_WORD.test(label);
    const line = unglued(isLabelled ? `${label} ${text}` : text);
    const dates = datesIn(line, /\d[./-]\d/.test(line) ? this.#order() : null);
    return creditsIn(line, dates).filter(({ date }) => isBelievable(date, this.#now));
  }
}

/** Least share of the page's title that a heading has which is part of it, if there is an `h1`. */
const LEAST_SHARE = 0.4;

/** Line of the longest heading that is part of the page's title, else of the first `h1`; those in the header of the site last. -1 for neither. */
function titleLine({ lines, text, title, heading }: Lines): number {
  let best = -1;
  let most = 0;
  let first = -1;
  for (let i = 0; i < Math.min(MOST_LINES, lines.length / LINE_SIZE); i += 1) {
    const at = LINE_SIZE * i;
    const flags = lines[at + LINE.flags] ?? 0;
    if ((flags & FLAG.heading) === 0 || (flags & (FLAG.nav | FLAG.aside | FLAG.hidden)) !== 0) continue;
    const line = text.slice(lines[at + LINE.start], lines[at + LINE.end]);
    const rank = line.length + (flags & FLAG.header ? -0.5 : 0);
    if (line.length >= 4 && rank > most && title.includes(line)) [best, most] = [i, rank];
    if (line === heading && (first < 0 || (flags & FLAG.header) === 0)) first = i;
  }
  return best >= 0 && (first < 0 || most >= LEAST_SHARE * title.length) ? best : first;
}

/** Names of months and words of credits that follow a word without space: `Ada ValePublished: Dec 22, 2023`. */
const GLUE =
  /(?<=[\p{L}\p{N})])(?=(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?\s\d{1,2},?\s\d{4})|(?<=\p{Ll}|\d|[ap]m|\b[A-Z]{2,4})(?=(?:Published|Posted|Updated|Last [Uu]pdated|Modified)\b)/gu;

function withoutDates(text: string): string {
  const line = unglued(text);
  return /\d/.test(line)
    ? line.replaceAll(/(?<!\p{L})(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?\s\d{1,2}(?!\d)|\d{1,4}/gu, ' | ')
    : line;
}

function unglued(text: string): string {
  return text.replace(GLUE, ' | ');
}

const RANGE = /^[\s,]*(?:[-–—~]|to|bis|until|à|au|al?|até|do|до|t\/m|至|から)\s*$/iu;
const SENTENCE_END = /[.!?。！？]["'”’)]*$/u;
/** Signs between the parts of a line of credits. */
const SEPARATORS = /[|·•,;/()[\]–—‒-]|\s{2,}/u;
/** Words that are no name and no word of credits, in one part of a line. */
const MOST_CAPITALS = 4;

/** The days of a line, if it credits the page. */
function creditsIn(line: string, dates: readonly FoundDate[]): readonly Credit[] {
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
