/**
 * Average precision of topic models on public labelled sets: ours beside natural's Bayes and logistic regression, scikit-learn's tf-idf with LinearSVC, and
 * fastText, all on the same texts. Settings: examples alone (ours only); with a pool of unlabelled texts that hides some on topic; with three labelled negatives an example.
 *
 *   npm run bench -- topic [--data DIR] [--sets a,b] [--topics a,b] [--sizes 5,10,30,100,all] [--methods forager,svm-pool] [--draws 5] [--first-draw 1] [--jobs 2] [--chars N]
 *     [--python FILE] [--json FILE] [--results FILE,FILE]
 *
 * `--results` makes the tables of the JSON files of earlier runs, and measures nothing. Default: all sets that are built. Needs some: npm run data -- topics-build --out DIR. Peers that are not installed are named and left out: Debian has python3-sklearn and fasttext.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { distinctTexts, readSet, SET_NAMES, type SetName, setFile, type TextSet } from '../../datasets/topics/text-set.ts';
import { CrawlerError, EXIT, UsageError } from '../../src/base/core/errors.ts';
import { inParts } from './parts.ts';
import { allMethods, type Method } from './topic/methods.ts';
import { LOGISTIC } from './topic/natural.ts';
import { type Result, tablesOf } from './topic/results.ts';
import { runSet } from './topic/run.ts';
import { MAX_EXAMPLES, MAX_POOL, MAX_TEST, NEGATIVES_PER_EXAMPLE, type Size } from './topic/splits.ts';

/** What a part of the run tells the whole, a line each. */
type News = { readonly result: Result } | { readonly missing: string; readonly reason: string };

/** Families not in a run unless asked for: ours in other ways than the data choose. */
const ONLY_ASKED = /^forager\./;

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '.cache/topics' },
    sets: { type: 'string' },
    topics: { type: 'string' },
    sizes: { type: 'string', default: '5,10,30,100,all' },
    methods: { type: 'string' },
    draws: { type: 'string', default: '5' },
    'first-draw': { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    chars: { type: 'string', default: '4000' },
    python: { type: 'string', default: 'python3' },
    json: { type: 'string' },
    results: { type: 'string' },
    part: { type: 'string' },
  },
});

main().catch((error: unknown) => {
  console.error(error instanceof CrawlerError ? error.message : error);
  process.exitCode = error instanceof CrawlerError ? error.exitCode : EXIT.bug;
});

async function main(): Promise<void> {
  if (values.results !== undefined) return printTables(values.results.split(',').flatMap(resultsOf), methodsAsked(), sizesAsked());
  const jobs = count('jobs', values.jobs);
  const sets = values.sets?.split(',').map(setNamed) ?? SET_NAMES.filter((name) => existsSync(setFile(values.data, name)));
  if (sets.length === 0)
    throw new UsageError(`--data ${values.data}: no set is there; build them with npm run data -- topics-build --out ${values.data}`);
  const [methods, sizes] = [methodsAsked(), sizesAsked()];
  if (values.part !== undefined) return runPart(sets, methods, sizes, Number(values.part), jobs);
  for (const name of sets) readSet(values.data, name);
  const { results, missing } = await runParts(jobs);
  const order = (result: Result) => `${sets.indexOf(result.set as SetName)}/${result.topic}/${result.draw}`;
  results.sort((a, b) => order(a).localeCompare(order(b)));
  process.stdout.write(`${conditions()}\n\n`);
  printTables(results, methods, sizes);
  for (const [family, reason] of missing) process.stdout.write(`${family}: not run. ${reason}\n`);
  const failed = results.filter(({ averagePrecision }) => averagePrecision === null);
  if (failed.length > 0)
    process.stdout.write(
      `Gave up, and not counted: ${failed.length} problems of ${[...new Set(failed.map(({ method }) => method))].join(', ')}\n`,
    );
  if (values.json !== undefined)
    writeFileSync(values.json, `${JSON.stringify({ results, missing: Object.fromEntries(missing) }, null, 1)}\n`);
}

function printTables(results: readonly Result[], methods: readonly Method[], sizes: readonly Size[]): void {
  const names = methods.map(({ name }) => name);
  process.stdout.write(`${tablesOf(results, names, sizes)}\n`);
}

