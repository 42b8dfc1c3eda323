/**
 * Main text against the one a person marked: our modes beside npm peers and plain BTE, on the same pages in the same run. Scores by
 * file and page type, paired bootstrap intervals, speed by stage. Settings are tuned on thirds 0 and 1 of the registrable domains; the
 * report is on third 2, which is held aside, unless it is told otherwise.
 *
 *   npm run bench -- extract [--data DIR] [--third 2|0|1|all] [--modes slope,…] [--peers readability,…|none] [--sample N]
 *     [--cap SECONDS] [--json FILE]
 *
 * Each method runs in a process of its own. Exit code 2 for arguments that make no sense, 1 when a domain lies in two thirds.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { domainCensus, type GoldPage, readGold, thirdOf } from '../../datasets/extractor/gold.ts';
import { seededRng, shuffled } from '../../src/base/core/rng.ts';
import type { Ms } from '../../src/base/core/types.ts';
import { metricOf, scorePage } from '../quality/score.ts';
import { METHODS, type Method } from './extract-methods.ts';
import { type MethodResult, report } from './extract-report.ts';
import { runMethod } from './extract-run.ts';
import { stageTimes } from './extract-stages.ts';

const DEFAULT_DATA = fileURLToPath(new URL('../../../shared/data/extraction', import.meta.url));
const USAGE =
  'usage: npm run bench -- extract [--data DIR] [--third 2|0|1|all] [--modes a,b] [--peers a,b|none] [--sample N] [--cap SECONDS] [--json FILE]';
const SAMPLE_SEED = 1;

interface Plan {
  readonly folder: string;
  readonly third: string;
  readonly methods: readonly Method[];
  readonly sample: number;
  readonly cap: Ms;
  readonly json: string | null;
}

const plan = planned();
const all = goldOf(plan.folder);
const census = domainCensus(all);
const indices = chosen(all);
const pages = indices.map((index) => all[index]).filter((page) => page !== undefined);
const stages = stageTimes(pages.map((page) => ({ ...page, body: Buffer.from(page.html) })));
const results: MethodResult[] = [];
for (const method of plan.methods) results.push(await resultOf(method));
console.log(report({ third: plan.third, sample: plan.sample, cap: plan.cap, census, pages, results, stages }));
if (plan.json !== null) writeFileSync(plan.json, jsonLines());
process.exitCode = census.inTwoThirds.length === 0 ? 0 : 1;

function planned(): Plan {
  try {
    const { values } = parseArgs({
      options: {
        data: { type: 'string', default: DEFAULT_DATA },
        third: { type: 'string', default: '2' },
        modes: { type: 'string' },
        peers: { type: 'string' },
        sample: { type: 'string', default: 'Infinity' },
        cap: { type: 'string', default: '30' },
        json: { type: 'string' },
      },
    });
    if (!['0', '1', '2', 'all'].includes(values.third)) throw new Error(`--third ${values.third}: 0, 1, 2 or all`);
    return {
      folder: values.data,
      third: values.third,
      methods: [...named('modes', values.modes, true), ...named('peers', values.peers, false)],
      sample: positive('sample', values.sample),
      cap: 1000 * positive('cap', values.cap),
      json: values.json ?? null,
    };
  } catch (error) {
    return usage(error);
  }
}

function named(option: string, list: string | undefined, ours: boolean): readonly Method[] {
  const known = METHODS.filter(({ kind }) => (kind === 'ours') === ours);
  if (list === undefined) return known;
  const wanted = list === 'none' ? [] : list.split(',').map((name) => (ours ? `forager ${name}` : name));
  const unknown = wanted.find((name) => !known.some((method) => method.name === name));
  if (unknown !== undefined) throw new Error(`--${option}: no ${unknown}; there is ${known.map(({ name }) => name).join(', ')}`);
  return known.filter(({ name }) => wanted.includes(name));
}

function positive(option: string, value: string): number {
  const number = Number(value);
  if (number > 0) return number;
  throw new Error(`--${option} ${value}: a number above 0`);
}

function goldOf(folder: string): GoldPage[] {
  try {
    return readGold(folder);
  } catch (error) {
    return usage(error);
  }
}

function usage(error: unknown): never {
  console.error(error instanceof Error ? error.message : String(error));
  console.error(USAGE);
  process.exit(2);
}

/** Numbers of the pages of the third; of a sample, the first of them in a seeded shuffle. */
function chosen(gold: readonly GoldPage[]): number[] {
  const inThird = gold.flatMap((page, i) => (plan.third === 'all' || thirdOf(page) === Number(plan.third) ? [i] : []));
  return shuffled(inThird, seededRng(SAMPLE_SEED)).slice(0, plan.sample);
}

async function resultOf(method: Method): Promise<MethodResult> {
  const start = performance.now();
  const runs = await runMethod(method, { folder: plan.folder, indices, cap: plan.cap });
  const scores = pages.map((page, i) => scorePage(runs[i]?.text ?? '', page.text, metricOf(page.file)));
  console.error(`${method.name}: ${pages.length} pages in ${((performance.now() - start) / 1000).toFixed(0)} s`);
  return { method, runs, scores };
}

/** A line a page and method: its scores, so that the worst pages can be looked at. */
function jsonLines(): string {
  const lines = results.flatMap(({ method, runs, scores }) =>
    pages.map(({ file, id, url, type }, i) =>
      JSON.stringify({ method: method.name, file, id, url, type, ...scores[i], outcome: runs[i]?.outcome, wall: runs[i]?.wall }),
    ),
  );
  return lines.map((line) => `${line}\n`).join('');
}
