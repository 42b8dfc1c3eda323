import type { CountryCode } from 'libphonenumber-js/core';

/** Countries with most speakers of a language, in whose form a page may write a number. Unicode CLDR, territory information. */
const COUNTRIES: Readonly<Record<string, readonly CountryCode[]>> = {
  ar: ['EG', 'SA', 'AE', 'MA', 'DZ'],
  bg: ['BG'],
  ca: ['ES', 'AD'],
  cs: ['CZ'],
  da: ['DK'],
  de: ['DE', 'AT', 'CH'],
  el: ['GR', 'CY'],
  en: ['US', 'GB', 'AU', 'NZ', 'IE', 'ZA', 'IN'],
  es: ['ES', 'MX', 'AR', 'CO', 'CL', 'PE'],
  et: ['EE'],
  fa: ['IR'],
  fi: ['FI'],
  fr: ['FR', 'BE', 'CH'],
  he: ['IL'],
  hi: ['IN'],
  hr: ['HR'],
  hu: ['HU'],
  id: ['ID'],
  it: ['IT', 'CH'],
  ja: ['JP'],
  ko: ['KR'],
  lt: ['LT'],
  lv: ['LV'],
  nb: ['NO'],
  nl: ['NL', 'BE'],
  nn: ['NO'],
  no: ['NO'],
  pl: ['PL'],
  pt: ['PT', 'BR'],
  ro: ['RO', 'MD'],
  ru: ['RU'],
  sk: ['SK'],
  sl: ['SI'],
  sr: ['RS'],
  sv: ['SE', 'FI'],
  th: ['TH'],
  tr: ['TR'],
  uk: ['UA'],
  vi: ['VN'],
  zh: ['CN', 'TW', 'HK'],
};

/** @returns [] for other languages: of their pages, only numbers with a country code are found */
export function countriesOf(lang: string): readonly CountryCode[] {
  return COUNTRIES[lang] ?? [];
}
