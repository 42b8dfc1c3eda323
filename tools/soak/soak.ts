/**
 * Half an hour of a crawl by the built package, on a generated web that another process serves: does its memory stay what it is, and does it
 * let go of what it opens? The crawl learns of all URLs in its first minute and then only fetches, so what grows afterwards is not the
 * frontier. It runs unhindered until its bounded memories are full (70,000 pages, or a third of the time: a run that is too short for them
 * sees them grow), then at a set pace. Exit code 1 when memory grows faster than is accounted for, or when descriptors, threads, timers or
 * other handles do, or are left at the end.
 *
 *   npm run check -- soak [--minutes 30] [--pages-per-second 50] [--warm-up 70000] [--seed 1]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { train } from 'forager';
import type { Ms } from '../../src/base/core/types.ts';
import type { Look, SoakCrawlOptions, SoakEnd } from './soak-crawl.ts';
import { soakReport } from './soak-report.ts';
import type { Pace, SoakWebOptions, SoakWebReady } from './soak-web.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    'pages-per-second': { type: 'string', default: '50' },
    // The memory that is full last is that of 65,536 paths (crawling/frontier/recent-texts.ts).
    'warm-up': { type: 'string', default: '70000' },
    seed: { type: 'string', default: '1' },
  },
});
const MINUTE: Ms = 60_000;
const time: Ms = Number(values.minutes) * MINUTE;
const pace = Number(values['pages-per-second']);
const warmUp = Number(values['warm-up']);
/** Whatever is full by then. */
const LONGEST_WARM_UP: Ms = time / 3;
/** Far more than are fetched: what is remembered of waiting links (80 MB at the most, crawling/frontier/rescoring.ts) stays full, and its shrinking hides no leak. */
const WAITING = 200_000;
const PAGES = warmUp + Math.ceil((pace * time * 1.2) / 1000) + WAITING;

const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'forager-soak-'));
try {
  process.exitCode = (await soak()) ? 0 : 1;
} catch (error) {
  say(`FAILED ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @returns whether all is well */
async function soak(): Promise<boolean> {
  const web = child('soak-web.ts');
  try {
    const options: SoakWebOptions = { seed: Number(values.seed), pages: PAGES };
    web.send(options);
    const ready: readonly SoakWebReady[] = await once(web, 'message');
    const { seeds, examples } = ready[0] ?? { seeds: [], examples: [] };
    say(`${PAGES} pages, all listed by ${seeds.length} seeds; unhindered for ${warmUp} of them, then ${pace} a second`);
    return await crawlOf(web, seeds, await modelOf(examples));
  } finally {
    web.kill();
  }
}

async function modelOf(examples: readonly string[]): Promise<string> {
  const pages = join(folder, 'examples');
  mkdirSync(pages);
  for (const [i, html] of examples.entries()) writeFileSync(join(pages, `${i}.html`), html);
  await train({ examples: [pages], out: join(folder, 'model') });
  return join(folder, 'model');
}

/** Crawl, and slow the web down once the crawl is warm. @returns whether all is well */
async function crawlOf(web: ChildProcess, seeds: readonly string[], topic: string): Promise<boolean> {
  const crawl = child('soak-crawl.ts', '--expose-gc');
  const options: SoakCrawlOptions = { dir: join(folder, 'crawl'), topic, seeds, maxTime: time };
  const looks: Look[] = [];
  let warmAt: Ms | null = null;
  let end: SoakEnd | null = null;
  crawl.on('message', (message: Look | SoakEnd) => {
    if ('stopReason' in message) {
      end = message;
      return;
    }
    looks.push(message);
    if (warmAt !== null || (message.visited < warmUp && message.at < LONGEST_WARM_UP)) return;
    warmAt = message.at;
    const slower: Pace = { pagesPerSecond: pace };
    web.send(slower);
    say(`warm after ${(message.at / MINUTE).toFixed(1)} min and ${message.visited} pages`);
  });
  crawl.send(options);
  const [code] = await once(crawl, 'exit');
  if (end === null || warmAt === null) throw new Error(`the crawl ended with ${code}, before its time`);
  return soakReport(looks, warmAt, end, say);
}

function child(file: string, ...flags: readonly string[]): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv: ['--import', 'tsx', ...flags] });
}
