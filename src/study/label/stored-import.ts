/** Selects the labels of a file that are stored. */
import { grouped } from '../../base/core/grouped.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { type PageOfCrawl, textDigest } from './judged-pages.ts';
import type { ImportedLabel } from './label-import.ts';
import type { LabelEntry, LabelLog } from './label-log.ts';
import { type Answer, DECISION } from './label-queue.ts';

/** The result of importing a file of labels. */
export interface ImportReport {
  readonly stored: number;
  /** Number of labels that exist already: the last answer to that page was the same, and its text is unchanged. They are not stored again. */
  readonly already: number;
  /** URLs that are not pages of this crawl, or whose text it does not have. */
  readonly unknown: readonly CanonicalUrl[];
}

/** The pages of a crawl that labels can be of. */
interface Labellable {
  readonly isJudged: (url: CanonicalUrl) => boolean;
  readonly textsOf: (urls: Iterable<CanonicalUrl>) => AsyncIterable<PageOfCrawl>;
  readonly entryOf: (
    page: Pick<LabelEntry, 'sha256'> & { readonly url: CanonicalUrl },
    answer: Answer,
    queue: LabelEntry['queue'],
  ) => LabelEntry;
}

/** Writes nothing. @throws DataError */
export async function entriesToStore(
  given: readonly ImportedLabel[],
  log: Pick<LabelLog, 'entries'>,
  { isJudged, textsOf, entryOf }: Labellable,
): Promise<{ readonly entries: readonly LabelEntry[]; readonly report: ImportReport }> {
  const ofPages = grouped(
    given.filter(({ url }) => isJudged(url)),
    ({ url }) => url,
  );
  const read: LabelEntry[] = [];
  for await (const page of textsOf(ofPages.keys()))
    for (const { answer, name, decides } of ofPages.get(page.url) ?? []) {
      const entry = entryOf({ url: page.url, sha256: textDigest(page) }, answer, decides ? DECISION : 'import');
      read.push(name === undefined ? entry : { ...entry, name });
    }
  const entries = withoutStored(read, log.entries);
  const known = new Set<string>(read.map(({ url }) => url));
  const unknown = [...new Set(given.map(({ url }) => url))].filter((url) => !known.has(url));
  return { entries, report: { stored: entries.length, already: read.length - entries.length, unknown } };
}

/** Answers from a file that the log does not have yet. The same answer of somebody else is news. */
function withoutStored(read: readonly LabelEntry[], stored: readonly LabelEntry[]): LabelEntry[] {
  const keyOf = ({ url, queue }: LabelEntry, name = '') => (queue === DECISION ? `${DECISION} ${url}` : ` ${name} ${url}`);
  const last = new Map(stored.flatMap((entry) => [[keyOf(entry), entry] as const, [keyOf(entry, entry.name), entry] as const]));
  return read.filter((entry) => {
    const known = last.get(keyOf(entry, entry.name));
    return known?.answer !== entry.answer || known.sha256 !== entry.sha256;
  });
}
