/** The functions of the library. Each loads its code on its first call: a program that extracts pages does not load the database. */

import { eachInWords, inWords } from '../../base/core/errors.ts';
import type { CanonicalUrl, CorpusRecord } from '../../base/core/types.ts';
import type { LockOptions } from '../../base/disk/lock.ts';
import type { HarvestReport } from '../../corpus/harvest/harvest-writer.ts';
import type { CorpusDiff } from '../../corpus/search/corpus-diff.ts';
import type { SearchAnswer } from '../../corpus/search/corpus-search.ts';
import type { FetchedList, FetchListOptions } from '../../crawling/input/fetch-list.ts';
import type { InputOptions } from '../../crawling/input/inputs.ts';
import type { SourcePage } from '../../crawling/input/source-page.ts';
import type { CrawlLedgerLine } from '../../study/inspect/ledger-lines.ts';
import type { CrawlStatus } from '../../study/inspect/status.ts';
import type { Why, WhyOptions } from '../../study/inspect/why.ts';
import type { LabellingOptions } from '../../study/label/labelling-options.ts';
import type { RepairOptions, RepairReport } from '../../study/repair/repair-crawl.ts';
import type { VerifyOptions, VerifyReport } from '../../study/repair/verify-crawl.ts';
import type { CompactReport } from '../app/compact-crawl.ts';
import type { CompareOptions } from '../app/compare-corpora.ts';
import type { EvalOptions, EvalReport } from '../app/compare-strategies.ts';
import type { CrawlOptions } from '../app/crawl-options.ts';
import { type CrawlRun, withEvents } from '../app/crawl-run.ts';
import type { WorkersOptions, WorkersReport } from '../app/crawl-workers.ts';
import type { LinkModelOptions, LinkModelReport } from '../app/export-link-model.ts';
import type { ExplainedPage, ExplainOptions, ExtractOptions } from '../app/extract-pages.ts';
import type { FindSeedsOptions, FoundSeeds } from '../app/find-seeds.ts';
import type { FreezeOptions, FreezeReport } from '../app/freeze-crawl.ts';
import type { GatherOptions, GatherReport } from '../app/gather-crawl.ts';
import type { HarvestOptions } from '../app/harvest-crawl.ts';
import type { InitOptions, InitReport } from '../app/init-project.ts';
import type { JudgedPage, JudgeOptions } from '../app/judge-pages.ts';
import type { MergeOptions } from '../app/merge-corpora.ts';
import type { ExtractedPage } from '../app/page-in-memory.ts';
import type { Model } from '../app/page-model.ts';
import type { ReadOptions } from '../app/read-crawl.ts';
import type { RefetchLostOptions, RefetchLostReport } from '../app/refetch-lost.ts';
import type { SearchOptions } from '../app/search-corpus.ts';
import type { SharedModel, ShareModelOptions } from '../app/shared-settings.ts';
import type { TrainOptions, TrainReport } from '../app/train-from-pages.ts';
import type { Labelling } from './labelling.ts';

/**
 * Starts a crawl, or resumes the crawl in `dir`. The promise resolves when the frontier is empty, a limit is reached or `signal` aborts. A `for
 * await` loop over it receives the crawl's events.
 * @throws UsageError, DataError, ModelError for invalid input; StoreError, EnvironmentError for faults of the machine; the reason of `signal` before the
 * first request
 */
export function crawl(options: CrawlOptions): CrawlRun {
  return withEvents(options, (watched) => inWords(async () => (await import('../app/run-crawl.ts')).crawlWatched(watched)));
}

/**
 * Opens a topic model in memory.
 * @param dir folder that `train` wrote
 * @throws UsageError if it contains no model; ModelError if the model is damaged or of another version
 */
export async function openModel(dir: string): Promise<Model> {
  return inWords(async () => (await import('../app/page-model.ts')).Model.open(dir));
}

