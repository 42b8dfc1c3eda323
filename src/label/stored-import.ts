/** Selects the labels of a file that are stored. */
import type { CanonicalUrl } from '../core/types.ts';
import { type PageOfCrawl, textDigest } from './judged-pages.ts';
import type { ImportedLabel } from './label-import.ts';
import type { LabelEntry, LabelLog } from './label-log.ts';
import type { Answer } from './label-queue.ts';

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
  readonly entryOf: (page: Pick<LabelEntry, 'sha256'> & { readonly url: CanonicalUrl }, answer: Answer) => LabelEntry;
  /** Of the person who imports; undefined without a name. */
  readonly name: string | undefined;
}

/** Writes nothing. @throws DataError */
export async function entriesToStore(
  given: readonly ImportedLabel[],
  log: Pick<LabelLog, 'entries'>,
  { isJudged, textsOf, entryOf, name }: Labellable,
): Promise<{ readonly entries: readonly LabelEntry[]; readonly report: ImportReport }> {
  const answers = new Map(given.filter(({ url }) => isJudged(url)).map(({ url, answer }) => [url, answer]));
  const read: LabelEntry[] = [];
  for await (const page of textsOf(answers.keys()))
    read.push(entryOf({ url: page.url, sha256: textDigest(page) }, answers.get(page.url) ?? 'skip'));
  // The same answer of somebody else is news.
  const own = log.entries.filter((entry) => name === undefined || entry.name === name);
  const last = new Map(own.map((entry) => [entry.url, entry]));
  const entries = read.filter(({ url, answer, sha256 }) => last.get(url)?.answer !== answer || last.get(url)?.sha256 !== sha256);
  const known = new Set<string>(read.map(({ url }) => url));
  const unknown = given.map(({ url }) => url).filter((url) => !known.has(url));
  return { entries, report: { stored: entries.length, already: read.length - entries.length, unknown } };
}
