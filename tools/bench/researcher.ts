/**
 * What a researcher gets who has 17 pages of one subject of a large manual: train, crawl the manual, harvest. 200 pages of the corpus are drawn at random,
 * and labels that the manual itself gives say which are on the subject. Without answers, with 15 or 30 answers to the questions of a running crawl, and with
 * the answers of `train --check-site` before it.
 * One subject of each manual of `datasets/debian-web/manuals.tsv` that has enough pages; the server takes its time to answer, as hosts do.
 *
 *   npm run bench -- researcher [--web DIR] [--split report|dev] [--only octave,kernel] [--seed 1] [--budget 600] [--latency 100] [--json FILE]
 *
 * Needs the whole Debian web: npm run data -- web-build. Some minutes a manual.
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { crawl, harvest, openLabelling, train } from 'forager';
import {
  isIndexPage,
  type ManualSubject,
  manualSubjects,
  pageReader,
  pagesOfManual,
  pagesOfSubject,
} from '../../datasets/debian-web/manuals.ts';
import { startDebianWeb } from '../../datasets/debian-web/web.ts';
import { adoptChecked, checkDirectory, visitSites } from '../../dist/faces/app/check-site.js';
import { seededRng, shuffled } from '../../src/base/core/rng.ts';
import { numberTable } from '../../src/base/text/markdown.ts';
import { recordsOfFile } from '../../src/corpus/records/records.ts';
import { mean } from '../../src/study/eval/bootstrap.ts';
import { writtenExamples } from './written-examples.ts';

const EXAMPLES = 17;
const SEEDS = 3;
const JUDGED = 200;
/** Besides the examples and the seeds, or there is nothing to find. */
const LEAST_TO_FIND = 30;

interface Way {
  readonly name: string;
  /** Of `crawl`. */
  readonly ask: readonly { readonly questions: number; readonly visits: number }[];
  readonly warmUp?: number;
  /** Does the user answer 40 random pages of the site after the training? */
  readonly isChecked?: boolean;
}

const WAYS: readonly Way[] = [
  { name: 'examples alone', ask: [], warmUp: 0 },
  { name: 'default', ask: [] },
  { name: '15 answers', ask: [{ questions: 15, visits: 80 }] },
  {
    name: '30 answers',
    ask: [
      { questions: 15, visits: 80 },
      { questions: 15, visits: 240 },
    ],
  },
  { name: 'train --check-site', ask: [], isChecked: true },
];

/** A program that answers the questions of a crawl from a list of the URLs on the subject. */
const ANSWERS = `
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const wanted = new Set(JSON.parse(readFileSync(process.argv[2], 'utf8')));
for await (const line of createInterface({ input: process.stdin })) {
  const { id, url } = JSON.parse(line);
  console.log(JSON.stringify({ id, label: wanted.has(url) ? 'y' : 'n' }));
}
`;

const { values } = parseArgs({
  options: {
    web: { type: 'string', default: '.cache/debian-web' },
    split: { type: 'string', default: 'report' },
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
    budget: { type: 'string', default: '600' },
    latency: { type: 'string', default: '100' },
    json: { type: 'string' },
  },
});

interface Outcome {
  readonly subject: string;
  readonly way: string;
  /** Pages of the subject that are neither examples nor seeds. */
  readonly toFind: number;
  readonly found: number;
  /** Pages of the corpus without examples and seeds, and how many of them were judged. */
  readonly harvested: number;
  readonly judged: number;
  /** Of those that were judged. */
  readonly onTopic: number;
  readonly answers: number;
}

const web = await startDebianWeb({ dir: values.web, latency: Number(values.latency) });
const folder = mkdtempSync(join(tmpdir(), 'forager-researcher-'));
const outcomes: Outcome[] = [];
try {
  writeFileSync(join(folder, 'answers.mjs'), ANSWERS);
  for (const subject of subjects()) await runSubject(subject);
} finally {
  await web.close();
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${report()}\n`);
if (values.json) writeFileSync(values.json, `${JSON.stringify(outcomes, null, 2)}\n`);

interface Subject extends ManualSubject {
  /** URLs of its pages. */
  readonly pages: readonly string[];
}

/** The first subject of each manual that has enough pages. */
function subjects(): Subject[] {
  const chosen = new Map<string, Subject>();
  for (const subject of manualSubjects().filter(({ split }) => split === values.split)) {
    const { manual } = subject;
    if (chosen.has(manual) || !(values.only?.split(',').some((word) => manual.includes(word)) ?? true)) continue;
    const all = pagesOfManual(values.web, manual);
    const found = [...pagesOfSubject(subject, all, pageReader(values.web))].filter((page) => !isIndexPage(page));
    const pages = found.map((page) => `http://${page}`).sort();
    if (pages.length >= EXAMPLES + SEEDS + LEAST_TO_FIND) chosen.set(manual, { ...subject, pages });
  }
  return [...chosen.values()];
}

