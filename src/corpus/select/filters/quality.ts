import { join } from 'node:path';
import { grown } from '../../../base/core/columns.ts';
import type { HarvestFilter } from '../harvest-filter.ts';
import type { QualityRules } from '../quality-names.ts';
import { type PageQuality, QUALITY_RULE_SETS, qualityOf } from '../quality-rules.ts';
import { ScratchFile } from '../scratch-file.ts';
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
  begin({ quality: rules = [], qualityColumns = false, scratchDir }) {
    if (rules.length === 0 && !qualityColumns) return null;
    const without = new Map<string, number>();
    const held = rules.length > 0 && qualityColumns ? new HeldQuality(join(scratchDir, 'quality')) : null;
    return {
      see({ ordinal, record, lang }) {
        const code = primarySubtag(lang);
        if (rules.length === 0) return null;
        const measured = qualityOf(record.text, code);
        if (measured.gopher === null) without.set(code, (without.get(code) ?? 0) + 1);
        const failed = failedOf(measured, rules);
        if (Object.keys(failed).length > 0) return { failed };
        held?.add(ordinal, measured);
        return null;
      },
      ...(qualityColumns && { adds: ['quality'] as const }),
      // The text as the crawl kept it: later columns may cut it.
      present: (page, ordinal) =>
        qualityColumns ? { ...page, quality: held?.of(ordinal) ?? qualityOf(page.text, primarySubtag(page.lang)) } : page,
      notes: () => (without.size === 0 ? [] : [`quality rules not applied, since there are none for the language: ${counted(without)}`]),
      close: () => held?.close(),
    };
  },
} as const satisfies HarvestFilter;

/** The measures of pages from their judgement to their writing: to measure takes longer than to read them back. Memory: 16 bytes a record. */
class HeldQuality {
  readonly #file: ScratchFile;
  /** Place and length by ordinal, shape [records, 2]. */
  #places = new Float64Array(0);

  constructor(path: string) {
    this.#file = new ScratchFile(path);
  }

  add(ordinal: number, measured: PageQuality): void {
    const bytes = Buffer.from(JSON.stringify(measured));
    this.#places = grown(this.#places, 2 * ordinal + 2, Float64Array);
    this.#places.set([this.#file.size, bytes.length], 2 * ordinal);
    this.#file.append(bytes);
  }

  of(ordinal: number): PageQuality {
    const [place = 0, length = 0] = this.#places.subarray(2 * ordinal, 2 * ordinal + 2);
    const bytes = Buffer.alloc(length);
    this.#file.read(bytes, place);
    return JSON.parse(bytes.toString('utf8')) as PageQuality;
  }

  close(): void {
    this.#file.close();
  }
}

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
