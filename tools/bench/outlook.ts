/**
 * How far off `status` is when it says how many of the next 1,000 visits will be on topic. Crawls of generated webs that are stopped every
 * 500 visits; what came of a prediction is counted when 1,000 more are made. Beside it, what the yield of the last 500 visits would have said.
 *
 *   npm run bench -- outlook [--localities 0.1,0.3,0.5,0.7] [--seeds 3] [--first-seed 1] [--budget 3000] [--pages 12000]
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { crawl, status, train } from 'forager';
import { ledgerOf, openCrawl } from 'forager/parts';
import { startGeneratedWeb } from '../../datasets/generated-web/serve.ts';
import { generateWeb } from '../../datasets/generated-web/web.ts';

const { values } = parseArgs({
  options: {
    localities: { type: 'string', default: '0.1,0.3,0.5,0.7' },
    seeds: { type: 'string', default: '3' },
    'first-seed': { type: 'string', default: '1' },
    budget: { type: 'string', default: '3000' },
    pages: { type: 'string', default: '12000' },
  },
});
const TOPIC = 'topic-1';
const EXAMPLES = 20;
const STARTS = 3;
/** Visits between two predictions. */
const STEP = 500;
/** Seeds of the webs lie above those that anything was chosen on. */
const WEB_SEED = 1000;

interface Prediction {
  readonly locality: number;
  readonly seed: number;
  readonly at: number;
  readonly onTopic: number;
  readonly low: number;
  readonly high: number;
  /** Of the yield alone. */
  readonly byYield: number;
}
type Checked = Prediction & { readonly came: number };

const all: Checked[] = [];
for (const locality of values.localities.split(',').map(Number))
  for (let i = 0; i < Number(values.seeds); i++) all.push(...(await crawled(locality, Number(values['first-seed']) + i)));
print(all);

async function crawled(locality: number, seed: number): Promise<Checked[]> {
  const folder = mkdtempSync(join(tmpdir(), 'forager-outlook-'));
  const server = await startGeneratedWeb(generateWeb({ seed: WEB_SEED + seed, pages: Number(values.pages), hosts: 60, locality }));
  try {
    const examples = join(folder, 'examples');
    mkdirSync(examples);
    for (const [i, html] of server.web.examples(TOPIC, EXAMPLES).entries()) writeFileSync(join(examples, `${i}.html`), html);
    const { out: topic } = await train({ examples: [examples], out: join(folder, 'model') });
    const dir = join(folder, 'crawl');
    const predictions: Prediction[] = [];
    for (let at = STEP; at <= Number(values.budget); at += STEP) {
      await crawl({ dir, topic, seeds: server.web.seeds(TOPIC, STARTS), proxy: server.proxy, delay: 0, maxPages: at });
      const { outlook, recent } = await status(dir);
      if (outlook) predictions.push({ locality, seed, at, ...outlook, byYield: (outlook.requests * recent.onTopic) / recent.visits });
    }
    const onTopic = await onTopicVisits(dir);
    return predictions.flatMap((one) => {
      const next = onTopic.slice(one.at, one.at + 1000);
      return next.length < 1000 ? [] : [{ ...one, came: next.filter(Boolean).length }];
    });
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Of each visit, in order of settlement, whether it was on topic. */
async function onTopicVisits(dir: string): Promise<boolean[]> {
  const opened = openCrawl(dir);
  try {
    const { threshold } = opened.manifest.topic;
    return [...ledgerOf(opened)]
      .filter(({ order, fetchedAt }) => order !== null && fetchedAt !== null)
      .sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
      .map(({ relevance }) => relevance !== null && relevance >= threshold);
  } finally {
    await opened.close();
  }
}

function print(checked: readonly Checked[]): void {
  console.log('| locality | seed | after | predicted | interval | by the yield | came |');
  console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
  for (const { locality, seed, at, onTopic, low, high, byYield, came } of checked)
    console.log(`| ${[locality, seed, at, onTopic, `${low}–${high}`, Math.round(byYield), came].join(' | ')} |`);
  const within = checked.filter(({ low, high, came }) => came >= low && came <= high).length;
  const off = (of: (one: Checked) => number) => {
    const errors = checked.map((one) => of(one) - one.came);
    const mean = (numbers: readonly number[]) => Math.round(numbers.reduce((a, b) => a + b, 0) / numbers.length);
    return `${mean(errors.map(Math.abs))} pages on average (too high by ${mean(errors)})`;
  };
  console.log(
    `\n${checked.length} predictions: off by ${off(({ onTopic }) => onTopic)}; the yield alone by ${off(({ byYield }) => byYield)}.`,
  );
  console.log(`${within} of them in their interval.`);
}
