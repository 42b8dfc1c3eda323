import type { AlternateSource } from '../../base/core/parts/reading.ts';
import type { FollowedLanguages } from '../../base/core/types.ts';
import { languageDetector, primaryLang } from '../../base/text/language.ts';

/** The detector is loaded only for a crawl that follows some. @returns null for one that follows none */
export async function alternateSource(followed: FollowedLanguages): Promise<AlternateSource | null> {
  if (followed.length === 0) return null;
  const detect = await languageDetector();
  const follows = (tag: string | null) => {
    const lang = primaryLang(tag);
    return lang !== null && (followed === 'all' || followed.includes(lang));
  };
  return {
    follows,
    primaryOf: primaryLang,
    languageOf: ({ lang, text }) => primaryLang(detect(text) ?? lang),
    mayTake: ({ lang, text }) => {
      const found = detect(text);
      // The detector takes Galician for Spanish, and Serbian in Latin letters for Croatian.
      return follows(found) || follows(lang) || (found ?? primaryLang(lang)) === null;
    },
  };
}
