/** One harvest of the check of killed harvests, in a process of its own: prints the number of each step and its stage, one a line. */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

// The ids of warcinfo records are random. Here they are numbers, so that two harvests can be compared byte for byte.
let ids = 0;
crypto.randomUUID = () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`;
syncBuiltinESMExports();
const { harvestCorpus } = await import('../../dist/harvest/harvest-writer.js');

const [corpusDir, outDir, formats, crawl, now, killAt] = process.argv.slice(2);
let [steps, stages] = [0, ''];
await harvestCorpus({
  corpusDir,
  outDir,
  formats: formats.split(','),
  crawl: JSON.parse(crawl),
  now: Number(now),
  minRelevance: null,
  languages: [],
  reserved: 'omit',
  dedupe: 'near',
  split: [90, 5, 5],
  force: true,
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
