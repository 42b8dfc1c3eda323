/** The functions of the library. Each loads its code when it is called for the first time: a program that extracts pages does not load the database. */
import type { CompactReport } from './app/compact-crawl.ts';
import type { EvalOptions, EvalReport } from './app/compare-strategies.ts';
import type { CrawlOptions } from './app/crawl-options.ts';
import { type CrawlRun, withEvents } from './app/crawl-run.ts';
import type { LinkModelOptions, LinkModelReport } from './app/export-link-model.ts';
import type { ExplainedPage, ExplainOptions, ExtractOptions } from './app/extract-pages.ts';
import type { FindSeedsOptions, FoundSeeds } from './app/find-seeds.ts';
import type { FreezeOptions, FreezeReport } from './app/freeze-crawl.ts';
import type { HarvestOptions } from './app/harvest-crawl.ts';
import type { JudgedPage, JudgeOptions } from './app/judge-pages.ts';
import type { ExtractedPage } from './app/page-in-memory.ts';
import type { Model } from './app/page-model.ts';
import type { ReadOptions } from './app/read-crawl.ts';
import type { TrainOptions, TrainReport } from './app/train-from-pages.ts';
import type { CanonicalUrl, CorpusRecord } from './core/types.ts';
import type { HarvestReport } from './corpus/harvest-writer.ts';
import type { LockOptions } from './crawl-dir/lock.ts';
import type { FetchedList, FetchListOptions } from './input/fetch-list.ts';
import type { InputOptions } from './input/inputs.ts';
import type { SourcePage } from './input/source-page.ts';
import type { CrawlLedgerLine } from './inspect/ledger-lines.ts';
import type { CrawlStatus } from './inspect/status.ts';
import type { Why, WhyOptions } from './inspect/why.ts';
import type { Labelling, LabellingOptions } from './label/labelling.ts';
import type { RepairOptions, RepairReport } from './repair/repair-crawl.ts';
import type { VerifyOptions, VerifyReport } from './repair/verify-crawl.ts';

/**
 * Crawl, or resume the crawl in `dir`. The promise resolves when the frontier is drained, a limit is met or `signal` aborts; a `for await` loop over it gets
 * the crawl's events.
 * @throws UsageError, DataError, ModelError for what was given; StoreError, EnvironmentError for what is broken; what `signal` was aborted with, while it
 * was watched whether another process is at work.
 */
export function crawl(options: CrawlOptions): CrawlRun {
  return withEvents(options, async (watched) => (await import('./app/run-crawl.ts')).crawlWatched(watched));
}

/**
 * A topic model in memory.
 * @param dir folder that `train` wrote. @throws UsageError when no model is there; ModelError when it is damaged or of another version
 */
export async function openModel(dir: string): Promise<Model> {
  return (await import('./app/page-model.ts')).Model.open(dir);
}

/**
 * A session of labelling the pages of a crawl. No crawl can run on its directory meanwhile; `close` ends that.
 * @throws UsageError when there is no crawl, it is one of several topics, or labels were begun with another seed; StoreError STORE_LOCKED while a crawl runs;
 * ModelError, DataError, StoreError when something in the directory is damaged
 */
export async function openLabelling(options: LabellingOptions): Promise<Labelling> {
  return (await import('./label/labelling.ts')).Labelling.open(options);
}

/**
 * Give back the disk space that the frontier of a crawl holds and does not need. Needs room for the new file beside the old one. No crawl may run meanwhile.
 * @param options how a wait for the crawl's lock is told, and ended
 * @throws UsageError where there is no crawl; StoreError when it is at work, damaged, or there is no room
 */
export async function compact(dir: string, options: Pick<LockOptions, 'told' | 'signal'> = {}): Promise<CompactReport> {
  return (await import('./app/compact-crawl.ts')).compact(dir, options);
}

/**
 * Run strategies on a frozen web, from the same starts and with the same budget. Deterministic: the same web, models and options give the
 * same orders of visits.
 * @throws UsageError, ModelError, DataError, StoreError; what `signal` was aborted with
 */
export async function evaluate(options: EvalOptions): Promise<EvalReport> {
  return (await import('./app/compare-strategies.ts')).evaluate(options);
}

/**
 * Write the weights of a crawl's apprentice into a file, for `crawl({ linkModel })`. What places have yielded stays behind: it is of that crawl.
 * @throws UsageError when there is no crawl, its strategy does not learn, or the file is there; DataError, StoreError
 */
export async function exportLinkModel(options: LinkModelOptions): Promise<LinkModelReport> {
  return (await import('./app/export-link-model.ts')).exportLinkModel(options);
}

/** The pages of an input, extracted one by one. @throws UsageError, DataError: see `inputPages` and `openFieldRules`. */
export async function* extractPages(input: string, options: ExtractOptions = {}): AsyncGenerator<ExtractedPage> {
  yield* (await import('./app/extract-pages.ts')).extractPages(input, options);
}

/** The pages of an input, each with why its blocks are main text or not. @throws UsageError, DataError: see `inputPages`. */
export async function* explainPages(input: string, options: ExplainOptions = {}): AsyncGenerator<ExplainedPage> {
  yield* (await import('./app/extract-pages.ts')).explainPages(input, options);
}

/**
 * Hosts and pages most cited by the on-topic pages of a crawl, and not visited by it. The pages are read again from the corpus, since the
 * frontier stores only links that told it something new; a kept page takes some 3 ms. URLs of images, archives and the like are left out.
 * @throws UsageError when there is no crawl; DataError, ModelError, StoreError when it is damaged; what `signal` was aborted with
 */
