/** Converts dates on pages to ISO 8601 if they are unambiguous. */
import { monthNamed } from './month-names.ts';

/** Longer than `Sun Mar 14 2021 09:30:00 GMT+0100 (Central European Standard Time)`, the longest known form. */
const MAX_CHARS = 80;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';
/** `Published on`, `Wed,`. */
const LEAD = '^(?:\\D{0,30}[^\\p{L}\\d])?';

/** Dates with the year first, which everybody reads alike: `2021-03-14`, `2021/3/14`, `2021.3`, `20210314`, `2021`, `2021年3月14日`. */
const YEAR_FIRST = [
  /^(?<year>\d{4})(?<mark>[-/.])(?<month>\d{1,2})\k<mark>(?<day>\d{1,2})(?=$|[T\s,+Z])(?<rest>.*)$/,
  /^(?<year>\d{4})[-/.](?<month>\d{1,2})$/,
  /^(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?=$|[T\s])(?<rest>.*)$/,
  /^(?<year>\d{4})\s?[年년]\s?(?<month>\d{1,2})\s?[月월](?:\s?(?<day>\d{1,2})\s?[日일号號])?(?<rest>.*)$/,
  /^(?<year>\d{4})$/,
];
/** Dots mean day first wherever people use them: `14.03.2021`. */
const DOTTED = /^(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.\s?(?<year>\d{4})(?=$|[\s,])(?<rest>.*)$/;
/** Only one of the two numbers can be a month: `09/25/2025`, `Thu, 25/09/2025 - 11:38`. */
const SLASHED = [
  new RegExp(`${LEAD}(?<month>\\d{1,2})/(?<day>1[3-9]|2\\d|3[01])/(?<year>\\d{4})(?=$|[\\s,])(?<rest>.*)$`, 'u'),
  new RegExp(`${LEAD}(?<day>1[3-9]|2\\d|3[01])/(?<month>\\d{1,2})/(?<year>\\d{4})(?=$|[\\s,])(?<rest>.*)$`, 'u'),
];
/** A day of the week and a month, the clock, a zone or none, and the year: `Mon May 3 08:00:00 UTC 2021`, as `date` and `ctime` of Unix write it. */
const UNIX = new RegExp(
  `^[a-z]{3,9},?\\s+(?<name>${MONTH})\\.?\\s+(?<day>\\d{1,2})\\s+(?<time>\\d{1,2}:\\d{2}(?::\\d{2})?)\\s+(?<zone>[a-z+][\\w:+-]*\\s+|[+-]\\d{2}:?\\d{2}\\s+)?(?<year>\\d{4})$`,
  'i',
);
/** Dates with a day of the week, a month by name and two digits of a year (RFC 822, RFC 850): `Sunday, 14-Mar-21 09:30:00 GMT`. */
const SHORT_YEAR = new RegExp(`^[a-z]{3,9},\\s(?<day>\\d{1,2})[\\s-](?<name>${MONTH})[\\s-](?<short>\\d{2})(?=\\s)(?<rest>.*)$`, 'i');
/** Two digits of years from here on are of the last century, as POSIX reads them. */
const FIRST_SHORT = '69';
/** English month names: `14 March 2021`, `Sun, 14 Mar 2021 09:30:00 GMT`, `March 14th, 2021`, `March 2021`. */
const NAMED = [
  new RegExp(`${LEAD}(?<day>${DAY})[\\s.-]{1,3}(?:of\\s)?(?<name>${MONTH})\\.?,?[\\s-]{1,3}(?<year>\\d{4})(?!\\d)(?<rest>.*)$`, 'iu'),
  new RegExp(`${LEAD}(?<name>${MONTH})\\.?\\s{1,3}(?<day>${DAY}),?\\s{1,3}(?<year>\\d{4})(?!\\d)(?<rest>.*)$`, 'iu'),
  new RegExp(`${LEAD}(?<name>${MONTH})\\.?,?\\s{1,3}(?<year>\\d{4})$`, 'iu'),
];
/** A month in another language, whose name decides: `3. Mai 2021`, `1er mars 2021`, `3 de mayo de 2021`, `3 мая 2021 г.`; with the year first in Hungarian. */
const WORD = '(?<word>\\p{L}[\\p{L}\\p{M}]{2,14})\\.?';
const OF = "(?:d[eio]l?\\s|d['’])?";
const WORDED = [
  new RegExp(
    `${LEAD}(?<day>\\d{1,2}(?:\\.|er|[ºª°])?)\\s{1,3}${OF}${WORD},?\\s{1,3}${OF}(?<year>\\d{4})(?!\\d)(?:\\s?(?:г\\.?|года|р\\.|року|r\\.?|roku))?(?<rest>.*)$`,
    'iu',
  ),
  new RegExp(`^(?<year>\\d{4})\\.\\s${WORD}\\s(?<day>\\d{1,2})\\.?(?<rest>(?:,?\\s.*)?)$`, 'iu'),
  new RegExp(`${LEAD}${WORD}\\s{1,3}${OF}(?<year>\\d{4})$`, 'iu'),
];
const PATTERNS = [UNIX, SHORT_YEAR, ...YEAR_FIRST, DOTTED, ...SLASHED, ...NAMED, ...WORDED];
/** Seconds or milliseconds since 1970, of the years 2001 to 2100: shorter numbers are days and years. */
const SINCE_1970 = /^(?:\d{10}|\d{13})$/;
const YEAR_2100 = 4_102_444_800;
/** Time after the day. A zone that is only a name, such as EST, does not count: it means several offsets. */
const CLOCK = /^(?:T|[\s,]+(?:at\s|-\s)?)(\d{1,2})(?::?(\d{2}))(?::?(\d{2})(?:[.,]\d+)?)?\s?([ap]\.?m\.?)?\s?(.*)$/i;
const ZONE = /^(?:(?:GMT|UTC)?([+-])(\d{2}):?(\d{2})?|Z|UTC|GMT)(?:\s?\([^)]*\))?$/i;

