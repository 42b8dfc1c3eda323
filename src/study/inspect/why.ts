/** Explains the state of a URL: its page by the topic model, its link by the link scorer. */

import { InvariantError, UsageError } from '../../base/core/errors.ts';
import { pageTexts } from '../../base/core/page-texts.ts';
import type { JudgedPageText, TopicExplanation } from '../../base/core/parts/reading.ts';
import type { LinkExplanation, LinkScorer } from '../../base/core/parts/scoring.ts';
import type {
  Bytes,
  CanonicalUrl,
  CrawlRecord,
  Edge,
  Fate,
  FrontierEntry,
  HookedPage,
  Task,
  Topic,
  TopicJudgement,
  Unit,
} from '../../base/core/types.ts';
import { commandOn } from '../../base/text/forager-command.ts';
import { withoutRoute } from '../../base/web/url.ts';
import { findRecord, RECORDS_FILE, recordsWith } from '../../corpus/records/records.ts';
import { type SiblingChange, SiblingVotes } from '../../corpus/select/sibling-votes.ts';
import { relearnFor } from '../../crawling/crawl/lessons.ts';
import { priorityOf } from '../../crawling/crawl/list-priority.ts';
import { judgementsOf, winnerOf } from '../../crawling/crawl/topic-judgements.ts';
import { keptRecordsOf } from '../../crawling/crawl-dir/corpus-soundness.ts';
import { type CrawlManifest, topicNamed, topicsOf } from '../../crawling/crawl-dir/crawl-directory.ts';
import { freshScorer, pastOf } from '../../crawling/crawl-dir/crawl-scorer.ts';
import { loadOwnModels } from '../../crawling/crawl-dir/load-topic.ts';
import { type OpenCrawl, openCrawl, stopReasonOf, withPriorities } from '../../crawling/crawl-dir/open-crawl.ts';
import { pageLanguage } from '../../crawling/reader/page-language.ts';
import { checkOptions, type OptionTable } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import type { LinearTopicModel } from '../../reading/topic/model.ts';
import { nearWords } from '../../reading/topic/near-words.ts';
import { readTraining } from '../../reading/topic/training-file.ts';
import { vectorsBehind } from '../../reading/topic/word-vector-source.ts';
import { crawlOriginOf, type WhyOrigin } from './crawl-origin.ts';
import { givenUrl } from './given-url.ts';
import { type KindSum, kindSums, linkKindOf, pageKindOf } from './kind-sums.ts';
import { type CrawlLedgerLine, ledgerLineOf } from './ledger-lines.ts';
import type { SettledUrl } from './ledger-walk.ts';

/** Explanation of a URL's state. */
export interface Why {
  readonly line: CrawlLedgerLine;
  /** Part of the crawl of which this one started as a copy; null without one. */
  readonly origin: WhyOrigin | null;
  /** The choice of `--render` of the last run; the line has the part of the browser in the visit. */
  readonly render: CrawlManifest['render'];
  /** True if the visit was drawn at random, regardless of its priority. */
  readonly explored: boolean;
  /** null if the page was never judged, or asked not to be stored. With several topics: by the requested one, or the one it is most relevant to. */
  readonly page: {
    /** Name of that topic. */
    readonly topic: string;
    readonly relevance: Unit;
    readonly threshold: Unit;
    readonly title: string;
    readonly explanation: TopicExplanation;
    /** The part of hooks; `relevance` is that of the page if it is not that of the model. Absent without one. */
    readonly hook?: HookedPage & { readonly relevance: Unit };
    /** The kept page of which it is an alternate, and whose relevance it has. Absent for a page that is judged by itself. */
    readonly alternate?: { readonly of: CanonicalUrl; readonly relevance: Unit };
    /** Sums of the contributions, by kind. */
    readonly kinds: readonly KindSum[];
    /** Blocks that the other kept pages of its host bring into the text of a harvest, or take out of it. The page was judged without them. [] if it is not kept. */
    readonly siblings: readonly SiblingChange[];
    /** Judgements of all topics, in a crawl of several. Absent otherwise. */
    readonly topics?: readonly TopicJudgement[];
  } | null;
  /** null for a seed. */
  readonly link: { readonly edge: Edge; readonly explanation: LinkExplanation; readonly kinds: readonly KindSum[] } | null;
}

