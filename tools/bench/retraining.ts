/**
 * The cost of a retraining within a running crawl: training in its thread, the pause to judge everything again, and the lateness of the event loop, beside
 * that of the same crawl before the training. A generated web on loopback, a topic of 20 examples, a warm-up of pages at the given visit.
 *
 *   npm run bench -- retraining [--pages 3000] [--warm-up 150]
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { type CrawlEvent, crawl, train } from 'forager';
import { startGeneratedWeb } from '../../datasets/generated-web/serve.ts';
import { generateWeb } from '../../datasets/generated-web/web.ts';

const { values } = parseArgs({ options: { pages: { type: 'string', default: '3000' }, 'warm-up': { type: 'string', default: '150' } } });
/** In ms: lateness is the part of a delay beyond it. */
const RESOLUTION = 5;
const EXAMPLES = 20;
const TOPIC = 'topic-1';

const web = generateWeb({ seed: 7, pages: 4 * Number(values.pages), hosts: 60, topics: 12, locality: 0.5 });
const folder = mkdtempSync(join(tmpdir(), 'forager-retraining-'));
const server = await startGeneratedWeb(web, { direct: true });
/** The warm-up takes each fourth visit; then the thread trains until the event `retrained`. */
const TRAINS_FROM = 4 * Number(values['warm-up']);
try {
  const examples = join(folder, 'examples');
  mkdirSync(examples);
  for (const [i, html] of server.web.examples(TOPIC, EXAMPLES).entries()) writeFileSync(join(examples, `${i}.html`), html);
  const topic = join(folder, 'model');
  await train({ examples: [examples], out: topic });
  await measure(topic);
} finally {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(topic: string): Promise<void> {
  const lag = monitorEventLoopDelay({ resolution: RESOLUTION });
  const lines: string[] = [];
  let [settled, began] = [0, 0];
  const tell = (phase: string) => {
    const late = (percentile: number) => Math.max(0, lag.percentile(percentile) / 1e6 - RESOLUTION).toFixed(0);
    lines.push(
      `${phase}: event loop late by ${late(50)} ms at 50 %, ${late(99)} ms at 99 %, ${Math.max(0, lag.max / 1e6 - RESOLUTION).toFixed(0)} ms at most`,
    );
    lag.reset();
  };
  const onEvent = (event: CrawlEvent) => {
    if (event.type === 'settled') settled += 1;
    if (began === 0 && settled === TRAINS_FROM) {
      tell(`first ${settled} settled URLs`);
      began = performance.now();
    }
    if (event.type !== 'retrained') return;
    const seconds = (performance.now() - began) / 1000;
    tell(`training with a warm-up of ${event.pool} pages, and judging again, ${seconds.toFixed(1)} s in all, at ${settled} settled URLs`);
    lines.push(`pause in which no visit began: ${event.ms} ms; the new model is ${event.active ? 'active' : 'not active'}`);
  };
  lag.enable();
  await crawl({
    ...{
      dir: join(folder, 'crawl'),
      topic,
      seeds: server.web.seeds(TOPIC, 3),
      maxPages: Number(values.pages),
      delay: 0,
      allowPrivate: true,
    },
    ...{ warmUp: Number(values['warm-up']), onEvent },
  });
  lag.disable();
  process.stdout.write(`${lines.join('\n')}\n`);
}
