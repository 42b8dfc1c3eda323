/** Signs of the heads of posts on a page: names of authors, and dates, each with its place in the page. */
import type { DateOrder } from '../../../base/text/date-order.ts';
import { datesIn } from '../../../base/text/date-search.ts';
import { isoDate } from '../../../base/text/iso-date.ts';
import { squeeze } from '../../../base/text/squeeze.ts';
import { LINE, lineNumber, lineText, type PageContent } from '../blocks.ts';
import { statedDate } from '../statements.ts';
import { type ClassNames, nameTest } from './name-test.ts';
import type { PageElement, PageTree } from './page-tree.ts';
import { isQuote } from './quotes.ts';

/** Longest text of an element that is a date, and of one that is a name, in characters. */
const MAX_DATE_CHARS = 90;
const MAX_NAME_CHARS = 60;
/** Longest HTML of a name, which may have an icon; that of a date is shorter. */
const MAX_HTML_CHARS = 40 * MAX_NAME_CHARS;

export interface Mark {
  /** Place in the page. */
  readonly at: number;
  /** The name, or the day in ISO 8601; null for a date that is only relative, such as `3 hours ago`. */
  readonly value: string | null;
  /** Certainty: the mark with the largest is taken. */
  readonly weight: number;
}

/** Ascending by place. */
export interface HeadMarks {
  readonly authors: readonly Mark[];
  readonly dates: readonly Mark[];
  /** Words that posts have beside their texts: `Posted:`, `Guest`, `Reply`. Few groups are asked for them. */
  readonly signs: () => readonly Mark[];
}

/** @param order that of day and month in numbers; asked for only if a date has numbers */
export function headMarks(page: Lines, tree: PageTree, order: () => DateOrder | null): HeadMarks {
  const dateOf = rememberedDates(order);
  const authors: Mark[] = [];
  const dates: Mark[] = [];
  let quoteEnd = 0;
  for (const part of tree.parts) {
    // Names and days inside a quote are those of another post.
    if (part.index < quoteEnd) continue;
    if (isQuote(part)) {
      quoteEnd = part.end;
      continue;
    }
    if (isPlain(part)) continue;
    const author = authorMark(part, tree);
    if (author !== null) authors.push(author);
    const date = dateMark(part, tree, dateOf);
    if (date !== null) dates.push(date);
  }
  const heads = headLines(page, tree);
  addLines(heads, dateOf, { authors, dates });
  return { authors: sorted(authors), dates: sorted(dates), signs: signsOf(heads) };
}

/** May a line give a sign of a post, or the name of an author? Without a tree, and for more lines than `headMarks` looks at. */
export function mayMark(line: string): boolean {
  if (line.length < LEAST_HEAD_CHARS || line.length > MAX_HEAD_CHARS) return false;
  const text = line.replace(NUMBER, '');
  return isSign(text) || (mayNameAuthor(text) && authorIn(text, YEAR.test(text)) !== null);
}

/** Do class names say that an element names an author? */
export function nameAuthor(names: ClassNames): boolean {
  return names.has(IS_NAME) || names.has(IS_OF_AUTHOR);
}

function signsOf(heads: readonly HeadLine[]): () => readonly Mark[] {
  let found: readonly Mark[] | null = null;
  return () => {
    found ??= heads.filter(({ text }) => isSign(text)).map(({ at }) => ({ at, value: null, weight: 0 }));
    return found;
  };
}

/** Most elements say nothing about a head: they have neither class nor other attributes, or a class alone and either no words or too many. */
function isPlain({ tag, hasMore, names, from, to, first, last }: PageElement): boolean {
  if (hasMore || tag === 'time') return false;
  return names.names.length === 0 || last < first || to - from > MAX_HTML_CHARS;
}

function sorted(marks: Mark[]): readonly Mark[] {
  return marks.sort((a, b) => a.at - b.at);
}

// Lines without markup for their words.

type Lines = Pick<PageContent, 'text' | 'lines'>;

/** Longest line of a head, in characters. */
const MAX_HEAD_CHARS = 120;
const LEAST_HEAD_CHARS = 4;
/** Number of a post before its day. */
const NUMBER = /^#\d+\s+/;
/** Other days: of a member, of a change. */
const OTHER_DAY =
  /^(?:\S+\s)?(?:join(?:ed|\s?date)?|regist(?:ered|rierung|rado|ration)|member since|beigetreten|dabei seit|mitglied seit|inscrit|inscription|last (?:edit|modif|seen|visit|post|reply|active)|edited|zuletzt|dernière|última|bearbeitet|geändert|зарегистрирован|дата регистрации)\b/iu;
