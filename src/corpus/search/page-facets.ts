/** Properties by which the pages of a corpus are compared with a frame: one value each. */
import type { CorpusRecord } from '../../base/core/types.ts';
import { scanWords } from '../../base/text/tokens.ts';
import { registrableDomain } from '../../base/web/domain.ts';
import { hostNameOf } from '../../base/web/url.ts';
import { declaredDay } from '../select/declared-date.ts';
import type { Facet } from '../select/facet-names.ts';
import { taggedLanguage } from '../select/page-language-tag.ts';

export type Facets = Readonly<Partial<Record<Facet, string>>>;

/** Bounds of the classes of host sizes and of lengths: powers of ten, and of about the square root of ten. */
const SIZES = [1, 10, 100, 1000];
const WORDS = [100, 300, 1000, 3000];
const UNKNOWN = 'unknown';

/** Facets of a URL. @param pagesOf number of pages of a host in the corpus */
export function facetsOfUrl(url: CorpusRecord['url'], pagesOf: (host: string) => number): Facets {
  const host = hostNameOf(url);
  const pages = pagesOf(host);
  const tld = /\.([a-z][a-z0-9-]*)$/.exec(registrableDomain(url))?.[1] ?? UNKNOWN;
  return { tld, host, hostSize: pages === 0 ? 'not in the corpus' : classOf(pages, SIZES, 'pages') };
}

/** Facets of a record. */
export function facetsOf(record: CorpusRecord, pagesOf: (host: string) => number): Facets {
  const { metadata, fetchedAt, lang, text, document } = record;
  const day = metadata.published === null ? null : declaredDay(metadata.published, Date.parse(fetchedAt));
  let words = 0;
  scanWords(text, () => {
    words += 1;
  });
  return {
    ...facetsOfUrl(record.url, pagesOf),
    language: lang === null ? UNKNOWN : taggedLanguage(lang).lang,
    year: day === null ? UNKNOWN : new Date(day).toISOString().slice(0, 4),
    length: classOf(words, WORDS, 'words'),
    kind: document?.kind ?? 'html',
  };
}

function classOf(count: number, bounds: readonly number[], unit: string): string {
  const at = bounds.findIndex((bound) => count < bound);
  if (at === 0) return `under ${bounds[0]} ${unit}`;
  const from = bounds[at < 0 ? bounds.length - 1 : at - 1];
  return at < 0 ? `${from} ${unit} or more` : `${from} to ${(bounds[at] ?? 0) - 1} ${unit}`;
}
