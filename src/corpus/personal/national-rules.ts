/**
 * National identity numbers with check digits: one row a number. Numbers without them (United States, Denmark since 2007, Korea since 2020) are not here,
 * or found only in their older form. `docs/reference/personal-data.md` has this table with the source of each algorithm; a test compares them, and each
 * row with another implementation.
 */
import {
  isDay,
  isDayMonthYear,
  isYearMonthDay,
  passesLuhn,
  passesMod11And10,
  passesVerhoeff,
  remainder,
  weightedSum,
} from './check-digits.ts';

export interface NationalRule {
  /** ISO 3166 code of the country, and the name of the number. */
  readonly name: string;
  /** Written form, without its surroundings. No part repeats without a bound. */
  readonly written: string;
  /** Gets the number without separators, in upper case. */
  isValid(number: string): boolean;
  /** Words before it, in lower case, as a pattern: enough for any written form. */
  readonly cue: string;
  /** Form that needs no such word, on pages in `langs` or, without it, on all pages. Absent: a word is needed. */
  readonly alone?: { readonly form?: RegExp; readonly langs?: readonly string[] };
}

const SPANISH = 'TRWAGMYFPDXBNJZSQVHLCKE';
const FINNISH = '0123456789ABCDEFHJKLMNPRSTUVWXY';
const IRISH = 'WABCDEFGHIJKLMNOPQRSTUV';
/** Letters of the first place count as numbers of two digits. */
const TAIWANESE = 'ABCDEFGHJKLMNPQRSTUVXYWZIO';
/** Values of characters at odd places of the Italian number. */
const ITALIAN_ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
const MEXICAN = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ';

const last = (number: string): number => Number(number.at(-1));
const head = (number: string): string => number.slice(0, -1);

function passesSpanish(number: string): boolean {
  const digits = head(number).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)));
  return SPANISH[Number(digits) % 23] === number.at(-1);
}

function passesItalian(number: string): boolean {
  const sum = [...head(number)].reduce((total, sign, i) => {
    const value = /\d/.test(sign) ? Number(sign) : sign.charCodeAt(0) - 65;
    return total + (i % 2 === 0 ? (ITALIAN_ODD[value] ?? 0) : value);
  }, 0);
  return String.fromCharCode(65 + (sum % 26)) === number.at(-1);
}

/** Corsica has 2A and 2B. */
function passesFrench(number: string): boolean {
  const digits = number.slice(0, 13).replace('2A', '19').replace('2B', '18');
  return 97 - remainder(digits, 97) === Number(number.slice(13));
}

/** The rule about repeated digits, which changed in 2016, is not checked. */
function passesGerman(number: string): boolean {
  return number[0] !== '0' && passesMod11And10(number);
}

function passesBelgian(number: string): boolean {
  const check = Number(number.slice(9));
  const is = (digits: string) => 97 - remainder(digits, 97) === check;
  return Number(number.slice(2, 4)) <= 12 && Number(number.slice(4, 6)) <= 31 && (is(number.slice(0, 9)) || is(`2${number.slice(0, 9)}`));
}

