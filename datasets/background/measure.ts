/**
 * Measures topic models on sub-topics of three big hosts the background has not seen: average precision of held-back pages of the
 * sub-topic against pages of other hosts, and against other pages of the same host; and the speed of judging.
 *
 *   npx tsx datasets/background/measure.ts <web>
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { argv, cpuUsage, exit } from 'node:process';
import { seededRng, shuffled } from '../../src/base/core/rng.ts';
import { DEFAULT_MAIN_TEXT_METHOD } from '../../src/reading/extract/text-method-names.ts';
import { atThreshold, averagePrecision } from '../../src/reading/topic/evaluate.ts';
import type { LinearTopicModel } from '../../src/reading/topic/model.ts';
import { type TrainingPage, trainTopic } from '../../src/reading/topic/train-topic.ts';
import { htmlFiles, PageFiles } from './pages.ts';

interface SubTopic {
  readonly host: string;
  /** Folder of the host the sub-topic is chosen from. */
  readonly base: string;
  readonly folder: string;
}
const sub = (host: string, base: string, folder: string): SubTopic => ({ host, base, folder });
const SUB_TOPICS = [
  sub('en.cppreference.com', 'w/', 'w/cpp/thread/'),
  sub('doc.sagemath.org', 'html/', 'html/en/reference/combinat/'),
  sub('docs.kernel.org', '', 'networking/'),
  sub('en.cppreference.com', 'w/', 'w/cpp/container/'),
  sub('en.cppreference.com', 'w/', 'w/cpp/numeric/'),
  sub('doc.sagemath.org', 'html/', 'html/en/reference/graphs/'),
  sub('docs.kernel.org', '', 'admin-guide/'),
  sub('docs.kernel.org', '', 'filesystems/'),
];
const TRAINING = 20;
const TEST = 100;
const OTHERS = 300;
/** Unlabelled pages of the host given as extra background. Some of them are on topic: nobody looked. */
const EXTRA = 150;
const PER_HOST = 9;
const MIN_WORDS = 30;

const [web] = argv.slice(2);
if (web === undefined) {
  console.error('usage: npx tsx datasets/background/measure.ts <web>');
  exit(2);
}
const files = new PageFiles(web, DEFAULT_MAIN_TEXT_METHOD);

function pagesOf(host: string, accepts: (path: string) => boolean, limit: number, seed: number): TrainingPage[] {
  const out: TrainingPage[] = [];
  for (const path of shuffled(htmlFiles(join(files.root, host)).filter(accepts), seededRng(seed))) {
    if (out.length === limit) break;
    const { url, title, text, otherText } = files.read(host, path);
    if (text.split(/\s+/).length >= MIN_WORDS) out.push({ id: url, url, title, text, otherText, language: null });
  }
  return out;
}

function judged(model: LinearTopicModel, good: readonly TrainingPage[], bad: readonly TrainingPage[]) {
  const score = (page: TrainingPage, onTopic: boolean) => ({ score: model.judge(page), onTopic });
  return [...good.map((page) => score(page, true)), ...bad.map((page) => score(page, false))];
}

function speedOf(model: LinearTopicModel, pages: readonly TrainingPage[]): string {
  for (const page of pages) model.judge(page);
  const before = cpuUsage();
  for (const page of pages) model.judge(page);
  const used = cpuUsage(before);
  const words = pages.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0);
  return `${Math.round((pages.length * 1e6) / (used.user + used.system))} pages a CPU-second, ${Math.round(words / pages.length)} words a page`;
}

const columns = ['AP others', 'AP host', 'recall', 'precision others', 'precision host'] as const;
const rows = new Map<string, number[][]>();
let speed = '';
for (const { host, base, folder } of SUB_TOPICS) {
  const inside = (path: string) => path.startsWith(folder) || path === `${folder.slice(0, -1)}.html`;
  const good = pagesOf(host, (path) => path.startsWith(folder), TRAINING + TEST, 3);
  const same = pagesOf(host, (path) => path.startsWith(base) && !inside(path), TRAINING + OTHERS, 5);
  const unlabelled = pagesOf(host, (path) => path.startsWith(base), EXTRA, 77);
  const hosts = readdirSync(files.root, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== host,
  );
  const others = hosts.flatMap(({ name }) => pagesOf(name, () => true, PER_HOST, 999)).slice(0, OTHERS);
  const [examples, test] = [good.slice(0, TRAINING), good.slice(TRAINING)];
  const given = {
    'examples alone': {},
    '+ 20 irrelevant': { irrelevant: same.slice(0, TRAINING) },
    [`+ ${EXTRA} unlabelled`]: { extraBackground: unlabelled.filter(({ id }) => !examples.some((page) => page.id === id)) },
  };
  for (const [mode, more] of Object.entries(given)) {
    const { model } = await trainTopic(examples, {
      name: folder,
      seed: 1,
      extractor: DEFAULT_MAIN_TEXT_METHOD,
      now: 0,
      software: 'measure',
      ...more,
    });
    const [far, near] = [judged(model, test, others), judged(model, test, same.slice(TRAINING))];
    const report = atThreshold(far, model.threshold);
    const row = [
      averagePrecision(far),
      averagePrecision(near),
      report.recall,
      report.precision,
      atThreshold(near, model.threshold).precision,
    ];
    rows.set(mode, [...(rows.get(mode) ?? []), row]);
    console.log([folder, mode, ...row.map((value) => value.toFixed(3))].join('\t'));
    speed = speedOf(model, [...others, ...same]);
  }
}
console.log(['mean', '', ...columns].join('\t'));
for (const [mode, all] of rows) {
  console.log(
    ['mean', mode, ...columns.map((_, c) => (all.reduce((sum, row) => sum + (row[c] ?? 0), 0) / all.length).toFixed(3))].join('\t'),
  );
}
console.log(speed);
