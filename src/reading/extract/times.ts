/**
 * Choice of the `<time>` of a page that is that of its publication, and of the one of its last change. Most are neither: a history is full
 * of them.
 */
import type { EpochMs } from '../../base/core/types.ts';
import type { Item } from './microdata.ts';
import { firstOf, statedDate } from './statements.ts';

/** A heading of the page's own text. */
export interface Heading {
  readonly level: number;
  readonly from: number;
  readonly to: number;
  /** The entries of a list around it, and the number of `<article>`s. */
  readonly entries: readonly number[];
  readonly articles: number;
  readonly items: readonly Item[];
  /** Numbers of the elements around it whose class names mark other parts of pages. */
  readonly hints: readonly number[];
  /** Whether it is in the header of the site. */
  readonly isBanner: boolean;
}

/** A `<time>` of the page's own text, outside of comments, menus, events and the like. */
export interface TimeSighting {
  readonly datetime: string;
  text: string;
  /** The text of the block around it, its own included. */
  block: string;
  readonly at: number;
  /** Class names of it, and of the elements around it, up to four. */
  readonly words: string;
  readonly wordsAround: string;
  readonly isPubdate: boolean;
  readonly inTable: boolean;
  readonly entries: readonly number[];
  readonly articles: number;
}

/** A link with `rel=author` in the page's own text. */
export interface AuthorSighting {
  readonly text: string;
  readonly at: number;
  readonly entries: readonly number[];
}

/** The text between two places of the page; null if it is longer than `most` characters. */
export type TextBetween = (from: number, to: number, most: number) => string | null;

/** The first web page is of 6 August 1991: an older date is that of the subject. */
const FIRST_PAGE = '1991-08-06';
const DAY: EpochMs = 86_400_000;
const DAY_CHARS = 10;
/** A byline stands this close to the title, in characters of text. */
const NEAR_CHARS = 200;
/** Words around the date of a byline that has no word for it: `Ines Varga, 3 May 2021`. */
const FEW_WORDS = 4;
/** Words of a byline that has one: `Published on 3 May 2021 by Ines Varga in Mills, 5 minutes`. */
const MOST_WORDS = 14;

/** Class names for the day of publication, in common themes and formats; `dt-published`, `entry-date`, `posted-on`, `byline`, `post-meta`. */
const PUBLISHED =
  /(?:^|[\s_-])(?!status-)(?:published?|publish(?:ed)?[_-]?(?:date|time|on|at)?|publication[_-]?(?:date|time)|pub[_-]?date|posted(?:[_-]?(?:on|at))?|(?:entry|post|article|story|news|blog|content|page|document)[_-]*(?:date|time|timestamp)|date[_-]?(?:published|posted|created|line)|dateline|by-?line|submitted|issued|(?:meta|by-?line|header)[_-]+(?:date|time|timestamp|datetime))(?:$|[\s_-])/i;
/** Lines under a title that hold it among others. */
const LINE_OF_CREDITS =
  /(?:^|[\s_-])(?:(?:entry|post|article|story|news|blog|page)[_-]*(?:meta|info|data|details|header|byline)|meta(?:data)?|postmetadata|credits?|author-date|by-author)(?:$|[\s_-])/i;
const MODIFIED =
  /(?:^|[\s_-])(?:updated?|modified|last[_-]?(?:mod|modified|updated?|edited|changed?)|date[_-]?(?:modified|updated)|revised|edited)(?:$|[\s_-])/i;
/** Words before the date in a byline. */
const SAYS_PUBLISHED =
  /(?:publish|posted|released|issued|first appeared|veröffentlicht|erschienen|publié|paru|mis en ligne|publicad|pubblicat|gepubliceerd|publicer|opublikowan|publikov|опубликован|发布|發佈|公開|投稿|게시|등록)[^.!?]{0,40}$/iu;
const SAYS_MODIFIED =
  /(?:updated|modified|edited|revised|last change|aktualisiert|geändert|mis à jour|modifi|actualizad|aggiornat|atualizad|bijgewerkt|uppdater|zaktualizowan|aktualizov|обновлен|изменен|更新|수정)[^.!?]{0,40}$/iu;
