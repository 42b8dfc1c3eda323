/**
 * Days and authors that a page has as text by its title, without markup for them: `By Ada Vale, 3 May 2021`. Most days of a text are of its subject, so
 * only lines count that credit the page, and lists of such lines are of other pages.
 */
import type { EpochMs } from '../../base/core/types.ts';
import type { DateOrder } from '../../base/text/date-order.ts';
import { datesIn } from '../../base/text/date-search.ts';
import { isPerson, namesIn } from './author-names.ts';
import { LINE, LINE_SIZE, type LinkSighting, lineNumber, type PageContent } from './blocks.ts';
import { authorsIn, LEADS } from './byline-authors.ts';
import { CHANGE_HINT, MODIFIED_WORD, OTHER_DAY, PUBLISHED_WORD } from './byline-words.ts';
import { type Credit, creditsIn, SENTENCE_END, unglued, withoutDates } from './credit-line.ts';
import { FLAG } from './tags.ts';
import { isBelievable } from './times.ts';
import { titleLine } from './title-line.ts';

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
/** Lines that are looked at behind the title, before it and at the end of the page. */
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
/** Titles of pages whose days are those of events. */
const EVENTS = /\b(?:events?|calendar|kalender|agenda|schedules?|fixtures|scores|termine|spielplan)\b/i;
/** The numbers of a day and a year. */
const DAY = /(?<!\d)\d{1,2}\D{1,24}(?:19|20)\d{2}(?!\d)|(?:19|20)\d{2}\D{1,16}\d{1,2}(?!\d)|\d[./-]\s?\d{1,2}[./-]\s?\d{2}/;

interface Line {
  /** '' for a line that is too long for one of credits. */
  readonly text: string;
  readonly length: number;
  readonly flags: number;
}

/** One of the page's own lines behind the title, with the label in the line before it. */
interface LineAfter {
  readonly line: Line;
  readonly label: string;
  readonly index: number;
}

