/** What is known of a crawl's precision, and whether its model's own word on shares means anything. */
import { CrawlerError } from '../core/errors.ts';
import type { Ledger } from '../core/parts/queueing.ts';
import type { CanonicalUrl } from '../core/types.ts';
import type { LabelFacts } from '../corpus/corpus-card.ts';
import { type CrawlManifest, type CrawlPaths, topicsOf } from '../crawl-dir/crawl-directory.ts';
import { judgedPages } from '../label/judged-pages.ts';
import { estimateShares, isMeasured, LEAST_DRAWN } from '../label/label-estimate.ts';
import { LabelLog } from '../label/label-log.ts';
import { type Doubt, hostDoubt } from '../topic/doubts.ts';
import { loadCard } from '../topic/files.ts';
import { type JudgedFate, priorCorrection } from './prior-correction.ts';

/** What figures of a crawl rest on. */
export interface Grounds {
  /** Of what is known of the precision: `labels` where it is measured, else the word of the `model` is all there is. */
  readonly basis: 'model' | 'labels';
  /** Share on topic of the pages the crawl kept, by labels of pages drawn at random, at 95 %; null: not measured. */
  readonly precision: LabelFacts['precision'];
  /** Answers to pages drawn at random, and how many the precision takes; null before the first label. */
  readonly drawn: LabelFacts['drawn'] | null;
  /** Why shares by the model, such as `harvestRate`, are known to mean nothing; empty where nothing is known against them. */
  readonly doubts: readonly Doubt[];
}

/** A crawl that can be asked. */
interface Asked {
  readonly manifest: CrawlManifest;
  readonly paths: CrawlPaths;
  readonly frontier: Pick<Ledger, 'ledger'>;
  /** Kept pages whose record cannot be read. */
  readonly lost: ReadonlySet<CanonicalUrl>;
}

/** O(discovered URLs), and a second for EM. @param judged its pages (`FateTally`) @throws DataError when the label file is damaged */
export async function groundsOf(crawl: Asked, judged: readonly JudgedFate[]): Promise<Grounds> {
  const { precision, drawn } = labelFacts(crawl) ?? { precision: null, drawn: null };
  const hosts = await hostDoubts(crawl);
  const spread: Doubt[] = isUnlikeTraining(crawl, judged) ? ['unlike-training'] : [];
  return { basis: precision === null ? 'model' : 'labels', precision, drawn, doubts: [...hosts, ...spread] };
}

/** The same for the end of a crawl, whose report is not lost for a damaged label file: that is told, and the precision is taken for not measured. */
export async function groundsOrWarn(crawl: Asked, judged: readonly JudgedFate[], warn: (message: string) => void): Promise<Grounds> {
  try {
    return await groundsOf(crawl, judged);
  } catch (error) {
    if (!(error instanceof CrawlerError)) throw error;
    warn(error.message);
    return { basis: 'model', precision: null, drawn: null, doubts: await hostDoubts(crawl) };
  }
}

/** What people have said of a crawl's pages; null when nobody has. @throws DataError when the label file is damaged */
export function labelFacts({ paths, frontier, lost }: Pick<Asked, 'paths' | 'frontier' | 'lost'>): LabelFacts | null {
  const log = LabelLog.open(paths.labels, undefined, () => undefined);
  const { labels } = log;
  if (labels.length === 0) return null;
  const { kept, notKept } = estimateShares(judgedPages({ frontier, lost }), log.state, log.seed);
  const { share, interval, answered } = kept;
  const yes = labels.filter(({ answer }) => answer === 'y').length;
  const drawn = { kept: answered, leftOut: notKept.answered, needed: Math.min(LEAST_DRAWN, kept.pages) };
  const precision = share === null || !isMeasured(kept) ? null : { share, ...interval, answers: answered };
  return { yes, no: labels.length - yes, drawn, precision };
}

/** What the examples of a crawl's topics say against its figures, each once. Labels of its own pages that are off topic take the doubt away. */
export async function hostDoubts({ manifest, paths }: Pick<Asked, 'manifest' | 'paths'>): Promise<Doubt[]> {
  const byLabels = (manifest.relabelled.at(-1)?.labels ?? 0) > 0;
  const doubts = await Promise.all(topicsOf(paths, manifest).map(({ folder }) => doubtOf(folder, byLabels)));
  return [...new Set(doubts.flatMap((doubt) => doubt ?? []))];
}

/** Of a model whose card cannot be read nothing is known. */
async function doubtOf(folder: string, byLabels: boolean): Promise<Doubt | null> {
  return loadCard(folder).then(
    (card) => (byLabels && card.counts.irrelevant > 0 ? null : hostDoubt(card)),
    () => 'unknown-hosts',
  );
}

/** Not of several topics, whose greatest relevance is no probability. */
function isUnlikeTraining({ manifest }: Asked, judged: readonly JudgedFate[]): boolean {
  return manifest.topics.length === 0 && priorCorrection(judged)?.trusted === false;
}
