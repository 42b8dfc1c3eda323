import { passesLuhn } from './check-digits.ts';
import { announcesOther, isInUrl, onlyDigits } from './number-context.ts';
import type { TextRange } from './text-range.ts';

/** Written forms of a card: in groups of four, or 4-6-5 and 4-6-4, with one kind of separator; or without any. */
const WRITTEN =
  /(?<![\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{N}.,+/_-])\d{4}(?:([ \u00a0-])(?:\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{6}\1\d{4,5})|\d{10,15})(?![\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{N}_]|[.,/-]\d)/gu;

/** Issuers by the first digits and the length: ISO/IEC 7812; Visa, Mastercard, American Express, Diners Club, Discover, JCB, UnionPay, Maestro. */
const ISSUED =
  /^(?:4\d{15}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|6(?:011|4[4-9]\d|5\d\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}|6(?:304|759|76[1-3])\d{12})$/;

/** Numbers of payment cards with the prefix of an issuer and a right check digit. */
export function* cardNumbers(text: string): Generator<TextRange> {
  for (const { index, 0: written } of text.matchAll(WRITTEN)) {
    const digits = onlyDigits(written);
    if (!ISSUED.test(digits) || !passesLuhn(digits) || new Set(digits).size < 3) continue;
    if (!isInUrl(text, index) && !announcesOther(text, index)) yield [index, index + written.length];
  }
}
