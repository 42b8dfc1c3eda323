/** The statements of a PDF about itself: its information dictionary and its catalogue. */
import type { DocumentFacts } from '../../document-kind.ts';
import type { PdfFile } from './pdf-file.ts';

/** `D:YYYYMMDDHHmmSSOHH'mm'`, each part but the year optional (ISO 32000-1, 7.9.4). */
const DATE = /^\s*(?:D:)?\s*(\d{4})(\d{2})?(\d{2})?(?:(\d{2})(\d{2})(\d{2})?)?\s*(?:(Z)|([+-])(\d{2})'?(\d{2})?)?/;
/** PDF 1.0 is of 1993: an earlier day is that of a clock that was not set. */
const FIRST_YEAR = 1993;
/** Names of accounts that programs enter. */
const NO_AUTHOR =
  /^(?:user\d*|admin(?:istrator)?|root|owner|unknown|anonymous|author|guest|default|pc|home|test|author name|benutzer|utilisateur|usuario|-|\?|none|null|n\/?a|(?:et )?al\.?|others|\S+@\S+)$/i;

/** Statements of rights in the field of the author. */
const RIGHTS = /\u00a9|\bcopyright\b|\ball rights reserved\b|\bmay (?:be )?distributed?\b/i;
/** Longest name: those of institutions have some 100 characters. */
const LONGEST_NAME = 200;

type Stated = Pick<DocumentFacts, 'title' | 'authors' | 'published' | 'modified' | 'language' | 'producer'>;

export function pdfFacts(file: PdfFile): Stated {
  const [published, modified] = [pdfDate(file.meta('CreationDate')), pdfDate(file.meta('ModDate'))];
  return {
    title: squeezed(file.meta('Title')),
    authors: authorsOf(file.meta('Author')),
    published,
    modified: modified === published ? null : modified,
    language: languageOf(file.language()),
    producer: squeezed(file.meta('Producer')) ?? squeezed(file.meta('Creator')),
  };
}

/** Text on one line; null if there is none. */
function squeezed(text: string): string | null {
  const plain = text.replace(/[\p{Cc}\s]+/gu, ' ').trim();
  return plain === '' ? null : plain;
}

/** ISO 8601, as exact as it is stated; null for none. */
function pdfDate(stated: string): string | null {
  const [, year = '', month = '01', day, hour, minute, second = '00', zulu, sign, zoneHour, zoneMinute = '00'] = DATE.exec(stated) ?? [];
  if (Number(year) < FIRST_YEAR || Number(month) < 1 || Number(month) > 12) return null;
  if (day === undefined) return year;
  const date = `${year}-${month}-${day}`;
  if (Number.isNaN(Date.parse(date))) return null;
  if (hour === undefined || minute === undefined) return date;
  const zone = zulu ? 'Z' : sign === undefined ? '' : `${sign}${zoneHour}:${zoneMinute}`;
  const moment = `${date}T${hour}:${minute}:${second}${zone}`;
  return Number.isNaN(Date.parse(moment)) ? date : moment;
}

/** Names between semicolons, `and`, or commas if each part has two words. */
function authorsOf(stated: string): string[] {
  const whole = squeezed(stated);
  if (whole === null) return [];
  const parts = whole.split(/\s*;\s*|\s+(?:and|&|und|et)\s+/).flatMap((part) => {
    const names = part.split(/\s*[,\u3001\uff0c]\s*/);
    return names.length > 1 && names.every((name) => /\s/.test(name) || /^\p{Lo}+$/u.test(name)) ? names : [part];
  });
  return [...new Set(parts.map((name) => name.replace(/^,\s*|,$/g, '').trim()))].filter(
    (name) => /\p{L}/u.test(name) && name.length <= LONGEST_NAME && !NO_AUTHOR.test(name) && !RIGHTS.test(name),
  );
}

/** A tag of BCP 47; null for other text. */
function languageOf(stated: string): string | null {
  const tag = stated.trim().replaceAll('_', '-').toLowerCase();
  return /^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/.test(tag) && tag !== 'x-unknown' ? tag : null;
}