/** `Ada Vale wrote:`, `Posted by Ada Vale on 3 May`, `From: Ada Vale`. */
const WROTE =
  /^(.{1,60}?)\s(?:wrote|writes|said|says|schrieb|schreibt|sagt|a écrit|escribió|dice|ha scritto|napisał(?:a)?|пишет|написала?)\b[^.!?]*$/iu;
const BY =
  /(?:^|\s|[»·|,])(?:(?:posted|submitted|asked|answered|written|started|commented|sent|geschrieben|verfasst|publié|posté|publicado|enviado|inviato)\s)?(?:by|von|par|por|da)\s?:?\s(.{1,50}?)(?=$|\s*[,|·•»([—–]|\s-\s|\s(?:on|at|am|le|el|il|in|um|\d)\b)/iu;
const FROM = /^(?:from|author|von|de|autor|auteur|posted by|от)\s?:\s*(.{2,80})$/iu;

const SIGN_AT_START =
  /^(?:posted|wrote|says|said|guest|gast|invité|member|mitglied|reply|antworten|répondre|responder|quote|zitat|citer|citar|posts\s?:|beiträge\s?:|registered|joined|re\s?:)(?:\b|$)/iu;
const SIGN_AT_END = /\b(?:guest|wrote|posted|schrieb|a écrit)\s?:?$/iu;
/** Characters of the longest such end, and one before it. */
const END_CHARS = 'a écrit :'.length + 1;
const POSTED = /\bposted\s?:/iu;

/** Searches only the ends of most lines. */
function isSign(text: string): boolean {
  return SIGN_AT_START.test(text) || SIGN_AT_END.test(text.slice(-END_CHARS)) || (text.includes(':') && POSTED.test(text));
}

/** A line that may be of a head, and its place in the page. */
interface HeadLine {
  readonly text: string;
  readonly at: number;
}

function headLines(page: Lines, tree: PageTree): readonly HeadLine[] {
  const heads: HeadLine[] = [];
  let before = '';
  for (const [block, at] of tree.blockStarts.entries()) {
    const length = lineNumber(page.lines, block, LINE.end) - lineNumber(page.lines, block, LINE.start);
    const text = at >= 0 && length <= MAX_HEAD_CHARS && length >= LEAST_HEAD_CHARS ? lineText(page, block).replace(NUMBER, '') : '';
    if (text !== '' && !OTHER_DAY.test(text) && !OTHER_DAY.test(before)) heads.push({ text, at });
    before = length < 30 ? text : '';
  }
  return heads;
}

function addLines(
  heads: readonly HeadLine[],
  dateOf: DateOf,
  { authors, dates }: { readonly authors: Mark[]; readonly dates: Mark[] },
): void {
  for (const { text, at } of heads) {
    // A name before a day may end with a digit.
    const date = dateOf(text) ?? (YEAR.test(text) ? dateOf(text.replace(/^\S*\p{L}\S*\s/u, '')) : null);
    if (date !== null || RELATIVE.test(text)) dates.push({ at, value: date, weight: date === null ? 0 : 1 });
    const author = mayNameAuthor(text) ? authorIn(text, date !== null) : null;
    if (author !== null) authors.push({ at, value: author, weight: 1 });
  }
}

/** Has a line a sign of an author? Few have. */
function mayNameAuthor(text: string): boolean {
  return NAMING.test(text);
}

const NAMING = /[:：]|\b(?:by|von|par|por|da|wrote|writes|said|says|dice|dit)\b|schr|sagt|écri|escri|scritto|napis|напис|пиш|от/i;

function authorIn(text: string, hasDate: boolean): string | null {
  const found = FROM.exec(text) ?? WROTE.exec(text) ?? (hasDate ? BY.exec(text) : null);
  return found?.[1] === undefined ? null : nameOf(found[1].replace(/\s*[<([][^>)\]]*(?:@|\sat\s)[^>)\]]*[>)\]].*$/, ''));
}

// Dates.

