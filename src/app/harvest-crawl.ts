import { resolve, sep } from 'node:path';
import { DataError, type OnDamaged, UsageError } from '../core/errors.ts';
import type { CanonicalUrl, CorpusRecord, RecordId, Topic, Unit } from '../core/types.ts';
import type { CrawlFacts, SeedWithoutPage } from '../corpus/corpus-card.ts';
import type { HarvestReport } from '../corpus/harvest-writer.ts';
import { type HarvestProgress, harvestCorpus } from '../corpus/harvest-writer.ts';
import { recordsOf, refuseUnsoundCorpus } from '../crawl-dir/corpus-soundness.ts';
import { type CrawlPaths, crawlPaths, topicNamed } from '../crawl-dir/crawl-directory.ts';
import { makeRoomFor, refuseFileInPath } from '../crawl-dir/directories.ts';
import { type OpenCrawl, openCrawl, stopReasonOf } from '../crawl-dir/open-crawl.ts';
import { seedsOf } from '../crawl-dir/seed-list.ts';
import { labelFacts } from '../inspect/grounds.ts';
import { ledgerLines, notReached, waits } from '../inspect/ledger-lines.ts';
import { seedEnds } from '../inspect/lost-seeds.ts';
import { checkOptions, type OptionTable, without } from '../settings/check-options.ts';
import { COMMANDS } from '../settings/commands.ts';
import { checksOf } from '../settings/derive.ts';
import { call, signal } from '../settings/kinds.ts';
import type { OptionsOf } from '../settings/setting.ts';
import { detectLanguage } from '../text/language.ts';
import { languageCode, languageMeant } from '../text/language-code.ts';
import { loadCard } from '../topic/files.ts';

/** Seeds that a card names. */
const CARD_SEEDS = 1000;

/** What a harvest is asked for. A `minRelevance` that is left out is that of the crawl: all kept pages; with `topicName` its threshold, after `relabel` that of the model in force. */
export interface HarvestOptions extends Omit<OptionsOf<typeof COMMANDS.harvest>, 'json' | 'skipDamaged'> {
  /** Told of what is damaged or missing in the crawl's files, which is left out and counted on the card. Without it the harvest ends there. */
  readonly onDamaged?: OnDamaged;
  readonly progress?: (progress: HarvestProgress) => void;
  readonly signal?: AbortSignal;
}

export const HARVEST: OptionTable<HarvestOptions> = {
  ...without(checksOf(COMMANDS.harvest), 'json', 'skipDamaged'),
  onDamaged: call,
  progress: call,
  signal,
};

/** See `harvest` of the library. */
export async function harvest(options: HarvestOptions): Promise<HarvestReport> {
  checkOptions('harvest', HARVEST, options, 'dir', 'out');
  const languages = (options.languages ?? []).map(wantedLanguage);
  refuseFileInPath(options.out);
  refuseInside(crawlPaths(options.dir), options.out);
  const crawl = openCrawl(options.dir, options.onDamaged);
  try {
    refuseUnsoundCorpus(crawl);
    // At once, before a crawl that goes on can commit: versions beyond the offsets would hide those before them, or lend them their relevance.
    const expected = recordsOf(crawl);
    const isNewest = newestOf(expected);
    const view = viewOf(crawl, options.topicName);
    makeRoomFor(options.out);
    return await harvestCorpus({
      corpusDir: crawlPaths(options.dir).corpus,
      outDir: options.out,
      formats: options.formats ?? ['jsonl'],
      minRelevance: options.minRelevance ?? (view.present ? view.topic.threshold : null),
      languages,
      reserved: options.reserved ?? 'omit',
      dedupe: options.dedupe ?? 'exact',
      force: options.force ?? false,
      committed: crawl.frontier.committedOffsets(),
      detectLanguage,
      crawl: await factsOf(crawl, view),
      now: Date.now(),
      isNewest,
      expected,
      ...(options.onDamaged ? { onDamaged: options.onDamaged } : {}),
      ...(view.present ? { present: view.present } : {}),
      ...(options.progress ? { progress: options.progress } : {}),
      ...(options.signal ? { signal: options.signal } : {}),
    });
  } finally {
    await crawl.close();
  }
}

