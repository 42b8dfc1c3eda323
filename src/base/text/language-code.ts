/** Language codes from users, checked against the assigned ones. */
import { normaliseLang, primaryLang } from './language.ts';
import { nearest } from './nearest.ts';

/** `und` (ISO 639-2): unknown language. */
const UNKNOWN = 'und';
const ENGLISH = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

/**
 * The language alone in its one code: `de` for `de-AT`, `ger` and `DEU`, `he` for `iw`. `und` stays. null for an invalid code: two letters that are
 * not assigned, or a word. Codes of three letters are accepted unchecked; there are 8,000 languages.
 */
export function languageCode(tag: string): string | null {
  const plain = tag.trim().toLowerCase();
  if (plain === UNKNOWN) return plain;
  const primary = primaryLang(plain);
  if (primary === null || normaliseLang(plain) === null) return null;
  const code = Intl.getCanonicalLocales(primary)[0]?.split('-', 1)[0] ?? primary;
  return code.length === 2 && ENGLISH.of(code) === undefined ? null : code;
}

/** `zh-Hant-TW` for `zh-hant-tw` (RFC 5646 §2.1.1); null for a tag that only looks like one. */
export function canonicalTag(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

/**
 * The language that a user may have meant by its name, in English or in that language itself: `en (English)` for `english`; null if no name is
 * similar. Takes 0.1 s.
 */
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