/** What an earlier run has written. */
function resultsOf(file: string): Result[] {
  if (!existsSync(file)) throw new UsageError(`--results ${file}: no such file; name what --json has written`);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly results: Result[] }).results;
}

/** What the figures hang on, for the reader of the tables. */
function conditions(): string {
  return [
    `${values.draws} draws of each topic, from draw ${values['first-draw']} on; texts cut to ${values.chars} characters; at most ${MAX_TEST} are judged.`,
    '`alone`: examples, and the bundled background without hosts that are judged.',
    `\`pool\`: and up to ${MAX_POOL} unlabelled texts, on topic as often as they come: ours takes them as --pool, the others for off topic.`,
    `\`labelled\`: and ${NEGATIVES_PER_EXAMPLE} off-topic texts an example. \`all\`: at most ${MAX_EXAMPLES} examples.`,
    `logistic gets at most ${LOGISTIC.examples} examples, ${LOGISTIC.others} others and ${LOGISTIC.stems} stems of each text, and no larger sizes: it is that slow.`,
  ].join('\n');
}

/** One process a core: none of the methods in JavaScript uses a second. */
async function runParts(jobs: number): Promise<{ results: Result[]; missing: Map<string, string> }> {
  const results: Result[] = [];
  const missing = new Map<string, string>();
  const started = performance.now();
  const hear = (news: News) => {
    if ('missing' in news) missing.set(news.missing, news.reason);
    else results.push(news.result);
    if (!('missing' in news)) process.stderr.write(`${minutes(started)} ${lineOf(news.result)}\n`);
  };
  await inParts(jobs, hear);
  return { results, missing };
}

async function runPart(
  sets: readonly SetName[],
  methods: readonly Method[],
  sizes: readonly Size[],
  part: number,
  parts: number,
): Promise<void> {
  const tell = (news: News) => process.stdout.write(`${JSON.stringify(news)}\n`);
  for (const name of sets)
    await runSet(clipped(readSet(values.data, name), count('chars', values.chars)), {
      methods,
      sizes,
      draws: count('draws', values.draws),
      firstDraw: count('first-draw', values['first-draw']),
      topics: values.topics?.split(',') ?? null,
      part,
      parts,
      onResult: (result) => tell({ result }),
      onMissing: (missing, reason) => tell({ missing, reason }),
    });
}

/** Some 650 words settle a topic, and most texts have fewer; whole manuals would make the slow peers most of the run. The same for all. Texts that begin alike are then one. */
function clipped({ name, texts }: TextSet, chars: number): TextSet {
  return { name, texts: distinctTexts(texts.map((text) => ({ ...text, text: text.text.slice(0, chars) }))) };
}

function methodsAsked(): Method[] {
  const all = allMethods(values.python);
  const words = values.methods?.split(',');
  if (words === undefined) return all.filter(({ name }) => !ONLY_ASKED.test(name));
  const unknown = words.find((word) => !all.some(({ name, family }) => name === word || family.name === word));
  if (unknown !== undefined)
    throw new UsageError(`--methods ${unknown}: not one of ${all.map(({ name }) => name).join(', ')}, nor a family of them`);
  return all.filter(({ name, family }) => words.includes(name) || words.includes(family.name));
}

function setNamed(word: string): SetName {
  const name = SET_NAMES.find((known) => known === word);
  if (name === undefined) throw new UsageError(`--sets ${word}: not one of ${SET_NAMES.join(', ')}`);
  return name;
}

function sizesAsked(): Size[] {
  return values.sizes.split(',').map(sizeOf);
}

function sizeOf(word: string): Size {
  return word === 'all' ? 'all' : count('sizes', word);
}

function count(option: string, text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new UsageError(`--${option} ${text}: must be a whole number above 0`);
  return Number(text);
}

function minutes(started: number): string {
  return `${((performance.now() - started) / 60_000).toFixed(1)} min`;
}

function lineOf({ set, topic, draw, size, method, averagePrecision, seconds }: Result): string {
  return `${set} ${topic} draw ${draw} ${size} ${method}: ${averagePrecision?.toFixed(3) ?? 'gave up'} (${seconds.toFixed(1)} s)`;
}
