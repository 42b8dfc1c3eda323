/**
 * Politeness of many hosts, as their servers would log it. Needs no data.
 *
 * 1. On a virtual clock: 6,000 hosts, each with a delay of 60 s, over ten minutes. They can give 100 pages a second, less the time answers take.
 * 2. For real: 200 hosts on loopback addresses of their own. Of ten, one asks for a pause in seconds, one until a date, one for a Crawl-delay.
 *
 * Exit code 1 when a rule is broken.
 *
 *   npm run bench -- polite-hosts [--hosts 6000] [--minutes 10] [--real-hosts 200] [--pages-per-host 10] [--delay 200] [--concurrency 64]
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { train } from 'forager';
import { generateWeb } from '../../datasets/generated-web/web.ts';
import { politeHosts } from '../../test/crawling/crawl/polite-hosts.ts';
import { politeCrawl } from '../../test/support/polite-web.ts';
import { type HostPoliteness, summed } from '../../test/support/politeness.ts';

const DELAY = 60_000;
const LATENCY = 50;

const { values } = parseArgs({
  options: {
    hosts: { type: 'string', default: '6000' },
    minutes: { type: 'string', default: '10' },
    'real-hosts': { type: 'string', default: '200' },
    'pages-per-host': { type: 'string', default: '10' },
    delay: { type: 'string', default: '200' },
    concurrency: { type: 'string', default: '64' },
  },
});

const folder = mkdtempSync(join(tmpdir(), 'forager-polite-hosts-'));
try {
  const problems = [...(await virtual()), ...(await real())];
  for (const problem of problems) say(`BROKEN ${problem}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function virtual(): Promise<string[]> {
  const hosts = Number(values.hosts);
  const { perMinute, politeness } = await politeHosts({
    hosts,
    delay: DELAY,
    minutes: Number(values.minutes),
    latency: LATENCY,
    concurrency: 8,
  });
  const least = Math.min(...perMinute) / 60;
  const most = hosts / ((DELAY + 1 + LATENCY) / 1000);
  say(`virtual clock: ${hosts} hosts, ${DELAY / 1000} s delay, answers of ${LATENCY} ms, ${perMinute.length} minutes`);
  say(`pages/s        least minute ${least.toFixed(2)}; in the long run these hosts can give ${most.toFixed(2)}`);
  describe(politeness);
  return [...broken(politeness), ...(least < 0.995 * most ? [`${least} pages a second, of ${most}`] : [])];
}

async function real(): Promise<string[]> {
  const hosts = Number(values['real-hosts']);
  const [delay, concurrency, pagesPerHost] = [values.delay, values.concurrency, values['pages-per-host']].map(Number);
  const options = { hosts, delay: delay ?? 0, concurrency: concurrency ?? 1, pagesPerHost: pagesPerHost ?? 1 };
  const { report, politeness, pauses, brokenPauses } = await politeCrawl({ dir: join(folder, 'crawl'), topic: await topic(), ...options });
  const wanted = hosts * options.pagesPerHost;
  say(`loopback: ${hosts} hosts, ${delay} ms delay, concurrency ${concurrency}: ${(report.ms / 1000).toFixed(1)} s, ${report.stopReason}`);
  say(`pages          ${report.counts.visited} of ${wanted}; ${(report.counts.visited / (report.ms / 1000)).toFixed(0)} a second`);
  describe(politeness);
  say(`Retry-After    ${pauses} asked for, half in seconds, half until a date; ${brokenPauses} cut short`);
  const missing = report.counts.visited === wanted ? [] : [`${report.counts.visited} pages visited of ${wanted}`];
  return [...broken(politeness), ...missing, ...(brokenPauses > 0 ? [`${brokenPauses} pauses cut short`] : [])];
}

/** Any will do. */
async function topic(): Promise<string> {
  const examples = join(folder, 'examples');
  mkdirSync(examples);
  const web = generateWeb({ seed: 3, pages: 300, hosts: 10, topics: 4, locality: 0.6, hubs: 0.05 });
  for (const [i, html] of web.examples('topic-1', 12).entries()) writeFileSync(join(examples, `${i}.html`), html);
  return (await train({ examples: [examples], out: join(folder, 'model') })).out;
}

function broken(politeness: readonly HostPoliteness[]): string[] {
  const rude = politeness.filter(({ overlaps, short }) => overlaps + short > 0);
  return rude.map(({ host, overlaps, short, leastGap }) => `${host}: ${overlaps} overlaps, ${short} short gaps, least ${leastGap} ms`);
}

function describe(politeness: readonly HostPoliteness[]): void {
  const { requests, overlaps, short, leastGap } = summed(politeness);
  say(
    `requests       ${requests} to ${politeness.length} hosts; ${overlaps} overlaps; ${short} gaps under the delay; least gap ${leastGap.toFixed(3)} ms`,
  );
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