/**
 * Opens a session of labelling the pages of a crawl. No crawl can run on its directory until `close`.
 * @throws UsageError if there is no crawl, if it has several topics and none is named, or if its labels have another seed; StoreError STORE_LOCKED while a crawl runs;
 * ModelError, DataError, StoreError if a file in the directory is damaged
 */
export async function openLabelling(options: LabellingOptions): Promise<Labelling> {
  return inWords(async () => (await import('./labelling.ts')).Labelling.open(options));
}

/**
 * Frees the disk space that the frontier of a crawl does not need. Needs room for the new file next to the old one. No crawl may run meanwhile.
 * @param options how to report a lock that was taken over
 * @throws UsageError if there is no crawl; StoreError if it is running or damaged, or if there is no room
 */
export async function compact(dir: string, options: Pick<LockOptions, 'warn' | 'signal'> = {}): Promise<CompactReport> {
  return inWords(async () => (await import('../app/compact-crawl.ts')).compact(dir, renamed(options)));
}

/**
 * Runs strategies on a frozen web, with the same starts and the same budget. Deterministic: the same web, models and options give the same orders of
 * visits.
 * @throws UsageError, ModelError, DataError, StoreError; the reason of `signal`
 */
export async function evaluate(options: EvalOptions): Promise<EvalReport> {
  return inWords(async () => (await import('../app/compare-strategies.ts')).evaluate(options));
}

/**
 * Writes the weights of a crawl's apprentice to a file, for `crawl({ linkModel })`. Yields of hosts and directories are omitted: they belong to that
 * crawl.
 * @throws UsageError if there is no crawl, if its strategy does not learn, or if the file exists; DataError, StoreError
 */
export async function exportLinkModel(options: LinkModelOptions): Promise<LinkModelReport> {
  return inWords(async () => (await import('../app/export-link-model.ts')).exportLinkModel(options));
}

/** Extracts the pages of an input, one by one. @throws UsageError, DataError: see `inputPages` and `openFieldRules`. */
export async function* extractPages(input: string, options: ExtractOptions = {}): AsyncGenerator<ExtractedPage> {
  yield* eachInWords(async () => (await import('../app/extract-pages.ts')).extractPages(input, options));
}

/** The pages of an input, each with the reasons why its blocks are main text or not. @throws UsageError, DataError: see `inputPages`. */
export async function* explainPages(input: string, options: ExplainOptions = {}): AsyncGenerator<ExplainedPage> {
  yield* eachInWords(async () => (await import('../app/extract-pages.ts')).explainPages(input, options));
}

/**
 * The hosts and pages that the on-topic pages of a crawl cite most and that it has not visited. It reads the pages from the corpus again, because the
 * frontier stores only informative links; about 3 ms a kept page. URLs of images, archives and the like are omitted.
 * @throws UsageError if there is no crawl; DataError, ModelError, StoreError if it is damaged; the reason of `signal`
 */
export async function findSeeds(options: FindSeedsOptions): Promise<FoundSeeds> {
  return inWords(async () => (await import('../app/find-seeds.ts')).findSeeds(options));
}

/**
 * Freezes a crawl: writes the response of every settled URL. The file appears when it is complete.
 * @throws UsageError if there is no crawl, or if the file exists; DataError if nothing was visited, or if a file in the directory is damaged;
 * StoreError STORE_LOCKED while a crawl runs; ModelError, StoreError; the reason of `signal`
 */
export async function freeze(options: FreezeOptions): Promise<FreezeReport> {
  return inWords(async () => (await import('../app/freeze-crawl.ts')).freeze(renamed(options)));
}

/**
 * Copies a crawl on several machines into one directory. A crawl may run meanwhile. A second call reads only the rest.
 * @throws UsageError without such a crawl, or for a directory of something else; DataError for one that was changed; StoreError, EnvironmentError; the
 * reason of `signal`
 */
export async function gather(options: GatherOptions): Promise<GatherReport> {
  return inWords(async () => (await import('../app/gather-crawl.ts')).gather(renamed(options)));
}

