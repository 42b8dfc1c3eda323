import { languageDetector } from '../../../base/text/language.ts';
import { languageCode } from '../../../base/text/language-code.ts';
import { paragraphRanges } from '../../../base/text/segments.ts';
import type { FilterRun, HarvestColumn } from '../harvest-filter.ts';
import type { ForeignRange } from '../harvested-page.ts';
import { withoutParagraphs } from '../page-ranges.ts';
import { primarySubtag } from './page-languages.ts';

/** Shorter paragraphs are not judged: eld's own benchmark falls from 99 % on sentences to 85 % on pairs of words. A sentence has 80 on average. */
export const LEAST_CHARS = 60;

/** Paragraphs in another language than that of their page: quotations, captions, notices of cookies. Pages of unknown language stay as they are. */
export const foreignParagraphs = {
  name: 'foreign',
  describe({ langParagraphs = 'keep' }) {
    if (langParagraphs === 'keep') return null;
    return `paragraphs of ${LEAST_CHARS} or more characters in another language than the page, as detected: ${langParagraphs === 'mark' ? 'ranges in the column foreign' : 'cut'}`;
  },
  begin({ langParagraphs = 'keep' }) {
    return langParagraphs === 'keep' ? null : running(langParagraphs);
  },
} as const satisfies HarvestColumn;

async function running(action: 'mark' | 'drop'): Promise<FilterRun> {
  const detect = await languageDetector();
  return {
    ...(action === 'mark' && { adds: ['foreign'] as const }),
    present(page) {
      const own = codeOf(page.lang);
      const foreign = own === 'und' ? [] : foreignIn(page.text, own, detect);
      if (action === 'mark') return { ...page, foreign };
      return withoutParagraphs(
        page,
        foreign.map(([start, end]) => [start, end] as const),
      );
    },
  };
}

function foreignIn(text: string, own: string, detect: (text: string) => string | null): ForeignRange[] {
  const found: ForeignRange[] = [];
  for (const [start, end] of paragraphRanges(text)) {
    if (end - start < LEAST_CHARS) continue;
    const lang = detect(text.slice(start, end));
    if (lang !== null && codeOf(lang) !== own) found.push([start, end, lang]);
  }
  return found;
}

function codeOf(tag: string): string {
  return languageCode(tag) ?? primarySubtag(tag);
}