/** @throws UsageError for what is no code of a language: no page could be in it. */
function wantedLanguage(tag: string): string {
  const code = languageCode(tag);
  if (code !== null) return code;
  const meant = languageMeant(tag);
  throw new UsageError(
    `--lang ${tag}: is no code of a language; ${meant ? `did you mean ${meant}?` : 'give one such as en or de (BCP 47)'}`,
  );
}

/** The records that the frontier names: of pages with several versions the last, and none that is another crawl's. */
function newestOf(expected: ReadonlyMap<RecordId, CanonicalUrl>): (record: CorpusRecord) => boolean {
  return ({ id }) => expected.has(id);
}

/** What a corpus is made by. */
interface View {
  readonly topic: Topic;
  /** Folder of its model; null for several together, which no model has. */
  readonly folder: string | null;
  /** Each record as that topic judges it; null where the records have that judgement. */
  readonly present: ((record: CorpusRecord) => CorpusRecord) | null;
}

/** @throws UsageError when the crawl has no such topic */
function viewOf(crawl: OpenCrawl, name: string | undefined): View {
  const { manifest, paths } = crawl;
  const found = name === undefined ? null : topicNamed(paths, manifest, name);
  if (manifest.topics.length > 0)
    return found
      ? { topic: found, folder: found.folder, present: (record) => judgedBy(record, found) }
      : { topic: manifest.topic, folder: null, present: null };
  const present = manifest.relabelled.length > 0 ? asJudgedNow(crawl) : null;
  return { topic: manifest.topic, folder: paths.model, present };
}

/** A record with the judgement of one topic of several. */
function judgedBy(record: CorpusRecord, { id }: Topic): CorpusRecord {
  const judgement = record.topics?.find(({ modelId }) => modelId === id);
  if (judgement === undefined)
    throw new DataError(`${record.url}: its record has not what topic model ${id} says; restore the corpus from a copy`);
  const { relevance, threshold, modelId } = judgement;
  return { ...record, relevance, threshold, modelId };
}

/** Records with the judgement of the model in force; their WARC records keep that of the time they were fetched. */
function asJudgedNow({ manifest, frontier }: OpenCrawl): (record: CorpusRecord) => CorpusRecord {
  const { id: modelId, threshold } = manifest.topic;
  const relevances = new Map<string, Unit | null>();
  for (const { url, state, relevance } of frontier.ledger()) if (state === 'kept') relevances.set(url, relevance);
  return (record) => ({ ...record, relevance: relevances.get(record.url) ?? record.relevance, threshold, modelId });
}

/** What Forager deletes with a crawl is no place for what is made of it. @throws UsageError */
export function refuseInside({ dir, corpus, model, models, frontier }: CrawlPaths, out: string): void {
  const own = [corpus, model, models, frontier].find((folder) => isWithin(resolve(folder), resolve(out)));
  if (own !== undefined || resolve(out) === resolve(dir)) throw new UsageError(`${out}: belongs to the crawl itself; give another --out`);
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}${sep}`);
}

async function factsOf(crawl: OpenCrawl, { topic, folder }: View): Promise<CrawlFacts> {
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
    ...(manifest.topics.length > 0 && { topics: manifest.topics }),
    query: folder === null ? null : await queryOf(folder),
    labels: labelFacts(crawl),
    ...cardSeeds(crawl),
    strategy: manifest.strategy,
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

/** A card is read whole by those who look at it. Of the seeds it names, those that gave no page are told apart, in their order. @throws DataError */
function cardSeeds(crawl: OpenCrawl): Pick<CrawlFacts, 'seeds' | 'seedCount' | 'seedsWithoutPage'> {
  const all = seedsOf(crawl.paths, crawl.manifest);
  const seeds = all.slice(0, CARD_SEEDS);
  const lost = new Map<string, SeedWithoutPage>(seedEnds(seeds, crawl.frontier).lostSeeds.map((seed) => [seed.url, seed]));
  const reason = stopReasonOf(crawl);
  const seedsWithoutPage = seeds.flatMap((url) => {
    const standing = crawl.frontier.standing(url);
    return standing && waits(standing.state) ? { url, ...notReached(reason) } : (lost.get(url) ?? []);
  });
  return { seeds, seedsWithoutPage, ...(all.length > seeds.length && { seedCount: all.length }) };
}

/** Cards of other versions say none, and a corpus can be had without. */
async function queryOf(folder: string): Promise<string | null> {
  return loadCard(folder).then(
    ({ query }) => query ?? null,
    () => null,
  );
}
