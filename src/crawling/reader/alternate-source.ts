import type { AlternateSource } from '../../base/core/parts/reading.ts';
import type { FollowedLanguages } from '../../base/core/types.ts';
import { languageDetector, primaryLang } from '../../base/text/language.ts';

/** The detector is loaded only for a crawl that follows some. @returns null for one that follows none */
export async function alternateSource(followed: FollowedLanguages): Promise<AlternateSource | null> {
  if (followed.length === 0) return null;
  const detect = await languageDetector();
  return {
    follows: (tag) => {
      const lang = primaryLang(tag);
      return lang !== null && (followed === 'all' || followed.includes(lang));
    },
    primaryOf: primaryLang,
    languageOf: ({ lang, text }) => primaryLang(detect(text) ?? lang),
  };
}
