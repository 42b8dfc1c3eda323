/** One harvest of the bench of tables, in a process of its own: prints what it took. */
import { harvestCorpus } from '../../dist/harvest/harvest-writer.js';

const [corpusDir, outDir, formats, compression] = process.argv.slice(2);
const startedAt = performance.now();
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
});
const { user, system } = process.cpuUsage();
const peak = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ wall: (performance.now() - startedAt) / 1000, cpu: (user + system) / 1e6, megabytes: peak }));
