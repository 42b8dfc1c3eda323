import { join } from 'node:path';
import { type OnDamaged, UsageError } from '../../base/core/errors.ts';
import { isThere } from '../../base/core/on-disk.ts';
import type { EpochMs } from '../../base/core/types.ts';
import { type Output, withOutput } from '../../base/disk/output.ts';
import { foragerCommand } from '../../base/text/forager-command.ts';
import { detectLanguage } from '../../base/text/language.ts';
import { languageCode, languageMeant } from '../../base/text/language-code.ts';
import { Blank, pathWord } from '../../base/text/shell-line.ts';
import { CARD_FILE } from '../../corpus/describe/card-markdown.ts';
import { HARVEST_OUTPUT } from '../../corpus/harvest/harvest-output.ts';
import { isFolder } from '../../corpus/harvest/harvest-sinks.ts';
import type { HarvestReport } from '../../corpus/harvest/harvest-writer.ts';
import { type HarvestProgress, harvestCorpus, type WritingOptions } from '../../corpus/harvest/harvest-writer.ts';
import type { S3Credentials } from '../../corpus/object-store/aws-signature.ts';
import { Withdrawals } from '../../corpus/records/withdrawals.ts';
import type { MeasuredColumn } from '../../corpus/select/measured-column-names.ts';
import type { MeasuredValues } from '../../corpus/select/measured-facts.ts';
import type { MeasurePrecision } from '../../corpus/select/measured-selection.ts';
import { keptRecordsOf, refuseUnsoundCorpus } from '../../crawling/crawl-dir/corpus-soundness.ts';
import { crawlPaths, isCrawlIn } from '../../crawling/crawl-dir/crawl-directory.ts';
import { biasOf, stabilityMeasured } from '../../crawling/crawl-dir/measured-files.ts';
import { type OpenCrawl, openCrawl } from '../../crawling/crawl-dir/open-crawl.ts';
import { type TopicPart, topicPart, topicParts } from '../../crawling/crawl-dir/topic-part.ts';
import { checkOptions, type OptionTable, without } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import { obeyedProtocols } from '../../crawling/settings/harvest-kinds.ts';
import { refuseIdle } from '../../crawling/settings/idle-options.ts';
import { atLeast0, call, secret, signal } from '../../crawling/settings/kinds.ts';
import type { OptionsOf } from '../../crawling/settings/setting.ts';
import { harvestPrecision } from '../../study/inspect/grounds.ts';
import { factsOf } from './card-facts.ts';
import { momentsOf, type View, versionsOfCrawl, viewOf } from './crawl-view.ts';
/** Options of an operation that writes a corpus, in addition to those of its command. */
export interface CorpusOutput {
  /** Receives damage and losses in the files that are read; these pages are omitted and counted on the card. Without it, damage ends the operation. */
  readonly onDamaged?: OnDamaged;
  readonly progress?: (progress: HarvestProgress) => void;
  readonly signal?: AbortSignal;
  /** Receives a line about a lock that is waited for, and about folders that a killed command left and the user has to look at. */
  readonly warn?: (message: string) => void;
  /** Credentials for an `out` of `s3://`. They are stored nowhere, and no message has them. */
  readonly s3Credentials?: S3Credentials;
  /** Time of the corpus on its card, ms since 1970. Two corpora of the same pages at the same time have the same bytes. Default: now. */
  readonly now?: EpochMs;
}

export const CORPUS_OUTPUT: OptionTable<CorpusOutput> = {
  onDamaged: call,
  progress: call,
  signal,
  warn: call,
  s3Credentials: secret,
  now: atLeast0.check,
};

/** Options of a harvest. Default of `minRelevance`: none, so all kept pages; with `topicName`, that topic's threshold; after retraining, the active model's. */
export interface HarvestOptions extends Omit<OptionsOf<typeof COMMANDS.harvest>, 'json' | 'skipDamaged'>, CorpusOutput {}

export const HARVEST: OptionTable<HarvestOptions> = {
  ...without(checksOf(COMMANDS.harvest), 'json', 'skipDamaged'),
  ...CORPUS_OUTPUT,
};

/** See `harvest` of the library. */
export async function harvest(options: HarvestOptions): Promise<HarvestReport> {
  checkOptions('harvest', HARVEST, options, 'dir', 'out');
  refuseIdle('harvest', COMMANDS.harvest, options);
  const languages = (options.languages ?? []).map((tag) => wantedLanguage(tag));
  refuseBadUrl(options.corpusUrl);
  if (!isCrawlIn(options.dir) && isThere(join(options.dir, CARD_FILE)))
    throw new UsageError(
      `${options.dir}: is a harvest, not a crawl; to select from it, write: ${foragerCommand('corpus', 'merge', pathWord(options.dir), '--out', new Blank('folder'))}`,
    );
  return withCorpusOutput(options, (claimed) => harvested(options, languages, claimed));
}

