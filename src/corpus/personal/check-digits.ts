/** Check digits of numbers. Each function takes a number without separators. */

/** Digit `i` times weight `i`, summed; letters count as 0. Weights beyond the number do not count. */
export function weightedSum(number: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, i) => sum + weight * (Number(number[i]) || 0), 0);
}

/** Luhn's formula (ISO/IEC 7812-1, annex B). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    sum += i % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit;
  }
  return sum % 10 === 0;
}

/** Remainder of a decimal number of any length. */
export function remainder(digits: string, modulus: number): number {
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % modulus;
  return rest;
}

/** ISO/IEC 7064, MOD 11,10. */
export function passesMod11And10(digits: string): boolean {
  let check = 5;
  for (const digit of digits) check = ((((check || 10) * 2) % 11) + Number(digit)) % 10;
  return check === 1;
}

/** ISO/IEC 7064, MOD 97-10: letters count as two digits, A = 10. */
export function passesMod97(number: string): boolean {
  return (
    remainder(
      number.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55)),
      97,
    ) === 1
  );
}

const TURNS = ['0123456789', '1576283094', '5803796142', '8916043527', '9453126870', '4286573901', '2793806415', '7046913258'];

/** The dihedral group of ten elements: rotations 0 to 4, reflections 5 to 9. */
function turned(a: number, b: number): number {
  const [flipA, flipB] = [a > 4, b > 4];
  const sum = flipA ? (a % 5) + 5 - (b % 5) : (a % 5) + (b % 5);
  return (sum % 5) + (flipA === flipB ? 0 : 5);
}

/** J. Verhoeff, Error Detecting Decimal Codes, 1969. */
export function passesVerhoeff(digits: string): boolean {
  let check = 0;
  for (let i = 0; i < digits.length; i++) check = turned(check, Number(TURNS[i % 8]?.[Number(digits[digits.length - 1 - i])]));
  return check === 0;
}

/** Is there such a day? The century is open: 29 February counts in every year that 4 divides. */
export function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const days = month === 2 ? (year % 4 === 0 ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return day <= days;
}

/** `isDay` of six digits: YYMMDD. */
export function isYearMonthDay(digits: string): boolean {
  return isDay(Number(digits.slice(0, 2)), Number(digits.slice(2, 4)), Number(digits.slice(4, 6)));
}

/** `isDay` of six digits: DDMMYY. */
export function isDayMonthYear(digits: string): boolean {
  return isDay(Number(digits.slice(4, 6)), Number(digits.slice(2, 4)), Number(digits.slice(0, 2)));
}