const SENTENCE_END = /[.!?。！？]["'”’)]*$/u;

/** The title: the first `h1` in an article, else below the header of the site, else the first heading of the only article, else the first `h1`. */
export function titleOf(headings: readonly Heading[]): Heading | null {
  const unmarked = headings.filter(({ hints }) => hints.length === 0);
  const inArticle = unmarked.filter(({ articles }) => articles === 1);
  const isOnly = new Set(inArticle.map(({ entries }) => entries[0])).size === 1;
  const h1 = (some: readonly Heading[]) => some.find(({ level }) => level === 1);
  const below = (some: readonly Heading[]) => h1(some.filter(({ isBanner }) => !isBanner));
  return h1(inArticle) ?? below(unmarked) ?? below(headings) ?? (isOnly ? inArticle[0] : undefined) ?? h1(headings) ?? null;
}

/** Characters of text between a title and its author: a standfirst, a caption. */
const NEAR_AUTHOR_CHARS = 600;

/** The authors by the title, else those of one line in the only entry of the page: others are of its neighbours. */
export function authorsOfPage(authors: readonly AuthorSighting[], title: Heading | null, between: TextBetween): readonly AuthorSighting[] {
  const near = authors.filter(
    ({ at }) => title !== null && between(Math.min(at, title.to), Math.max(at, title.from), NEAR_AUTHOR_CHARS) !== null,
  );
  if (near.length > 0) return near;
  const isOneAuthor = new Set(authors.map(({ text }) => text)).size <= 1;
  const isOneLine = isOneAuthor || between(authors[0]?.at ?? 0, authors.at(-1)?.at ?? 0, NEAR_CHARS) !== null;
  return isOneLine && isOneEntry(authors) ? authors : [];
}

function isOneEntry(sightings: readonly Pick<AuthorSighting, 'entries'>[]): boolean {
  return new Set(sightings.map(({ entries }) => entries.at(-1))).size <= 1;
}

/** The days of publication and of the last change that the times of a page give, ISO 8601; null for none. */
export class PageTimes {
  readonly #times: readonly TimeSighting[];
  readonly #title: Heading | null;
  readonly #between: TextBetween;
  readonly #now: EpochMs;

  constructor(times: readonly TimeSighting[], title: Heading | null, between: TextBetween, now: EpochMs) {
    this.#times = times;
    this.#title = title;
    this.#between = between;
    this.#now = now;
  }

  get published(): string | null {
    const times = this.#times.filter((time) => !isModified(time));
    const named = times.filter(({ isPubdate, words, wordsAround }) => isPubdate || PUBLISHED.test(words) || PUBLISHED.test(wordsAround));
    return (
      this.#firstOf(this.#ofPage(named)) ??
      this.#firstOf(
        times.filter((time) => this.#isByline(time)),
        DAY_CHARS,
      )
    );
  }

  get modified(): string | null {
    return this.#firstOf(this.#ofPage(this.#times.filter(isModified)));
  }

  /** A page of several entries, none of which has its title, is a list: their days are not its own. */
  #ofPage(times: readonly TimeSighting[]): readonly TimeSighting[] {
    const own = times.filter((time) => this.#sharesEntry(time) || this.#isNear(time));
    if (own.length > 0) return own;
    return isOneEntry(times) ? times : [];
  }

  #sharesEntry({ entries }: TimeSighting): boolean {
    const outermost = this.#title?.entries[0];
    return outermost !== undefined && entries[0] === outermost && entries.length <= (this.#title?.entries.length ?? 0) + 1;
  }

  /** A short line by the title, which is no sentence. */
  #isByline(time: TimeSighting): boolean {
    if (time.inTable || !this.#isNear(time) || SENTENCE_END.test(time.block)) return false;
    const others = time.block
      .replace(time.text, ' ')
      .split(/[^\p{L}\p{M}\p{N}'’]+/u)
      .filter((word) => word !== '').length;
    const saysSo = SAYS_PUBLISHED.test(before(time)) || LINE_OF_CREDITS.test(`${time.words} ${time.wordsAround}`);
    return others <= (saysSo ? MOST_WORDS : FEW_WORDS);
  }

  #isNear({ at }: TimeSighting): boolean {
    if (this.#title === null) return false;
    const { from, to } = this.#title;
    return at >= to ? this.#between(to, at, NEAR_CHARS) !== null : at < from && this.#between(at, from, NEAR_CHARS) !== null;
  }

  /** @param least number of characters of the date: `YYYY-MM-DD` is a day */
  #firstOf(times: readonly TimeSighting[], least = 0): string | null {
    return firstOf(times, ({ datetime, text }) => {
      const date = statedDate(datetime) ?? statedDate(text);
      return date !== null && date.length >= least && isBelievable(date, this.#now) ? date : null;
    });
  }
}

/** Neither before the first page nor to come. */
export function isBelievable(date: string, now: EpochMs): boolean {
  return date >= FIRST_PAGE.slice(0, date.length) && !isToCome(date, now);
}

/** A day to come is no day of publication; one day is left for time zones. A month or year counts from its first day. */
export function isToCome(date: string, now: EpochMs): boolean {
  return Date.parse(date.slice(0, 10)) > now + DAY;
}

function before({ block, text }: TimeSighting): string {
  return block.slice(0, Math.max(0, block.indexOf(text)));
}

function isModified(time: TimeSighting): boolean {
  return MODIFIED.test(`${time.words} ${time.wordsAround}`) && !PUBLISHED.test(time.words) ? true : SAYS_MODIFIED.test(before(time));
}
