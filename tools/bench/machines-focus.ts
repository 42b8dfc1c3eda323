/**
 * Focus of a crawl on several machines: harvest rate at equal visits, by number of workers, on the webs of `npm run bench -- focus` that have several hosts,
 * judged by labels that no model of ours made. Visits are those of all workers together.
 *
 *   npm run bench -- machines-focus [--workers 1,4] [--split report|dev] [--topics a,b] [--seeds 2] [--first-seed 1] [--budget 500] [--strategy apprentice]
 *     [--delay 1000] [--latency 200] [--concurrency 16] [--jobs 2] [--web DIR] [--cache DIR] [--json FILE]
 *
 * The workers are real, with a log in a PostgreSQL of their own, and share one simulated clock: a request takes 200 ms, a host rests a second, 16 requests at
 * once a worker, commits and looks at the crawl as often as on the web. The clock stands still while the database works, so that all workers make progress
 * at the pace of the web, however slow the machine is. `--budget` is that of the whole crawl; default: twice the pages to find, from 100 to 2,000.
 *
 * Without the Debian web (`npm run data -- web-build`) only the generated webs are run: half an hour on two threads.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readManifest } from '../../datasets/debian-web/manifest.ts';
import { UsageError } from '../../src/base/core/errors.ts';
import { grouped } from '../../src/base/core/grouped.ts';
import type { Ms, Unit } from '../../src/base/core/types.ts';
import { numberTable } from '../../src/base/text/markdown.ts';
import { bootstrapMean, mean } from '../../src/study/eval/bootstrap.ts';
import { WebGraph } from '../../src/study/eval/graph.ts';
import { measure, SHARES } from '../../src/study/eval/measures.ts';
import { fixed } from '../../src/study/eval/tables.ts';
import { stakesOf, type Trial } from '../../src/study/eval/trial.ts';
import { crawlTogether, type FrozenRun } from '../../test/machines/frozen-workers.ts';
import { PostgresServer } from '../../test/support/postgres-server.ts';
import { drawTrial } from './focus/draw.ts';
import { type FocusTopic, focusTopics, kindOf, portalHosts } from './focus/topics.ts';
import { variantOf } from './focus/variants.ts';
import { foldersOf, openWeb, webName } from './focus/webs.ts';
import { inParts } from './parts.ts';

/** One line that a part of the run tells the whole. */
interface Result {
  readonly topic: string;
  readonly kind: string;
  readonly seed: number;
  readonly workers: number;
  readonly budget: number;
  readonly visits: number;
  /** Visits of each worker. */
  readonly each: readonly number[];
  /** At each of `SHARES` of the budget. */
  readonly harvest: readonly Unit[];
  readonly recallAuc: Unit;
  /** By the simulated clock. */
  readonly ms: Ms;
}

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '1,4' },
    split: { type: 'string', default: 'report' },
    topics: { type: 'string' },
    seeds: { type: 'string', default: '2' },
    'first-seed': { type: 'string', default: '1' },
    budget: { type: 'string' },
    strategy: { type: 'string', default: 'apprentice' },
    delay: { type: 'string', default: '1000' },
    latency: { type: 'string', default: '200' },
    concurrency: { type: 'string', default: '16' },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    web: { type: 'string', default: '.cache/debian-web' },
    cache: { type: 'string', default: '.cache/frozen' },
    json: { type: 'string' },
    part: { type: 'string' },
  },
});
/** The default of a crawl. */
const TUNNEL = 4;
/** How much less harvest several workers may have. */
const ALLOWED: Unit = 0.02;

const workerCounts = values.workers.split(',').map(Number);
const hasPages = readManifest(values.web).rows.length > 0;
const topics = focusTopics(portalHosts(values.web), foldersOf(values.web)).filter(
  ({ split, name, web }) =>
    split === values.split &&
    (web.kind === 'generated' || (web.kind === 'portals' && hasPages)) &&
    (values.topics?.split(',').some((word) => name.includes(word)) ?? true),
);
if (topics.length === 0) throw new UsageError(`--split ${values.split} --topics ${values.topics}: no such topic on a web of several hosts`);
if (values.part !== undefined) await runPart(Number(values.part));
else await runAll();

async function runAll(): Promise<void> {
  for (const spec of new Map(topics.map(({ web }) => [webName(web), web])).values())
    (await openWeb(spec, foldersOf(values.web), values.cache)).close();
  const results: Result[] = [];
  const started = performance.now();
  await inParts<Result>(Number(values.jobs), (result) => {
    results.push(result);
    const { topic, seed, workers, harvest, visits, each, ms } = result;
    const minutes = ((performance.now() - started) / 60_000).toFixed(1);
    process.stderr.write(
      `${minutes} min ${topic} seed ${seed}, ${workers} workers: ${harvest.map(fixed).join(' ')} in ${visits} visits (${each.join(' + ')}), ${(ms / 1000).toFixed(0)} simulated s\n`,
    );
  });
  if (values.json) writeFileSync(values.json, `${JSON.stringify(results)}\n`);
  process.stdout.write(`${tablesOf(results)}\n`);
}

