/** The record that a recorded crawl keeps of each visit. */
import { type FrozenVisit, frozenContent, frozenEnd } from '../../base/core/frozen-visit.ts';
import type { CorpusEntry, CorpusWriter } from '../../base/core/parts/keeping.ts';
import type { ReadOutcome } from '../../base/core/parts/reading.ts';
import type { CanonicalUrl, FetchedPage } from '../../base/core/types.ts';
import { payloadDigest } from './page-records.ts';
import type { Visit } from './settlements.ts';

/** A page with all its links. Title and text are omitted if the page asks not to be stored, or is a wall. */
export function frozenPage(page: FetchedPage, outcome: Extract<ReadOutcome, { kind: 'read' }>): FrozenVisit {
  const { extraction, links } = outcome;
  const read = extraction.noindex || extraction.wall !== undefined ? { ...extraction, title: '', text: '', otherText: '' } : extraction;
  return { url: page.url, status: page.status, kind: 'page', content: frozenContent(read, links, payloadDigest(page, outcome)) };
}

/** The record of a visit that gave no page; [] if its URL keeps waiting, and in a crawl that is not recorded. */
export function recordingOf(
  { recorded }: Pick<CorpusWriter, 'recorded'>,
  url: CanonicalUrl,
  { settlement, effects }: Visit,
): readonly CorpusEntry[] {
  if (!recorded || settlement.kind !== 'done' || effects.some(({ kind }) => kind === 'visit')) return [];
  const visit = frozenEnd(url, settlement.fate, settlement.discovered?.links[0]?.url ?? null);
  return visit === null ? [] : [{ kind: 'visit', visit }];
}
