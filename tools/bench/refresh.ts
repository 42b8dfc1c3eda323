/**
 * The order of revisits, replayed day by day: mean age of the pages under a budget of visits, relative to the same interval for all pages.
 *
 *   npm run bench -- refresh [--traces FILE] [--parts traces,poisson,sitemaps,speed]
 *
 * `traces`: real changes of the pages of two manuals, lines of set, page and days. The constants of src/crawling/revisits/ were chosen on the first set; the
 * other one is the report. Rates are learned from visits alone. `known rates` have the mean rate of each page over its whole history, `clairvoyant` is
 * a lower bound of all schedules: it knows each change beforehand. `poisson`: rates over three decades, and pages that change every hour. `sitemaps`: the
 * same pages with a `lastmod` that is true, and with one that always says today. `speed`: time and memory of a ranking.
 *
 * Without the file of traces the other parts run.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { grouped } from '../../src/base/core/grouped.ts';
import { seededRng } from '../../src/base/core/rng.ts';
import { DAY, withAnswer } from '../../src/crawling/revisits/change-evidence.ts';
import { HintTrust } from '../../src/crawling/revisits/hint-trust.ts';
import { RefreshOrder } from '../../src/crawling/revisits/refresh-order.ts';
import { poissonPages } from './refresh/poisson-pages.ts';
import { choGarciaMolina, knownRates, learned, proportional, uniform } from './refresh/policies.ts';
import { type ChangingPage, clairvoyantAge, type RefreshPolicy, replay } from './refresh/replay.ts';

const { values } = parseArgs({
  options: {
    traces: { type: 'string', default: fileURLToPath(new URL('../../../shared/data/change/traces.tsv', import.meta.url)) },
    parts: { type: 'string', default: 'traces,poisson,sitemaps,speed' },
  },
});
/** Twenty visits a page, then ten that count. */
const POISSON = { pages: 1000, hourly: 10, budget: 0.02, learning: 1000, days: 1500 } as const;
const BUDGETS = [0.005, 0.015];
const DRAWS = 8;
const ORDERS = [
  'uniform, days',
  'proportional to learned rates',
  'Cho, no prior',
  'ours, without dates',
  'ours, with Last-Modified',
  'ours, with the lastmod of a sitemap',
  'known mean rates',
  'clairvoyant',
] as const;
const PARTS: Readonly<Record<string, () => void>> = { traces, poisson, sitemaps, speed };
for (const part of values.parts.split(',')) PARTS[part]?.();

function traces(): void {
  if (!existsSync(values.traces)) {
    console.log(`No traces at ${values.traces}: give --traces FILE. The other parts follow.\n`);
    return;
  }
  const rows = readFileSync(values.traces, 'utf8').trim().split('\n').slice(1);
  const sets = grouped(
    rows.map((row) => row.split('\t')),
    ([set = '']) => set,
  );
  for (const [set, lines] of sets) {
    const pages = lines.map(([, name = '', days = '']) => ({
      name: `https://manual.example/${name}`,
      changes: days.split(',').map((day) => Date.parse(day) / DAY),
    }));
    console.log(
      `${set}: ${pages.length} pages. Mean age of the whole trace, and the mean of ${DRAWS} draws of 80 % of the pages, by that of uniform visits\n`,
    );
    console.log(
      `| order | ${BUDGETS.map((budget) => `${100 * budget} % a day | draws`).join(' | ')} |\n| --- | ---: | ---: | ---: | ---: |`,
    );
    const whole = BUDGETS.map((budget) => ratios(pages, budget));
    const draws = BUDGETS.map((budget) => drawsOf(pages).map((drawn) => ratios(drawn, budget)));
    for (const [i, order] of ORDERS.entries()) {
      const cells = BUDGETS.flatMap((_, at) => [whole[at]?.[i] ?? 0, mean((draws[at] ?? []).map((of) => of[i] ?? 0))]);
      console.log(`| ${[order, ...cells.map((ratio) => ratio.toFixed(3))].join(' | ')} |`);
    }
    console.log('');
  }
}

/** The order of visits is chaotic: one page more or less moves a ratio by .02. */
function drawsOf(pages: readonly ChangingPage[]): readonly (readonly ChangingPage[])[] {
  return Array.from({ length: DRAWS }, (_, draw) => {
    const rng = seededRng(100 + draw);
    return pages.filter(() => rng() < 0.8);
  });
}

