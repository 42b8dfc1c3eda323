/** One harvest of the check of killed harvests, in a process of its own: prints the number of each step and its stage, one a line. */
import { harvestCorpus } from '../../dist/corpus/harvest/harvest-writer.js';

const [corpusDir, outDir, formats, crawl, now, killAt] = process.argv.slice(2);
let [steps, stages] = [0, ''];
await harvestCorpus({
  corpusDir,
  to: { out: outDir, force: true },
  formats: formats.split(','),
  crawl: JSON.parse(crawl),
  now: Number(now),
  minRelevance: null,
  languages: [],
  reserved: 'omit',
  dedupe: 'near',
  split: [90, 5, 5],
  committed: null,
  detectLanguage: null,
  maxParquetBytes: 100_000,
  maxWarcBytes: 1_000_000,
  progress({ stage }) {
    steps += 1;
    if (stages !== stage) process.stdout.write(`${stage}\n`);
    stages = stage;
    if (steps === Number(killAt)) process.kill(process.pid, 'SIGKILL');
  },
});
process.stdout.write(`${steps}\n`);
