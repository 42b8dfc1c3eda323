/** The functions of the library. Each loads its code on its first call: a program that extracts pages does not load the database. */

import { eachInWords, inWords } from '../../base/core/errors.ts';
import type { LabellingOptions } from '../../study/label/labelling-options.ts';
import type { CrawlOptions } from '../app/crawl-options.ts';
import { type CrawlRun, withEvents } from '../app/crawl-run.ts';
import type { DrawKnownOptions, KnownDraw } from '../app/draw-known.ts';
import type { Model } from '../app/page-model.ts';
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
 * Draws pages at random from the sitemaps of the seeds, or from a file of URLs, and asks which are on topic: those tell the recall of the crawl. `out` has
 * the draw and each answer, and `crawl({ known: out })` reads it. Pages that the crawl has not read are requested as the crawl requests pages. No crawl can
 * run on its directory until `close`.
 * @throws UsageError for a list that the crawl was given, or another one than that of `out`; DataError for a list without a page to draw; StoreError
 * STORE_LOCKED while the crawl runs or is labelled; DamageError, ModelError; the reason of `signal`
 */
export async function openKnownDraw(options: DrawKnownOptions): Promise<KnownDraw> {
  return inWords(async () => (await import('../app/draw-known.ts')).KnownDraw.open(options));
}

/**
 * Frees the disk space that the frontier of a crawl does not need. Needs room for the new file next to the old one. No crawl may run meanwhile.
 * @param options how to report a lock that was taken over
 * @throws UsageError if there is no crawl; StoreError if it is running or damaged, or if there is no room
 */
export const compact = lazily(async () => renaming((await import('../app/compact-crawl.ts')).compact));

/**
 * Runs strategies on a frozen web, with the same starts and the same budget. Deterministic: the same web, models and options give the same orders of
 * visits.
 * @throws UsageError, ModelError, DataError, StoreError; the reason of `signal`
 */
export const evaluate = lazily(async () => (await import('../app/compare-strategies.ts')).evaluate);

/**
 * Writes the weights of a crawl's apprentice to a file, for `crawl({ linkModel })`. Yields of hosts and directories are omitted: they belong to that
 * crawl.
 * @throws UsageError if there is no crawl, if its strategy does not learn, or if the file exists; DataError, StoreError
 */
export const exportLinkModel = lazily(async () => (await import('../app/export-link-model.ts')).exportLinkModel);

/** See `huntKeyword` in app/hunt-keyword.ts: a page with a keyword, level by level. @throws UsageError, StoreError; the reason of `signal` */
export const huntKeyword = lazily(async () => (await import('../app/hunt-keyword.ts')).huntKeyword);

/** The URLs in the tags of the pages of an input, page by page. @throws UsageError, DataError: see `inputPages`. */
export const listPageUrls = lazilyEach(async () => (await import('../app/list-page-urls.ts')).listPageUrls);

/** Extracts the pages of an input, one by one. @throws UsageError, DataError: see `inputPages` and `openFieldRules`. */
export const extractPages = lazilyEach(async () => (await import('../app/extract-pages.ts')).extractPages);

/** The pages of an input, each with the reasons why its blocks are main text or not. @throws UsageError, DataError: see `inputPages`. */
export const explainPages = lazilyEach(async () => (await import('../app/extract-pages.ts')).explainPages);

/**
 * The hosts and pages that the on-topic pages of a crawl cite most and that it has not visited. It reads the pages from the corpus again, because the
 * frontier stores only informative links; about 3 ms a kept page. URLs of images, archives and the like are omitted.
 * @throws UsageError if there is no crawl; DataError, ModelError, StoreError if it is damaged; the reason of `signal`
 */
export const findSeeds = lazily(async () => (await import('../app/find-seeds.ts')).findSeeds);

/**
 * Ranks the URLs of lists (bookmarks, exports of Zotero, tables, sitemaps, links of a wiki) or archives as seeds by a topic model. Nothing is requested.
 * @throws UsageError without a model or source; DataError for a source without a URL; ModelError, StoreError; the reason of `signal`
 */
export const rankSeeds = lazily(async () => (await import('../app/rank-seeds.ts')).rankSeeds);

/**
 * Asks a search engine for seeds, ranks its results by a topic model, and adds each query and result to a journal.
 * @throws UsageError, DataError, ModelError; EnvironmentError if no query was answered; StoreError; the reason of `signal`
 */
