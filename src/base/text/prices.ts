/** Prices as pages write them: `1.299,00 €`, `US$ 19.90`, `1'299.–`, `١٬٢٩٩`. */

/** A price, or the two ends of a range, and the currency that stands with it. */
export interface WrittenPrice {
  /** Ascending; one for an exact price. */
  readonly amounts: readonly number[];
  /** ISO 4217; null without a sign, or with one of several currencies: `$`, `kr`, `¥`. */
  readonly currency: string | null;
}

/** Longer texts are sentences. */
const MAX_CHARS = 60;
/** Larger numbers are identifiers. */
const MAX_AMOUNT = 1e12;
/** Currencies with three decimals, and with none (ISO 4217): the separator before three digits means another thing there. */
const THREE_DECIMALS: ReadonlySet<string> = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));

/** Signs that mean one currency, the longer ones first. */
const SIGNS: readonly (readonly [sign: RegExp, code: string])[] = [
  [/US\s?\$|U\$S/, 'USD'],
  [/CA\s?\$|C\s\$/, 'CAD'],
  [/AU?\s?\$/, 'AUD'],
  [/NZ\s?\$/, 'NZD'],
  [/HK\s?\$/, 'HKD'],
  [/NT\s?\$/, 'TWD'],
  [/R\$/, 'BRL'],
  [/€/, 'EUR'],
  [/£/, 'GBP'],
  [/₹/, 'INR'],
  [/₩|원/, 'KRW'],
  [/₽|руб/i, 'RUB'],
  [/₺/, 'TRY'],
  [/₴/, 'UAH'],
  [/₪/, 'ILS'],
  [/₫/, 'VND'],
  [/฿/, 'THB'],
  [/zł/i, 'PLN'],
  [/Kč/i, 'CZK'],
  [/円/, 'JPY'],
  [/元/, 'CNY'],
];
const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const CODE = /(?<![A-Za-z])[A-Z]{3}(?![A-Za-z])/g;
/** Digits with separators. White space, apostrophes and the Arabic sign separate thousands only. */
const AMOUNT = /\d+(?:[.,\u066B]\d+|[\u066C'’\s\u00A0\u202F]\d{3}(?!\d))*(?![\d%])/g;
/** The separators of thousands that are no decimal separator in any language. */
const BLANKS = /[\s\u00A0\u202F'’\u066C]/g;

/** The code of ISO 4217 that a text is or has a sign of; null for another text. */
export function currencyIn(text: string): string | null {
  const code = text.toUpperCase().trim();
  if (CODES.has(code)) return code;
  const named = text.match(CODE)?.find((word) => CODES.has(word));
  return named ?? SIGNS.find(([sign]) => sign.test(text))?.[1] ?? null;
}

/**
 * The price in a text; null for a text without a number, and for one of more than two. In a bare number, as structured data has it, a single dot is the decimal one.
 * @param stated currency that the page states elsewhere
 */
export function priceIn(text: string, stated: string | null = null): WrittenPrice | null {
  const plain = withPlainDigits(text.trim());
  if (plain.length > MAX_CHARS || /^[-−–]\s*\d/.test(plain)) return null;
  const currency = stated ?? currencyIn(plain);
  const isBare = /^\d+(?:\.\d+)?$/.test(plain);
  const amounts = isBare ? [Number(plain)] : (plain.match(AMOUNT) ?? []).map((written) => amountOf(written, currency));
  if (amounts.length === 0 || amounts.length > 2 || amounts.some((amount) => !(amount <= MAX_AMOUNT))) return null;
  return { amounts: [...new Set(amounts)].sort((a, b) => a - b), currency };
}

/** A number of digits and separators: of two kinds of separators, the last is the decimal one. */
function amountOf(written: string, currency: string | null): number {
  const digits = written.replaceAll(BLANKS, '').replaceAll('\u066B', ',');
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  if (last < 0) return Number(digits);
  const sign = digits.charAt(last);
  const other = sign === '.' ? ',' : '.';
  const isOnly = digits.indexOf(sign) === last;
  const isGroup =
    digits.length - last - 1 === 3 && !digits.includes(other) && !digits.startsWith('0') && !THREE_DECIMALS.has(currency ?? '');
  const isDecimal = isOnly && !isGroup;
  const whole = digits.replaceAll(/[.,]/g, (mark, at: number) => (isDecimal && at === last && mark === sign ? '.' : ''));
  return Number(whole);
}

/** Zeros of the digits of other scripts: Arabic, Persian, Devanagari, Bengali, Thai, full width. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10];

function withPlainDigits(text: string): string {
  return text.replaceAll(/[\u0660-\u0669\u06F0-\u06F9\u0966-\u096F\u09E6-\u09EF\u0E50-\u0E59\uFF10-\uFF19]/g, (digit) => {
    const code = digit.charCodeAt(0);
    return String(code - (ZEROS.findLast((zero) => zero <= code) ?? code));
  });
}
