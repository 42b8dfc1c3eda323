/** The grounds of a crawl's figures: its precision if measured, and doubts about the model's own figures. */
import { isoTime } from '../../base/core/clock.ts';
import { CrawlerError } from '../../base/core/errors.ts';
import { grouped } from '../../base/core/grouped.ts';
import { logOdds } from '../../base/core/odds.ts';
import { isOnTopic } from '../../base/core/on-topic.ts';
import type { Ledger } from '../../base/core/parts/queueing.ts';
import { seededRng } from '../../base/core/rng.ts';
import type { CanonicalUrl, Topic, Unit } from '../../base/core/types.ts';
import type { CodingFacts } from '../../corpus/select/coding-facts.ts';
import type { LabelFacts, LabellerFacts, PrecisionFacts } from '../../corpus/select/crawl-facts.ts';
import type { Omits } from '../../corpus/select/measured-selection.ts';
import { activeModel, type CrawlManifest, type CrawlPaths } from '../../crawling/crawl-dir/crawl-directory.ts';
import { type TopicPart, topicPart, topicParts } from '../../crawling/crawl-dir/topic-part.ts';
import { type Doubt, hostDoubt } from '../../reading/topic/doubts.ts';
import { loadCard } from '../../reading/topic/files.ts';
import { estimatePrior } from '../../reading/topic/prior.ts';
import { harvestShare, shareNow, type Taken, takenFrom } from '../label/harvest-share.ts';
import { type CrawlPage, judgedPages } from '../label/judged-pages.ts';
import { estimateShares, neededFor, type ShareEstimate } from '../label/label-estimate.ts';
import { LabelLog } from '../label/label-log.ts';
import { codingFacts } from '../label/person-agreement.ts';
import { type ExampleHosts, exampleHosts } from './example-hosts.ts';

/** The grounds of a crawl's figures. */
export interface Grounds {
  /** Basis of the precision: `labels` if it is measured, otherwise only the `model`. */
  readonly basis: 'model' | 'labels';
  /** Share on topic of the kept pages, from labels of random pages, with a 95 % interval; null: not measured. */
  readonly precision: LabelFacts['precision'];
  /** Share on topic of the kept pages that a harvest takes, from the same labels; null also if the topic was not trained again. */
  readonly harvest: LabelFacts['harvest'];
  /** Answers to random pages, and how many the precision needs; null before the first label. */
  readonly drawn: LabelFacts['drawn'] | null;
  /** Agreement of the people who labelled; null unless two of them answered one page. */
  readonly coding: CodingFacts | null;
  /** Reasons why shares by the model, such as `harvestRate`, are known to mean nothing; empty without doubts. */
  readonly doubts: readonly Doubt[];
  /** Hosts of the examples, and those that the crawl never visited. */
  readonly exampleHosts: ExampleHosts;
}

type LabelGrounds = Pick<Grounds, 'precision' | 'harvest' | 'drawn' | 'coding'>;

/** The grounds of one of several topics, from its labels. */
export interface TopicLabels extends LabelGrounds {
  /** The topic's last training with labels if that model was not activated; null otherwise. */
  readonly keptBeside: CrawlManifest['keptBeside'];
}

/** A crawl whose grounds can be found. */
interface Asked {
  readonly manifest: CrawlManifest;
  readonly paths: CrawlPaths;
  readonly frontier: Pick<Ledger, 'requested'>;
  /** Kept pages whose record cannot be read. */
  readonly lost: ReadonlySet<CanonicalUrl>;
}

/** Takes O(discovered URLs), and tenths of a second for EM. @param relevances of its judged pages (`FateTally`) @throws DataError if the label file is damaged */
export async function groundsOf(crawl: Asked, relevances: readonly Unit[]): Promise<Grounds> {
  const { precision, harvest, drawn, coding } = crawl.manifest.topics.length > 0 ? NO_LABELS : labelGrounds(crawl, onlyPart(crawl));
  const hosts = await hostDoubts(crawl);
  const spread: Doubt[] = isUnlikeTraining(crawl, relevances) ? ['unlike-training'] : [];
  return {
    basis: precision === null ? 'model' : 'labels',
    precision,
    harvest,
    drawn,
    coding,
    doubts: [...hosts, ...spread],
    exampleHosts: await exampleHosts(crawl),
  };
}

