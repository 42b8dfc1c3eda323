/** Codes of languages that a person gives, held against those there are. */
import { normaliseLang, primaryLang } from './language.ts';
import { nearest } from './nearest.ts';

/** `und` (ISO 639-2): the language is not known. */
const UNKNOWN = 'und';
const ENGLISH = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

/**
 * The language alone in the one code that stands for it: `de` of `de-AT`, `ger` and `DEU`, `he` of `iw`. `und` stays. null for what is no
 * code: of two letters one that is not assigned, or a word. Codes of three letters are taken as they are; there are 8,000 languages.
 */
export function languageCode(tag: string): string | null {
  const plain = tag.trim().toLowerCase();
  if (plain === UNKNOWN) return plain;
  const primary = primaryLang(plain);
  if (primary === null || normaliseLang(plain) === null) return null;
  const code = Intl.getCanonicalLocales(primary)[0]?.split('-', 1)[0] ?? primary;
  return code.length === 2 && ENGLISH.of(code) === undefined ? null : code;
}

/** What somebody may have meant by the name of a language, in English or in that language itself: `en (English)` by `english`; null when nothing comes near. Takes 0.1 s. */
export function languageMeant(name: string): string | null {
  const codes = new Map<string, string>();
  for (const code of twoLetterCodes()) {
    const own = new Intl.DisplayNames(code, { type: 'language', fallback: 'none' }).of(code);
    for (const called of [ENGLISH.of(code), own]) if (called !== undefined) codes.set(called.toLowerCase(), code);
  }
  const meant = codes.get(nearest(name.trim().toLowerCase(), [...codes.keys()]) ?? '');
  return meant === undefined ? null : `${meant} (${ENGLISH.of(meant)})`;
}

function twoLetterCodes(): string[] {
  const all = [...ALPHABET].flatMap((a) => [...ALPHABET].map((b) => a + b));
  return all.filter((code) => ENGLISH.of(code) !== undefined && languageCode(code) === code);
}