const DATE_PROPERTY = /^(?:date(?:published|created|posted)|uploaddate|pubdate)$/i;
const CHANGE_PROPERTY = /datemodified|dateupdated/i;
/** Words of class names of dates. */
const DATE_NAME =
  /(?:^|[-_])(?:dates?|time|times|timestamp|timeago|published|posted|datetime|postdate|posttime|age|when|ago|dt-published|comhead)(?:$|[-_#])|(?:date|time)$/;
/** Class names of other days: of a member, of a change. */
const OTHER_NAME = /join|regist|member|edited|updated|modified|last-?(?:seen|visit|active|reply|post)|since/;
const IS_DATE = nameTest(DATE_NAME);
const IS_OTHER = nameTest(OTHER_NAME);
/** Attributes that only a time has. */
const TIME_ATTRIBUTES = ['data-time', 'data-timestamp', 'data-utime'] as const;
/** Attributes with the moment in numbers or words. */
const MOMENTS = ['datetime', 'data-time', 'data-timestamp', 'data-utime', 'data-date', 'content', 'title'] as const;
const RELATIVE =
  /(?:^|\s)(?:(?:\d+|an?|one)\s*(?:s|m|h|d|w|mo|y|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|weeks?|months?|years?|yrs?)\.?\s*ago|just now|yesterday|today|vor (?:\d+|einer|einem)\s|il y a \d|hace (?:\d|un)|\d+ \p{L}+ fa$|há \d|\d+ \p{L}+ geleden|назад|\d+\s*(?:分钟|小时|天|个月|年|時間|日|分)前)/iu;
const DIGIT = /\d/;
/** Numbers without which a text has no day: of a year, or of a day in numbers. */
const YEAR = /(?:19|20)\d\d|\d[./-]\s?\d/;

function dateMark(part: PageElement, tree: PageTree, dateOf: DateOf): Mark | null {
  if (!part.hasMore && part.tag !== 'time' && !part.names.has(IS_DATE)) return null;
  const property = part.attribute('itemprop') ?? '';
  const isProperty = DATE_PROPERTY.test(property);
  const isTime = part.tag === 'time' || TIME_ATTRIBUTES.some((name) => part.has(name));
  if (!isProperty && !isTime && !part.names.has(IS_DATE) && !mayHaveDate(part)) return null;
  if (CHANGE_PROPERTY.test(property) || part.names.has(IS_OTHER)) return null;
  const weight = isProperty ? 4 : isTime ? 3 : 2;
  const moment = isProperty || isTime || part.has('title') ? momentOf(part, dateOf) : null;
  if (moment !== null) return { at: part.from, value: moment, weight };
  if (part.to - part.from > 20 * MAX_DATE_CHARS || part.to === part.from) return null;
  const text = tree.textOf(part);
  if (text === '' || text.length > MAX_DATE_CHARS) return null;
  const written = dateOf(text);
  if (written !== null) return { at: part.from, value: written, weight: weight - (text.length > 40 ? 1 : 0) };
  return (isTime || weight > 1) && RELATIVE.test(text) && text.length < 60 ? { at: part.from, value: null, weight: 1 } : null;
}

/** Elements whose title says a date: `<a title="3 May 2021">2 years ago</a>`. */
function mayHaveDate(part: PageElement): boolean {
  if (part.tag !== 'abbr' && part.tag !== 'span' && part.tag !== 'a') return false;
  const title = part.attribute('title');
  return title !== undefined && DIGIT.test(title) && title.length <= MAX_DATE_CHARS;
}

function momentOf(part: PageElement, dateOf: DateOf): string | null {
  for (const name of MOMENTS) {
    const written = part.attribute(name);
    if (written === undefined || written.length > MAX_DATE_CHARS) continue;
    const date = statedDate(written.trim().split(/\s+(?=\d{9,})/)[0] ?? '') ?? dateOf(written);
    if (date !== null && date.length >= 'YYYY-MM-DD'.length) return date;
  }
  return null;
}

/** `Mon May 3 10:00:00 CEST 2021`, as mail programs write it: the zone has only a name. */
const MAIL_DATE =
  /\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+([a-z]{3})[a-z]*\s+(\d{1,2})\s+(\d{1,2}:\d{2}(?::\d{2})?)(?:\s+[a-z]{2,5})?\s+(\d{4})\b/i;

/** The first date of a text; null for none. */
export function dateIn(text: string, order: () => DateOrder | null): string | null {
  if (!YEAR.test(text)) return null;
  const mail = MAIL_DATE.exec(text);
  if (mail !== null) return isoDate(`${mail[2]} ${mail[1]} ${mail[4]} ${mail[3]}`);
  return datesIn(text, /\d[./-]\d/.test(text) ? order() : null)[0]?.date ?? null;
}

type DateOf = (text: string) => string | null;

/** The dates of a page's texts: an element and the line that it is are read once. */
function rememberedDates(order: () => DateOrder | null): DateOf {
  const known = new Map<string, string | null>();
  return (text) => {
    if (!YEAR.test(text)) return null;
    const before = known.get(text);
    if (before !== undefined) return before;
    const date = dateIn(text, order);
    known.set(text, date);
    return date;
  };
}

/** A date, or one that is relative to today. */
export function isDated(text: string, order: () => DateOrder | null): boolean {
  return dateIn(text, order) !== null || RELATIVE.test(text);
}

// Authors.

const AUTHOR_PROPERTY = /^(?:author|creator)$/i;
/** Class names of an author's name, and of other parts about an author. */
const NAME_NAME =
  /^(?:(?:[a-z]+[-_])*(?:username|user-?name|author-?name|nick(?:name)?|poster-?name|hnuser|fn|p-author|display-?name|screen-?name|bigusername|commenter(?:-?name)?|comment-?author|member-?name|author|byline|poster|creator|postauthor|posted-?by|from|sender|submitter)(?:-(?:link|coloured|hover))?)$/;
const IS_NAME = nameTest(NAME_NAME);
const IS_OF_AUTHOR = nameTest(/(?:^|[-_])(?:author|user|username|poster|byline)(?:$|[-_])/);
const USER_LINK =
  /(?:^|\/)(?:users?|u(?=\/)|members?|profiles?|people|persons?|authors?|accounts?|~[a-z][\w-]*|@[\w.-]+)\/?[^/?#]*\/?(?:$|[?#])|(?:^|\/)(?:users?|u|members?|profiles?|people|authors?)\/\d+\/[^/]+\/?$|(?:member|memberlist|profile|userinfo|viewprofile)\.php|[?&](?:u|uid|user|user_?id|username|author)=|\/user\?id=|action=profile/i;
const NO_NAME =
  /^(?:(?:view |show |see )?(?:profile|posts?|all posts|member|user|author|admin|moderator|reply|quote|report|link|permalink|share|more|follow|edit|website|home|find|pm|email|e-?mail|www|contact|rate|location|joined|search|top|guest user|online|offline|op|anonymous user|members?|log ?in|sign ?(?:in|up)|register|users?|avatar|badges?|image)|#?\d+|[\W_]*)$/i;
const BEFORE_NAME =
  /^(?:by|author|from|posted by|submitted by|asked by|answered by|written by|started by|user|von|verfasst von|par|por|da|di|от|автор|作者)\s*:?\s+(?=\S)|^@(?=\w)/iu;
const AFTER_NAME =
  /\s*(?:\((?:op|author|author of the topic|thread starter|[^)]*@[^)]*)\)|(?:said|says|wrote|writes|schrieb|sagt|schreibt|a écrit|dit|escribió|dice|ha scritto|napisał\(?a?\)?|пишет|написал\(?а?\)?|commented|replied|answered|asked|posted|thread starter)\b.*|[:,|·•»«-]+\s*)$/iu;

function authorMark(part: PageElement, tree: PageTree): Mark | null {
  const given = part.attribute('data-author') ?? part.attribute('data-username');
  const named = given === undefined ? null : nameOf(given);
  if (named !== null) return { at: part.from, value: named, weight: 5 };
  const weight = authorWeight(part);
  if (weight === 0) return null;
  const content = part.attribute('content') ?? itemName(part, tree);
  if (part.to - part.from > MAX_HTML_CHARS || (part.to === part.from && content === undefined)) return null;
  const name = nameOf(content ?? tree.textOf(part));
  return name === null ? null : { at: part.from, value: name, weight };
}

/** The name of an item of microdata. */
function itemName(part: PageElement, { parts, textOf }: PageTree): string | undefined {
  if (!part.has('itemscope')) return undefined;
  for (let at = part.index + 1; at < part.end; at += 1) {
    const inner = parts[at] as PageElement;
    if (/(?:^|\s)name(?:\s|$)/i.test(inner.attribute('itemprop') ?? '')) return inner.attribute('content') ?? textOf(inner);
  }
  return undefined;
}

function authorWeight(part: PageElement): number {
  const { names, tag, first, last } = part;
  const property = part.attribute('itemprop');
  if (property !== undefined && AUTHOR_PROPERTY.test(property.trim())) return part.has('itemscope') ? 4 : 6;
  if (/(?:^|\s)author(?:\s|$)/.test(part.attribute('rel') ?? '')) return 5;
  // A name of a class is that of a whole profile as well.
  if (names.has(IS_NAME)) return first === last ? 4 : 2;
  if (tag === 'a' && isUserLink(part.attribute('href'))) return 3;
  return names.has(IS_OF_AUTHOR) ? 2 : 0;
}

/** The page of a member, by its address. */
export function isUserLink(href: string | undefined): boolean {
  return href !== undefined && USER_LINK.test(href);
}

/** A written name without the words around it; null if it is none. */
export function nameOf(written: string): string | null {
  const name = squeeze(written.slice(0, 4 * MAX_NAME_CHARS))
    .replace(BEFORE_NAME, '')
    .replace(AFTER_NAME, '')
    .replace(/^(.+?)\s*[–—-]\s*\1$/u, '$1')
    .trim();
  if (name === '' || name.length > MAX_NAME_CHARS || NO_NAME.test(name) || /^(?:https?:|\/)/.test(name)) return null;
  return name.split(' ').length > 6 || /[.!?]\s/.test(name.replace(/\b\p{L}\.\s/gu, '')) ? null : name;
}