/**
 * Finds the grounds at the end of a crawl. A damaged label file must not cost the report: it is a warning, and the precision counts as not
 * measured.
 */
export async function groundsOrWarn(crawl: Asked, relevances: readonly Unit[], warn: (message: string) => void): Promise<Grounds> {
  try {
    return await groundsOf(crawl, relevances);
  } catch (error) {
    if (!(error instanceof CrawlerError)) throw error;
    warn(error.message);
    return { basis: 'model', ...NO_LABELS, doubts: await hostDoubts(crawl), exampleHosts: await exampleHosts(crawl) };
  }
}

const NO_LABELS: LabelGrounds = { precision: null, harvest: null, drawn: null, coding: null };

function labelGrounds(crawl: Asked, part: TopicPart): LabelGrounds {
  const facts = labelFacts(crawl, part);
  return facts === null
    ? NO_LABELS
    : { precision: facts.precision, harvest: facts.harvest, drawn: facts.drawn, coding: facts.coding ?? null };
}

function onlyPart({ paths, manifest }: Pick<Asked, 'paths' | 'manifest'>): TopicPart {
  return topicPart(paths.dir, manifest, undefined);
}

/** The rows of several topics, each with the facts from its labels. O(discovered URLs) for each topic with labels. @throws DataError if a label file is damaged */
export function withLabels<T extends Topic>(rows: readonly T[], crawl: Asked): (T & TopicLabels)[] {
  const parts = rows.length === 0 ? [] : topicParts(crawl.paths.dir, crawl.manifest);
  return rows.map((row) => {
    const part = parts.find(({ topic }) => topic.id === row.id);
    return { ...row, ...(part === undefined ? NO_LABELS : labelGrounds(crawl, part)), keptBeside: part?.manifest.keptBeside ?? null };
  });
}

/** Adds labels to topics at the end of a crawl. A damaged label file is a warning, as in `groundsOrWarn`. */
export function withLabelsOrWarn<T extends Topic>(rows: readonly T[], crawl: Asked, warn: (message: string) => void): (T & TopicLabels)[] {
  try {
    return withLabels(rows, crawl);
  } catch (error) {
    if (!(error instanceof CrawlerError)) throw error;
    warn(error.message);
    return rows.map((row) => ({ ...row, ...NO_LABELS, keptBeside: null }));
  }
}

/** The labels of a crawl's pages, of one topic; null if there are none. @throws DataError if the label file is damaged */
export function labelFacts({ frontier, lost }: Pick<Asked, 'frontier' | 'lost'>, part: TopicPart): LabelFacts | null {
  const log = LabelLog.ofTopic(part);
  const { labels } = log;
  if (labels.length === 0) return null;
  const pages = judgedPages({ frontier, lost }, part);
  const { kept, notKept } = estimateShares(pages, log.state, log.seed);
  const yes = labels.filter(({ answer }) => answer === 'y').length;
  const drawn = { kept: kept.answered, leftOut: notKept.answered, needed: neededFor(kept) };
  const harvest = shareNow(pages, part, log);
  return {
    yes,
    no: labels.length - yes,
    drawn,
    precision: precisionOf(kept),
    harvest: harvest && precisionOf(harvest),
    given: givenIn(log),
    labellers: labellersOf(log),
    ...codingOfLabels(log),
  };
}

function codingOfLabels({ entries }: LabelLog): Pick<LabelFacts, 'coding'> {
  const coding = codingFacts(entries);
  return coding === null ? {} : { coding };
}

/** The labels by the persons who gave them, most labels first. */
function labellersOf({ counting }: LabelLog): readonly LabellerFacts[] {
  const labels = [...counting.values()].filter(({ answer }) => answer !== 'skip');
  const facts = Array.from(
    grouped(labels, ({ name, queue }) => name ?? (queue === 'import' ? IMPORTED : null)),
    ([name, given]) => {
      const times = given.map(({ at }) => Date.parse(at)).sort((a, b) => a - b);
      const yes = given.filter(({ answer }) => answer === 'y').length;
      return { name, yes, no: given.length - yes, first: isoTime(times[0] ?? 0), last: isoTime(times.at(-1) ?? 0) };
    },
  );
  return facts.sort((a, b) => b.yes + b.no - (a.yes + a.no) || ((a.name ?? '') < (b.name ?? '') ? -1 : 1));
}

