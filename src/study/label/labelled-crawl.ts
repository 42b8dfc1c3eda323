/** A crawl as a labelling session sees it: its judged pages, and the model that is asked about. */
import type { OnDamaged } from '../../base/core/errors.ts';
import { lostPages, refuseUnsoundCorpus } from '../../crawling/crawl-dir/corpus-soundness.ts';
import { activeModel } from '../../crawling/crawl-dir/crawl-directory.ts';
import { loadOwnModel, readOwnTraining } from '../../crawling/crawl-dir/load-topic.ts';
import { type OpenCrawl, openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { type TopicPart, topicPart } from '../../crawling/crawl-dir/topic-part.ts';
import { loadCard } from '../../reading/topic/files.ts';
import { GivenPages } from '../../reading/topic/given-pages.ts';
import type { LinearTopicModel } from '../../reading/topic/model.ts';
import type { StoredRow } from '../../reading/topic/training-file.ts';
import { type CrawlPage, judgedPages, pagesOf } from './judged-pages.ts';
import { type Answer, LabelPlan } from './label-queue.ts';
import { isOfKeywords } from './retrain.ts';

/** The topic that is labelled: its active model and the facts of that. */
export interface TopicJudge {
  readonly part: TopicPart;
  readonly model: LinearTopicModel;
  readonly plan: LabelPlan<CrawlPage>;
  readonly pages: readonly CrawlPage[];
  /** Pages that the person gave for the training, recognised by URL or text: examples are on topic, irrelevant ones are not. */
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

export async function judgeOf({ crawl, part, pages }: Opened, seed: number): Promise<TopicJudge> {
  const { paths, manifest } = part;
  const model = await loadOwnModel(paths, manifest);
  const dir = activeModel(paths, manifest);
  const rows = (await readOwnTraining(dir, manifest))?.rows ?? null;
  const first = dir === paths.model ? rows : ((await readOwnTraining(paths.model, manifest))?.rows ?? null);
  // Models without their training rows name the hosts of their examples on their card.
  const hosts = (rows ?? (await loadCard(dir)).examplesByHost).map(({ host }) => host);
  const trainedHosts = new Set(hosts.filter((host) => host !== null));
  const ofKeywords = await isOfKeywords(manifest, paths);
  const given = await givenAmong(pages, givenIn(first ?? []), { crawl, part });
  return { part, model, pages, given, ofKeywords, plan: new LabelPlan(pages, { threshold: model.threshold, trainedHosts, seed }) };
}

function givenIn(rows: readonly StoredRow[]): GivenPages {
  return new GivenPages(rows.filter(({ role }) => role !== 'extra'));
}

/** The pages that a person gave for the first training of a topic. @throws ModelError if the file is damaged */
export async function givenFor({ paths, manifest }: TopicPart): Promise<GivenPages> {
  return givenIn((await readOwnTraining(paths.model, manifest))?.rows ?? []);
}

/** The answer that the role of a page of the training gives. */
export function answerBy({ role }: StoredRow): Answer {
  return role === 'example' ? 'y' : 'n';
}

/** Reads the texts of the pages whose simhash is near one of a given page: in one pass over the corpus, if there are any. */
async function givenAmong(
  pages: readonly CrawlPage[],
  own: GivenPages,
  { crawl, part }: Pick<Opened, 'crawl' | 'part'>,
): Promise<Map<string, Answer>> {
  const given = new Map<string, Answer>();
  const take = (url: string, row: StoredRow | undefined) => row && given.set(url, answerBy(row));
  for (const { url } of pages) take(url, own.ofUrl(url).at(-1));
  const alike = pages.filter((page) => !given.has(page.url) && own.mayBe(page));
  if (alike.length === 0) return given;
  const texts = pagesOf(part.paths, { ...crawl, onDamaged: () => undefined }, new Set(alike.map(({ url }) => url)));
  for await (const page of texts) take(page.url, own.ofText(page)[0]);
  return given;
}
