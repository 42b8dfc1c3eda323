import { passesMod97 } from './check-digits.ts';
import type { TextRange } from './text-range.ts';

/** Number of characters of an IBAN by country: SWIFT, IBAN Registry (ISO 13616). */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 ' +
    'GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 ' +
    'MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 ' +
    'XK20 YE30'
  )
    .split(' ')
    .map((row) => [row.slice(0, 2), Number(row.slice(2))]),
);

const START = /(?<![\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{N}])[A-Z]{2}\d{2}(?=[ \u00a0-]?[A-Z0-9])/gu;
/** The longest one has 33 characters, in groups of four. */
const MAX_WRITTEN = 44;

/** International bank account numbers whose length and check digits are right, in groups or not. */
export function* bankAccounts(text: string): Generator<TextRange> {
  for (const { index } of text.matchAll(START)) {
    const end = accountEnd(text.slice(index, index + MAX_WRITTEN));
    if (end !== null) yield [index, index + end];
  }
}

/** Length of the account at the start of a text; null for none. */
function accountEnd(text: string): number | null {
  const length = LENGTHS.get(text.slice(0, 2));
  if (length === undefined) return null;
  let number = '';
  for (let end = 0; end < text.length && number.length < length; end++) {
    const sign = text.charAt(end);
    if (/[A-Z0-9]/.test(sign)) number += sign;
    else if (!/[ \u00a0-]/.test(sign) || !/[A-Z0-9]/.test(text.charAt(end + 1))) return null;
    if (number.length === length) return isWhole(text, end + 1) && passesMod97(number.slice(4) + number.slice(0, 4)) ? end + 1 : null;
  }
  return null;
}

function isWhole(text: string, end: number): boolean {
  return !/[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{N}]/u.test(text.charAt(end));
}
