/**
 * Page pairs against true twins, on manuals of Debian packages in several languages (datasets/parallel-web): precision, recall and F1 by site and pair of
 * languages, with time and memory.
 *
 *   npm run bench -- page-pairs                                      # all sites, pairs and conditions: five minutes
 *   npm run bench -- page-pairs --only apache2-doc.example --pairs en-fr,de-ja --conditions renamed --missed
 *   npm run bench -- page-pairs --sketches 100000                    # time and memory on made-up pages
 *
 * Conditions: `published` as the package has it; `stripped` without `hreflang`; `renamed` also with a random word for the name of each language in all URLs;
 * `texts` with a random URL for each page. Weights of texts were fitted on Apache's manual, the FAQ and GIMP's; those of URLs and the votes of languages were chosen by
 * looking at misses there and in the handbook: figures of `report` count. A pair with an untranslated copy of the left twin is right.
 */
import { parseArgs } from 'node:util';
import { siteRows } from '../../datasets/parallel-web/sites.ts';
import { shareOf } from '../../src/base/core/share.ts';
import { languageDetector } from '../../src/base/text/language.ts';
import { PagePairing } from '../../src/corpus/pairs/page-pairing.ts';
import { CONDITIONS, type Condition, type ParallelPage, parallelPages, truePairs, underCondition } from './page-pairs/parallel-site.ts';
import { sketchedPages } from './page-pairs/sketched-pages.ts';

const { values } = parseArgs({
  options: {
    web: { type: 'string', default: '.cache/parallel-web' },
    only: { type: 'string' },
    pairs: { type: 'string', default: 'en-fr,en-de,en-ja,en-zh,fr-es,de-ru' },
    conditions: { type: 'string', default: CONDITIONS.join(',') },
    seed: { type: 'string', default: '1' },
    sketches: { type: 'string' },
    missed: { type: 'boolean', default: false },
  },
});
const detect = await languageDetector();
if (values.sketches === undefined) await measureSites();
else await measureSketches(Number(values.sketches));

async function measureSites(): Promise<void> {
  const splits = new Map(siteRows().map(({ host, subject }) => [host, subject]));
  const hosts = [...splits.keys()].filter((host) => values.only === undefined || values.only.split(',').includes(host));
  const conditions = CONDITIONS.filter((name) => values.conditions.split(',').includes(name));
  const columns = ['split', 'site', 'languages', 'condition', 'twins', 'pairs', 'precision', 'recall', 'F1', 's', 'MB'];
  console.log(`| ${columns.join(' | ')} |\n|${' --- |'.repeat(columns.length)}`);
  for (const host of hosts) {
    const pages = await parallelPages(values.web, host);
    for (const pair of values.pairs.split(','))
      for (const condition of conditions) await measure(`${splits.get(host)} | ${host}`, pages, pair, condition);
  }
}

/** Times and memory on made-up pages, of which nothing but their texts tells the twins. */
async function measureSketches(count: number): Promise<void> {
  const pairing = new PagePairing(['en', 'fr']);
  let spent = 0;
  for (const record of sketchedPages(count)) {
    const before = performance.now();
    pairing.add(record);
    spent += performance.now() - before;
  }
  globalThis.gc?.();
  const held = process.memoryUsage();
  const started = performance.now();
  const { pairs } = await pairing.pair();
  const correct = pairs.filter(({ left, right }) => right === left + 1).length;
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  console.log(`${count} pages: sketches ${(spent / 1000).toFixed(1)} s, ${megabytes(held.heapUsed + held.arrayBuffers)} MB held`);
  console.log(
    `pairing ${((performance.now() - started) / 1000).toFixed(1)} s, peak ${Math.round(process.resourceUsage().maxRSS / 1000)} MB`,
  );
  console.log(`${pairs.length} pairs, ${correct} of ${count / 2} twins`);
}

async function measure(site: string, pages: readonly ParallelPage[], pair: string, condition: Condition): Promise<void> {
  const [left = '', right = ''] = pair.split('-');
  const truth = truePairs(pages, [left, right]);
  if (truth.twins.size === 0) return;
  const records = underCondition(pages, condition, Number(values.seed));
  const started = performance.now();
  const pairing = new PagePairing([left, right], detect);
  for (const record of records) pairing.add(record);
  const { pairs, without } = await pairing.pair();
  const seconds = (performance.now() - started) / 1000;
  const verdicts = pairs.map((found) => truth.verdict(found.left, found.right));
  const correct = verdicts.filter((verdict) => verdict === 'right').length;
  const judged = verdicts.filter((verdict) => verdict !== 'neither').length;
  const [precision, recall] = [shareOf(correct, judged), shareOf(correct, truth.twins.size)];
  const f1 = shareOf(2 * precision * recall, precision + recall);
  const figures = [precision, recall, f1].map((share) => share.toFixed(3));
  const size = Math.round(process.memoryUsage().rss / 1e6);
  console.log(`| ${[site, pair, condition, truth.twins.size, judged, ...figures, seconds.toFixed(1), size].join(' | ')} |`);
  if (!values.missed) return;
  const found = new Map(pairs.map((one) => [one.right, one]));
  for (const [a, b] of truth.twins) {
    const one = found.get(b);
    if (one !== undefined && truth.verdict(one.left, b) === 'right') continue;
    const name = (i: number | undefined) =>
      i === undefined ? 'none' : `${pages[i]?.record.url} (${pages[i]?.record.lang}, ${pages[i]?.record.text.length})`;
    console.log(`  ${name(a)} -> ${name(b)} but ${name(one?.left)} ${one?.score.toFixed(2) ?? `${without.get(a)}, ${without.get(b)}`}`);
  }
}
