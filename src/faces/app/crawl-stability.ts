/** Runs a crawl again on its own recording, with other seeds, examples or chance, and tells which of its pages do not depend on them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../base/core/errors.ts';
import { seededRng, shuffled } from '../../base/core/rng.ts';
import type { CanonicalUrl } from '../../base/core/types.ts';
import { publishFile, withOutput } from '../../base/disk/output.ts';
import { commandOn } from '../../base/text/forager-command.ts';
import { csvCell } from '../../base/text/table-cells.ts';
import { scanWords } from '../../base/text/tokens.ts';
import { hostNameOf } from '../../base/web/url.ts';
import { FrozenWeb } from '../../corpus/records/frozen-web.ts';
import { activeModel, type CrawlManifest, crawlPaths, readManifest } from '../../crawling/crawl-dir/crawl-directory.ts';
import { expansionOf } from '../../crawling/crawl-dir/crawl-parts.ts';
import { loadOwnModel, readOwnTraining } from '../../crawling/crawl-dir/load-topic.ts';
import { seedsOf } from '../../crawling/crawl-dir/seed-list.ts';
import { checkOptions, type OptionTable, without } from '../../crawling/settings/check-options.ts';
import { COMMANDS } from '../../crawling/settings/commands.ts';
import { checksOf } from '../../crawling/settings/derive.ts';
import { call, signal } from '../../crawling/settings/kinds.ts';
import type { OptionsOf } from '../../crawling/settings/setting.ts';
import { strategyNamed } from '../../reading/links/strategies.ts';
import { isOwnStrategy, type Strategy } from '../../reading/links/strategy-names.ts';
import type { LinearTopicModel } from '../../reading/topic/model.ts';
import type { StoredTraining } from '../../reading/topic/training-file.ts';
import { rememberedWordVectors } from '../../reading/topic/word-vector-source.ts';
import { simulate } from '../../study/eval/simulate.ts';
import { guideBy } from '../../study/eval/simulated-labelling.ts';
import { keptInRuns, type Stability, type StableRun, stabilityOf } from '../../study/eval/stability.ts';
import { trainWithLabels } from '../../study/label/label-training.ts';
import { freeze } from './freeze-crawl.ts';
import { keepStability } from './keep-measured.ts';

export interface StabilityOptions extends Omit<OptionsOf<typeof COMMANDS.stability>, 'json'> {
  /** Receives the number of finished runs, and their total. */
  readonly onProgress?: (done: number, of: number) => void;
  readonly signal?: AbortSignal;
}

const STABILITY: OptionTable<StabilityOptions> = { ...without(checksOf(COMMANDS.stability), 'json'), onProgress: call, signal };

export interface StabilityReport extends Stability {
  readonly dir: string;
  readonly vary: readonly string[];
  /** Visits of each run. */
  readonly budget: number;
  /** Pages of the recording. */
  readonly recorded: number;
}

const RUNS = 8;
const VARIED = ['seeds', 'examples', 'rng'] as const;
/** Share of the examples that each run learns from: a fifth is omitted, as in the folds of a training. */
const EXAMPLES = 0.8;
/** Words of fewer letters are mostly function words. */
const LEAST_LETTERS = 4;

/** The crawl, and its web. */
interface Recorded {
  readonly manifest: CrawlManifest;
  readonly strategy: Strategy;
  readonly web: FrozenWeb;
  readonly seeds: readonly CanonicalUrl[];
  readonly model: LinearTopicModel;
  readonly training: StoredTraining | null;
}