export interface WhyOptions {
  /** Name of the topic that explains the page. Default: the one it is most relevant to. */
  readonly topicName?: string;
}

const WHY: OptionTable<WhyOptions> = { topicName: checksOf(COMMANDS.harvest).topicName };

/** See `why` of the library. */
export async function why(dir: string, url: string, options: WhyOptions = {}): Promise<Why> {
  return whyBy(null, dir, url, options);
}

/** See `whyWith` of forager/parts. @param scorer a fresh one of the program that replaced that of the crawl; null: its priorities have no terms */
export async function whyBy(scorer: LinkScorer | null, dir: string, url: string, options: WhyOptions): Promise<Why> {
  checkOptions('why', WHY, options);
  givenUrl(url);
  const crawl = openCrawl(dir);
  try {
    return await explain(dir, crawl, givenUrl(url), options.topicName, () => crawl.frontier.settled(), scorer);
  } finally {
    await crawl.close();
  }
}

/**
 * Explains a URL of a crawl that is open. @param settled the settled URLs in their order, as its frontier returns them; without the texts
 * of pages will do
 */
export async function whyOfOpen(
  dir: string,
  crawl: OpenCrawl,
  url: string,
  { topicName }: WhyOptions = {},
  settled: () => Iterable<Pick<SettledUrl, 'entry' | 'fate'>> = () => crawl.frontier.settled(),
): Promise<Why> {
  return explain(dir, crawl, givenUrl(url), topicName, settled);
}

async function explain(
  dir: string,
  crawl: OpenCrawl,
  url: CanonicalUrl,
  topic: string | undefined,
  past: () => Iterable<Pick<SettledUrl, 'entry' | 'fate'>>,
  scorer: LinkScorer | null = null,
): Promise<Why> {
  const by = topic === undefined ? null : topicNamed(crawl.paths, crawl.manifest, topic);
  const { frontier } = withPriorities(crawl);
  // Only the links of rendered documents keep their routes.
  const found = frontier.find(url) ?? frontier.find(withoutRoute(url));
  if (!found) throw new UsageError(`${url}: this crawl never discovered it; see ${commandOn('ledger', dir)}`);
  const { entry, fate, line, settled, reopened } = found;
  const link =
    entry.edge &&
    (knownPriority(crawl, line.priority, settled, reopened && entry.task.kind !== 'alternate') ??
      explainLink(crawl, entry, line.priority, past, scorer));
  return {
    line: ledgerLineOf(crawl, line, stopReasonOf(crawl)),
    origin: crawlOriginOf(crawl, found),
    render: crawl.manifest.render,
    explored: entry.explored ?? entry.warmUp ?? false,
    page: await explainPage(crawl, entry.url, fate, by),
    link: entry.edge && link && { edge: entry.edge, explanation: link, kinds: kindSums(link, linkKindOf) },
  };
}

/** The corpus has the text of a kept page; the frontier has the text of another judged page. */
async function explainPage(crawl: OpenCrawl, url: CanonicalUrl, fate: Fate | null, by: Topic | null): Promise<Why['page']> {
  const { manifest, paths, frontier } = crawl;
  if (fate === null || fate.relevance === null) return null;
  const end = frontier.committedOffsets()[RECORDS_FILE] ?? 0;
  const record = fate.recordId ? await findRecord(paths.corpus, fate.recordId, end) : null;
  const found = fate.recordId ? record : fate.page;
  if (!found) return null;
  const models = await loadOwnModels(paths, manifest);
  const languageOf = await pageLanguage(...models);
  const page = { ...pageTexts(found), url, lang: languageOf(found) };
  const topics = judgementsOf(
    models,
    models.map((model) => model.judge(page)),
  );
  const { name, modelId, relevance, threshold } = topics.find(({ modelId }) => modelId === by?.id) ?? winnerOf(topics);
  const at = models.findIndex(({ id }) => id === modelId);
  const [model, folder] = [models[at], topicsOf(paths, manifest)[at]?.folder];
  if (model === undefined || folder === undefined) throw new InvariantError(`${modelId} judged a page but is not a model of the crawl`);
  const explanation = await explainedBy(model, page, folder);
  const kinds = kindSums(explanation, pageKindOf(page));
  const siblings = record === null ? [] : await changesBySiblings(record, crawl, end);
  const hook = fate.hooked && { ...fate.hooked, relevance: fate.relevance };
  const { reason } = fate;
  const alternate = typeof reason === 'object' && reason.kind === 'alternate' && { of: reason.of, relevance: fate.relevance };
  const judged = { topic: name, relevance, threshold, title: page.title, explanation, kinds, siblings };
  return { ...judged, ...(topics.length > 1 && { topics }), ...(hook && { hook }), ...(alternate && { alternate }) };
}