/** Labels from a file without names. */
const IMPORTED = 'imported';

function givenIn({ entries }: LabelLog): LabelFacts['given'] {
  const draws = entries.filter(({ queue, answer }) => queue === 'random' && answer !== 'skip');
  const times = draws.map(({ at }) => Date.parse(at)).sort((a, b) => a - b);
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return null;
  const people = [...new Set(draws.flatMap(({ name }) => name ?? []))].sort();
  return { first: isoTime(first), last: isoTime(last), people };
}

/**
 * The precision of the kept pages at or above each of these relevances, see `harvestShare`. null where too few were drawn.
 * @throws DataError if the label file is damaged
 */
export function precisionsAbove(crawl: Asked, relevances: readonly Unit[]): LabelFacts['precision'][] {
  const log = LabelLog.ofTopic(crawl);
  if (log.labels.length === 0) return relevances.map(() => null);
  const part = onlyPart(crawl);
  const pages = judgedPages(crawl, part);
  return relevances.map((least) => {
    const share = harvestShare(pages, part, log, takenFrom(least));
    return share && precisionOf(share);
  });
}

/**
 * The precision of the pages that a harvest has taken. @param least its least relevance; null for all kept pages @returns null while there are too few answers @throws DataError if the label file is damaged
 */
export function harvestPrecision(
  crawl: Pick<Asked, 'frontier' | 'lost'>,
  part: TopicPart,
  least: Unit | null,
  omits: Omits,
): PrecisionFacts | null {
  const log = LabelLog.ofTopic(part);
  if (log.labels.length === 0) return null;
  const takenOf = ({ url, relevance }: CrawlPage) => takenFor(omits(url), isOnTopic(relevance, least ?? 0));
  const share = harvestShare(judgedPages(crawl, part), part, log, { least: least ?? 0, takenOf });
  return share && precisionOf(share);
}

/** A random sample of the pages says as much about them as the others. @param isOn a harvest of several topics has pages on the other ones */
function takenFor(reason: ReturnType<Omits>, isOn: boolean): Taken {
  if (reason === null) return isOn ? 'in' : 'below';
  return reason === 'relevance' ? 'below' : reason === 'sample' ? 'not-drawn' : 'out';
}

/** The share as outputs have it; null if it is not measured. */
export function precisionOf({ share, interval, answered, pages, known, until, later, isMeasured }: ShareEstimate): PrecisionFacts | null {
  if (share === null || !isMeasured) return null;
  const older = later > 0 && until !== null ? { older: { until: isoTime(until), later } } : {};
  return { share, ...interval, answers: answered, pages, known, ...older };
}

/** Doubts from the examples of a crawl's topics, once each. Off-topic labels of the crawl's own pages remove the doubt. */
export async function hostDoubts({ manifest, paths }: Pick<Asked, 'manifest' | 'paths'>): Promise<Doubt[]> {
  const doubts = await Promise.all(
    topicParts(paths.dir, manifest).map((part) => {
      const byLabels = (part.manifest.relabelled.at(-1)?.labels ?? 0) > 0;
      return doubtOf(activeModel(part.paths, part.manifest), byLabels);
    }),
  );
  return [...new Set(doubts.flatMap((doubt) => doubt ?? []))];
}

/** A model whose card cannot be read counts as one with unknown hosts. */
async function doubtOf(folder: string, byLabels: boolean): Promise<Doubt | null> {
  return loadCard(folder).then(
    (card) => (byLabels && card.counts.irrelevant > 0 ? null : hostDoubt(card)),
    () => 'unknown-hosts',
  );
}

/** False for several topics: their greatest relevance is not a probability. */
function isUnlikeTraining({ manifest }: Asked, relevances: readonly Unit[]): boolean {
  return manifest.topics.length === 0 && estimatePrior(relevances.map(logOdds), { rng: seededRng(1) })?.trusted === false;
}
