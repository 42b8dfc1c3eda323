/**
 * Harvest rate of the link strategies on real pages: sub-topics inside big hosts of the Debian web, labelled by URL prefix.
 * The judge is the label; the guide is a topic model trained from good pages alone, which are never counted as hits.
 *
 *   npm run bench:harvest -- [--web DIR] [--runs 5] [--only cpp,sage,kernel,units,graphs] [--strategies a,b] [--irrelevant N] [--json FILE]
 *
 * Needs the hosts built: npm run web:build -- --only en.cppreference.com,doc.sagemath.org,docs.kernel.org,macaulay2.com
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { crawl, type Strategy, train } from 'forager';
import { underPrefix } from '../../datasets/debian-web/labels.ts';
import { pagesOf, readManifest } from '../../datasets/debian-web/manifest.ts';
import { startDebianWeb } from '../../datasets/debian-web/web.ts';
import { seededRng, shuffled } from '../../src/core/rng.ts';

interface Target {
  readonly name: string;
  readonly host: string;
  readonly prefix: string;
  readonly budget: number;
}

const TARGETS: readonly Target[] = [
  { name: 'cpp', host: 'en.cppreference.com', prefix: 'en.cppreference.com/w/cpp/thread/', budget: 200 },
  { name: 'sage', host: 'doc.sagemath.org', prefix: 'doc.sagemath.org/html/en/reference/combinat/', budget: 200 },
  { name: 'kernel', host: 'docs.kernel.org', prefix: 'docs.kernel.org/networking/', budget: 400 },
  // The settings of the topic model were chosen on sub-topics of the three hosts above, of this one on none.
  { name: 'units', host: 'macaulay2.com', prefix: 'macaulay2.com/doc/Macaulay2/share/doc/Macaulay2/Units/', budget: 200 },
  { name: 'graphs', host: 'macaulay2.com', prefix: 'macaulay2.com/doc/Macaulay2/share/doc/Macaulay2/Graphs/', budget: 150 },
];
const STRATEGIES: readonly Strategy[] = ['apprentice', 'parent', 'anchor', 'shark', 'bfs', 'random'];
const TRAINING_PAGES = 20;
const SEEDS = 3;

const { values } = parseArgs({
  options: {
    web: { type: 'string', default: '.cache/debian-web' },
    runs: { type: 'string', default: '5' },
    only: { type: 'string' },
    strategies: { type: 'string' },
    irrelevant: { type: 'string', default: '0' },
    json: { type: 'string' },
    'first-seed': { type: 'string', default: '1' },
  },
});

const web = await startDebianWeb({ dir: values.web });
const folder = mkdtempSync(join(tmpdir(), 'forager-harvest-'));
const results: { target: string; strategy: Strategy; seed: number; harvestRate: number; hits: number; visits: number }[] = [];
try {
  for (const target of TARGETS.filter(({ name }) => !values.only || values.only.split(',').includes(name))) {
    for (let run = 0; run < Number(values.runs); run++) await runTarget(target, Number(values['first-seed']) + run);
  }
} finally {
  await web.close();
  rmSync(folder, { recursive: true, force: true });
}
printTable();
if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);

/** One draw of training pages and seeds, and a crawl by each strategy from them. */
async function runTarget(target: Target, seed: number): Promise<void> {
  const onTopic = underPrefix(target.prefix);
  const all = readManifest(values.web)
    .rows.filter(({ host }) => host === target.host)
    .flatMap((row) => pagesOf(values.web, row));
  const rng = seededRng(seed);
  const targets = shuffled(all.filter((page) => onTopic(`http://${page}`)).sort(), rng);
  const others = shuffled(all.filter((page) => !onTopic(`http://${page}`)).sort(), rng);
  const training = targets.slice(0, TRAINING_PAGES);
  const seeds = targets.slice(TRAINING_PAGES, TRAINING_PAGES + SEEDS).map((page) => `http://${page}`);
  const model = join(folder, `${target.name}-${seed}`);
  const irrelevant = others.slice(0, Number(values.irrelevant));
  writeExamples(`${model}.jsonl`, training);
  writeExamples(`${model}-irrelevant.jsonl`, irrelevant);
  await train({
    examples: [`${model}.jsonl`],
    out: model,
    ...(irrelevant.length > 0 ? { irrelevant: [`${model}-irrelevant.jsonl`] } : {}),
  });
  const taught = new Set(training.map((page) => `http://${page}`));
  for (const strategy of STRATEGIES.filter((name) => !values.strategies || values.strategies.split(',').includes(name))) {
    let visits = 0;
    let hits = 0;
    const dir = join(folder, `${target.name}-${seed}-${strategy}`);
    await crawl({
      dir,
      topic: model,
      seeds,
      strategy,
      rngSeed: seed,
      scope: [`host:${target.host}`],
      tunnel: 1000,
      maxPages: target.budget,
      concurrency: 1,
      delay: 0,
      proxy: web.proxy,
      onEvent: (event) => {
        if (event.type !== 'settled' || event.settlement !== 'done' || event.reason === 'scope' || event.reason === 'robots') return;
        visits += 1;
        if (onTopic(event.url) && !taught.has(event.url) && event.fate !== 'failed') hits += 1;
      },
    });
    rmSync(dir, { recursive: true, force: true });
    results.push({ target: target.name, strategy, seed, harvestRate: hits / visits, hits, visits });
    process.stderr.write(`${target.name} seed ${seed} ${strategy}: ${hits} of ${visits}\n`);
  }
}

function writeExamples(path: string, pages: readonly string[]): void {
  const lines = pages.map((page) => JSON.stringify({ url: `http://${page}`, html: readFileSync(join(values.web, page), 'utf8') }));
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''), 'utf8');
}

function printTable(): void {
  const names = [...new Set(results.map(({ target }) => target))];
  process.stdout.write(
    `harvest rate, mean (least to most) of ${values.runs} runs; ${TRAINING_PAGES} good training pages, ${values.irrelevant} irrelevant, ${SEEDS} seeds\n\n`,
  );
  process.stdout.write(
    `| strategy | ${names.map((name) => `${name} @${TARGETS.find((target) => target.name === name)?.budget}`).join(' | ')} |\n|${' --- |'.repeat(names.length + 1)}\n`,
  );
  for (const strategy of STRATEGIES) {
    const cells = names.map((name) =>
      cellOf(results.filter((result) => result.target === name && result.strategy === strategy).map(({ harvestRate }) => harvestRate)),
    );
    process.stdout.write(`| ${strategy} | ${cells.join(' | ')} |\n`);
  }
}

function cellOf(rates: readonly number[]): string {
  if (rates.length === 0) return '';
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  return `${mean.toFixed(3)} (${Math.min(...rates).toFixed(3)} to ${Math.max(...rates).toFixed(3)})`;
}
