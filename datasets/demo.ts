/**
 * The whole way on a web made for it: train a topic from example pages, crawl, harvest, and compare with breadth-first
 * on the same budget. Everything stays on this machine. Run by `npm run demo`.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crawl, harvest, type Strategy, train } from 'forager';
import { readBack } from '../test/corpus/records/warcio-oracle.ts';
import { DEMO_WEB } from './generated-web/demo-web.ts';
import { startGeneratedWeb } from './generated-web/serve.ts';
import { type GeneratedWeb, generateWeb } from './generated-web/web.ts';

const OUT = 'demo-out';
const TOPIC = 'topic-1';
const EXAMPLES = 20;
const BUDGET = 600;

say('Making a web of invented pages on this machine …');
const web = generateWeb(DEMO_WEB);
const server = await startGeneratedWeb(web);
try {
  rmSync(OUT, { recursive: true, force: true });
  await run(server.web, server.proxy);
} finally {
  await server.close();
}

async function run(web: GeneratedWeb, proxy: string): Promise<void> {
  const pages = web.urlsOf(TOPIC).length;
  say(`A web of ${web.urls().length} pages on ${web.hosts.length} hosts; ${pages} of them are on ${TOPIC}.`);
  mkdirSync(join(OUT, 'examples'), { recursive: true });
  for (const [i, html] of web.examples(TOPIC, EXAMPLES).entries()) writeFileSync(join(OUT, 'examples', `${i}.html`), html);

  say(`\nTraining on ${EXAMPLES} example pages …`);
  const model = join(OUT, 'models', TOPIC);
  const { card } = await train({ examples: [join(OUT, 'examples')], out: model });
  say(`1. Trained on ${card.counts.examples} good pages, none of them on that web; threshold ${card.threshold.toFixed(3)}.`);

  say(`\n2. Crawling ${BUDGET} pages from three seeds, by two strategies:`);
  const rates = new Map<Strategy, number>();
  for (const strategy of ['apprentice', 'bfs'] as const) rates.set(strategy, await crawlBy(strategy, web, proxy, model));
  const [apprentice = 0, bfs = 0] = rates.values();
  say(`   Counted with the true labels of this web: the apprentice found ${(apprentice / bfs).toFixed(1)} times as many pages.`);
  say('   Other webs have no labels, so forager status says that the rate is not known.');

  say('\nHarvesting …');

  const { outDir, card: corpus } = await harvest({
    dir: join(OUT, 'crawl-apprentice'),
    out: join(OUT, 'corpus'),
    formats: ['jsonl', 'warc', 'text'],
  });
  say(`3. Harvested ${corpus.records.kept} pages of ${corpus.hosts.count} hosts. The corpus is in ${outDir}`);
  for (const { name, bytes } of corpus.files) say(`   ${name} (${bytes} bytes)`);
  say('   corpus-card.md says what it is and how to cite it.');
  await check(outDir);
  say(`\nNext: npx forager status ${join(OUT, 'crawl-apprentice')}`);
  say(`      npx forager why ${join(OUT, 'crawl-apprentice')} ${web.seeds(TOPIC, 1)[0]}`);
}

async function crawlBy(strategy: Strategy, web: GeneratedWeb, proxy: string, topic: string): Promise<number> {
  let visited = 0;
  let onTopic = 0;
  const report = await crawl({
    dir: join(OUT, `crawl-${strategy}`),
    topic,
    seeds: web.seeds(TOPIC, 3),
    strategy,
    proxy,
    maxPages: BUDGET,
    delay: 20,
    onEvent: (event) => {
      if (event.type !== 'judged') return;
      visited += 1;
      if (web.topicOf(event.url) === TOPIC) onTopic += 1;
    },
  });
  const rate = onTopic / visited;
  say(
    `   ${strategy.padEnd(10)} harvest rate ${(100 * rate).toFixed(1).padStart(5)} %  (${onTopic} on-topic pages of ${visited} read; ${report.counts.kept} kept; ${(report.ms / 1000).toFixed(1)} s)`,
  );
  return rate;
}

/** Read the corpus with an independent reader: every digest recomputed, and each record found in the WARC. @throws when one is wrong */
async function check(corpus: string): Promise<void> {
  const files = readdirSync(corpus).filter((name) => name.endsWith('.warc.gz'));
  const records = (await Promise.all(files.map((name) => readBack(join(corpus, name))))).flat();
  const responses = new Set(records.filter(({ type }) => type === 'response').map(({ id }) => id));
  const lines = readFileSync(join(corpus, 'corpus.jsonl'), 'utf8').trimEnd().split('\n');
  const missing = lines.map((line) => (JSON.parse(line) as { id: string }).id).filter((id) => !responses.has(id));
  if (missing.length > 0) throw new Error(`${missing.length} JSONL records are not in the WARC, the first: ${missing[0]}`);
  say(
    `   Read back with warcio: ${records.length} WARC records, all digests right; each of ${lines.length} JSONL ids is a response there.`,
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
