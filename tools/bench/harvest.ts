/**
 * Harvest rate of the link strategies on real pages: sub-topics inside big hosts of the Debian web, labelled by URL prefix.
 * The judge is the label; the guide is a topic model trained from good pages alone, which are never counted as hits.
 * And average precision of that model: of its scores for pages of the host it was not trained on, by the same labels.
 * With several extractors, all of a run start from the same training pages and seeds.
 *
 *   npm run bench -- harvest [--web DIR] [--runs 5] [--only cpp,sage,kernel,units,graphs] [--strategies a,b] [--extractor slope,none] [--irrelevant N] [--json FILE]
 *
 * Needs the hosts built: npm run data -- web-build --only en.cppreference.com,doc.sagemath.org,docs.kernel.org,macaulay2.com
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { crawl, judgePages, type MainTextMethod, type Strategy, train } from 'forager';
import { startDebianWeb } from '../../datasets/debian-web/web.ts';
import { DEFAULT_MAIN_TEXT_METHOD, MAIN_TEXT_METHODS } from '../../src/reading/extract/text-method-names.ts';
import { averagePrecision } from '../../src/reading/topic/evaluate.ts';
import { mean, signed, standardError } from '../quality/paired-difference.ts';
import { type Draw, drawn, MEASURED, SEEDS, TARGETS, TRAINING_PAGES } from './section-targets.ts';
import { writtenExamples } from './written-examples.ts';

const STRATEGIES: readonly Strategy[] = ['apprentice', 'parent', 'anchor', 'shark', 'bfs', 'random'];

const { values } = parseArgs({
  options: {
    web: { type: 'string', default: '.cache/debian-web' },
    runs: { type: 'string', default: '5' },
    only: { type: 'string' },
    strategies: { type: 'string' },
    extractor: { type: 'string', default: DEFAULT_MAIN_TEXT_METHOD },
    irrelevant: { type: 'string', default: '0' },
    json: { type: 'string' },
    'first-seed': { type: 'string', default: '1' },
  },
});
const asked = { only: values.only?.split(','), strategies: values.strategies?.split(','), methods: values.extractor.split(',') };
const targets = TARGETS.filter(({ name }) => asked.only?.includes(name) ?? true);
const strategies = STRATEGIES.filter((name) => asked.strategies?.includes(name) ?? true);
const methods = asked.methods.map(methodOf);

/** What one model, or one crawl with it, came to. */
interface Result {
  readonly target: string;
  readonly extractor: MainTextMethod;
  readonly seed: number;
  /** As printed: a strategy's harvest rate, or one of the model's average precisions. */
  readonly figure: string;
  readonly value: number;
}

const CROSS_VALIDATED = 'AP cross-validated';
const HELD_OUT = 'AP on the host';

const web = await startDebianWeb({ dir: values.web });
const folder = mkdtempSync(join(tmpdir(), 'forager-harvest-'));
const results: Result[] = [];
try {
  for (const target of targets) {
    for (let run = 0; run < Number(values.runs); run++) {
      const draw = drawn(values.web, target, Number(values['first-seed']) + run, Number(values.irrelevant));
      for (const extractor of methods) await runMethod(draw, extractor);
    }
  }
} finally {
  await web.close();
  rmSync(folder, { recursive: true, force: true });
}
printTable();
printDifferences();
if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);

function methodOf(word: string): MainTextMethod {
  const method = MAIN_TEXT_METHODS.find((name) => name === word);
  if (method) return method;
  throw new Error(`--extractor ${word}: not one of ${MAIN_TEXT_METHODS.join(', ')}`);
}

