import type { HarvestFilter } from '../harvest-filter.ts';
import { type PageQuality, QUALITY_RULE_SETS, type QualityRules, qualityOf } from '../quality-rules.ts';
import { primarySubtag } from './page-languages.ts';

/** Omits pages that fail rules, or writes the measures as a column. Pages in a language without rules stay. */
export const quality = {
  name: 'quality',
  leaves: 'quality rules failed',
  describe({ quality: rules = [], qualityColumns = false }) {
    const named = QUALITY_RULE_SETS.filter(({ name }) => rules.includes(name)).map(({ name, source }) => `${name} (${source})`);
    const parts = [
      named.length > 0 ? `omits pages that fail ${named.join(', ')}` : [],
      qualityColumns ? 'measures are in the column quality' : [],
    ];
    return parts.flat().length === 0 ? null : `quality rules: ${parts.flat().join('; ')}`;
  },
  begin({ quality: rules = [], qualityColumns = false }) {
    if (rules.length === 0 && !qualityColumns) return null;
    const without = new Map<string, number>();
    return {
      see({ record, lang }) {
        const code = primarySubtag(lang);
        if (rules.length === 0) return null;
        const measured = qualityOf(record.text, code);
        if (measured.gopher === null) without.set(code, (without.get(code) ?? 0) + 1);
        const failed = failedOf(measured, rules);
        return Object.keys(failed).length === 0 ? null : { failed };
      },
      ...(qualityColumns && { adds: ['quality'] as const }),
      // The text as the crawl kept it: later columns may cut it.
      present: (page) => (qualityColumns ? { ...page, quality: qualityOf(page.text, primarySubtag(page.lang)) } : page),
      notes: () => (without.size === 0 ? [] : [`quality rules not applied, since there are none for the language: ${counted(without)}`]),
    };
  },
} as const satisfies HarvestFilter;

function failedOf(measured: PageQuality, rules: readonly QualityRules[]): Partial<Record<QualityRules, readonly string[]>> {
  return Object.fromEntries(
    rules.flatMap((name) => {
      const failed = measured[name]?.failed ?? [];
      return failed.length === 0 ? [] : [[name, failed]];
    }),
  );
}

function counted(pages: ReadonlyMap<string, number>): string {
  return [...pages]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([code, count]) => `${code === 'und' ? 'unknown language' : code} ${count} pages`)
    .join(', ');
}