/**
 * A date in ISO 8601, as exact as it was written: `2021`, `2021-03`, `2021-03-14`, `2021-03-14T09:30:00`, `2021-03-14T09:30:00+01:00`. A time of day
 * keeps its zone, and has none if none was written; an unreadable time is omitted.
 * Seconds or milliseconds since 1970 mean one moment too.
 * @returns null for anything other than a calendar date, and for ambiguous dates: `03/04/2020`
 */
export function isoDate(written: string): string | null {
  const text = written.trim();
  if (text.length > MAX_CHARS) return null;
  if (SINCE_1970.test(text)) return momentOf(text);
  for (const pattern of PATTERNS) {
    const found = pattern.exec(text)?.groups;
    if (found !== undefined) return isoOf(found);
  }
  return null;
}

function momentOf(digits: string): string | null {
  const seconds = Number(digits.slice(0, 10));
  return seconds < YEAR_2100 ? new Date(seconds * 1000).toISOString().replace('.000', '') : null;
}

function isoOf({
  short = '',
  year = short === '' ? '' : `${short < FIRST_SHORT ? '20' : '19'}${short}`,
  month,
  name,
  word,
  day,
  time,
  zone,
  rest = time === undefined ? '' : ` ${time} ${zone ?? ''}`,
}: {
  readonly [part: string]: string | undefined;
}): string | null {
  const number = numberOf(month, name, word);
  if (number === null) return null;
  if (number === undefined) return year;
  const yearMonth = `${year}-${number.padStart(2, '0')}`;
  if (day === undefined) return isDay(`${yearMonth}-01`) ? yearMonth : null;
  const date = `${yearMonth}-${(/\d+/.exec(day)?.[0] ?? '').padStart(2, '0')}`;
  return isDay(date) ? date + clockOf(rest) : null;
}

/** Number of the month; null for a word that names no month, undefined without any. */
function numberOf(month: string | undefined, name: string | undefined, word: string | undefined): string | null | undefined {
  if (word !== undefined) return monthNamed(word)?.toString() ?? null;
  return name === undefined ? month : String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1);
}

/** Does the day exist? `2021-02-30` does not. */
function isDay(date: string): boolean {
  const at = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}

/** `T09:30:00+01:00`, or '' without a readable time of day. */
function clockOf(rest: string): string {
  const match = CLOCK.exec(rest.trimEnd());
  if (match === null) return '';
  const [, hour = '', minute = '', second = '00', half = '', zone = ''] = match;
  const hours = half === '' ? Number(hour) : (Number(hour) % 12) + (/^p/i.test(half) ? 12 : 0);
  const offset = zoneOf(zone);
  if (hours > 23 || minute > '59' || second > '59' || offset === null) return '';
  return `T${String(hours).padStart(2, '0')}:${minute}:${second}${offset}`;
}

function zoneOf(zone: string): string | null {
  if (zone === '') return '';
  const match = ZONE.exec(zone);
  if (match === null) return null;
  const [, sign, hours = '00', minutes = '00'] = match;
  return sign === undefined || (hours === '00' && minutes === '00') ? 'Z' : `${sign}${hours}:${minutes}`;
}
