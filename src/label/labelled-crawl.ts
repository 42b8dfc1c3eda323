/** A crawl as a labelling session sees it: its judged pages, and the model that is asked about. */
import type { OnDamaged } from '../core/errors.ts';
import type { CanonicalUrl } from '../core/types.ts';
import { lostPages, refuseUnsoundCorpus } from '../crawl-dir/corpus-soundness.ts';
import { modelInForce } from '../crawl-dir/crawl-directory.ts';
import { loadOwnModel, readOwnTraining } from '../crawl-dir/load-topic.ts';
import { type OpenCrawl, openCrawl } from '../crawl-dir/open-crawl.ts';
import { type TopicPart, topicPart } from '../crawl-dir/topic-part.ts';
import { loadCard } from '../topic/files.ts';
import type { LinearTopicModel } from '../topic/model.ts';
import type { StoredRow } from '../topic/training-file.ts';
import { canonicalize } from '../web/url.ts';
import { type CrawlPage, judgedPages } from './judged-pages.ts';
import { type Answer, LabelPlan } from './label-queue.ts';
import { isOfKeywords } from './retrain.ts';

/** The topic that is labelled: its active model and the facts of that. */
export interface Judge {
  readonly part: TopicPart;
  readonly model: LinearTopicModel;
  readonly plan: LabelPlan<CrawlPage>;
  readonly pages: readonly CrawlPage[];
  /** Pages that the person gave for the training, by URL: examples are on topic, irrelevant ones are not. */
  readonly given: ReadonlyMap<string, Answer>;
  /** Is it a topic of words, without training pages so far? */
  readonly ofKeywords: boolean;
}

/** A crawl, and its judged pages of the same moment. */
export interface Opened {
  readonly crawl: OpenCrawl;
  readonly part: TopicPart;
  readonly pages: readonly CrawlPage[];
}

/** @throws StoreError if its corpus is damaged and there is no `onDamaged` */
export async function openSound(dir: string, topicName: string | undefined, onDamaged: OnDamaged | undefined): Promise<Opened> {
  const crawl = openCrawl(dir, onDamaged);
  try {
    // In the same turn as the opening: later reads see newer commits of a running crawl. Their records are past the known end of the corpus.
    const part = topicPart(dir, crawl.manifest, topicName);
    const pages = judgedPages(crawl, part);
    refuseUnsoundCorpus(crawl);
    if (!onDamaged) return { crawl, part, pages };
    const lost = await lostPages(crawl);
    return { crawl: { ...crawl, lost }, part, pages: pages.filter(({ url }) => !lost.has(url)) };
  } catch (error) {
    await crawl.close();
    throw error;
  }
}

export async function judgeOf({ part, pages }: Opened, seed: number): Promise<Judge> {
  const { paths, manifest } = part;
  const model = await loadOwnModel(paths, manifest);
  const dir = modelInForce(paths, manifest);
  const rows = (await readOwnTraining(dir, manifest))?.rows ?? null;
  const first = dir === paths.model ? rows : ((await readOwnTraining(paths.model, manifest))?.rows ?? null);
  // Models without their training rows name the hosts of their examples on their card.
  const hosts = (rows ?? (await loadCard(dir)).examplesByHost).map(({ host }) => host);
  const trainedHosts = new Set(hosts.filter((host) => host !== null));
  const ofKeywords = await isOfKeywords(manifest, paths);
  const given = givenIn(first ?? [], new Set(pages.map(({ url }) => url)));
  return { part, model, pages, given, ofKeywords, plan: new LabelPlan(pages, { threshold: model.threshold, trainedHosts, seed }) };
}

function givenIn(rows: readonly StoredRow[], judged: ReadonlySet<CanonicalUrl>): Map<string, Answer> {
  const given = rows.flatMap(({ role, url }): [string, Answer][] => {
    const known = url === null || role === 'extra' ? null : canonicalize(url);
    return known !== null && judged.has(known) ? [[known, role === 'example' ? 'y' : 'n']] : [];
  });
  return new Map(given);
}
