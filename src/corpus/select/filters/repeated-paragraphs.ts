import type { HarvestColumn } from '../harvest-filter.ts';
import { withoutParagraphs } from '../page-ranges.ts';
import { LEAST_IN_ALL, LEAST_ON_HOST, ParagraphCounts } from '../paragraph-counts.ts';

/** Paragraphs that several pages of the corpus have: notices, teasers, biographies of authors. The first page that has one keeps it. */
export const repeatedParagraphs = {
  name: 'repeated',
  describe({ repeated = 'keep' }) {
    if (repeated === 'keep') return null;
    return `paragraphs that ${LEAST_ON_HOST} pages of a host or ${LEAST_IN_ALL} in all have, except the first: ${repeated === 'mark' ? 'ranges in the column repeated' : 'cut'}`;
  },
  begin({ repeated = 'keep', scratchDir, pages, onWork }) {
    if (repeated === 'keep') return null;
    const counts = new ParagraphCounts(scratchDir, pages);
    return {
      see({ ordinal, record }) {
        counts.add(ordinal, new URL(record.url).host, record.text);
        return null;
      },
      async settle(isIn) {
        await counts.count(isIn, onWork);
        return new Map();
      },
      ...(repeated === 'mark' && { adds: ['repeated'] as const }),
      present(page, ordinal) {
        const ranges = counts.repeated(ordinal, new URL(page.url).host, page.text);
        return repeated === 'mark' ? { ...page, repeated: ranges } : withoutParagraphs(page, ranges);
      },
      close: () => counts.close(),
    };
  },
} as const satisfies HarvestColumn;
