/** The crawl, as its corpus card describes it. */
import { basename } from 'node:path';
import type { CrawlFacts, SeedWithoutPage, TrainingFacts, VisitRules } from '../../corpus/select/crawl-facts.ts';
import { type CrawlManifest, topicNamed, topicsOf, wishesOf } from '../../crawling/crawl-dir/crawl-directory.ts';
import { biasOf, stabilityMeasured } from '../../crawling/crawl-dir/measured-files.ts';
import { type OpenCrawl, stopReasonOf } from '../../crawling/crawl-dir/open-crawl.ts';
import { seedsOf } from '../../crawling/crawl-dir/seed-list.ts';
import { topicPart } from '../../crawling/crawl-dir/topic-part.ts';
import { COMMAND, isModule } from '../../crawling/settings/own-code.ts';
import { changedOptions } from '../../crawling/settings/stored-options.ts';
import type { ModelCard } from '../../reading/topic/card.ts';
import { loadCard } from '../../reading/topic/files.ts';
import { readTraining } from '../../reading/topic/training-file.ts';
import { labelFacts, withLabels } from '../../study/inspect/grounds.ts';
import { ledgerLines, waits } from '../../study/inspect/ledger-lines.ts';
import { seedEnds } from '../../study/inspect/lost-seeds.ts';
import { pageAges } from '../../study/inspect/page-ages.ts';
import { recallIn } from '../../study/inspect/recall-of-crawl.ts';
import { recallFacts } from '../../study/inspect/recall-text.ts';
import { FateTally } from '../../study/inspect/tally.ts';
import type { View } from './crawl-view.ts';

/** Seeds to name on a card. */
const CARD_SEEDS = 1000;
/** Examples to name. */
const CARD_EXAMPLES = 1000;

/** The crawl, as its corpus card describes it. @throws DataError */
export async function factsOf(crawl: OpenCrawl, { topic, folder }: View, topicName: string | undefined): Promise<CrawlFacts> {
  const { manifest } = crawl;
  const ledger: Partial<Record<string, number>> = {};
  let robotsRefusals = 0;
  for (const { state, reason } of ledgerLines(crawl)) {
    ledger[state] = (ledger[state] ?? 0) + 1;
    if (reason === 'robots') robotsRefusals += 1;
  }
  let reservationFiles = 0;
  for (const { entry, fate } of crawl.frontier.settled())
    if (entry.task.kind === 'reservations' && fate.state !== 'refused') reservationFiles += 1;
  const last = manifest.runs.at(-1);
  const counts = crawl.frontier.counts();
  return {
    topicName: topic.name,
    modelId: topic.id,
    threshold: topic.threshold,
    ...(manifest.topics.length > 0 && { topics: withLabels(manifest.topics, crawl) }),
    query: folder === null ? null : await queryOf(folder),
    ...(await trainingOf(crawl, topicName)),
    rules: rulesOf(manifest),
    options: { ...changedOptions(manifest), ...givenFiles(manifest) },
    ...recallOfCrawl(crawl),
    ...agesOf(crawl),
    ...measuredFacts(crawl),
    ...(wishesOf(manifest).length > 0 && { wishes: wishesOf(manifest) }),
    ...troublesOf(crawl),
    politeness: { contact: manifest.contact, delay: manifest.delay, delayFactor: manifest.delayFactor },
    labels:
      topicName === undefined && manifest.topics.length > 0 ? null : labelFacts(crawl, topicPart(crawl.paths.dir, manifest, topicName)),
    ...cardSeeds(crawl),
    strategy: strategyText(manifest),
    runs: manifest.runs,
    visited: counts.visited,
    reopened: counts.reopened,
    reservationFiles,
    budget: { pages: last?.maxPages ?? null, ms: last?.maxTimeMs ?? null, bytes: null },
    stopReason: stopReasonOf(crawl),
    ledger,
    robotsRefusals,
    software: manifest.software,
    robots: 'obey',
    userAgent: manifest.userAgent,
  };
}

function rulesOf({ scope, maxDepth, maxPagesPerHost, tunnel, warmUp, patience, sitemaps, proxy }: CrawlManifest): VisitRules {
  return { scope, maxDepth, maxPagesPerHost, tunnel, warmUp, patience, sitemaps, proxied: proxy !== null };
}

/** A strategy of the user by its file and its sum: folders are of the machine of the crawl. */
function strategyText({ strategy, ownStrategy, replaced }: CrawlManifest): string {
  if (replaced['scorer'] !== undefined) return `${replaced['scorer']} (a scorer of a program)`;
  return ownStrategy === null ? strategy : `${basename(strategy)} (SHA-256 ${ownStrategy.sha256})`;
}

