/** Crawls to be damaged: one with all that a crawl directory can hold, an older copy of it, and another crawl. Needs `dist`. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CrawlOptions, crawl, exportLinkModel, openLabelling, train } from 'forager';
import { ledgerOf, openCrawl } from 'forager/parts';
import { type GeneratedWeb, generateWeb } from '../../datasets/generated-web/web.ts';
import { startWebProxy } from '../../datasets/web-proxy.ts';

const TOPIC = 'topic-1';
/** Visits after each run of the crawl: two, with labels between, so that `older` is behind by pages, labels and a model. */
const RUNS = [60, 110] as const;
const FIELDS = 'rules:\n  - url: http://*\n    fields:\n      heading: h1\n';

export interface DamageBench {
  /** The crawl: recorded, with field rules, link model, labels, a model trained with them, two runs and pages asked for again. */
  readonly dir: string;
  /** As it was after its first run. */
  readonly older: string;
  /** Another crawl of the same web by the same topic. */
  readonly other: string;
  /** Visits so far. */
  readonly visited: number;
  /** HTTP proxy that serves the web. */
  readonly proxy: string;
  close(): Promise<void>;
}

export interface DamageBenchSize {
  /** Visits after each of the two runs. */
  readonly runs: readonly [number, number];
  readonly wordVectors: 'bundled' | 'none';
}

const WHOLE: DamageBenchSize = { runs: RUNS, wordVectors: 'bundled' };

/** Some ten seconds; without word vectors a third of that. @param folder an empty one */
export async function damageBench(folder: string, { runs: [first, second], wordVectors }: DamageBenchSize = WHOLE): Promise<DamageBench> {
  const web = generateWeb({ seed: 7, pages: 260, hosts: 8, topics: 2, locality: 0.6, hubs: 0.05 });
  const [dir, older, other] = ['crawl', 'older', 'other'].map((name) => join(folder, name)) as [string, string, string];
  const server = await startWebProxy(web.source);
  const topic = await trainedModel(folder, web, wordVectors);
  const linkModel = join(folder, 'link-model.json.gz');
  const options: CrawlOptions = { dir, topic, seeds: web.seeds(TOPIC, 3), proxy: server.proxy, delay: 0, concurrency: 2 };
  await crawl({ ...options, dir: other, record: true, maxPages: first, fieldRules: rulesIn(folder) });
  await exportLinkModel({ dir: other, out: linkModel });
  await labelled(web, other, folder);
  await crawl({ ...options, record: true, maxPages: first, fieldRules: rulesIn(folder), linkModel });
  cpSync(dir, older, { recursive: true });
  await labelled(web, dir, folder);
  const { counts } = await crawl({ dir, proxy: server.proxy, maxPages: second, concurrency: 2 });
  await crawl({ dir, proxy: server.proxy, maxPages: second, revisit: 1 });
  for (const one of [dir, older, other]) leaveLock(one);
  return { dir, older, other, visited: counts.visited, proxy: server.proxy, close: () => server.close() };
}

/** As a process leaves it that is killed. */
function leaveLock(dir: string): void {
  const module = new URL('../../dist/base/disk/lock.js', import.meta.url).href;
  const script = `const { takeLock } = await import(process.argv[1]); await takeLock(process.argv[2], 'a crawl'); process.exit(0);`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script, module, join(dir, 'lock')]);
}

async function trainedModel(folder: string, web: GeneratedWeb, wordVectors: DamageBenchSize['wordVectors']): Promise<string> {
  const examples = join(folder, 'examples');
  mkdirSync(examples);
  for (const [i, html] of web.examples(TOPIC, 12).entries()) writeFileSync(join(examples, `${i}.html`), html);
  await train({ examples: [examples], wordVectors, out: join(folder, 'model') });
  return join(folder, 'model');
}

function rulesIn(folder: string): string {
  const path = join(folder, 'fields.yaml');
  writeFileSync(path, FIELDS);
  return path;
}

/** Answer for every second judged page by what the web says of it, and train with that. */
async function labelled(web: GeneratedWeb, dir: string, folder: string): Promise<void> {
  const answers = join(folder, 'answers.csv');
  const reading = openCrawl(dir);
  const judged = [...ledgerOf(reading)].filter(({ relevance }, i) => relevance !== null && i % 2 === 0);
  await reading.close();
  writeFileSync(answers, judged.map(({ url }) => `${url},${web.page(url)?.topic === TOPIC ? 'y' : 'n'}\n`).join(''));
  const labelling = await openLabelling({ dir });
  try {
    await labelling.import(answers);
    await labelling.relabel({ evenIfWorse: true });
  } finally {
    await labelling.close();
  }
}