export async function findSeeds(options: FindSeedsOptions): Promise<FoundSeeds> {
  return (await import('./app/find-seeds.ts')).findSeeds(options);
}

/**
 * Freeze a crawl: what every URL it settled answered. The file appears when it is complete.
 * @throws UsageError when there is no crawl, or the file is there already; DataError when nothing was visited, or something in the
 * directory is damaged; StoreError STORE_LOCKED while a crawl runs; ModelError, StoreError; what `signal` was aborted with
 */
export async function freeze(options: FreezeOptions): Promise<FreezeReport> {
  return (await import('./app/freeze-crawl.ts')).freeze(options);
}

/** Make a corpus with its card out of a crawl. @throws UsageError, DataError, StoreError */
export async function harvest(options: HarvestOptions): Promise<HarvestReport> {
  return (await import('./app/harvest-crawl.ts')).harvest(options);
}

/** The pages of an input, read as those the model was trained on and judged one by one. @throws ModelError, UsageError, DataError */
export async function* judgePages(model: string, input: string, options: JudgeOptions = {}): AsyncGenerator<JudgedPage> {
  yield* (await import('./app/judge-pages.ts')).judgePages(model, input, options);
}

/**
 * The kept pages of a crawl, each in its newest version, or those of a corpus that `harvest` wrote as JSONL, in order of keeping. A crawl may run
 * meanwhile: the iterable ends at the last commit before the call. Memory: one record, and the URLs of the crawl.
 * @throws UsageError when `dir` holds neither; DataError, StoreError when it is damaged; the reason of `signal`
 */
export async function* records(dir: string, options: ReadOptions = {}): AsyncGenerator<CorpusRecord> {
  yield* (await import('./app/read-crawl.ts')).records(dir, options);
}

/**
 * One line for each URL that a crawl discovered, in order of discovery: its state, the reason, and its relevance or priority. A crawl may run meanwhile.
 * Memory: one line, and some 100 bytes for each URL of the crawl.
 * @throws UsageError when there is no crawl; DataError, StoreError when it is damaged; the reason of `signal`
 */
export async function* ledger(dir: string, options: ReadOptions = {}): AsyncGenerator<CrawlLedgerLine> {
  yield* (await import('./app/read-crawl.ts')).ledger(dir, options);
}

/**
 * Train a topic model from example pages or keywords and save it.
 * @throws UsageError, DataError naming the input that cannot be used; ModelError when `strict` refuses; StoreError when the model cannot be saved.
 */
export async function train(options: TrainOptions): Promise<TrainReport> {
  return (await import('./app/train-from-pages.ts')).train(options);
}

/** Fetch a list of URLs as politely as a crawl does, by the same loop: nothing is judged, no link is followed. */
export async function fetchList(urls: readonly CanonicalUrl[], given: Partial<FetchListOptions> = {}): Promise<FetchedList> {
  return (await import('./input/fetch-list.ts')).fetchList(urls, given);
}

/**
 * The pages of an input: a page file (.html, .txt, .md), a .jsonl ({url?, html? | text?}), a .warc(.gz), a folder of
 * these, a file of URLs, a URL, or `-` for standard input: a page, JSON lines or WARC, gzipped or not. Files are read in the order of their paths.
 * What cannot be read of a folder is told to `options.warn`, counted and passed over.
 * @throws UsageError when there is no such thing; DataError naming the file (and line) that cannot be read, or a folder without any page.
 */
export async function* readInput(input: string, options: InputOptions = {}): AsyncGenerator<SourcePage> {
  yield* (await import('./input/inputs.ts')).readInput(input, options);
}

/** What a crawl has come to. One pass over its settled URLs, and one over its ledger: O(discovered URLs), and a second for EM. */
export async function status(dir: string): Promise<CrawlStatus> {
  return (await import('./inspect/status.ts')).status(dir);
}

/**
 * The page's relevance with the terms for and against it, and the link's priority with the edge and features that gave it,
 * as the scorer stood when it gave it: it is taught again what it had learned by then.
 * @throws UsageError when the crawl never met the URL, or has no such topic.
 */
export async function why(dir: string, url: string, options: WhyOptions = {}): Promise<Why> {
  return (await import('./inspect/why.ts')).why(dir, url, options);
}

/**
 * Repair a crawl. A frontier that is lost, empty, damaged or another crawl's is made again from corpus and recording; an older one is given what it does
 * not know; damaged records are taken out of the corpus files, and written anew where the WARC files have their pages; kept pages of which nothing is
 * left wait to be asked for again. No request is made, and nothing is deleted. Killed midway it can be done again.
 * @throws UsageError where no crawl is here, or it never ran; DataError, ModelError, StoreError for what it cannot go by; what `signal` was aborted with
 */
export async function repair(options: RepairOptions): Promise<RepairReport> {
  return (await import('./repair/repair-crawl.ts')).repair(options);
}

/**
 * Look through a whole crawl. Memory is some 300 bytes a kept page, besides what opening its frontier takes.
 * @throws UsageError when there is no crawl; StoreError when one began meanwhile; what `signal` was aborted with
 */
export async function verify(options: VerifyOptions): Promise<VerifyReport> {
  return (await import('./repair/verify-crawl.ts')).verify(options);
}
