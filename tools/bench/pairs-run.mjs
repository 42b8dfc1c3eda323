/** Sentence pairs of one corpus of the bench, in a process of its own: prints what it took. */

import { Output } from '../../dist/base/disk/output.js';
import { PAIRS_OUTPUT } from '../../dist/corpus/pairs/pairs-output.js';
import { writePairs } from '../../dist/corpus/pairs/pairs-writer.js';
import { CrawlSource } from '../../dist/corpus/select/crawl-source.js';
import { Peak } from './harvest-kept.mjs';

const [corpusDir, out, crawl] = process.argv.slice(2);
const peak = new Peak();
const startedAt = performance.now();
const spent = {};
let [stage, since] = ['', startedAt];
function enter(next) {
  if (next === stage) return;
  const now = performance.now();
  if (stage !== '') spent[stage] = (spent[stage] ?? 0) + (now - since) / 1000;
  [stage, since] = [next, now];
}
const { card } = await writePairs({
  output: await Output.claim(out, PAIRS_OUTPUT, { force: true }),
  source: await CrawlSource.open({ corpusDir, committed: null }),
  crawl: JSON.parse(crawl),
  langs: ['en', 'fr'],
  formats: ['tmx', 'tsv', 'jsonl', 'parquet'],
  minScore: 0.5,
  reserved: 'omit',
  obey: [],
  minRelevance: null,
  now: Date.UTC(2024, 4, 6),
  progress({ stage: next, done }) {
    enter(next);
    if (done % 50 === 0) peak.sample();
  },
});
enter('end');
const { user, system } = process.cpuUsage();
const { megabytes, anonymous } = peak;
const wall = (performance.now() - startedAt) / 1000;
process.stdout.write(
  JSON.stringify({ wall, cpu: (user + system) / 1e6, megabytes, anonymous, spent, kept: card.pairs.kept, dropped: card.pairs.dropped }),
);
