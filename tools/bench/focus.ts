/**
 * What each strategy finds for the requests it makes: recall and harvest on frozen webs, judged by labels that no model of ours made.
 * Five kinds of web: sub-topics inside hosts of the Debian web by folder, inside single manuals by their own structure, subjects across its hosts, joined by generated portals; webs that are no
 * manuals (dictionaries, mails, packages: datasets/entry-web); and generated webs.
 *
 *   npm run bench -- focus [--web DIR] [--entries DIR] [--cache DIR] [--split report|dev] [--guide examples|keywords] [--vectors bundled|none] [--topics a,b] [--strategies a,b] [--seeds 5] [--first-seed 1] [--jobs 2] [--json FILE]
 *
 * `--strategies` takes variants of strategies too, for ablations: `apprentice-context-url`, `apprentice@2`, `apprentice+5` (focus/variants.ts).
 *
 * Needs the whole Debian web and the webs of entries: npm run data -- web-build, npm run data -- entries-build. Freezes what it needs into --cache at first, some minutes.
 */
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { UsageError } from '../../src/base/core/errors.ts';
import { DEFAULT_CONTESTANTS } from '../../src/study/eval/contestants.ts';
import { WebGraph } from '../../src/study/eval/graph.ts';
import type { SeedResult } from '../../src/study/eval/tables.ts';
import { BOUND, boundOn, runTrial } from '../../src/study/eval/trial.ts';
import { drawTrial, GUIDES, VECTOR_KINDS } from './focus/draw.ts';
import { tablesOf } from './focus/tables.ts';
import { type FocusTopic, focusTopics, kindOf, portalHosts } from './focus/topics.ts';
import { variantOf } from './focus/variants.ts';
import { foldersOf, openWeb, webName } from './focus/webs.ts';
import { inParts } from './parts.ts';

/** One line that a part of the run tells the whole. */
export interface FocusResult extends SeedResult {
  readonly kind: string;
}

/** With what a perfect page model and thirty answers would add, and what nothing can exceed. */
const STRATEGIES: readonly string[] = [...DEFAULT_CONTESTANTS, 'apprentice=truth', 'apprentice@ask30', BOUND];

const { values } = parseArgs({
  options: {
    web: { type: 'string', default: '.cache/debian-web' },
    entries: { type: 'string' },
    cache: { type: 'string', default: '.cache/frozen' },
    split: { type: 'string', default: 'report' },
    guide: { type: 'string', default: 'examples' },
    vectors: { type: 'string', default: 'bundled' },
    topics: { type: 'string' },
    strategies: { type: 'string', default: STRATEGIES.join(',') },
    seeds: { type: 'string', default: '5' },
    'first-seed': { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    json: { type: 'string' },
    part: { type: 'string' },
  },
});
/** The default of a crawl. */
const TUNNEL = 4;

const folders = foldersOf(values.web, values.entries);
const topics = focusTopics(portalHosts(values.web), folders).filter(
  ({ split, name }) => split === values.split && (values.topics?.split(',').some((word) => name.includes(word)) ?? true),
);
if (topics.length === 0) throw new UsageError(`--split ${values.split} --topics ${values.topics}: no such topic`);
const guide = GUIDES.find((one) => one === values.guide);
if (guide === undefined) throw new UsageError(`--guide ${values.guide}: not one of ${GUIDES.join(', ')}`);
const vectors = VECTOR_KINDS.find((one) => one === values.vectors);
if (vectors === undefined) throw new UsageError(`--vectors ${values.vectors}: not one of ${VECTOR_KINDS.join(', ')}`);
const seeds = Array.from({ length: Number(values.seeds) }, (_, i) => Number(values['first-seed']) + i);
if (values.part !== undefined) await runPart(Number(values.part));
else await runAll();

async function runAll(): Promise<void> {
  for (const spec of new Map(topics.map(({ web }) => [webName(web), web])).values()) (await openWeb(spec, folders, values.cache)).close();
  const results: FocusResult[] = [];
  const started = performance.now();
  const hear = (result: FocusResult) => {
    results.push(result);
    const { topic, seed, strategy, measures, found, total, visits } = result;
    const minutes = ((performance.now() - started) / 60_000).toFixed(1);
    process.stderr.write(
      `${minutes} min ${topic} seed ${seed} ${strategy}: ${measures.recallAuc.toFixed(3)} (${found} of ${total} in ${visits})\n`,
    );
  };
  await inParts(Number(values.jobs), hear);
  const order = ({ topic, seed }: FocusResult) => `${topics.findIndex(({ name }) => name === topic) + 100}/${seed}`;
  results.sort((a, b) => order(a).localeCompare(order(b)));
  if (values.json) writeFileSync(values.json, `${JSON.stringify(results)}\n`);
  process.stdout.write(`${tablesOf(results, values.strategies.split(','))}\n`);
}

/** The topics of a web go to one part, so that it is opened once. */
async function runPart(part: number): Promise<void> {
  const byWeb = new Map<string, FocusTopic[]>();
  for (const topic of topics) byWeb.set(webName(topic.web), [...(byWeb.get(webName(topic.web)) ?? []), topic]);
  for (const [i, own] of [...byWeb.values()].entries()) if (i % Number(values.jobs) === part) await runWeb(own);
}

async function runWeb(own: readonly FocusTopic[]): Promise<void> {
  const [first] = own;
  if (first === undefined) return;
  const web = await openWeb(first.web, folders, values.cache);
  const graph = await WebGraph.of(web);
  for (const topic of own) {
    for (const seed of seeds) {
      const trial = await drawTrial(topic, web, graph, seed, guide, vectors);
      for (const name of values.strategies.split(',')) {
        const run = name === BOUND ? boundOn(trial) : await runTrial(trial, variantOf(name, trial, TUNNEL, seed));
        const result: FocusResult = { topic: topic.name, kind: kindOf(topic), seed, ...run };
        process.stdout.write(`${JSON.stringify(result)}\n`);
      }
    }
  }
  web.close();
}
