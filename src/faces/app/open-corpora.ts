/** The corpora that a command names: harvests and crawls. */

import { basename, resolve } from 'node:path';
import { DamageError, type OnDamaged, UsageError } from '../../base/core/errors.ts';
import type { Unit } from '../../base/core/types.ts';
import { endLeftovers } from '../../base/disk/output.ts';
import { CARD_FILE } from '../../corpus/describe/card-markdown.ts';
import { crawlFactsOf } from '../../corpus/describe/merged-facts.ts';
import { WARC_NAME } from '../../corpus/formats/harvest-warc.ts';
import { CORPUS_FILE } from '../../corpus/formats/jsonl.ts';
import { OMITTED_FILE } from '../../corpus/formats/omitted-file.ts';
import { refuseChangedFiles } from '../../corpus/harvest/corpus-sums.ts';
import { cardOf, FolderSource } from '../../corpus/harvest/folder-source.ts';
import { Withdrawals } from '../../corpus/records/withdrawals.ts';
import type { CrawlFacts, PrecisionFacts } from '../../corpus/select/crawl-facts.ts';
import { CrawlSource } from '../../corpus/select/crawl-source.ts';
import type { VersionChoice } from '../../corpus/select/page-versions.ts';
import type { StoredSource } from '../../corpus/select/stored-source.ts';
import { keptRecordsOf, refuseUnsoundCorpus } from '../../crawling/crawl-dir/corpus-soundness.ts';
import { crawlPaths, isCrawlIn } from '../../crawling/crawl-dir/crawl-directory.ts';
import { openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { factsOf } from './card-facts.ts';
import { momentsOf, versionsOfCrawl, viewOf } from './crawl-view.ts';

export interface OpenCorpus {
  readonly dir: string;
  readonly source: StoredSource;
  /** Threshold of a crawl whose model was trained again; otherwise null. */
  readonly minRelevance: Unit | null;
  readonly crawl: CrawlFacts;
  /** Share on topic of its pages; null: not measured. */
  readonly precision: PrecisionFacts | null;
  /** File of the pages that a harvest omits; null for a crawl. */
  readonly omittedPath: string | null;
}

/** A crawl as of a moment: the newest versions by then, without pages that were gone. */
export type CorpusMoment = Extract<VersionChoice, object>;

/**
 * Opens a harvest, or a crawl at its last commit.
 * @param moment of a crawl; absent: its last commit, with the pages that are gone
 * @throws UsageError if it is neither; DataError, StoreError if it is damaged
 */
export async function openCorpus(dir: string, onDamaged?: OnDamaged, moment?: CorpusMoment): Promise<OpenCorpus> {
  await endLeftovers(dir);
  if ((await cardOf(dir)) === null) {
    if (!isCrawlIn(dir)) throw new UsageError(`${dir}: holds no corpus; give the --out of a harvest, or a crawl directory`);
    return crawled(dir, onDamaged, moment);
  }
  const source = await FolderSource.open(dir);
  await refuseChangedCorpus(dir, source, onDamaged);
  return {
    dir,
    source,
    minRelevance: null,
    crawl: crawlFactsOf(source.card),
    precision: source.card.precision ?? null,
    omittedPath: await source.omittedPath(),
  };
}

/** @throws DamageError for files that have changed since they were written, if there is no `onDamaged` */
export async function refuseChangedCorpus(dir: string, { card }: FolderSource, onDamaged: OnDamaged | undefined): Promise<void> {
  try {
    await refuseChangedFiles(dir, new Map(card.files.map(({ name, bytes }) => [name, bytes])), isReadWhole, isReadInPart);
  } catch (error) {
    if (!(error instanceof DamageError) || onDamaged === undefined) throw error;
    onDamaged(error.message);
  }
}

const isReadWhole = (name: string) => [CARD_FILE, CORPUS_FILE, OMITTED_FILE].includes(name);
/** WARC records have checksums of their own. */
const isReadInPart = (name: string) => isReadWhole(name) || WARC_NAME.test(name);

async function crawled(dir: string, onDamaged: OnDamaged | undefined, moment: CorpusMoment | undefined): Promise<OpenCorpus> {
  const crawl = openCrawl(dir, onDamaged);
  try {
    refuseUnsoundCorpus(crawl);
    const versions = momentsOf(moment);
    const view = viewOf(crawl, undefined, versions);
    const source = await CrawlSource.open({
      corpusDir: crawlPaths(dir).corpus,
      committed: crawl.frontier.committedOffsets(),
      ...versionsOfCrawl(keptRecordsOf(crawl), view, versions),
      ...(moment && { withoutGone: true }),
      withdrawals: Withdrawals.at(crawlPaths(dir).withdrawn),
    });
    const minRelevance = view.present ? view.topic.threshold : null;
    const facts = await factsOf(crawl, view, undefined);
    const precision = (minRelevance === null ? facts.labels?.precision : facts.labels?.harvest) ?? null;
    return { dir, source, minRelevance, crawl: facts, precision, omittedPath: null };
  } finally {
    await crawl.close();
  }
}

/** A name for each folder: its last part where that is enough to tell them apart, else the path as given. */
export function namesOf(dirs: readonly string[]): string[] {
  const short = dirs.map((dir) => basename(resolve(dir)));
  return short.map((name, i) => (short.filter((other) => other === name).length > 1 ? (dirs[i] ?? name) : name));
}
