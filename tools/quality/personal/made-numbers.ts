/** Numbers of each kind, made without the rules of the finder: by number ranges that regulators reserve for fiction, by `stdnum`, by plain arithmetic. */
import { stdnum } from 'stdnum';
import type { Rng } from '../../../src/base/core/rng.ts';
import type { PersonalKind } from '../../../src/corpus/personal/personal-names.ts';

export interface MadeNumber {
  readonly kind: PersonalKind;
  readonly written: string;
  /** Language of a page that writes it so. */
  readonly lang: string;
}

function pick<T>(rng: Rng, of: readonly T[]): T {
  const one = of[Math.floor(rng() * of.length)];
  if (one === undefined) throw new Error('nothing to pick from');
  return one;
}
const digits = (rng: Rng, count: number): string => Array.from({ length: count }, () => Math.floor(rng() * 10)).join('');

/**
 * Ranges for fiction, with x for any digit: Ofcom (GB), FCC (US), Bundesnetzagentur Mitteilung 148/2021 (DE), ARCEP décision 2018-0881 (FR), ACMA (AU), PTS (SE); and
 * ordinary forms of numbers of other countries, whose area codes are real.
 */
const ABROAD = [
  ...['+44 20 7946 0xxx', '+44 (0)20 7946 0xxx', '+44-7911-123xxx', '0044 20 7946 0xxx', '+442079460xxx'],
  ...['+1 212-555-01xx', '+1 (415) 555-01xx', '+1-650-555-01xx', '+1.415.555.01xx', '+141555501xx'],
  ...['+49 30 23125 xxx', '+49 (0)89 99998 xxx', '+49/40/66969-xxx', '+49 171 39200 xx', '0049 69 90009 xxx'],
  ...[
    '+33 1 42 68 xx xx',
    '+33 (0)6 39 98 xx xx',
    '+61 2 5550 xxxx',
    '+46 8 465 004 xx',
    '+34 91 234 xx xx',
    '+39 06 6982 xxxx',
    '+41 44 668 18 xx',
  ],
  ...[
    '+81 3-5321-xxxx',
    '+86 10 6552 xxxx',
    '+86 138 1234 xxxx',
    '+7 495 123-xx-xx',
    '+55 11 3061-xxxx',
    '+31 20 624 xxxx',
    '+48 22 625 xx xx',
  ],
];
const AT_HOME: readonly (readonly [lang: string, form: string])[] = [
  ...['020 7946 0xxx', '(020) 7946 0xxx', '07911 123xxx', '(212) 555-01xx', '415-555-01xx', 'phone: 415.555.01xx', 'Tel. 02079460xxx'].map(
    (form) => ['en', form] as const,
  ),
  ...[
    '030 23125 xxx',
    '(030) 23125 xxx',
    '030/23125xxx',
    '089 / 99998 xxx',
    '0171-39200xx',
    'Tel.: 04066969xxx',
    'Telefon 069 90009xxx',
  ].map((form) => ['de', form] as const),
  ...['01 42 68 xx xx', '06.39.98.xx.xx', '06-39-98-xx-xx', 'tél. 0142 68 xx xx', 'téléphone : 0142xxxxxx'].map(
    (form) => ['fr', form] as const,
  ),
  ...['13812345xxx', '138 1234 5xxx', '电话：010-6552xxxx', '手机 1391234xxxx'].map((form) => ['zh', form] as const),
  ...['Tel. 91 234 xx xx', 'teléfono: 912 34 xx xx', 'móvil 612 34 xx xx'].map((form) => ['es', form] as const),
  ...['08-465 004 xx', '020 624 xxxx', '03-5321-xxxx'].map((form, i) => [['sv', 'nl', 'ja'][i] ?? 'sv', form] as const),
];

function phone(rng: Rng, form: string, lang: string): MadeNumber & { readonly before: string } {
  const written = form.replace(/x(?=[x\d ).-]|$)/g, () => digits(rng, 1));
  const cue = /^[^\d+(]*/.exec(written)?.[0] ?? '';
  return { kind: 'phone', written: written.slice(cue.length), before: cue, lang };
}

/** Structures of the IBAN Registry: country and length of the digits, which most countries have. */
const IBAN_DIGITS = { DE: 18, AT: 16, BE: 12, CH: 17, DK: 14, ES: 20, FI: 14, NO: 11, PL: 24, PT: 21, SE: 20, CZ: 20 } as const;

function iban(rng: Rng): MadeNumber {
  const country = pick(rng, Object.keys(IBAN_DIGITS) as (keyof typeof IBAN_DIGITS)[]);
  const account = digits(rng, IBAN_DIGITS[country]);
  const value = BigInt(`${account}${country.charCodeAt(0) - 55}${country.charCodeAt(1) - 55}00`);
  const plain = `${country}${String(98n - (value % 97n)).padStart(2, '0')}${account}`;
  return { kind: 'iban', lang: 'en', written: rng() < 0.6 ? plain.replace(/(.{4})(?=.)/g, '$1 ') : plain };
}