/** O(records of the host), and a search of the others. */
async function changesBySiblings(record: CrawlRecord, crawl: OpenCrawl, end: Bytes): Promise<SiblingChange[]> {
  if (record.votes === undefined) return [];
  const newest = keptRecordsOf(crawl);
  const siblings = new SiblingVotes();
  for await (const other of recordsWith(crawl.paths.corpus, new URL(record.url).host, end)) if (newest.has(other.id)) siblings.add(other);
  return siblings.explain(record);
}

/** The explanation, with the words that an unshown word stands near if the vectors are at hand. */
async function explainedBy(model: LinearTopicModel, page: JudgedPageText, folder: string): Promise<TopicExplanation> {
  const explanation = model.explain(page);
  if (!explanation.contributions.some(({ unshown }) => unshown)) return explanation;
  const source = (await readTraining(folder))?.wordVectors ?? null;
  return nearWords(model, await vectorsBehind(model, source))(explanation);
}

function explainLink(
  { manifest, paths, frontier }: OpenCrawl,
  entry: FrontierEntry,
  priority: Unit,
  settled: () => Iterable<Pick<SettledUrl, 'entry' | 'fate'>>,
  replaced: LinkScorer | null,
): LinkExplanation {
  const fixed = entry.task.kind === 'revisit' ? null : priorityOf(entry.task, priority);
  if (fixed !== null) return explainFixed(fixed, entry.task);
  const { scorer: name } = manifest.replaced;
  if (name !== undefined && replaced === null)
    return byRule(priority, `priority by ${name}`, `given by the scorer ${name} of a program; whyWith of forager/parts explains it`);
  const scorer = name !== undefined && replaced !== null ? replaced : freshScorer(manifest, paths);
  relearnFor(scorer, { ...pastOf(paths, frontier), settled }, entry);
  return scorer.explain(entry);
}

/** Explains a sitemap, a feed, a file of reservations or an alternate: no scorer gives their priority. */
function explainFixed(priority: Unit, { kind }: Task): LinkExplanation {
  if (kind === 'alternate')
    return byRule(priority, 'priority of the kept page', 'an alternate of a kept page has the priority of that page');
  if (kind === 'reservations') return byRule(priority, 'file of reservations', 'the tdmrep.json of a host with a kept page has priority 1');
  return byRule(priority, 'sitemap or feed', 'a sitemap or feed has priority 1, halved for each index on the way to it');
}

/** Explains a priority that no link scorer gave, or that a scorer gave with an earlier model's relevances, which are gone. null for other priorities. */
function knownPriority({ manifest }: OpenCrawl, priority: Unit, settled: number | null, reopened: boolean): LinkExplanation | null {
  const last = manifest.relabelled.at(-1);
  const earlier = last !== undefined && settled !== null && settled <= last.settled;
  if (!reopened && !earlier) return null;
  const [feature, rule] = earlier
    ? [
        'priority under an earlier model',
        `given before ${last.at}, when ${last.undone ? `model ${last.to} replaced ${last.from} again` : `model ${last.to}, ${last.tangent ? 'of this crawl, which started as a tangent' : last.wishes?.changed ? 'with other wishes about subtopics' : 'trained with labels'}, replaced ${last.from}`}`,
      ]
    : ['relevance of the page', 'the page was read but not kept, and a later model finds it on topic; its priority is that relevance'];
  return byRule(priority, feature, rule);
}

/** A priority that no scorer gave, as a sum of one part, like that of a seed. */
function byRule(priority: Unit, feature: string, rule: string): LinkExplanation {
  return { logit: priority, bias: 0, contributions: [{ feature, contribution: priority }], priority, rule };
}