export const searchSeeds = lazily(async () => (await import('../app/search-seeds.ts')).searchSeeds);

/**
 * Asks the queries of a journal again, and compares the results.
 * @throws UsageError for a command as engine that is not given here; DataError for a file that is no journal; the reason of `signal`
 */
export const repeatSearches = lazily(async () => (await import('../app/repeat-searches.ts')).repeatSearches);

/** Queries for search engines by the terms of a topic model: the number of them. @throws ModelError */
export const suggestedQueries = lazily(async () => (await import('../app/topic-word-files.ts')).suggestedQueries);

/**
 * Freezes a crawl: writes the response of every settled URL. The file appears when it is complete.
 * @throws UsageError if there is no crawl, or if the file exists; DataError if nothing was visited, or if a file in the directory is damaged;
 * StoreError STORE_LOCKED while a crawl runs; ModelError, StoreError; the reason of `signal`
 */
export const freeze = lazily(async () => renaming((await import('../app/freeze-crawl.ts')).freeze));

/**
 * Copies a crawl on several machines into one directory. A crawl may run meanwhile. A second call reads only the rest.
 * @throws UsageError without such a crawl, or for a directory of something else; DataError for one that was changed; StoreError, EnvironmentError; the
 * reason of `signal`
 */
export const gather = lazily(async () => renaming((await import('../app/gather-crawl.ts')).gather));

/**
 * Gathers a crawl on several machines, and names the kept pages that are lost with the disk of a worker. With `refetch`, the crawl visits them again.
 * @throws as `gather`; UsageError with `refetch` while workers are in the crawl
 */
export const refetchLost = lazily(async () => (await import('../app/refetch-lost.ts')).refetchLost);

/**
 * Activates the model of a gathered directory for all workers of its crawl, if it was trained there since. They follow within seconds.
 * @throws UsageError without such a crawl, and if another model was activated meanwhile; StoreError, EnvironmentError
 */
export const shareModel = lazily(async () => (await import('../app/shared-settings.ts')).shareModel);

/**
 * Lists the workers of a crawl on several machines, and pauses, resumes or stops all of them, or drops the crawl. Workers follow within a second.
 * @throws UsageError without such a crawl, and for dropping one that has workers; StoreError, EnvironmentError
 */
export const workers = lazily(async () => (await import('../app/crawl-workers.ts')).workers);

/** Makes a corpus with its card from a crawl. @throws UsageError, DataError, StoreError */
export const harvest = lazily(async () => (await import('../app/harvest-crawl.ts')).harvest);

/**
 * Starts a project: checks subject, contact, scope, examples and seeds, and writes `forager.yaml` into `dir`. Each host of the seeds, at most 20, gets one
 * request for its robots.txt. Nothing is written if a check fails.
 * @throws UsageError, DataError naming the answer that cannot be used; StoreError if the file cannot be written; the reason of `signal`
 */
export const init = lazily(async () => (await import('../app/init-project.ts')).init);

/** Judges the pages of an input one by one, read like the model's training pages. @throws ModelError, UsageError, DataError */
export const judgePages = lazilyEach(async () => (await import('../app/judge-pages.ts')).judgePages);

/**
 * The kept pages of a crawl, each in its newest version, or those of a corpus that `harvest` wrote as JSONL, in the order of keeping. A crawl may run
 * meanwhile: the iterable ends at the last commit before the call. Memory: one record, and the URLs of the crawl.
 * @throws UsageError if `dir` contains neither; DataError, StoreError if it is damaged; the reason of `signal`
 */
export const records = lazilyEach(async () => (await import('../app/read-crawl.ts')).records);

/**
 * One line for each URL that a crawl discovered, in order of discovery: its state, the reason, and its relevance or priority. A crawl may run
 * meanwhile. Memory: one line, and about 100 bytes for each URL of the crawl.
 * @throws UsageError if there is no crawl; DataError, StoreError if it is damaged; the reason of `signal`
 */
export const ledger = lazilyEach(async () => (await import('../app/read-crawl.ts')).ledger);

/**
 * The pages of a corpus with the words of a query, the best first. The corpus is a harvest with the format `sqlite`, or its `corpus.sqlite`.
 * @throws UsageError without such a file, or for a query without words; DataError if the file is damaged
 */
