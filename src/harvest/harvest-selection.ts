import { createHash } from 'node:crypto';
import type { CorpusRecord, IsoTime } from '../core/types.ts';
import { languageCode } from '../text/language-code.ts';
import type { HarvestFilters, RecordTallies } from './corpus-card.ts';
import type { ReservationCounts } from './harvest-facts.ts';

/** Detects the language of a text; null if it cannot. */
export type DetectLanguage = (text: string) => Promise<string | null>;

/** The decisions of a first pass over the records. Records are numbered by their place in the file, from 0. */
export interface Selection {
  keeps(ordinal: number): boolean;
  /** Primary subtag, declared or detected; `und` for neither. */
  languageOf(ordinal: number, record: CorpusRecord): string;
  readonly tallies: RecordTallies;
  /** Number of pages omitted because of their language, by its code. */
  readonly otherLanguages: ReadonlyMap<string, number>;
}

type Verdict = 'kept' | 'belowRelevance' | 'otherLanguage' | 'reserved' | 'duplicates';

/**
 * Applies the filters to all records. Of pages with the same main text, the one fetched first is kept, so all pages must be seen before any is
 * decided. Memory: a word for each record and a hash for each text.
 * @param detect for pages that declare no language; null leaves them `und`
 * @param reservations receives each page that passes the relevance and language filters
 */
export async function selectRecords(
  records: AsyncIterable<CorpusRecord>,
  filters: HarvestFilters,
  detect: DetectLanguage | null,
  onRecord: (done: number) => void,
  reservations: ReservationCounts,
): Promise<Selection> {
  const verdicts: Verdict[] = [];
  const detected = new Map<number, string>();
  const firsts = new Map<string, { readonly ordinal: number; readonly fetchedAt: IsoTime }>();
  const wanted = new Set(filters.languages.map(sameCode));
  const otherLanguages = new Map<string, number>();
  const languageOf = (ordinal: number, record: CorpusRecord) => primarySubtag(record.lang ?? detected.get(ordinal) ?? 'und');

  for await (const record of records) {
    const ordinal = verdicts.length;
    verdicts.push('kept');
    if (filters.minRelevance !== null && record.relevance < filters.minRelevance) verdicts[ordinal] = 'belowRelevance';
    else {
      if (record.lang === null && detect !== null) detected.set(ordinal, (await detect(record.text)) ?? 'und');
      const language = wanted.size === 0 ? null : sameCode(languageOf(ordinal, record));
      if (language !== null && !wanted.has(language)) {
        verdicts[ordinal] = 'otherLanguage';
        otherLanguages.set(language, (otherLanguages.get(language) ?? 0) + 1);
      } else if (reservations.add(record) && filters.reserved === 'omit') verdicts[ordinal] = 'reserved';
      else if (filters.dedupe === 'exact') {
        const key = textKey(record);
        const first = firsts.get(key);
        if (first !== undefined && first.fetchedAt <= record.fetchedAt) verdicts[ordinal] = 'duplicates';
        else {
          if (first !== undefined) verdicts[first.ordinal] = 'duplicates';
          firsts.set(key, { ordinal, fetchedAt: record.fetchedAt });
        }
      }
    }
    onRecord(verdicts.length);
  }
  return { keeps: (ordinal) => verdicts[ordinal] === 'kept', languageOf, tallies: tally(verdicts), otherLanguages };
}

/** `en` of `en-GB` (RFC 5646 §2.1); underscores are a common mistake. */
export function primarySubtag(tag: string): string {
  return tag.trim().toLowerCase().split(/[-_]/, 1)[0] || 'und';
}

/** Pages may say `iw` or `ger` where the filter says `he` or `de`. */
function sameCode(tag: string): string {
  return languageCode(tag) ?? primarySubtag(tag);
}

/** SHA-256 of the main text with normalised white space. A page without text equals only a page with the same bytes. */
export function textKey(record: CorpusRecord): string {
  const text = record.text.replace(/\s+/g, ' ').trim();
  return text === '' ? record.payloadSha256 : createHash('sha256').update(text).digest('base64');
}

function tally(verdicts: readonly Verdict[]): RecordTallies {
  const counts = { kept: 0, belowRelevance: 0, otherLanguage: 0, reserved: 0, duplicates: 0 };
  for (const verdict of verdicts) counts[verdict]++;
  return { read: verdicts.length, ...counts };
}
