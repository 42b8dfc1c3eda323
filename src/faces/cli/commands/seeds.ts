import { command } from '../define.ts';

export const seedsCommand = command({
  name: 'seeds',
  positionals: ['dir'],
  summary: 'find seeds: cited by a crawl, in an archive, in lists of URLs, or by a search engine',
  examples: [
    ['$0 seeds crawls/moss', 'hosts and pages that on-topic pages cite and the crawl has not visited'],
    ['$0 seeds crawls/moss --show hosts --format urls > more.txt', 'seeds for a crawl of new hosts'],
    ['$0 seeds --from bookmarks.html zotero.json --topic models/moss', 'URLs of files by their words; nothing is requested'],
    ['$0 seeds --queries --topic models/moss', 'queries for search engines'],
    ["$0 seeds --search './ask.sh' --journal searches.jsonl --topic models/moss", 'ask a command these queries, and note all results'],
    ['$0 seeds --repeat searches.jsonl --search ./ask.sh', 'the same searches again, and their differences'],
    ['$0 seeds early-web.warc.gz --topic models/moss', 'hosts in an archive by the text of their pages'],
  ],
  groups: [
    ['Lists and searches', ['from', 'queries', 'search', 'query', 'journal', 'repeat', 'topic', 'minScore', 'maxTime']],
    ['Output', ['top', 'show', 'format', 'json']],
    ['Requests to searxng:URL', ['delay', 'userAgent', 'contact', 'proxy', 'allowPrivate']],
  ],
  oldNames: [
    { name: 'hosts', hasValue: false, now: () => ['--show', 'hosts'] },
    { name: 'pages', hasValue: false, now: () => ['--show', 'pages'] },
  ],
  run: async (options) => (await import('../runs/seeds.ts')).runSeeds(options),
});
