/** The measured process of `npm run bench -- crawl` and `npm run bench -- peers`: the built package, nothing else. Arguments: its module, options of its crawl as JSON. */
import { pathToFileURL } from 'node:url';

const [entry, options] = process.argv.slice(2);
const { crawl } = await import(pathToFileURL(entry).href);
const before = process.cpuUsage();
const startedAt = performance.now();
const { counts } = await crawl({ ...JSON.parse(options), concurrency: 64, delay: 0, allowPrivate: true });
const { user, system } = process.cpuUsage(before);
process.send?.({
  pages: counts.visited,
  kept: counts.kept,
  discovered: counts.discovered,
  cpuSeconds: (user + system) / 1e6,
  wallSeconds: (performance.now() - startedAt) / 1000,
  maxRssMb: process.resourceUsage().maxRSS / 1024,
});
process.disconnect?.();
