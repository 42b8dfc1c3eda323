import { NO_METADATA } from '../../../src/base/core/no-metadata.ts';
import type { CanonicalUrl, CorpusRecord, RecordId } from '../../../src/base/core/types.ts';
import { PagePairing, type PairedPages } from '../../../src/corpus/pairs/page-pairing.ts';

/** A page as a test writes it. */
export interface Written {
  readonly url: string;
  readonly lang: string | null;
  readonly text: string;
  readonly alternates?: Readonly<Record<string, string>>;
  readonly alternateOf?: string;
  readonly from?: { readonly url: string; readonly words: string };
}

/** A record of a page of one's own. */
function recordOf({ url, lang, text, alternates = {}, alternateOf, from }: Written): CorpusRecord {
  const declared = Object.entries(alternates).map(([tag, to]) => ({ lang: tag, url: to as CanonicalUrl }));
  return {
    id: 'urn:uuid:00000000-0000-4000-8000-000000000000' as RecordId,
    url: url as CanonicalUrl,
    fetchedAt: '2026-01-01T00:00:00.000Z',
    title: '',
    text,
    lang,
    relevance: 1,
    threshold: 0.5,
    modelId: '',
    depth: 1,
    referrer: (from?.url ?? null) as CanonicalUrl | null,
    anchorText: from?.words ?? '',
    payloadSha256: '',
    metadata: { ...NO_METADATA, alternates: declared },
    fields: {},
    ...(alternateOf !== undefined && { alternateOf: alternateOf as CanonicalUrl }),
  };
}

/** Pairs pages in the order given. */
export function paired(
  pages: readonly Written[],
  langs: readonly [string, string] = ['en', 'fr'],
  detect?: (text: string) => string | null,
): Promise<PairedPages> {
  const pairing = new PagePairing(langs, detect);
  for (const page of pages) pairing.add(recordOf(page));
  return pairing.pair();
}