async function runSubject({ manual, value, pages }: Subject): Promise<void> {
  const subject = `${manual} ${value}`;
  const drawn = shuffled(pages, seededRng(Number(values.seed)));
  const given = drawn.slice(0, EXAMPLES);
  const seeds = drawn.slice(EXAMPLES, EXAMPLES + SEEDS);
  const truth = join(folder, 'truth.json');
  writeFileSync(truth, JSON.stringify(pages));
  const model = join(folder, 'model');
  const pagesGiven = given.map((url) => url.replace('http://', ''));
  const examples = writtenExamples(join(folder, 'examples.jsonl'), values.web, pagesGiven);
  await train({ examples: [examples], out: model, force: true });
  const checked = await checkedModel(model, new Set(pages));
  const known = new Set([...given, ...seeds]);
  const wanted = new Set(drawn.slice(EXAMPLES + SEEDS));
  for (const outcome of await Promise.all(
    WAYS.map((way) => runWay(way, { manual, model: way.isChecked ? checked : { model, answers: 0 }, seeds, truth })),
  )) {
    const others = shuffled(
      outcome.urls.filter((url) => !known.has(url)),
      seededRng(Number(values.seed)),
    );
    const judged = others.slice(0, JUDGED);
    const found = others.filter((url) => wanted.has(url)).length;
    const onTopic = judged.filter((url) => wanted.has(url)).length;
    const counts = { toFind: wanted.size, found, harvested: others.length, judged: judged.length, onTopic, answers: outcome.answers };
    outcomes.push({ subject, way: outcome.way, ...counts });
    process.stderr.write(`${subject}, ${outcome.way}: ${JSON.stringify(counts)}\n`);
  }
}

interface Trained {
  readonly model: string;
  /** Behind it. */
  readonly answers: number;
}

/** A copy of the model that has learned from 40 random pages of the site, answered by the truth. */
async function checkedModel(model: string, truth: ReadonlySet<string>): Promise<Trained> {
  const copy = `${model}-checked`;
  for (const path of [copy, checkDirectory(copy)]) rmSync(path, { recursive: true, force: true });
  cpSync(model, copy, { recursive: true });
  const heard = { onStart: () => undefined, onEvent: () => undefined, signal: new AbortController().signal };
  await visitSites({ model: copy, replace: false, proxy: web.proxy, delay: 0, ...heard });
  const labelling = await openLabelling({ dir: checkDirectory(copy) });
  for (let page = await labelling.next(); page !== null; page = await labelling.next())
    await labelling.answer(truth.has(page.url) ? 'y' : 'n');
  const { yes, no } = labelling.counts;
  // A site that gives too few pages teaches nothing.
  if (labelling.missing === null) await labelling.relabel();
  await labelling.close();
  await adoptChecked(copy);
  return { model: copy, answers: yes + no };
}

interface Setting {
  readonly manual: string;
  readonly model: Trained;
  readonly seeds: readonly string[];
  readonly truth: string;
}

interface Corpus {
  readonly way: string;
  readonly urls: readonly string[];
  readonly answers: number;
}

async function runWay({ name, ask, warmUp }: Way, { manual, model, seeds, truth }: Setting): Promise<Corpus> {
  const dir = join(folder, name.replaceAll(' ', '-'));
  const answersBy = `"${process.execPath}" "${join(folder, 'answers.mjs')}" "${truth}"`;
  let { answers } = model;
  await crawl({
    dir,
    topic: model.model,
    seeds,
    scope: [`prefix:http://${manual}`],
    maxPages: Number(values.budget),
    delay: 0,
    workers: 1,
    proxy: web.proxy,
    ...(warmUp === undefined ? {} : { warmUp }),
    ...(ask.length === 0 ? {} : { ask, answersBy }),
    onEvent: (event) => {
      if (event.type === 'retrained') answers = model.answers + event.yes + event.no;
    },
  });
  const out = `${dir}-corpus`;
  await harvest({ dir, out });
  const urls: string[] = [];
  for await (const { url } of recordsOfFile(join(out, 'corpus.jsonl'))) urls.push(url);
  for (const path of [dir, out]) rmSync(path, { recursive: true, force: true });
  return { way: name, urls, answers };
}

function report(): string {
  const share = (some: number, all: number) => (all === 0 ? '' : `${((100 * some) / all).toFixed(0)} %`);
  const rows = outcomes.map((one) => [
    one.subject,
    one.way,
    String(one.answers),
    String(one.harvested),
    share(one.onTopic, one.judged),
    share(one.found, one.toFind),
  ]);
  const means = WAYS.map(({ name }) => {
    const own = outcomes.filter(({ way }) => way === name);
    const precision = mean(own.map(({ onTopic, judged }) => onTopic / Math.max(1, judged)));
    return ['mean', name, '', '', share(precision, 1), share(mean(own.map(({ found, toFind }) => found / toFind)), 1)];
  });
  const heads = ['subject', 'way', 'answers', 'pages harvested', `on the subject, of ${JUDGED} drawn`, 'of the subject found'];
  return numberTable(heads, [...rows, ...means]);
}