export const search = lazily(async () => (await import('../app/search-corpus.ts')).search);

/**
 * One corpus of several harvests and crawls: the newest version of each page, with the column `corpus`. The order of the corpora makes no difference. Reads
 * the records of each three times.
 * @throws UsageError, DataError, StoreError
 */
export const mergeCorpora = lazily(async () => (await import('../app/merge-corpora.ts')).mergeCorpora);

/**
 * Takes pages back. Of a harvest, a new corpus without them is written to `out`, in the same formats; other pages keep their ids. Of a crawl, the list in
 * its directory grows: later harvests omit these pages, and no run requests them; `purge` removes them from its own files. `withdrawn.jsonl` has id, digest of the URL, date and reason of each.
 * @throws UsageError for a page that is not there; DataError, StoreError; the reason of `signal`
 */
export const withdraw = lazily(async () => (await import('../app/withdraw-pages.ts')).withdraw);

/**
 * The pages in which two harvests or crawls differ, or two states of a crawl by `fromDate` and `toDate`: `onChange` receives each, and the counts are returned.
 * Memory: some 400 bytes a page.
 * @throws UsageError if one is neither; DataError, StoreError if one is damaged; the reason of `signal`
 */
export const compareCorpora = lazily(async () => (await import('../app/compare-corpora.ts')).compareCorpora);

/**
 * The versions of a page of a crawl, or of a harvest with all versions, in the order of time; with the times when its URL was gone, moved, asked not to be kept,
 * or was back. Each version has the words that it adds to the one before and takes from it. O(records); memory: all versions of the page.
 * @throws UsageError for a page that is not kept; DataError, StoreError
 */
export const pageHistory = lazily(async () => (await import('../app/page-past.ts')).pageHistory);

/**
 * Two versions of a page as runs of words that both have, or one of them. `between` has two numbers of versions, or dates, of which the newest version by then
 * counts. Default: the last two. O(records).
 * @throws UsageError for a page that is not kept, and a version that is not there; DataError, StoreError
 */
export const versionDiff = lazily(async () => (await import('../app/page-past.ts')).versionDiff);

/**
 * Trains a topic model from example pages or keywords and saves it.
 * @throws UsageError, DataError naming the input that cannot be used; ModelError if `strict` refuses; StoreError if the model cannot be saved
 */
export const train = lazily(async () => (await import('../app/train-from-pages.ts')).train);

/** Fetches a list of URLs as politely as a crawl, with the same loop. It judges nothing and follows no link. */
export const fetchList = lazily(async () => (await import('../../crawling/input/fetch-list.ts')).fetchList);

/**
 * The pages of an input: a page file (.html, .txt, .md), a .jsonl ({url?, html? | text?}), a .warc(.gz), a folder of these, a file of URLs, a URL, or
 * `-` for standard input (a page, JSON lines or WARC, gzipped or not). Files are read in the order of their paths. Unreadable files of a folder are
 * skipped and counted; `options.warn` receives them.
 * @throws UsageError if the input does not exist; DataError naming the file (and line) that cannot be read, or a folder without any page
 */
export const readInput = lazilyEach(async () => (await import('../../crawling/input/inputs.ts')).readInput);

/**
 * Runs a recorded crawl again without requests, with other seeds, examples or random choices, and counts the pages that all, most or some runs keep; with the
 * rank correlations of their words and hosts. A run takes some milliseconds a visit, and a training if examples vary.
 * @throws UsageError for a crawl without a recording or of several topics; DataError, ModelError, StoreError if it is damaged or runs; the reason of `signal`
 */
export const stability = lazily(async () => (await import('../app/crawl-stability.ts')).stability);

/** The state of a crawl: counts, yield and forecast. One pass over its settled URLs, and one over its ledger: O(discovered URLs), plus tenths of a second for EM. */
export const status = lazily(async () => (await import('../../study/inspect/status.ts')).status);

/**
 * Groups the kept pages of a crawl, which may run, into subtopics by their words, each with a name, pages, yield, hosts and years. Ids and names are those of
 * the last call until the crawl has twice the pages. Reads at most 4,000 pages in one pass over the corpus.
 * @throws UsageError for a crawl with fewer than 20 on-topic pages; DataError, StoreError if it is damaged; the reason of `signal`
 */
