/**
 * Politeness of one crawl across many hosts, proved on the server's log: no two requests to one host overlap, and from the end of one to
 * the start of the next the delay has passed, robots.txt included. The topic is *databases*; the hosts are those of the built Debian web,
 * of many subjects, joined by generated portal pages (which are not real pages). Exit code 1 when a rule is broken.
 *
 *   npm run bench -- polite [--web DIR] [--pages 2000] [--delay 200] [--concurrency 32] [--patience 0]
 *     [--strategy apprentice] [--seed 1]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type CrawlReport, crawl, type Strategy, train } from 'forager';
import { subjectOf } from '../../datasets/debian-web/labels.ts';
import { pagesOf, readManifest } from '../../datasets/debian-web/manifest.ts';
import { portalPages } from '../../datasets/debian-web/portals.ts';
import { startDebianWeb } from '../../datasets/debian-web/web.ts';
import { seededRng, shuffled } from '../../src/base/core/rng.ts';
import { type HostPoliteness, politenessOf } from '../../test/support/politeness.ts';
import { writtenExamples } from './written-examples.ts';

const SUBJECT = 'databases';
const TRAINING_PAGES = 20;
const SEED_PAGES = 3;
const PORTALS = 5;
const MIN_HOSTS = 20;
const MIN_SUBJECTS = 6;

const { values } = parseArgs({
  options: {
    web: { type: 'string', default: '.cache/debian-web' },
    pages: { type: 'string', default: '2000' },
    delay: { type: 'string', default: '200' },
    concurrency: { type: 'string', default: '32' },
    patience: { type: 'string', default: '0' },
    strategy: { type: 'string', default: 'apprentice' },
    seed: { type: 'string', default: '1' },
  },
});
const delay = Number(values.delay);
const seed = Number(values.seed);

/** Which URLs were visited, and which of them are of the subject and were not trained on. */
interface Tally {
  readonly visits: number;
  readonly hits: number;
}

const folder = mkdtempSync(join(tmpdir(), 'forager-polite-'));
const web = await startDebianWeb({
  dir: values.web,
  virtual: portalPages({ dir: values.web, portals: PORTALS, pagesPerPortal: 20, seed }),
});
try {
  const { report, tally } = await politeCrawl();
  const politeness = politenessOf(web.log, () => delay);
  const problems = problemsOf(politeness, report);
  describe(report, tally, politeness);
  for (const problem of problems) say(`BROKEN ${problem}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await web.close();
  rmSync(folder, { recursive: true, force: true });
}

async function politeCrawl(): Promise<{ readonly report: CrawlReport; readonly tally: Tally }> {
  const pages = readManifest(values.web)
    .rows.filter(({ subject }) => subject === SUBJECT)
    .flatMap((row) => pagesOf(values.web, row));
  const drawn = shuffled([...new Set(pages)].sort(), seededRng(seed));
  const training = drawn.slice(0, TRAINING_PAGES);
  const examples = writtenExamples(join(folder, 'examples.jsonl'), values.web, training);
  await train({ examples: [examples], out: join(folder, 'model') });

  const taught = new Set(training.map((page) => `http://${page}`));
  const portals = Array.from({ length: PORTALS }, (_, i) => `http://portal-${i + 1}.example/`);
  let visits = 0;
  let hits = 0;
  const report = await crawl({
    dir: join(folder, 'crawl'),
    topic: join(folder, 'model'),
    seeds: [...portals, ...drawn.slice(TRAINING_PAGES, TRAINING_PAGES + SEED_PAGES).map((page) => `http://${page}`)],
    scope: hostsOfWeb().map((host) => `host:${host}`),
    strategy: values.strategy as Strategy,
    rngSeed: seed,
    maxPages: Number(values.pages),
    concurrency: Number(values.concurrency),
    delay,
    patience: Number(values.patience),
    proxy: web.proxy,
    onEvent: (event) => {
      if (event.type !== 'settled' || event.settlement !== 'done' || event.reason === 'scope') return;
      visits += 1;
      if (subjectOf(event.url) === SUBJECT && !taught.has(event.url) && event.fate !== 'failed') hits += 1;
    },
  });
  return { report, tally: { visits, hits } };
}

/** The crawl stays on hosts that are there: pages link to a thousand others, which would only answer 502. */
function hostsOfWeb(): string[] {
  const built = readManifest(values.web).rows.map(({ host }) => host);
  return [...new Set([...built, ...Array.from({ length: PORTALS }, (_, i) => `portal-${i + 1}.example`)])];
}

/** No tolerance: a gap is at least the delay, to the microsecond of the server's monotonic clock. */
function problemsOf(politeness: readonly HostPoliteness[], { counts }: CrawlReport): string[] {
  const problems = politeness
    .filter(({ overlaps, short }) => overlaps + short > 0)
    .map(({ host, overlaps, short, leastGap }) => `${host}: ${overlaps} overlaps, ${short} gaps under ${delay} ms, least ${leastGap}`);
  const known = politeness.filter(({ host }) => subjectOf(`http://${host}/`) !== null);
  const subjects = new Set(known.map(({ host }) => subjectOf(`http://${host}/`)));
  if (known.length < MIN_HOSTS) problems.push(`the crawl saw ${known.length} hosts of the Debian web, ${MIN_HOSTS} were wanted`);
  if (subjects.size < MIN_SUBJECTS) problems.push(`the crawl saw ${subjects.size} subjects, ${MIN_SUBJECTS} were wanted`);
  if (counts.visited < Number(values.pages)) problems.push(`${counts.visited} pages visited, ${values.pages} were wanted`);
  return problems;
}

function describe({ ms, counts, stopReason }: CrawlReport, { visits, hits }: Tally, politeness: readonly HostPoliteness[]): void {
  const requests = politeness.reduce((sum, host) => sum + host.requests, 0);
  const robots = web.log.filter(({ path }) => path === '/robots.txt').length;
  const subjects = new Set(politeness.map(({ host }) => subjectOf(`http://${host}/`)).filter((subject) => subject !== null));
  const leastGap = Math.min(...politeness.map((host) => host.leastGap));
  const busiest = Math.max(...politeness.map((host) => host.requests));
  say(
    `${values.strategy}, topic ${SUBJECT}, delay ${delay} ms, concurrency ${values.concurrency}, patience ${values.patience} ms: ${(ms / 1000).toFixed(1)} s, ${stopReason}`,
  );
  say(`hosts          ${politeness.length} (${PORTALS} of them generated portals), ${subjects.size} subjects`);
  say(`requests       ${requests}, of which ${robots} for robots.txt; at most ${busiest} to one host`);
  say(`overlaps       ${politeness.reduce((sum, host) => sum + host.overlaps, 0)}`);
  say(`least gap      ${leastGap.toFixed(3)} ms from the end of one request to the start of the next, on any host`);
  say(`short gaps     ${politeness.reduce((sum, host) => sum + host.short, 0)} under ${delay} ms`);
  say(`harvest rate   ${(hits / visits).toFixed(3)} by label (${hits} of ${visits} visits; training pages are no hits)`);
  say(`by the model   ${counts.kept} kept, ${counts.duplicate} duplicates, ${counts.offTopic} off topic, ${counts.failed} failed`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
