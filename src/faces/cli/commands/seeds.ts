import { command } from '../define.ts';

export const seedsCommand = command({
  name: 'seeds',
  positionals: ['dir'],
  summary: 'find seeds: cited by a crawl, in an archive, or in lists of URLs',
  examples: [
    ['$0 seeds crawls/moss', 'hosts and pages that on-topic pages cite and the crawl has not visited'],
    ['$0 seeds crawls/moss --show hosts --format urls > more.txt', 'seeds for a crawl of new hosts'],
    ['$0 seeds --from bookmarks.html zotero.json --topic models/moss', 'URLs of files by their words; nothing is requested'],
    ['$0 seeds early-web.warc.gz --topic models/moss', 'hosts in an archive by the text of their pages'],
  ],
  oldNames: [
    { name: 'hosts', hasValue: false, now: () => ['--show', 'hosts'] },
    { name: 'pages', hasValue: false, now: () => ['--show', 'pages'] },
  ],
  run: async (options) => (await import('../runs/seeds.ts')).runSeeds(options),
});