/** Claims the folder of a corpus before any page is read; null for another place. @throws as `Output.claim` */
export function withCorpusOutput<T>(
  { out, force, signal: stop, warn }: Pick<HarvestOptions, 'out' | 'force' | 'signal' | 'warn'>,
  work: (claimed: Output | null) => Promise<T>,
): Promise<T> {
  return isFolder(out)
    ? withOutput(out, HARVEST_OUTPUT, { force, ...(stop && { signal: stop }), ...(warn && { warn }) }, work)
    : work(null);
}

async function harvested(options: HarvestOptions, languages: readonly string[], claimed: Output | null): Promise<HarvestReport> {
  const crawl = openCrawl(options.dir, options.onDamaged);
  try {
    refuseUnsoundCorpus(crawl);
    // Comes first, before a running crawl can commit: versions beyond the offsets would hide earlier ones, or give them their own relevance.
    const expected = keptRecordsOf(crawl);
    const versions = momentsOf(options.versions);
    const view = viewOf(crawl, options.topicName, versions);
    const { obey = crawl.manifest.obey } = options;
    const { dir, out, topicName: _, force, s3Endpoint, s3Region, s3Credentials, ...shaping } = options;
    return await harvestCorpus({
      ...shaping,
      corpusDir: crawlPaths(dir).corpus,
      to: { out, force, s3Endpoint, s3Region, s3Credentials, ...(claimed && { claimed }) },
      formats: options.formats ?? ['jsonl'],
      minRelevance: options.minRelevance ?? (view.present ? view.topic.threshold : null),
      languages,
      reserved: options.reserved ?? 'omit',
      obey: obeyedProtocols(obey),
      dedupe: options.dedupe ?? 'exact',
      committed: crawl.frontier.committedOffsets(),
      detectLanguage,
      crawl: await factsOf(crawl, view, options.topicName),
      ...measureOf(crawl, view, options),
      measured: measuredIn(crawl, options),
      now: options.now ?? Date.now(),
      ...versionsOfCrawl(expected, view, versions),
      withdrawals: Withdrawals.at(crawlPaths(dir).withdrawn),
      // The frontier does not know the newest versions of earlier moments.
      ...(typeof versions !== 'object' && { expected }),
    });
  } finally {
    await crawl.close();
  }
}

/** @throws UsageError for a column that was not measured; DamageError */
function measuredIn({ paths }: OpenCrawl, { dir, columns = [] }: HarvestOptions): MeasuredValues {
  const reads = { frameWeight: () => biasOf(paths), keptInRuns: () => stabilityMeasured(paths) };
  return Object.fromEntries(
    columns.map((name) => {
      const found = reads[name]();
      if (found === null) throw new UsageError(`--columns ${name}: was not measured; first run ${measuringCommand(name, dir)}`);
      return [name, found.pages];
    }),
  );
}

function measuringCommand(name: MeasuredColumn, dir: string): string {
  return name === 'frameWeight'
    ? foragerCommand('corpus', 'bias', pathWord(dir), '--frame', new Blank('frame'))
    : foragerCommand('stability', pathWord(dir));
}

/** Several topics together have no labels in common: each is measured by its own, unless a least relevance of all together chooses the pages. */
function measureOf(
  crawl: OpenCrawl,
  view: View,
  { topicName, minRelevance }: HarvestOptions,
): Pick<WritingOptions, 'measure' | 'measureTopics'> {
  const { manifest, paths } = crawl;
  if (topicName === undefined && manifest.topics.length > 0) {
    if (minRelevance !== undefined) return {};
    const of =
      (part: TopicPart): MeasurePrecision =>
      (omits) =>
        harvestPrecision(crawl, part, part.topic.threshold, omits);
    return { measureTopics: new Map(topicParts(paths.dir, manifest).map((part) => [part.topic.name, of(part)])) };
  }
  const part = topicPart(paths.dir, manifest, topicName);
  const least = minRelevance ?? (view.present ? view.topic.threshold : null);
  return { measure: (omits) => harvestPrecision(crawl, part, least, omits) };
}

/** @throws UsageError */
export function refuseBadUrl(url: string | undefined): void {
  if (url !== undefined && !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)))
    throw new UsageError(`--corpus-url ${url}: is not an http(s) URL; give the address of the page where you publish the corpus`);
}

/** @param option that has it. @throws UsageError for a word that is not a language code: no page could be in that language. */
export function wantedLanguage(tag: string, option = '--lang'): string {
  const code = languageCode(tag);
  if (code !== null) return code;
  const meant = languageMeant(tag);
  throw new UsageError(
    `${option} ${tag}: is not a language code; ${meant ? `did you mean ${meant}?` : 'give a code such as en or de (BCP 47)'}`,
  );
}