/**
 * Gathers a crawl on several machines, and names the kept pages that are lost with the disk of a worker. With `refetch`, the crawl visits them again.
 * @throws as `gather`; UsageError with `refetch` while workers are in the crawl
 */
export async function refetchLost(options: RefetchLostOptions): Promise<RefetchLostReport> {
  return inWords(async () => (await import('../app/refetch-lost.ts')).refetchLost(options));
}

/**
 * Activates the model of a gathered directory for all workers of its crawl, if it was trained there since. They follow within seconds.
 * @throws UsageError without such a crawl, and if another model was activated meanwhile; StoreError, EnvironmentError
 */
export async function shareModel(options: ShareModelOptions): Promise<SharedModel> {
  return inWords(async () => (await import('../app/shared-settings.ts')).shareModel(options));
}

/**
 * Lists the workers of a crawl on several machines, and pauses, resumes or stops all of them, or drops the crawl. Workers follow within a second.
 * @throws UsageError without such a crawl, and for dropping one that has workers; StoreError, EnvironmentError
 */
export async function workers(options: WorkersOptions): Promise<WorkersReport> {
  return inWords(async () => (await import('../app/crawl-workers.ts')).workers(options));
}

/** Makes a corpus with its card from a crawl. @throws UsageError, DataError, StoreError */
export async function harvest(options: HarvestOptions): Promise<HarvestReport> {
  return inWords(async () => (await import('../app/harvest-crawl.ts')).harvest(options));
}

/**
 * Starts a project: checks subject, contact, scope, examples and seeds, and writes `forager.yaml` into `dir`. Each host of the seeds, at most 20, gets one
 * request for its robots.txt. Nothing is written if a check fails.
 * @throws UsageError, DataError naming the answer that cannot be used; StoreError if the file cannot be written; the reason of `signal`
 */
export async function init(options: InitOptions): Promise<InitReport> {
  return inWords(async () => (await import('../app/init-project.ts')).init(options));
}

/** Judges the pages of an input one by one, read like the model's training pages. @throws ModelError, UsageError, DataError */
export async function* judgePages(model: string, input: string, options: JudgeOptions = {}): AsyncGenerator<JudgedPage> {
  yield* eachInWords(async () => (await import('../app/judge-pages.ts')).judgePages(model, input, options));
}

/**
 * The kept pages of a crawl, each in its newest version, or those of a corpus that `harvest` wrote as JSONL, in the order of keeping. A crawl may run
 * meanwhile: the iterable ends at the last commit before the call. Memory: one record, and the URLs of the crawl.
 * @throws UsageError if `dir` contains neither; DataError, StoreError if it is damaged; the reason of `signal`
 */
export async function* records(dir: string, options: ReadOptions = {}): AsyncGenerator<CorpusRecord> {
  yield* eachInWords(async () => (await import('../app/read-crawl.ts')).records(dir, options));
}

/**
 * One line for each URL that a crawl discovered, in order of discovery: its state, the reason, and its relevance or priority. A crawl may run
 * meanwhile. Memory: one line, and about 100 bytes for each URL of the crawl.
 * @throws UsageError if there is no crawl; DataError, StoreError if it is damaged; the reason of `signal`
 */
export async function* ledger(dir: string, options: ReadOptions = {}): AsyncGenerator<CrawlLedgerLine> {
  yield* eachInWords(async () => (await import('../app/read-crawl.ts')).ledger(dir, options));
}

/**
 * The pages of a corpus with the words of a query, the best first. The corpus is a harvest with the format `sqlite`, or its `corpus.sqlite`.
 * @throws UsageError without such a file, or for a query without words; DataError if the file is damaged
 */
export async function search(options: SearchOptions): Promise<SearchAnswer> {
  return inWords(async () => (await import('../app/search-corpus.ts')).search(options));
}

/**
 * One corpus of several harvests and crawls: the newest version of each page, with the column `corpus`. The order of the corpora makes no difference. Reads
 * the records of each three times.
 * @throws UsageError, DataError, StoreError
 */
