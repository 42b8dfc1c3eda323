/**
 * How long the event loop stands still with many requests in flight: a crawl of a generated web on loopback whose server lets each answer wait, half as long
 * or one and a half times as long or between, with as many hosts as requests are wanted at once. The crawl is a process of its own and measures itself, from the moment all are in flight to the last page.
 *
 * The server, the reading threads and other programs share the processors with the loop. So the table has three rows, each with its own percentiles of
 * the same turns: how late the loop was by the clock, how long its thread itself worked, and how long it was ready and got no processor. Only Linux
 * has the last two.
 *
 *   npm run bench -- in-flight [--requests 1000] [--latency 4000] [--pages 12000]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { train } from 'forager';
import { startGeneratedWeb } from '../../datasets/generated-web/serve.ts';
import { generateWeb } from '../../datasets/generated-web/web.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000' },
    latency: { type: 'string', default: '4000' },
    pages: { type: 'string', default: '12000' },
  },
});
/** Of all turns of the event loop, in ms. */
interface Late {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** The report of the crawling process about itself. */
interface Lag {
  readonly pages: number;
  readonly seconds: number;
  readonly meanInFlight: number;
  readonly pagesASecond: number;
  readonly clock: Late;
  /** null if the system does not count them. */
  readonly thread: { readonly work: Late; readonly kept: Late } | null;
}

function row(name: string, { p50, p99, p999, max }: Late): string {
  return `| ${name} | ${[p50, p99, p999, max].map((ms) => ms.toFixed(1)).join(' | ')} |`;
}

const requests = Number(values.requests);
const web = generateWeb({
  seed: 5,
  pages: 2 * Number(values.pages),
  hosts: requests + requests / 4,
  topics: 2,
  linksPerPage: 50,
  pageBytes: 20_000,
});
const folder = mkdtempSync(join(tmpdir(), 'forager-in-flight-'));
const server = await startGeneratedWeb(web, { direct: true, latency: Number(values.latency), spread: 0.5 });
try {
  const examples = join(folder, 'examples');
  mkdirSync(examples);
  for (const [i, html] of server.web.examples('topic-1', 20).entries()) writeFileSync(join(examples, `${i}.html`), html);
  const model = join(folder, 'model');
  await train({ examples: [examples], out: model });
  const run = fileURLToPath(new URL('./in-flight-run.mjs', import.meta.url));
  const child = fork(run, [join(folder, 'crawl'), model, values.pages, values.requests, ...server.web.seeds('topic-1', requests)]);
  const [lag] = (await once(child, 'message')) as [Lag];
  await once(child, 'exit');
  console.log(
    `${lag.pages} pages, answers after ${values.latency} ms on average; from ${requests} in flight on: ${lag.seconds.toFixed(0)} s, ${lag.meanInFlight.toFixed(0)} in flight on average, ${lag.pagesASecond.toFixed(0)} pages a second.`,
  );
  console.log('| a turn of the event loop, ms | median | 99 % | 99.9 % | most |\n| --- | ---: | ---: | ---: | ---: |');
  console.log(row('late by the clock', lag.clock));
  if (lag.thread) console.log(`${row('work of its thread', lag.thread.work)}\n${row('ready without a processor', lag.thread.kept)}`);
} finally {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}