function passesNorwegian(number: string): boolean {
  const day = Number(number.slice(0, 2)) % 40;
  if (!isDay(Number(number.slice(4, 6)), Number(number.slice(2, 4)) % 40, day)) return false;
  return (
    weightedSum(number, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 && weightedSum(number, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
  );
}

/** The month has the century: 20, 40, 60 and 80 are added. */
function passesPolish(number: string): boolean {
  const isDated = isDay(Number(number.slice(0, 2)), Number(number.slice(2, 4)) % 20, Number(number.slice(4, 6)));
  return isDated && (10 - (weightedSum(number, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10 === last(number);
}

function passesBrazilian(number: string): boolean {
  if (new Set(number).size === 1) return false;
  const check = (digits: string) => {
    const weights = Array.from({ length: digits.length }, (_, i) => digits.length + 1 - i);
    return ((weightedSum(digits, weights) * 10) % 11) % 10;
  };
  return check(number.slice(0, 9)) === Number(number[9]) && check(number.slice(0, 10)) === Number(number[10]);
}

function passesChinese(number: string): boolean {
  const sum = weightedSum(number, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]);
  return /^(?:19|20)/.test(number.slice(6)) && isYearMonthDay(number.slice(8, 14)) && '10X98765432'[sum % 11] === number.at(-1);
}

function passesTaiwanese(number: string): boolean {
  const letter = TAIWANESE.indexOf(number.charAt(0)) + 10;
  return weightedSum(`${letter}${number.slice(1)}`, [1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1]) % 10 === 0;
}

function passesKorean(number: string): boolean {
  const sum = weightedSum(number, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]);
  return isYearMonthDay(number) && (11 - (sum % 11)) % 10 === last(number);
}

function passesTurkish(number: string): boolean {
  const digits = [...number].map(Number);
  const sum = (odd: 0 | 1) => digits.slice(0, 9).reduce((total, digit, i) => total + (i % 2 === odd ? digit : 0), 0);
  const tenth = (((sum(0) * 7 - sum(1)) % 10) + 10) % 10;
  return number[0] !== '0' && tenth === digits[9] && (sum(0) + sum(1) + tenth) % 10 === digits[10];
}

function passesRomanian(number: string): boolean {
  const check = weightedSum(number, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11;
  return number[0] !== '0' && isYearMonthDay(number.slice(1)) && (check === 10 ? 1 : check) === last(number);
}

function passesBulgarian(number: string): boolean {
  const isDated = isDay(Number(number.slice(0, 2)), Number(number.slice(2, 4)) % 20, Number(number.slice(4, 6)));
  return isDated && (weightedSum(number, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10 === last(number);
}

/** Numbers of nine digits, from before 1954, have no check digit. Women have 50 added to the month; 20 are added when a day has no numbers left. */
function passesCzech(number: string): boolean {
  const month = (Number(number.slice(2, 4)) % 50) % 20;
  const isDated = isDay(Number(number.slice(0, 2)), month, Number(number.slice(4, 6)));
  return number.length === 10 && isDated && (Number(head(number)) % 11) % 10 === last(number);
}

function passesBaltic(number: string): boolean {
  const [first, second] = [
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 1],
    [3, 4, 5, 6, 7, 8, 9, 1, 2, 3],
  ] as const;
  const once = weightedSum(number, first) % 11;
  const check = once < 10 ? once : (weightedSum(number, second) % 11) % 10;
  return isYearMonthDay(number.slice(1)) && check === last(number);
}

function passesYugoslav(number: string): boolean {
  const isDated = isDay(Number(number.slice(4, 7)), Number(number.slice(2, 4)), Number(number.slice(0, 2)));
  const check = 11 - (weightedSum(number, [7, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11);
  return isDated && (check > 9 ? 0 : check) === last(number);
}

function passesChilean(number: string): boolean {
  const sum = weightedSum([...head(number)].reverse().join(''), [2, 3, 4, 5, 6, 7, 2, 3, 4, 5]);
  return '0K987654321'[sum % 11] === number.at(-1);
}

function passesMexican(number: string): boolean {
  const sum = [...head(number)].reduce((total, sign, i) => total + MEXICAN.indexOf(sign) * (18 - i), 0);
  return isYearMonthDay(number.slice(4)) && (10 - (sum % 10)) % 10 === last(number);
}

function passesIrish(number: string): boolean {
  const second = number.length === 9 && number[8] !== 'W' ? number.charCodeAt(8) - 64 : 0;
  return IRISH[(weightedSum(number, [8, 7, 6, 5, 4, 3, 2]) + 9 * second) % 23] === number[7];
}

function passesFinnish(number: string): boolean {
  const digits = number.slice(0, 6) + number.slice(-4, -1);
  return isDayMonthYear(digits) && FINNISH[Number(digits) % 31] === number.at(-1);
}

/** The day of coordination numbers has 60 added. A century before the number is no part of the sum. */
function passesSwedish(number: string): boolean {
  const ten = number.slice(-10);
  return isDay(Number(ten.slice(0, 2)), Number(ten.slice(2, 4)), Number(ten.slice(4, 6)) % 60) && passesLuhn(ten);
}

function passesSwiss(number: string): boolean {
  return (10 - (weightedSum(number, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10 === last(number);
}

function passesPortuguese(number: string): boolean {
  return ((11 - (weightedSum(number, [9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11) % 10 === last(number);
}

export const NATIONAL_RULES: readonly NationalRule[] = [
  {
    name: 'BE NN',
    written: String.raw`\d\d\.?\d\d\.?\d\d-?\d{3}\.?\d\d`,
    isValid: passesBelgian,
    cue: 'rijksregister|registre national|insz|niss',
    alone: { form: /^\d\d\.\d\d\.\d\d-/ },
  },
  { name: 'BG EGN', written: String.raw`\d{10}`, isValid: passesBulgarian, cue: 'егн|egn' },
  {
    name: 'BR CPF',
    written: String.raw`\d{3}\.?\d{3}\.?\d{3}-?\d\d`,
    isValid: passesBrazilian,
    cue: 'cpf',
    alone: { form: /^\d+\.\d+\.\d+-/ },
  },
  { name: 'CA SIN', written: String.raw`\d{3}[ -]?\d{3}[ -]?\d{3}`, isValid: passesLuhn, cue: 'sin|social insurance|nas' },
  {
    name: 'CH AHV',
    written: String.raw`756[. ]?\d{4}[. ]?\d{4}[. ]?\d\d`,
    isValid: passesSwiss,
    cue: 'ahv|avs|svnr|versicherten',
    alone: { form: /^756\./ },
  },
  {
    name: 'CL RUT',
    written: String.raw`\d{1,2}\.?\d{3}\.?\d{3}-[\dKk]`,
    isValid: passesChilean,
    cue: 'rut|run',
    alone: { form: /^\d+\.\d+\.\d+-/ },
  },
  { name: 'CN RIC', written: String.raw`[1-9]\d{16}[\dXx]`, isValid: passesChinese, cue: '身份证', alone: {} },
  {
    name: 'CZ RC',
    written: String.raw`\d{6}\/?\d{3,4}`,
    isValid: passesCzech,
    cue: 'rodné číslo|r\\. ?č',
    alone: { form: /\//, langs: ['cs', 'sk'] },
  },
  { name: 'DE IdNr', written: String.raw`\d{2} ?\d{3} ?\d{3} ?\d{3}`, isValid: passesGerman, cue: 'steuer-?id|idnr|identifikationsnummer' },
  { name: 'EE IK', written: String.raw`[1-8]\d{10}`, isValid: passesBaltic, cue: 'isikukood|asmens kodas', alone: { langs: ['et', 'lt'] } },
  {
    name: 'ES DNI',
    written: String.raw`(?:\d{8}|[XYZxyz]-?\d{7})-?[A-Za-z]`,
    isValid: passesSpanish,
    cue: 'dni|nie|nif|d\\.n\\.i',
    alone: { form: /[A-Z]$/, langs: ['es', 'ca', 'gl', 'eu'] },
  },
  {
    name: 'FI HETU',
    written: String.raw`\d{6}[-+A-FU-Y]\d{3}[\dA-Y]`,
    isValid: passesFinnish,
    cue: 'henkilötunnus|hetu',
    alone: { langs: ['fi', 'sv'] },
  },
  {
    name: 'FR NIR',
    written: String.raw`[12] ?\d\d ?\d\d ?\d[\dAB] ?\d{3} ?\d{3} ?\d\d`,
    isValid: passesFrench,
    cue: 'sécurité sociale|nir|insee|sécu',
    alone: { langs: ['fr'] },
  },
  { name: 'HR OIB', written: String.raw`\d{11}`, isValid: passesMod11And10, cue: 'oib' },
  { name: 'IE PPS', written: String.raw`\d{7}[A-W][A-IW]?`, isValid: passesIrish, cue: 'pps[n]?' },
  { name: 'IN Aadhaar', written: String.raw`[2-9]\d{3}[ -]?\d{4}[ -]?\d{4}`, isValid: passesVerhoeff, cue: 'aadhaa?r|uid|आधार' },
  {
    name: 'IT CF',
    written: String.raw`[A-Z]{6}[\dL-V]{2}[A-EHLMPRST][\dL-V]{2}[A-Z][\dL-V]{3}[A-Z]`,
    isValid: passesItalian,
    cue: 'codice fiscale|c\\.f',
    alone: {},
  },
  { name: 'KR RRN', written: String.raw`\d{6}-?[1-8]\d{6}`, isValid: passesKorean, cue: '주민', alone: { form: /-/, langs: ['ko'] } },
  { name: 'MX CURP', written: String.raw`[A-Z]{4}\d{6}[HM][A-Z]{5}[\dA-Z]\d`, isValid: passesMexican, cue: 'curp', alone: {} },
  {
    name: 'NL BSN',
    written: String.raw`\d{9}`,
    isValid: (number) => weightedSum(number, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0 && Number(number) > 0,
    cue: 'bsn|burgerservice|sofi',
  },
  {
    name: 'NO FNR',
    written: String.raw`\d{6} ?\d{5}`,
    isValid: passesNorwegian,
    cue: 'fødselsnummer|personnummer|fnr',
    alone: { langs: ['no', 'nb', 'nn'] },
  },
  { name: 'PL PESEL', written: String.raw`\d{11}`, isValid: passesPolish, cue: 'pesel', alone: { langs: ['pl'] } },
  { name: 'PT NIF', written: String.raw`\d{3} ?\d{3} ?\d{3}`, isValid: passesPortuguese, cue: 'nif|contribuinte' },
  { name: 'RO CNP', written: String.raw`[1-9]\d{12}`, isValid: passesRomanian, cue: 'cnp|cod numeric', alone: { langs: ['ro'] } },
  {
    name: 'RS JMBG',
    written: String.raw`\d{13}`,
    isValid: passesYugoslav,
    cue: 'jmbg|јмбг|emšo|embg|ембг',
    alone: { langs: ['sr', 'bs', 'hr', 'sl', 'mk'] },
  },
  {
    name: 'SE PNR',
    written: String.raw`(?:19|20)?\d{6}[-+]?\d{4}`,
    isValid: passesSwedish,
    cue: 'personnummer|pnr',
    alone: { form: /[-+]/, langs: ['sv'] },
  },
  { name: 'TR TCKN', written: String.raw`[1-9]\d{10}`, isValid: passesTurkish, cue: 't\\.?c\\.?|kimlik', alone: { langs: ['tr'] } },
  { name: 'TW ID', written: String.raw`[A-Z][12]\d{8}`, isValid: passesTaiwanese, cue: '身分證|身份證', alone: { langs: ['zh'] } },
  {
    name: 'ZA ID',
    written: String.raw`\d{10}[012]\d{2}`,
    isValid: (number) => isYearMonthDay(number) && passesLuhn(number),
    cue: 'id|identity',
  },
];
