/** One harvest of the bench of tables, in a process of its own: prints what it took. */

import { harvestCorpus } from '../../dist/corpus/harvest/harvest-writer.js';
import { KeptRecords } from '../../dist/corpus/records/kept-records.js';
import { Peak, versionsIn } from './harvest-kept.mjs';

const [corpusDir, outDir, formats, compression, filters] = process.argv.slice(2);
const FILTERS = {
  ...{ dedupe: 'contained', quality: ['gopher'], qualityColumns: true, langParagraphs: 'mark', repeated: 'mark' },
  ...{ sample: 15_000, sampleBy: 'host', split: [90, 5, 5], splitBy: 'host' },
};
const peak = new Peak();
const startedAt = performance.now();
const expected = new KeptRecords(() => versionsIn(corpusDir));
await harvestCorpus({
  corpusDir,
  to: { out: outDir },
  formats: formats.split(','),
  compression,
  minRelevance: null,
  languages: [],
  reserved: 'omit',
  dedupe: 'exact',
  committed: null,
  detectLanguage: null,
  crawl: {
    topicName: 'bench',
    modelId: '0123456789abcdef',
    threshold: 0.5,
    query: null,
    labels: null,
    seeds: [],
    seedsWithoutPage: [],
    strategy: 'apprentice',
    runs: [],
    visited: 0,
    reopened: 0,
    reservationFiles: 0,
    budget: { pages: null, ms: null, bytes: null },
    stopReason: 'max-pages',
    ledger: {},
    robots: 'obey',
    robotsRefusals: 0,
    software: 'forager/bench',
    userAgent: 'forager-bench',
  },
  now: Date.UTC(2024, 4, 6),
  expected,
  isNewest: ({ id }) => expected.has(id),
  progress: ({ done }) => {
    if (done % 500 === 0) peak.sample();
  },
  ...(filters === 'all filters' && FILTERS),
});
const { user, system } = process.cpuUsage();
const { megabytes, anonymous } = peak;
process.stdout.write(JSON.stringify({ wall: (performance.now() - startedAt) / 1000, cpu: (user + system) / 1e6, megabytes, anonymous }));