/** Prefix and length of cards. */
const CARDS = [
  ['4', 16],
  ['51', 16],
  ['55', 16],
  ['2221', 16],
  ['37', 15],
  ['6011', 16],
  ['3530', 16],
  ['36', 14],
] as const;

function card(rng: Rng): MadeNumber {
  const [prefix, length] = pick(rng, CARDS);
  const body = prefix + digits(rng, length - prefix.length - 1);
  const sum = [...body]
    .reverse()
    .reduce((total, sign, i) => total + (i % 2 === 1 ? Number(sign) : Math.floor(Number(sign) / 5) + ((2 * Number(sign)) % 10)), 0);
  const plain = `${body}${(1000 - sum) % 10}`;
  const grouped = length === 16 ? plain.replace(/(.{4})(?=.)/g, '$1 ') : plain.replace(/^(.{4})(.{6})/, '$1 $2 ');
  return { kind: 'card', lang: 'en', written: pick(rng, [plain, grouped, grouped.replaceAll(' ', '-')]) };
}

function ip(rng: Rng): MadeNumber & { readonly before: string } {
  if (rng() < 0.35) {
    const group = () => Math.floor(rng() * 65536).toString(16);
    const full = ['2a01', ...Array.from({ length: 7 }, group)];
    const written = rng() < 0.5 ? full.join(':') : `${full.slice(0, 3).join(':')}::${full.slice(6).join(':')}`;
    return { kind: 'ip', lang: 'en', before: '', written };
  }
  const octet = (from: number, to: number) => from + Math.floor(rng() * (to - from));
  const written = `${pick(rng, [5, 31, 62, 77, 81, 93, 109, 128, 141, 151, 176, 185, 193, 212, 217])}.${octet(0, 256)}.${octet(0, 256)}.${octet(1, 255)}`;
  return { kind: 'ip', lang: 'en', before: pick(rng, ['', '', 'IP ', 'IP address: ', 'host ', 'http://']), written };
}

/** Written form (d for a digit, L for a letter), country and name in `stdnum`, language, words before. */
const IDS: readonly (readonly [form: string, country: string, name: string, lang: string, before: string])[] = [
  ['dddddddd-L', 'ES', 'dni', 'es', ''],
  ['ddddddddL', 'ES', 'dni', 'en', 'DNI '],
  ['LLLLLLddHddLdddL', 'IT', 'codicefiscale', 'it', ''],
  ['85033dddddd', 'PL', 'pesel', 'pl', ''],
  ['8503dddddd3', 'PL', 'pesel', 'en', 'PESEL: '],
  ['ddddddddd', 'NL', 'bsn', 'nl', 'BSN '],
  ['ddddddddddd', 'DE', 'idnr', 'de', 'Steuer-ID: '],
  ['ddd.ddd.ddd-dd', 'BR', 'cpf', 'pt', ''],
  ['11010519870d1ddddd', 'CN', 'ric', 'zh', ''],
  ['756.dddd.dddd.dd', 'CH', 'ssn', 'de', ''],
  ['85073dddddd', 'BE', 'nn', 'fr', 'NISS '],
  ['0503d7-dddL', 'FI', 'hetu', 'fi', ''],
  ['85031d-dddd', 'SE', 'personnummer', 'sv', ''],
  ['18503d7dddddd', 'RO', 'cnp', 'ro', ''],
  ['150385ddddd', 'NO', 'fodselsnummer', 'nb', ''],
  ['ddddddddddd', 'TR', 'tckimlik', 'tr', ''],
  ['A1dddddddd', 'TW', 'natid', 'zh', ''],
  ['dd.ddd.ddd-d', 'CL', 'rut', 'es', ''],
];

function id(rng: Rng): MadeNumber & { readonly before: string } {
  for (;;) {
    const [form, country, name, lang, before] = pick(rng, IDS);
    const validator = stdnum[country]?.[name];
    if (validator === undefined) throw new Error(`stdnum has no ${country} ${name}`);
    for (let tries = 0; tries < 3000; tries++) {
      const written = form.replace(/[dL]/g, (sign) => (sign === 'd' ? digits(rng, 1) : String.fromCharCode(65 + Math.floor(rng() * 26))));
      if (validator.validate(written).isValid) return { kind: 'id', written, before, lang };
    }
  }
}

/** A number with the words before it, of a kind. */
export function madeNumber(kind: Exclude<PersonalKind, 'mail'>, rng: Rng): MadeNumber & { readonly before?: string } {
  if (kind === 'iban') return iban(rng);
  if (kind === 'card') return card(rng);
  if (kind === 'ip') return ip(rng);
  if (kind === 'id') return id(rng);
  if (rng() < 0.5) return phone(rng, pick(rng, ABROAD), 'en');
  const [lang, form] = pick(rng, AT_HOME);
  return phone(rng, form, lang);
}