/** See `stability` of the library. */
export async function stability(options: StabilityOptions): Promise<StabilityReport> {
  checkOptions('stability', STABILITY, options, 'dir');
  const { dir, runs = RUNS, vary = VARIED, rngSeed = 1, pages, signal: stop } = options;
  if (runs < 2) throw new UsageError('--runs: one run agrees with itself; give 2 or more');
  const folder = mkdtempSync(join(tmpdir(), 'forager-stability-'));
  try {
    const recorded = await recordedIn(dir, join(folder, 'web.jsonl.gz'), stop);
    try {
      const budget = options.budget ?? Math.ceil(recorded.web.size / 2);
      const kept: Kept[] = [];
      for (let run = 0; run < runs; run += 1) {
        stop?.throwIfAborted();
        options.onProgress?.(run, runs);
        kept.push(await keptBy(recorded, new Set(vary), rngSeed + run, budget, stop));
      }
      const stable = stableRuns(recorded.web, kept);
      const report = { dir, vary, budget, recorded: recorded.web.size, ...stabilityOf(stable) };
      await keepStability(report, keptInRuns(stable));
      if (pages !== undefined) await writePages(pages, stable);
      return report;
    } finally {
      recorded.web.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws UsageError for a crawl of several topics, or one without a recording */
async function recordedIn(dir: string, path: string, stop: AbortSignal | undefined): Promise<Recorded> {
  const manifest = readManifest(dir);
  const paths = crawlPaths(dir);
  if (manifest.topics.length > 0)
    throw new UsageError(`${dir}: has ${manifest.topics.length} topics; stability is measured for crawls of one`);
  const { strategy } = manifest;
  if (isOwnStrategy(strategy))
    throw new UsageError(`${dir}: was crawled by a strategy of yours (${strategy}); stability is measured for Forager's own`);
  if (!manifest.record)
    throw new UsageError(
      `${dir}: has no recording of all links; crawl with --record, e.g. into a new directory: ${commandOn('crawl', `${dir}-recorded`, '--record')}`,
    );
  await freeze({ dir, out: path, ...(stop && { signal: stop }) });
  const training = await readOwnTraining(activeModel(paths, manifest), manifest);
  return {
    strategy,
    manifest,
    web: await FrozenWeb.open(path),
    seeds: seedsOf(paths, manifest),
    model: await loadOwnModel(paths, manifest),
    training,
  };
}

type Kept = readonly CanonicalUrl[];

async function keptBy(
  { manifest, strategy, web, seeds, model, training }: Recorded,
  vary: ReadonlySet<string>,
  seed: number,
  budget: number,
  stop: AbortSignal | undefined,
): Promise<Kept> {
  const rng = seededRng(seed);
  const starts = vary.has('seeds') ? shuffled(seeds, rng).slice(0, Math.ceil(seeds.length / 2)) : seeds;
  const used = vary.has('examples') ? await trainedOnPart(model, training, seed) : model;
  const { usesTopic, tie, scorer } = strategyNamed(strategy);
  const chance = vary.has('rng') ? seed : manifest.rngSeed;
  const run = await simulate({
    web,
    starts,
    budget,
    guide: await guideBy(used, web),
    scorer: scorer({ threshold: used.threshold, seed: chance }),
    tunnel: usesTopic ? expansionOf(manifest).tunnel : Number.POSITIVE_INFINITY,
    tie,
    explore: manifest.explore > 0 ? { share: manifest.explore, seed: chance } : null,
    ...(stop && { signal: stop }),
  });
  return run.ledger.flatMap(({ url, state }) => (state === 'kept' ? [url] : []));
}

/** The model trained with a random part of its examples. @throws UsageError for a model without them */
async function trainedOnPart(model: LinearTopicModel, training: StoredTraining | null, seed: number): Promise<LinearTopicModel> {
  const examples = (training?.rows ?? []).filter(({ role }) => role === 'example');
  if (training === null || examples.length < 2)
    throw new UsageError('--vary examples: the model of the crawl has no example pages stored; give --vary seeds,rng');
  const part = new Set(shuffled(examples, seededRng(seed)).slice(0, Math.ceil(EXAMPLES * examples.length)));
  const rows = training.rows.filter((row) => row.role !== 'example' || part.has(row));
  const trained = await trainWithLabels({ ...training, rows }, [], {
    model,
    rule: model.rule,
    taught: null,
    pool: [],
    share: null,
    seed,
    now: 0,
    software: 'stability',
    wordVectors: await rememberedWordVectors(training.wordVectors),
  });
  return trained.model;
}

/** Counts words and hosts. A word on more than half of the pages that any run keeps is a function word, or of the whole subject. */
function stableRuns(web: FrozenWeb, runs: readonly Kept[]): StableRun[] {
  const words = new Map([...new Set(runs.flat())].map((url) => [url, wordsOf(web, url)]));
  const frequency = countsOf([...words.values()].flatMap((own) => [...own]));
  const isCommon = (word: string) => 2 * (frequency.get(word) ?? 0) > words.size;
  return runs.map((kept) => ({
    kept: new Set(kept),
    terms: countsOf(kept.flatMap((url) => [...(words.get(url) ?? [])].filter((word) => !isCommon(word)))),
    hosts: countsOf(kept.map(hostNameOf)),
  }));
}

function wordsOf(web: FrozenWeb, url: CanonicalUrl): ReadonlySet<string> {
  const visit = web.visit(web.indexOf(url));
  const words = new Set<string>();
  if (visit.kind !== 'page') return words;
  const { text } = visit.content;
  scanWords(text, (_hash, start, end) => {
    if (end - start >= LEAST_LETTERS) words.add(text.slice(start, end).toLowerCase());
  });
  return words;
}

function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

async function writePages(path: string, runs: readonly StableRun[]): Promise<void> {
  const rows = [...keptInRuns(runs)].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const text = rows.map(([url, times]) => `${csvCell(url)},${times}\n`).join('');
  await withOutput(path, { form: 'file', mayReplace: false }, { as: '--pages' }, (output) =>
    publishFile(output, `url,keptInRuns\n${text}`),
  );
}