/** The lines around the title of one page. */
export class Byline {
  readonly #page: Lines;
  readonly #order: () => DateOrder | null;
  readonly #now: EpochMs;
  #knownTitle: number | null = null;
  #days: TextDays | null = null;
  #linesAfter: readonly LineAfter[] | null = null;

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
    const modified = after.find(isChange) ?? this.#creditAtEnd();
    return { published: published?.date ?? null, modified: modified?.date ?? null };
  }

  /** The day of the last change alone, which is faster. */
  get modified(): string | null {
    if (this.#days !== null) return this.#days.modified;
    if (this.#title < 0) return null;
    for (const { line, label } of this.#after) {
      const change =
        mayHaveDay(line.text) && (CHANGE_HINT.test(line.text) || CHANGE_HINT.test(label))
          ? this.#creditsOf(line, label).find(isChange)
          : undefined;
      if (change !== undefined) return change.date;
    }
    return this.#creditAtEnd()?.date ?? null;
  }

  /** Names by the title; [] if several lines name different ones, as a list does. */
  get authors(): readonly string[] {
    if (this.#title < 0) return [];
    const isMarkedPage = (this.#titleFlags & FLAG.bio) !== 0;
    let found: readonly string[] = [];
    for (const { line, label, index } of this.#after) {
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
    if (text === '') return null;
    const linked = this.#links(index).filter(({ href }) => AUTHOR_PAGE.test(href));
    if (linked.length === 0) return null;
    const from = lineNumber(this.#page.lines, index, LINE.start);
    const to = from + (NO_AUTHORS.exec(text)?.index ?? text.length);
    const names = linked.filter(({ end }) => end <= to).map(({ start, end }) => this.#page.text.slice(start, end));
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
    for (let link = links[from]; link?.block === line; link = links[from]) {
      found.push(link);
      from += 1;
    }
    return found;
  }

  /** The page's own lines behind the title, up to the text. */
  get #after(): readonly LineAfter[] {
    this.#linesAfter ??= this.#readAfter();
    return this.#linesAfter;
  }

  #readAfter(): readonly LineAfter[] {
    const found: LineAfter[] = [];
    let between = 0;
    let seen = 0;
    let label = '';
    let isBelowHeading = false;
    for (let index = this.#title + 1; index <= this.#title + 5 * LINES_AFTER && seen < LINES_AFTER && between < MOST_BETWEEN; index += 1) {
      if (!this.#isOwn(index)) continue;
      const line = this.#line(index);
      if (line === null) return found;
      if (between > PROSE_CHARS && this.#isComment(line)) continue;
      seen += 1;
      const isHeading = (line.flags & FLAG.heading) !== 0;
      if (isHeading && (between > PROSE_CHARS || isBelowHeading)) return found;
      isBelowHeading ||= isHeading;
      found.push({ line, label, index });
      label = line.length <= MOST_LABEL ? line.text : '';
      if (!isHeading) between += line.length;
      // A subtitle has its line of credits next to it; below another heading is the text of an entry.
      if (isBelowHeading && !isHeading && line.length > PROSE_CHARS) return found;
    }
    return found;
  }

  get #titleFlags(): number {
    return lineNumber(this.#page.lines, this.#title, LINE.flags);
  }

  #line(index: number): Line | null {
    if (index < 0 || index >= this.#count) return null;
    const { lines, text } = this.#page;
    const start = lineNumber(lines, index, LINE.start);
    const length = lineNumber(lines, index, LINE.end) - start;
    return {
      text: length > MOST_CHARS ? '' : text.slice(start, start + length),
      length,
      flags: lineNumber(lines, index, LINE.flags),
    };
  }

  /** Number of lines of the page. */
  get #count(): number {
    return this.#page.lines.length / LINE_SIZE;
  }

  /** Is the line part of the text that its title heads? */
  #isOwn(index: number): boolean {
    return (lineNumber(this.#page.lines, index, LINE.flags) & NOT_OWN & ~this.#titleFlags) === 0;
  }

  /** A class name says so; on a line by the title it may mean the number of comments. */
  #isComment({ flags }: Line): boolean {
    return (flags & ~this.#titleFlags & FLAG.comments) !== 0;
  }

  #creditsAfter(): readonly Credit[] {
    const found: Credit[] = [];
    for (const { line, label, index } of this.#after) {
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
      if (!this.#isOwn(i) || (line.flags & FLAG.list) !== 0) break;
      const credit = this.#creditsOf(line).find(({ kind }) => kind !== 'modified');
      if (credit !== undefined) return this.#isList(this.#title, [credit]) ? null : credit;
      between += line.length;
    }
    return null;
  }

  /** `Last updated on 3 May 2021` below the text. */
  #creditAtEnd(): Credit | null {
    const last = this.#count - 1;
    for (let i = last; i > Math.max(this.#title, last - LINES_AT_END); i -= 1) {
      const line = this.#line(i);
      const credit = line && mayHaveDay(line.text) && CHANGE_HINT.test(line.text) && this.#creditsOf(line).find(isChange);
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
      if (!this.#isOwn(i)) continue;
      // With the title of its entry, a day is in no line of credits.
      const others = mayHaveDay(line.text) && !SENTENCE_END.test(line.text) ? datesIn(unglued(line.text), null) : [];
      const isLabelled = this.#creditsOf(line).some(({ kind }) => kind !== 'plain');
      if (!isLabelled && others.some(({ date }) => date.slice(0, 10) !== credit?.date.slice(0, 10))) return true;
      between += line.length;
    }
    return false;
  }

  #creditsOf({ text, flags }: Line, label = ''): readonly Credit[] {
    if (!mayHaveDay(text) || (flags & (FLAG.table | FLAG.pre)) !== 0) return [];
    // `Release date:`, and the day in the next line.
    if (OTHER_DAY.test(label)) return [];
    const isLabelled = /[:：]\s*$/.test(label) || PUBLISHED_WORD.test(label) || MODIFIED_WORD.test(label);
    const line = unglued(isLabelled ? `${label} ${text}` : text);
    const dates = datesIn(line, /\d[./-]\d/.test(line) ? this.#order() : null);
    const isOfEvents = EVENTS.test(this.#line(this.#title)?.text ?? '');
    return creditsIn(line, dates).filter(({ kind, date }) => isBelievable(date, this.#now) && !(isOfEvents && kind === 'plain'));
  }
}

function isChange({ kind }: Credit): boolean {
  return kind === 'modified';
}

/** Most lines have no number at all, which is faster to see. */
function mayHaveDay(line: string): boolean {
  return /\d/.test(line) && DAY.test(line);
}
