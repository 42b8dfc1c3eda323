import { languageCode } from '../../../base/text/language-code.ts';
import type { HarvestFilter } from '../harvest-filter.ts';

export const language = {
  name: 'language',
  leaves: 'other language',
  begin({ languages }) {
    if (languages.length === 0) return null;
    const wanted = new Set(languages.map(sameCode));
    return {
      see({ lang }) {
        const code = sameCode(lang);
        return wanted.has(code) ? null : { lang: code };
      },
    };
  },
} as const satisfies HarvestFilter;

/** `en` of `en-GB` (RFC 5646 §2.1); underscores are a common mistake. */
export function primarySubtag(tag: string): string {
  return tag.trim().toLowerCase().split(/[-_]/, 1)[0] || 'und';
}

/** Pages may say `iw` or `ger` where the filter says `he` or `de`. */
function sameCode(tag: string): string {
  return languageCode(tag) ?? primarySubtag(tag);
}