/** The mean age of uniform visits in days, then that of the other orders by it. */
function ratios(pages: readonly ChangingPage[], budget: number): readonly number[] {
  const end = Math.max(...pages.map(({ changes }) => changes.at(-1) ?? 0));
  const rates = pages.map(({ changes }) => (changes.length - 0.5) / (end - (changes[0] ?? 0) + 30));
  const uniformly = replay(pages, uniform(), budget).age;
  const orders = [
    proportional(),
    choGarciaMolina(),
    learned(pages, false),
    learned(pages, true),
    learned(pages, true, 'age', 'true'),
    knownRates(rates),
  ];
  return [uniformly, ...orders.map((order) => replay(pages, order, budget).age / uniformly), clairvoyantAge(pages, budget) / uniformly];
}

function poisson(): void {
  console.log(
    `Poisson pages, ${POISSON.pages} of rates over three decades and ${POISSON.hourly} that change every hour; after 20 visits a page\n`,
  );
  console.log('| order | mean age, days | of known rates | freshness | visits of an hourly page, of the mean | least visits |');
  console.log('| --- | ---: | ---: | ---: | ---: | ---: |');
  const pages = poissonPages(POISSON.pages, POISSON.hourly, POISSON.days, 1);
  const rates = pages.map(({ rate }) => rate);
  const known = replay(pages, knownRates(rates), POISSON.budget, POISSON.learning);
  const orders: readonly (readonly [string, RefreshPolicy])[] = [
    ['known rates', knownRates(rates)],
    ['uniform', uniform()],
    ['proportional', proportional()],
    ['Cho', choGarciaMolina()],
    ['ours, no dates', learned(pages, false)],
    ['ours', learned(pages, true)],
    ['ours, by freshness', learned(pages, true, 'freshness')],
  ];
  for (const [name, order] of orders) {
    const { age, freshness, visits } = replay(pages, order, POISSON.budget, POISSON.learning);
    const hourly = mean(visits.slice(POISSON.pages));
    const cells = [
      age.toFixed(2),
      (age / known.age).toFixed(3),
      freshness.toFixed(3),
      (hourly / mean(visits)).toFixed(2),
      `${Math.min(...visits)}`,
    ];
    console.log(`| ${[name, ...cells].join(' | ')} |`);
  }
  console.log('');
}

function sitemaps(): void {
  const pages = poissonPages(300, 0, POISSON.days, 2);
  console.log('| lastmod of a sitemap | mean age, days |\n| --- | ---: |');
  for (const lastmod of ['none', 'true', 'always today'] as const) {
    const { age } = replay(pages, learned(pages, false, 'age', lastmod), POISSON.budget, 100);
    console.log(`| ${lastmod} | ${age.toFixed(2)} |`);
  }
  console.log('');
  foundOut();
}

/** Visits of a host until a sitemap that always says today is not heard, by the share of visits that find a change. */
function foundOut(): void {
  console.log('| visits that find a change | visits until "always today" is not heard, median | 95 % |\n| ---: | ---: | ---: |');
  for (const share of [0, 0.25, 0.5, 0.75]) {
    const visits = Array.from({ length: 1000 }, (_, draw) => visitsUntilUnheard(share, draw)).sort((a, b) => a - b);
    console.log(`| ${100 * share} % | ${visits[500]} | ${visits[950]} |`);
  }
  console.log('');
}

function visitsUntilUnheard(share: number, seed: number): number {
  const rng = seededRng(seed);
  const trust = new HintTrust();
  for (let visits = 0; ; visits++) {
    if (trust.factor(0, 'sitemap', true) === 1) return visits;
    const answer = { seenAt: 0, at: DAY, changed: rng() < share, modified: null, claims: { sitemap: true, feed: null } };
    trust.set(visits, 0, withAnswer(undefined, answer));
  }
}

function speed(): void {
  console.log('| pages | best 1,000, CPU ms | estimates, CPU ms | bytes a page |\n| ---: | ---: | ---: | ---: |');
  for (const count of [100_000, 1_000_000]) {
    const rng = seededRng(1);
    globalThis.gc?.();
    const before = memory();
    const order = new RefreshOrder('age');
    for (let page = 0; page < count; page++) {
      const at = 300 * rng();
      const answer = { seenAt: 0, at: at * DAY, changed: rng() < 0.5, modified: at * rng() * DAY, claims: order.claims(page) };
      const facts = { seenAt: at * DAY, evidence: withAnswer(undefined, answer), host: page % 1000, pattern: `${page % 7}` };
      order.set(page, facts);
    }
    globalThis.gc?.();
    const bytes = (memory() - before) / count;
    const [best, estimates] = [timed(() => order.best(400 * DAY, 1000)), timed(() => order.estimates(400 * DAY))];
    console.log(`| ${[count.toLocaleString('en-US'), best.toFixed(0), estimates.toFixed(0), bytes.toFixed(0)].join(' | ')} |`);
  }
}

function memory(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Processor time, the median of five. */
function timed(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  }).sort((a, b) => a - b);
  return times[2] ?? 0;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
