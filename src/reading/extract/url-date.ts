/** The day or month of publication that the path of a URL has: `/2021/05/03/the-lock`, `/2021-05-03-the-lock`, `/2021/05/the-lock`. */
import { monthNamed } from '../../base/text/month-names.ts';

/** Sections whose days are not those of their pages' publication, and folders of files. */
const OTHER =
  /\/(?:events?|calendar|kalender|agenda|schedules?|termine|archives?|tags?|categor(?:y|ies)|uploads|releases|downloads?|versions?|issues?|page)\//i;
const ENGLISH = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const FORMS = [
  /\/(?<year>(?:19|20)\d{2})[/-](?<month>\d{1,2}|[a-z]{3,10})[/-](?<day>\d{1,2})(?=[/_-])(?<rest>.*)$/i,
  /\/(?<year>(?:19|20)\d{2})(?<month>[01]\d)(?<day>[0-3]\d)(?=[/_-])(?<rest>.*)$/,
  /\/(?<year>(?:19|20)\d{2})\/(?<month>\d{2})(?=\/(?!\d{1,2}(?:\/|$)))(?<rest>.*)$/,
];
/** A name of the page behind the day: an archive of a day or month has none. */
const SLUG = /^[/_-]+(?:[^/]*\/)*[^/]*\p{L}{2}[^/]*\p{L}/u;

/** Most URLs have no year. */
const YEAR = /\/(?:19|20)\d{2}/;

/** ISO 8601, `2021-05-03` or `2021-05`; null if the path has none, or if it is that of a list or an event. */
export function dateOfUrl(url: string): string | null {
  if (!YEAR.test(url)) return null;
  const path = pathOf(url);
  if (OTHER.test(path)) return null;
  for (const form of FORMS) {
    const { year = '', month = '', day, rest = '' } = form.exec(path)?.groups ?? {};
    if (year === '' || !SLUG.test(rest)) continue;
    const number = monthOf(month);
    if (number === null) continue;
    const date = [year, pad(number), ...(day === undefined ? [] : [pad(Number(day))])].join('-');
    if (isDate(date)) return date;
  }
  return null;
}

function pathOf(url: string): string {
  try {
    return decodeURIComponent(new URL(url).pathname);
  } catch {
    return '';
  }
}

function monthOf(written: string): number | null {
  if (/^\d+$/.test(written)) return Number(written);
  const english = ENGLISH.indexOf(written.slice(0, 3).toLowerCase());
  return english >= 0 ? english + 1 : monthNamed(written);
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}

function isDate(date: string): boolean {
  const at = Date.parse(date.length === 'YYYY-MM'.length ? `${date}-01` : date);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}
