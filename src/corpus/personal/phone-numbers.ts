import { type CountryCode, type MetadataJson, parsePhoneNumberFromString } from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/metadata.min.json';
import { announcesOther, isInUrl, lineBefore, onlyDigits } from './number-context.ts';
import { countriesOf } from './phone-countries.ts';
import type { TextRange } from './text-range.ts';

/** Digits of the longest number with its country code (ITU-T E.164 §6.2.1). */
const MAX_DIGITS = 15;
/** `+49 (0)30 1234-567`, `0044 20 7946 0958`. */
const ABROAD =
  /(?<![\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{N}_.+])(?:\+|00)[ (]{0,2}[1-9](?:[ ()./\u00a0\u2010-\u2013-]{0,3}\d){6,16}(?![\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{N}_])/gu;
/** `(030) 12 34 56`, `212-555-0123`, `13812345678`. */
const AT_HOME =
  /(?<![\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{N}_.,:+/=#@~$€£-])\(?\d(?:[ ()./\u00a0\u2010-\u2013-]{0,3}\d){6,12}(?![\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{N}_%]|[.,:/-]\d)/gu;
/** Words before a telephone number. */
const CUE =
  /(?<![\p{sc=Latn}])(?:tel(?:[eé]fono|efon(?:e|o)?|ephone)?|t[eé]l(?:[eé]phone)?|phones?|fax|telefax|mobil(?:e|telefon)?|m[oó]vil|cell(?:ular|phone)?|handy|call|whatsapp|hotline|gsm|fon|rufnummer|电话|電話|手机|手機|传真|傳真|热线|тел(?:ефон)?|факс|전화|携帯)(?:\s?(?:no|nr|number|nummer|numbers?)\b)?[\s.:：)/(-]{0,6}$/iu;
/** Dates and ranges of years have the form of numbers. */
const DATE =
  /^\(?(?:\d{1,2}([-./ ])\d{1,2}\1\d{2,4}(?!\1?\d)|\d{4}([-./ ])\d{1,2}\2\d{1,2}(?!\2?\d)|(?:19|20)\d\d[ ()./\u00a0\u2010-\u2013-]{1,3}(?:19|20)\d\d(?!\d))/;
/** A postal code of the United States. */
const POSTCODE = /^\d{5}-\d{4}$/;
/** Forms that need no word before them: North America with its separators, France in pairs, mobile numbers of China. */
const NANP = /^(?:\([2-9]\d\d\) ?|[2-9]\d\d-)[2-9]\d\d-\d{4}$/;
const FRENCH = /^0[1-9](?:[ .-]?\d\d){4}$/;
const CHINESE_MOBILE = /^1[3-9]\d[ -]?\d{4}[ -]?\d{4}$/;

/** Longest time of one text in the library, which takes some 50 µs a number: half a second. Further numbers of the right form count without it. */
const MAX_CHECKED = 10_000;

/**
 * Telephone numbers: with a country code, and national ones of the countries where the language of the page is spoken. A national number has a trunk
 * prefix and separators, the form of its country, or a word such as `phone` before it. The library knows the numbers of each country.
 * @param lang primary subtag of the page, e.g. `de`
 */
export function* phoneNumbers(text: string, lang: string): Generator<TextRange> {
  const check = new NumberCheck();
  for (const { index, 0: written } of text.matchAll(ABROAD)) {
    if (isInUrl(text, index)) continue;
    const end = longestValid(written, (part) => check.isValid(part.replace(/^00/, '+').replace('(0)', ''), undefined));
    if (end !== null) yield [index, index + end];
  }
  const countries = countriesOf(lang);
  for (const { index, 0: written } of text.matchAll(AT_HOME)) {
    const isCued = CUE.test(lineBefore(text, index));
    if ((!isCued && !isFormed(written, lang)) || DATE.test(written) || isInUrl(text, index) || (!isCued && announcesOther(text, index)))
      continue;
    const end = longestValid(written, (part) => countries.some((country) => check.isValid(part, country)));
    if (end !== null) yield [index, index + end];
  }
}

/** Has a national number a form that few other numbers have? */
function isFormed(written: string, lang: string): boolean {
  if (lang === 'en' && NANP.test(written)) return true;
  if (lang === 'fr' && FRENCH.test(written)) return true;
  if (lang === 'zh' && CHINESE_MOBILE.test(written)) return true;
  if (POSTCODE.test(written)) return false;
  return (
    /^\(?0\d/.test(written) && /[ ()/\u00a0\u2010-\u2013-]/.test(written) && onlyDigits(written).length >= 9 && hasPlainGroups(written)
  );
}

/** Groups of one digit are those of books (ISBN) and of tables; pairs alone are bytes, except in France. */
function hasPlainGroups(written: string): boolean {
  const lengths = written.split(/\D+/).flatMap((group) => (group === '' ? [] : [group.length]));
  return Math.min(...lengths) > 1 && Math.max(...lengths) > 2;
}

/** A number that opens a bracket is followed by something else: `014106 (2008)`. */
function isClosed(written: string): boolean {
  return written.split('(').length === written.split(')').length;
}

/** Length of the longest beginning, in whole groups, that is a number; null for none. Another number may follow after a space. */
function longestValid(written: string, isValid: (part: string) => boolean): number | null {
  for (let end = written.length, tries = 0; end > 0 && tries < 4; tries++) {
    const part = written.slice(0, end);
    const digits = onlyDigits(part).length;
    if (digits < 7) return null;
    if (digits <= MAX_DIGITS + 2 && isClosed(part) && isValid(part)) return end;
    end = part.search(/[^\d]+\d*$/);
  }
  return null;
}

class NumberCheck {
  #left = MAX_CHECKED;

  isValid(written: string, defaultCountry: CountryCode | undefined): boolean {
    if (this.#left-- <= 0) return true;
    return parsePhoneNumberFromString(written, { extract: false, ...(defaultCountry && { defaultCountry }) }, METADATA)?.isValid() ?? false;
  }
}

const METADATA: MetadataJson = metadata;