export const subtopics = lazily(async () => (await import('../app/crawl-subtopics.ts')).subtopics);

/**
 * Steers a crawl of one topic on one machine, which may run: links that promise pages of a subtopic come first, or its pages are off topic. The wish is stored
 * with person and time. A crawl at rest is judged again; a running one judges again within seconds.
 * @throws UsageError for an unknown subtopic, nothing to take back, several topics or machines; DataError, ModelError, StoreError
 */
export const steer = lazily(async () => (await import('../app/steer-crawl.ts')).steer);

/**
 * The page's relevance with the terms for and against it; and the link's priority with its edge and features. The scorer is taught again up to the
 * moment when it gave that priority.
 * @throws UsageError if the crawl never discovered the URL, or has no such topic
 */
export const why = lazily(async () => (await import('../../study/inspect/why.ts')).why);

/**
 * Repairs a crawl. A frontier that is lost, empty, damaged or another crawl's is made again from corpus and recording; an older one receives the
 * visits that it lacks. Damaged records are removed from the corpus files, and written again if the WARC files have their pages. Kept pages that are
 * completely lost wait for another request. It makes no request and deletes nothing. If it is killed, it can be run again.
 * @throws UsageError if there is no crawl, or if it never ran; DataError, ModelError, StoreError for files that it needs and cannot use; the reason
 * of `signal`
 */
export const repair = lazily(async () => renaming((await import('../../study/repair/repair-crawl.ts')).repair));

/**
 * Checks a whole crawl. Memory: about 300 bytes a kept page, in addition to an open frontier.
 * @throws UsageError if there is no crawl; StoreError if one started meanwhile; the reason of `signal`
 */
export const verify = lazily(async () => (await import('../../study/repair/verify-crawl.ts')).verify);

/**
 * Shares of the pages of a harvest or crawl by top-level domain, host, size of the host, language, year, length and kind of document, against those of a frame:
 * the total variation distance beyond chance with its interval at 95 %, and the values whose shares differ. Reads the corpus twice; some 300 bytes a page.
 * @throws UsageError for a corpus or frame that is not there, or of fewer than 30 pages; DataError, StoreError if one is damaged; the reason of `signal`
 */
export const corpusBias = lazily(async () => (await import('../app/corpus-bias.ts')).corpusBias);

/**
 * The statements of the owners of the pages of a harvest or crawl about rights and use: by protocol, and word for word by host, with pages and times.
 * Reads the corpus once. Memory: the distinct statements of each host.
 * @throws UsageError for a corpus that is not there, or a host without statements; DataError, StoreError if it is damaged; the reason of `signal`
 */
export const statedRights = lazily(async () => (await import('../app/corpus-rights.ts')).statedRights);

/**
 * Finds the pages of a crawl or harvest that are one content in two languages, aligns their sentences, and writes the sentence pairs with a card and the reason of
 * each page that is in no pair. Aligns each page pair twice. If it is killed or stopped, the same call continues, and writes the same bytes.
 * @throws UsageError for a corpus that is not there, or a place that has something else; DataError, StoreError if it is damaged; the reason of `signal`
 */
export const sentencePairs = lazily(async () => (await import('../app/sentence-pairs.ts')).sentencePairs);

/** A function whose code is loaded with its first call. */
function lazily<A extends readonly unknown[], R>(load: () => Promise<(...args: A) => R | Promise<R>>): (...args: A) => Promise<R> {
  return (...args) => inWords(async () => (await load())(...args));
}

/** A function with results one by one, whose code is loaded when the first one is asked for. */
function lazilyEach<A extends readonly unknown[], T>(
  load: () => Promise<(...args: A) => AsyncIterable<T>>,
): (...args: A) => AsyncGenerator<T> {
  return (...args) => eachInWords(async () => (await load())(...args));
}

/** A function whose options may have their names of 0.2 until 0.4: `warn` was `told`. */
function renaming<A extends readonly unknown[], R>(run: (...args: A) => R): (...args: A) => R {
  return (...args) => run(...(args.map(renamed) as unknown as A));
}

function renamed(options: unknown): unknown {
  if (typeof options !== 'object' || options === null) return options;
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name === 'told' ? 'warn' : name, value]));
}