/** A model of the drawn pages as one extractor reads them, measured; and a crawl by each strategy with it. */
async function runMethod(draw: Draw, extractor: MainTextMethod): Promise<void> {
  const { target, seed } = draw;
  const note = (figure: string, value: number) => {
    results.push({ target: target.name, extractor, seed, figure, value });
    process.stderr.write(`${target.name} seed ${seed} ${extractor} ${figure}: ${value.toFixed(3)}\n`);
  };
  const model = join(folder, `${target.name}-${seed}-${extractor}`);
  const irrelevant =
    draw.irrelevant.length > 0 ? { irrelevant: [writtenExamples(`${model}-irrelevant.jsonl`, values.web, draw.irrelevant)] } : {};
  const { card } = await train({
    examples: [writtenExamples(`${model}.jsonl`, values.web, draw.training)],
    ...irrelevant,
    extractor,
    out: model,
  });
  note(CROSS_VALIDATED, card.validation.averagePrecision ?? Number.NaN);
  note(HELD_OUT, await precisionOf(model, draw));
  for (const strategy of strategies) note(strategy, await harvestRateOf(model, strategy, draw));
}

async function precisionOf(model: string, { measured, onTopic }: Draw): Promise<number> {
  const scored: { score: number; onTopic: boolean }[] = [];
  for await (const { url, relevance } of judgePages(model, writtenExamples(`${model}-measured.jsonl`, values.web, measured), {}))
    scored.push({ score: relevance, onTopic: url !== null && onTopic(url) });
  return averagePrecision(scored);
}

async function harvestRateOf(model: string, strategy: Strategy, { target, seed, seeds, training, onTopic }: Draw): Promise<number> {
  const taught = new Set(training.map((page) => `http://${page}`));
  let visits = 0;
  let hits = 0;
  const dir = `${model}-${strategy}`;
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
  return hits / visits;
}

function figures(): string[] {
  return [CROSS_VALIDATED, HELD_OUT, ...strategies];
}

function valuesOf(extractor: MainTextMethod, figure: string, target?: string): number[] {
  return results
    .filter((result) => result.extractor === extractor && result.figure === figure && (target === undefined || result.target === target))
    .map(({ value }) => value);
}

function printTable(): void {
  process.stdout.write(
    `Mean (least to most) of ${values.runs} runs; ${TRAINING_PAGES} good training pages, ${values.irrelevant} irrelevant, ${SEEDS} seeds.\n` +
      `${CROSS_VALIDATED}: training pages against the background. ${HELD_OUT}: up to ${MEASURED.onTopic} others of the sub-topic against ${MEASURED.others} others of its host, by label.\n` +
      'Strategies: harvest rate by label, at as many visits as stand behind the @.\n\n',
  );
  process.stdout.write(`| extractor | figure | ${targets.map(({ name, budget }) => `${name} @${budget}`).join(' | ')} | all |\n`);
  process.stdout.write(`|${' --- |'.repeat(targets.length + 3)}\n`);
  for (const figure of figures()) {
    for (const extractor of methods) {
      const cells = targets.map(({ name }) => cellOf(valuesOf(extractor, figure, name)));
      process.stdout.write(`| ${extractor} | ${figure} | ${cells.join(' | ')} | ${mean(valuesOf(extractor, figure)).toFixed(3)} |\n`);
    }
  }
}

/** Runs of all extractors start from the same pages, so what differs within a run says more than the means. */
function printDifferences(): void {
  const [first, ...others] = methods;
  if (first === undefined || others.length === 0) return;
  process.stdout.write(`\nAgainst ${first}, in the same run: mean difference ± its standard error\n\n`);
  for (const figure of figures()) {
    const base = valuesOf(first, figure);
    const shown = others.map((extractor) => {
      const differences = valuesOf(extractor, figure).map((value, i) => value - (base[i] ?? Number.NaN));
      return `${extractor} ${signed(mean(differences))} ± ${standardError(differences).toFixed(3)}`;
    });
    process.stdout.write(`- ${figure}: ${shown.join(', ')}\n`);
  }
}

function cellOf(numbers: readonly number[]): string {
  if (numbers.length === 0) return '';
  return `${mean(numbers).toFixed(3)} (${Math.min(...numbers).toFixed(3)} to ${Math.max(...numbers).toFixed(3)})`;
}
