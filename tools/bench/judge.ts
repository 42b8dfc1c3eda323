/**
 * What a topic model costs: training on 1,000 pages, or on fewer with a pool of unlabelled ones (seconds, peak memory, tensors left), and judging beside fastText on the same texts, one core each.
 *
 *   npm run bench -- judge [--data DIR] [--examples 1000] [--pool 0] [--rounds 5]
 *
 * Needs the set debian-web: npm run data -- topics-build --out DIR. Without Debian's package fasttext only ours is timed. Training runs in a process of its own,
 * so that its memory is its own.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuUsage } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as tf from '@tensorflow/tfjs-core';
import { type LabelledText, readSet } from '../../datasets/topics/text-set.ts';
import { seededRng, shuffled } from '../../src/base/core/rng.ts';
import { wordsOf } from '../../src/base/text/tokens.ts';
import { DEFAULT_MAIN_TEXT_METHOD } from '../../src/reading/extract/text-method-names.ts';
import { loadModel, saveModel } from '../../src/reading/topic/files.ts';
import { trainTopic } from '../../src/reading/topic/train-topic.ts';
import { SETTINGS } from './topic/fasttext.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '.cache/topics' },
    examples: { type: 'string', default: '1000' },
    pool: { type: 'string', default: '0' },
    rounds: { type: 'string', default: '5' },
    'train-into': { type: 'string' },
  },
});

/** The widest subject of the Debian web. */
const SUBJECT = 'programming';
const SEED = 3;

/** The examples, then all other texts, both in an order drawn by lot. */
function divided(): { examples: LabelledText[]; others: LabelledText[] } {
  const { texts } = readSet(values.data, 'debian-web');
  const order = shuffled(texts, seededRng(SEED));
  const isExample = ({ labels }: LabelledText) => labels.includes(SUBJECT);
  const examples = [...order.filter(isExample), ...order.filter((text) => !isExample(text))].slice(0, Number(values.examples));
  const used = new Set(examples);
  return { examples, others: order.filter((text) => !used.has(text)) };
}

/** In the process of its own: one line of JSON. */
async function train(dir: string): Promise<void> {
  const { examples, others } = divided();
  const english = (texts: readonly LabelledText[]) => texts.map((text) => ({ ...text, language: 'en' }));
  const [pages, extraBackground] = [english(examples), english(others.slice(0, Number(values.pool)))];
  const common = { name: SUBJECT, seed: 1, extractor: DEFAULT_MAIN_TEXT_METHOD, now: 0, software: 'bench' };
  const options = { ...common, extraBackground, learningCurve: true };
  const seconds: number[] = [];
  const tensors: number[] = [];
  for (let run = 0; run < 2; run++) {
    const started = performance.now();
    const { model, card } = await trainTopic(pages, options);
    seconds.push((performance.now() - started) / 1000);
    tensors.push(tf.memory().numTensors);
    if (run === 0) await saveModel(dir, model, card);
  }
  const peakMegabytes = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ seconds, tensors, peakMegabytes, backend: tf.getBackend() }));
}

function trainApart(dir: string): string {
  const args = [...process.execArgv, fileURLToPath(import.meta.url), ...process.argv.slice(2), '--train-into', dir];
  const child = spawnSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.status !== 0) throw new Error('training failed; see above');
  const { seconds, tensors, peakMegabytes, backend } = JSON.parse(child.stdout) as {
    seconds: number[];
    tensors: number[];
    peakMegabytes: number;
    backend: string;
  };
  return `training on ${values.examples} pages and ${values.pool} unlabelled ones (${backend}): ${seconds.map((s) => s.toFixed(1)).join(' and ')} s, peak ${peakMegabytes.toFixed(0)} MB resident, tensors after each run ${tensors.join(' and ')}`;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}

/** Pages a CPU-second, text in memory to relevance. */
async function ours(dir: string, texts: readonly LabelledText[]): Promise<number[]> {
  const model = await loadModel(dir);
  for (const text of texts.slice(0, 500)) model.judge(text);
  return Array.from({ length: Number(values.rounds) }, () => {
    const before = cpuUsage();
    for (const text of texts) model.judge(text);
    const used = cpuUsage(before);
    return (texts.length * 1e6) / (used.user + used.system);
  });
}

/** The same of fastText's own program, less what it takes to load its model. null when it is not installed. */
function theirs(dir: string, examples: readonly LabelledText[], texts: readonly LabelledText[]): number[] | null {
  if (spawnSync('fasttext', { stdio: 'ignore' }).error !== undefined) return null;
  const line = ({ title, text }: LabelledText) => wordsOf(`${title}\n${text}`).join(' ');
  const file = (name: string) => join(dir, name);
  const off = texts.slice(0, examples.length);
  writeFileSync(
    file('training'),
    [...examples.map((text) => `__label__on ${line(text)}`), ...off.map((text) => `__label__off ${line(text)}`)].join('\n'),
  );
  writeFileSync(file('texts'), `${texts.map(line).join('\n')}\n`);
  writeFileSync(file('none'), '\n');
  spawnSync('fasttext', ['supervised', '-input', file('training'), '-output', file('model'), ...SETTINGS], { stdio: 'ignore' });
  const seconds = (name: string) => {
    const script = `times; fasttext predict-prob "${file('model.bin')}" "${file(name)}" 2 > /dev/null; times`;
    return childSeconds(spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout);
  };
  return Array.from({ length: Number(values.rounds) }, () => texts.length / (seconds('texts') - seconds('none')));
}

/** Of the last line of bash's `times`: user and system time of its children, as `0m1.234s 0m0.012s`. */
function childSeconds(times: string): number {
  const last = times.trim().split('\n').at(-1) ?? '';
  return [...last.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0);
}

async function main(): Promise<void> {
  const into = values['train-into'];
  if (into !== undefined) return train(into);
  const dir = mkdtempSync(join(tmpdir(), 'forager-judge-'));
  try {
    console.log(trainApart(join(dir, 'topic')));
    const { examples, others } = divided();
    const words = others.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0) / others.length;
    const [own, peer] = [await ours(join(dir, 'topic'), others), theirs(dir, examples, others)];
    console.log(`judging ${others.length} texts of ${words.toFixed(0)} words on average, median of ${values.rounds} rounds:`);
    console.log(`  forager   ${median(own).toFixed(0)} pages a CPU-second, words split, title and text as they are`);
    if (peer === null) console.log("  fasttext: not run; it is Debian's package of that name");
    else console.log(`  fasttext  ${median(peer).toFixed(0)} pages a CPU-second, of texts split into words and folded beforehand`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

await main();
