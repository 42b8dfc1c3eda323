/** The report of a run, from the crawl at its end. */
import { dateOf } from '../../base/core/clock.ts';
import type { Parts } from '../../base/core/parts.ts';
import { isWall } from '../../base/core/reason.ts';
import type { CanonicalUrl, EpochMs } from '../../base/core/types.ts';
import type { StopReason } from '../../crawling/crawl/loop.ts';
import type { CrawlManifest, CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { groundsOrWarn, withLabelsOrWarn } from '../../study/inspect/grounds.ts';
import { seedEnds } from '../../study/inspect/lost-seeds.ts';
import { recallIn } from '../../study/inspect/recall-of-crawl.ts';
import { refusedDocuments } from '../../study/inspect/refused-documents.ts';
import { revisitCounts } from '../../study/inspect/revisit-counts.ts';
import { roundFacts } from '../../study/inspect/round-facts.ts';
import { saturationIn } from '../../study/inspect/saturation.ts';
import { sinceCounts } from '../../study/inspect/since-counts.ts';
import type { SinkFacts } from '../../study/inspect/sink-facts.ts';
import { FateTally } from '../../study/inspect/tally.ts';
import { wallsOf } from '../../study/inspect/wall-tally.ts';
import type { ClusterWorker } from './cluster-worker.ts';
import type { CrawlReport } from './crawl-options.ts';
import type { RunListeners } from './run-listeners.ts';
import type { TimeLimit } from './time-limit.ts';

/** A run that has ended; its parts are still open. */
interface EndedRun {
  readonly paths: CrawlPaths;
  readonly manifest: CrawlManifest;
  readonly parts: Parts;
  readonly seeds: readonly CanonicalUrl[];
  readonly stopReason: StopReason;
  readonly resumed: boolean;
  /** The date. */
  readonly startedAt: EpochMs;
  readonly time: TimeLimit;
  readonly listeners: RunListeners;
  readonly warn: (message: string) => void;
  readonly joined: ClusterWorker | null;
  readonly sink: SinkFacts | null;
}

const NO_DOCUMENTS = refusedDocuments([]);

/** O(discovered URLs). */
export async function reportOfRun(run: EndedRun): Promise<CrawlReport> {
  const { paths, manifest, parts, seeds, stopReason, resumed, startedAt, time, listeners, warn, joined, sink } = run;
  const { frontier, topic, clock } = parts;
  const tally = FateTally.of(frontier, { threshold: topic.threshold, topics: manifest.topics });
  const asked = { manifest, paths, frontier, lost: new Set<CanonicalUrl>() };
  const grounds = await groundsOrWarn(asked, tally.relevances, warn);
  const { topics, changed, ...counted } = tally.counts();
  return {
    dir: paths.dir,
    stopReason,
    resumed,
    counts: frontier.counts(),
    ...counted,
    render: manifest.render,
    walls: tally.meetsLogin || Object.keys(counted.refusals).some(isWall) ? wallsOf(frontier) : [],
    documents: counted.refusals['content-type'] || counted.refusals['no-text'] ? refusedDocuments(frontier.requested()) : NO_DOCUMENTS,
    topics: withLabelsOrWarn(topics, asked, warn),
    ...seedEnds(seeds, frontier),
    revisited: revisitCounts(frontier, startedAt, dateOf(clock)),
    ms: time.spent,
    questions: listeners.open,
    round: roundFacts({ manifest, frontier }),
    since: sinceCounts(manifest, frontier.counts().kept, { refusals: counted.refusals, changed }),
    sink,
    recall: recallIn(paths, manifest, frontier),
    saturation: await saturationIn({ manifest, paths }, listeners.last, grounds),
    ...grounds,
    ...(joined && { worker: joined.report() }),
  };
}