export async function mergeCorpora(options: MergeOptions): Promise<HarvestReport> {
  return inWords(async () => (await import('../app/merge-corpora.ts')).mergeCorpora(options));
}

/**
 * The pages in which two harvests or crawls differ: `onChange` receives each, and the counts are returned. Memory: some 400 bytes a page.
 * @throws UsageError if one is neither; DataError, StoreError if one is damaged; the reason of `signal`
 */
export async function compareCorpora(from: string, to: string, options: CompareOptions = {}): Promise<CorpusDiff> {
  return inWords(async () => (await import('../app/compare-corpora.ts')).compareCorpora(from, to, options));
}

/**
 * Trains a topic model from example pages or keywords and saves it.
 * @throws UsageError, DataError naming the input that cannot be used; ModelError if `strict` refuses; StoreError if the model cannot be saved
 */
export async function train(options: TrainOptions): Promise<TrainReport> {
  return inWords(async () => (await import('../app/train-from-pages.ts')).train(options));
}

/** Fetches a list of URLs as politely as a crawl, with the same loop. It judges nothing and follows no link. */
export async function fetchList(urls: readonly CanonicalUrl[], given: Partial<FetchListOptions> = {}): Promise<FetchedList> {
  return inWords(async () => (await import('../../crawling/input/fetch-list.ts')).fetchList(urls, given));
}

/**
 * The pages of an input: a page file (.html, .txt, .md), a .jsonl ({url?, html? | text?}), a .warc(.gz), a folder of these, a file of URLs, a URL, or
 * `-` for standard input (a page, JSON lines or WARC, gzipped or not). Files are read in the order of their paths. Unreadable files of a folder are
 * skipped and counted; `options.warn` receives them.
 * @throws UsageError if the input does not exist; DataError naming the file (and line) that cannot be read, or a folder without any page
 */
export async function* readInput(input: string, options: InputOptions = {}): AsyncGenerator<SourcePage> {
  yield* eachInWords(async () => (await import('../../crawling/input/inputs.ts')).readInput(input, options));
}

/** The state of a crawl: counts, yield and forecast. One pass over its settled URLs, and one over its ledger: O(discovered URLs), plus tenths of a second for EM. */
export async function status(dir: string): Promise<CrawlStatus> {
  return inWords(async () => (await import('../../study/inspect/status.ts')).status(dir));
}

/**
 * The page's relevance with the terms for and against it; and the link's priority with its edge and features. The scorer is taught again up to the
 * moment when it gave that priority.
 * @throws UsageError if the crawl never discovered the URL, or has no such topic
 */
export async function why(dir: string, url: string, options: WhyOptions = {}): Promise<Why> {
  return inWords(async () => (await import('../../study/inspect/why.ts')).why(dir, url, options));
}

/**
 * Repairs a crawl. A frontier that is lost, empty, damaged or another crawl's is made again from corpus and recording; an older one receives the
 * visits that it lacks. Damaged records are removed from the corpus files, and written again if the WARC files have their pages. Kept pages that are
 * completely lost wait for another request. It makes no request and deletes nothing. If it is killed, it can be run again.
 * @throws UsageError if there is no crawl, or if it never ran; DataError, ModelError, StoreError for files that it needs and cannot use; the reason
 * of `signal`
 */
export async function repair(options: RepairOptions): Promise<RepairReport> {
  return inWords(async () => (await import('../../study/repair/repair-crawl.ts')).repair(renamed(options)));
}

/**
 * Checks a whole crawl. Memory: about 300 bytes a kept page, in addition to an open frontier.
 * @throws UsageError if there is no crawl; StoreError if one started meanwhile; the reason of `signal`
 */
export async function verify(options: VerifyOptions): Promise<VerifyReport> {
  return inWords(async () => (await import('../../study/repair/verify-crawl.ts')).verify(options));
}

/** Options by their names of today: `warn` was `told` in 0.2, and may be so until 0.4. */
function renamed<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name === 'told' ? 'warn' : name, value])) as T;
}
