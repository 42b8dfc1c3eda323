import { resolve, sep } from 'node:path';
import { UsageError } from '../core/errors.ts';
import type { CorpusRecord, Unit } from '../core/types.ts';
import type { CrawlFacts, Dedupe, HarvestFormat } from '../corpus/corpus-card.ts';
import type { HarvestReport } from '../corpus/harvest.ts';
import { type HarvestProgress, harvestCorpus } from '../corpus/harvest.ts';
import { detectLanguage } from '../text/language.ts';
import { loadCard } from '../topic/files.ts';
import { estimateShares } from '../topic/label-estimate.ts';
import { type CrawlPaths, crawlPaths } from './crawl-directory.ts';
import { makeRoomFor, refuseFileInPath } from './directories.ts';
import { ledgerOf, type OpenCrawl, openCrawl, stopReasonOf } from './inspect.ts';
import { LabelLog } from './label-log.ts';
import { judgedPages } from './label-pages.ts';

export interface HarvestOptions {
  /** Crawl directory. */
  readonly dir: string;
  readonly out: string;
  /** Default jsonl. */
  readonly formats?: readonly HarvestFormat[];
  /** Default: all kept pages; after `relabel` the threshold of the model in force. */
  readonly minRelevance?: Unit;
  /** Primary language subtags, e.g. `en`; default all. */
  readonly languages?: readonly string[];
  /** Default exact. */
  readonly dedupe?: Dedupe;
  /** Replace an earlier harvest at `out`. */
  readonly force?: boolean;
  readonly progress?: (progress: HarvestProgress) => void;
  readonly signal?: AbortSignal;
}

/** Make a corpus with its card out of a crawl. @throws UsageError, DataError, StoreError */
export async function harvest(options: HarvestOptions): Promise<HarvestReport> {
  refuseFileInPath(options.out);
  refuseInside(crawlPaths(options.dir), options.out);
  const crawl = openCrawl(options.dir);
  const { topic, relabelled: changes } = crawl.manifest;
  const relabelled = changes.length > 0;
  try {
    makeRoomFor(options.out);
    return await harvestCorpus({
      corpusDir: crawlPaths(options.dir).corpus,
      outDir: options.out,
      formats: options.formats ?? ['jsonl'],
      minRelevance: options.minRelevance ?? (relabelled ? topic.threshold : null),
      languages: options.languages ?? [],
      dedupe: options.dedupe ?? 'exact',
      force: options.force ?? false,
      committed: crawl.frontier.committedOffsets(),
      detectLanguage,
      crawl: await factsOf(crawlPaths(options.dir), crawl),
      now: Date.now(),
      ...(relabelled ? { present: (record) => rejudged(record, crawl) } : {}),
      ...(options.progress ? { progress: options.progress } : {}),
      ...(options.signal ? { signal: options.signal } : {}),
    });
  } finally {
    await crawl.close();
  }
}

/** A record with the judgement of the model in force; its WARC records keep that of the time it was fetched. */
function rejudged(record: CorpusRecord, { manifest, frontier }: OpenCrawl): CorpusRecord {
  const { id: modelId, threshold } = manifest.topic;
  return { ...record, relevance: frontier.find(record.url)?.line.relevance ?? record.relevance, threshold, modelId };
}

/** What Forager deletes with a crawl is no place for what is made of it. @throws UsageError */
export function refuseInside({ dir, corpus, model, models, frontier }: CrawlPaths, out: string): void {
  const own = [corpus, model, models, frontier].find((folder) => isWithin(resolve(folder), resolve(out)));
  if (own !== undefined || resolve(out) === resolve(dir)) throw new UsageError(`${out}: belongs to the crawl itself; give another --out`);
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}${sep}`);
}

async function factsOf(paths: CrawlPaths, crawl: OpenCrawl): Promise<CrawlFacts> {
  const { manifest } = crawl;
  const ledger: Partial<Record<string, number>> = {};
  let robotsRefusals = 0;
  for (const { state, reason } of ledgerOf(crawl)) {
    ledger[state] = (ledger[state] ?? 0) + 1;
    if (reason === 'robots') robotsRefusals += 1;
  }
  const last = manifest.runs.at(-1);
  return {
    topicName: manifest.topic.name,
    modelId: manifest.topic.id,
    threshold: manifest.topic.threshold,
    query: await queryOf(paths),
    labels: labelFacts(paths, crawl),
    seeds: manifest.seeds,
    strategy: manifest.strategy,
    budget: { pages: last?.maxPages ?? null, ms: last?.maxTimeMs ?? null, bytes: null },
    stopReason: stopReasonOf(crawl),
    ledger,
    robotsRefusals,
    software: manifest.software,
    robots: 'obey',
    userAgent: manifest.userAgent,
  };
}

/** Cards of other versions say none, and a corpus can be had without. */
async function queryOf({ model }: CrawlPaths): Promise<string | null> {
  return loadCard(model).then(
    ({ query }) => query ?? null,
    () => null,
  );
}

/** @throws DataError when the label file is damaged */
function labelFacts({ labels: path }: CrawlPaths, crawl: OpenCrawl): CrawlFacts['labels'] {
  const log = LabelLog.open(path, undefined, () => undefined);
  const { labels } = log;
  if (labels.length === 0) return null;
  const { share, interval, answered } = estimateShares(judgedPages(crawl), log.state, log.seed).kept;
  const yes = labels.filter(({ answer }) => answer === 'y').length;
  return { yes, no: labels.length - yes, precision: share === null ? null : { share, ...interval, answers: answered } };
}
