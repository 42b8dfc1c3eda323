/** Digits with the separators of thousands: three digits behind each. Another separator parts two numbers, as in dates and decimal fractions. */
const NUMBERS = /\p{Nd}{1,3}(?:[.,'’\u00a0\u202f ]\p{Nd}{3})+(?!\p{Nd})|\p{Nd}+/gu;
const DIGIT = /\p{Nd}/u;

/**
 * The distinct numbers of a text that both languages write in digits, ascending, as one string: of two digits and more, since many languages write out the small
 * ones; with European digits, without separators and leading zeros.
 */
export function numbersOf(text: string): string {
  const found = new Set<string>();
  for (const [written] of text.normalize('NFKC').matchAll(NUMBERS)) {
    const digits = europeanDigits(written).replace(/^0+/, '');
    if (digits.length > 1) found.add(digits);
  }
  return [...found].sort().join(' ');
}

/** The digits of a number as European ones, without its separators. */
export function europeanDigits(written: string): string {
  return [...written].map(digitOf).join('');
}

/** The digit of 0 to 9; '' for a separator. Decimal digits are ten code points in a row (Unicode §4.6). */
function digitOf(sign: string): string {
  if (!DIGIT.test(sign)) return '';
  const code = sign.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}