/** Files that the crawl was given, of which it keeps a copy or the sum. Of a command, which may have secrets, only that it is one. */
function givenFiles(manifest: CrawlManifest): CrawlFacts['options'] & {} {
  const { urlLists, linkModel, fieldRules, hooks, hooksSha256, judgeBy, judgeSha256, sink } = manifest;
  return {
    ...((manifest.ownStrategy !== null || manifest.replaced['scorer'] !== undefined) && { strategy: strategyText(manifest) }),
    ...(hooks !== null && { hooks: `${basename(hooks)} (SHA-256 ${hooksSha256})` }),
    ...(sink !== null && { sink: isModule(sink) ? basename(sink) : COMMAND }),
    ...(judgeBy !== null && { 'judge-by': `${basename(judgeBy)} (SHA-256 ${judgeSha256})` }),
    ...(urlLists.length > 0 && { 'url-list': urlLists.map(({ path }) => basename(path)).join(' ') }),
    ...(linkModel !== null && { 'link-model': `SHA-256 ${linkModel}` }),
    ...(fieldRules !== null && { 'field-rules': `SHA-256 ${fieldRules}` }),
  };
}

function recallOfCrawl({ paths, manifest, frontier }: OpenCrawl): Pick<CrawlFacts, 'recall'> {
  const found = recallIn(paths, manifest, frontier);
  return found === null ? {} : { recall: recallFacts(found) };
}

function agesOf({ frontier }: OpenCrawl): Pick<CrawlFacts, 'ages'> {
  const ages = pageAges(frontier);
  return ages === null ? {} : { ages };
}

/** @throws DamageError */
function measuredFacts({ paths }: OpenCrawl): Pick<CrawlFacts, 'bias' | 'stability'> {
  const [bias, stability] = [biasOf(paths), stabilityMeasured(paths)];
  return { ...(bias && { bias: bias.facts }), ...(stability && { stability: stability.facts }) };
}

/** Refusals, failures and pages excluded by NOT, as `status` counts them. */
function troublesOf({ manifest, frontier }: OpenCrawl): Pick<CrawlFacts, 'refusals' | 'failures' | 'excludedByNot'> {
  const judges = { threshold: manifest.topic.threshold, topics: manifest.topics };
  const { refusals, failures, excludedByNot } = FateTally.of(frontier, judges).counts();
  return { refusals, failures, excludedByNot };
}

/** Limits the seeds on a card, which people read whole. Seeds on the card that gave no page are listed separately, in the same order. @throws DataError */
function cardSeeds(crawl: OpenCrawl): Pick<CrawlFacts, 'seeds' | 'seedCount' | 'seedsWithoutPage'> {
  const all = seedsOf(crawl.paths, crawl.manifest);
  const seeds = all.slice(0, CARD_SEEDS);
  const lost = new Map<string, SeedWithoutPage>(seedEnds(seeds, crawl.frontier).lostSeeds.map((seed) => [seed.url, seed]));
  const reason = stopReasonOf(crawl);
  const seedsWithoutPage = seeds.flatMap((url) => {
    const standing = crawl.frontier.standing(url);
    return standing && waits(standing.state) ? { url, state: 'waiting' as const, reason } : (lost.get(url) ?? []);
  });
  return { seeds, seedsWithoutPage, ...(all.length > seeds.length && { seedCount: all.length }) };
}

/** Facts of the training from the cards of the active models that can be read. @throws UsageError if the crawl has no such topic */
async function trainingOf({ paths, manifest }: OpenCrawl, topicName: string | undefined): Promise<Pick<CrawlFacts, 'training'>> {
  const topics = topicName === undefined ? topicsOf(paths, manifest) : [topicNamed(paths, manifest, topicName)];
  const facts = await Promise.all(topics.map(({ folder }) => trainingIn(folder)));
  const training = facts.filter((one) => one !== null);
  return training.length === 0 ? {} : { training };
}

async function trainingIn(folder: string): Promise<TrainingFacts | null> {
  const card = await loadCard(folder).catch(() => null);
  return card && { ...trainingFacts(card), ...(await exampleNames(folder)) };
}

/** The examples by URL, or by the name of their file: folders are of the machine of the training. */
async function exampleNames(folder: string): Promise<Pick<TrainingFacts, 'exampleNames'>> {
  const training = await readTraining(folder).catch(() => null);
  const examples = training?.rows.filter(({ role }) => role === 'example') ?? [];
  return examples.length === 0 ? {} : { exampleNames: examples.slice(0, CARD_EXAMPLES).map(({ url, id }) => url ?? basename(id)) };
}

function trainingFacts({ subject, termsFor, termsAgainst, ...card }: ModelCard): TrainingFacts {
  const { name, modelId, created, method, dataSha256, counts, examplesByHost, validation } = card;
  const { examples, irrelevant, background } = counts;
  const { folds, count, recall } = validation;
  // As `train` prints them: against the bundled background alone, any model looks precise.
  const { averagePrecision, precision } = validation.against === 'pages' ? validation : { averagePrecision: null, precision: null };
  const hosts = examplesByHost.toSorted((a, b) => b.examples - a.examples);
  return {
    ...{ name, modelId, created, method, dataSha256, examples, irrelevant, background, examplesByHost: hosts },
    ...(subject !== undefined && { subject }),
    terms: { for: termsFor.map(({ feature }) => feature), against: termsAgainst.map(({ feature }) => feature) },
    validation: { folds, pages: count, averagePrecision, precision, recall },
  };
}

/** Cards of other versions have no query, and a corpus does not need one. */
async function queryOf(folder: string): Promise<string | null> {
  return loadCard(folder).then(
    ({ query }) => query ?? null,
    () => null,
  );
}