/** The topics of a web go to one part, so that it is opened once. */
async function runPart(part: number): Promise<void> {
  const own = [...grouped(topics, ({ web }) => webName(web)).values()].filter((_, i) => i % Number(values.jobs) === part);
  const [server, folder] = [await PostgresServer.start(), mkdtempSync(join(tmpdir(), 'forager-machines-focus-'))];
  try {
    for (const topicsOfWeb of own) await runWeb(topicsOfWeb, server, folder);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runWeb(own: readonly FocusTopic[], server: PostgresServer, folder: string): Promise<void> {
  const [first] = own;
  if (first === undefined) return;
  const web = await openWeb(first.web, foldersOf(values.web), values.cache);
  const graph = await WebGraph.of(web);
  const seeds = Array.from({ length: Number(values.seeds) }, (_, i) => Number(values['first-seed']) + i);
  for (const topic of own)
    for (const seed of seeds) {
      const drawn = await drawTrial(topic, web, graph, seed);
      const trial = { ...drawn, budget: values.budget === undefined ? null : Number(values.budget) };
      for (const workers of workerCounts) {
        const name = `focus-${process.pid}-${performance.now()}`;
        const run = await crawled(trial, workers, seed, server.address(name), join(folder, name));
        process.stdout.write(`${JSON.stringify(resultOf(run, trial, { topic: topic.name, kind: kindOf(topic), seed, workers }))}\n`);
        rmSync(join(folder, name), { recursive: true });
      }
    }
  web.close();
}

function crawled(trial: Trial, workers: number, seed: number, at: string, folder: string): Promise<FrozenRun> {
  const { scorer, tunnel, tie } = variantOf(values.strategy, trial, TUNNEL, seed);
  const timing = { delay: Number(values.delay), latency: Number(values.latency), concurrency: Number(values.concurrency) };
  const { web, guide, starts } = trial;
  const crawl = { web, guide, starts, tunnel, tie, ...timing, maxPages: stakesOf(trial).budget };
  return crawlTogether({ ...crawl, scorer: () => scorer(guide.model.threshold) }, workers, at, folder);
}

function resultOf({ events, ends, ms }: FrozenRun, trial: Trial, of: Pick<Result, 'topic' | 'kind' | 'seed' | 'workers'>): Result {
  const { targets, budget } = stakesOf(trial);
  // Every answer of these webs has a status.
  const order = events.flatMap((event) => (event.type === 'settled' && event.status !== null ? [trial.web.indexOf(event.url)] : []));
  const each = ends.map(({ visits }) => visits);
  const { harvestRate, recallAuc } = measure(targets.found(order), targets.total, budget);
  return { ...of, budget, visits: order.length, each, harvest: harvestRate, recallAuc, ms };
}

function tablesOf(results: readonly Result[]): string {
  const kinds = [...grouped(results, ({ kind }) => kind), ['all', results] as const];
  const heads = SHARES.map((share) => `harvest at ${100 * share} %`);
  const rows = kinds.flatMap(([kind, own]) =>
    workerCounts.map((workers) => {
      const some = own.filter((result) => result.workers === workers);
      const time = mean(some.map(({ ms }) => ms / 1000)).toFixed(0);
      const columns = SHARES.map((_, i) => fixed(mean(some.map(({ harvest }) => harvest[i] ?? 0))));
      return [
        kind,
        String(workers),
        mean(some.map(({ visits }) => visits)).toFixed(0),
        ...columns,
        fixed(mean(some.map(({ recallAuc }) => recallAuc))),
        time,
      ];
    }),
  );
  return [
    numberTable(['web', 'workers', 'visits', ...heads, 'area under the recall curve', 'simulated s'], rows),
    ...workerCounts.slice(1).map((workers) => differencesOf(results, workers)),
  ].join('\n\n');
}

/** Harvest rate of several workers less that of the first number of workers, on the same draws. */
function differencesOf(results: readonly Result[], workers: number): string {
  const [alone] = workerCounts;
  const key = ({ topic, seed }: Result) => `${topic}/${seed}`;
  const first = new Map(results.filter((result) => result.workers === alone).map((result) => [key(result), result]));
  const lines = SHARES.map((share, i) => {
    const draws = results
      .filter((result) => result.workers === workers)
      .map((result) => ({
        topic: result.topic,
        draw: result.seed,
        difference: (result.harvest[i] ?? 0) - (first.get(key(result))?.harvest[i] ?? Number.NaN),
      }));
    const { mean: middle, low, high } = bootstrapMean(draws);
    const verdict = middle >= -ALLOWED ? 'within' : 'NOT within';
    return `- ${100 * share} % of the budget: ${fixed(middle)} [${fixed(low)}, ${fixed(high)}], ${verdict} ${ALLOWED}`;
  });
  return `Harvest rate of ${workers} workers less that of ${alone}, mean and 95 of 100 bootstrap samples:\n\n${lines.join('\n')}`;
}
