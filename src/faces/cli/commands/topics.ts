import { command } from '../define.ts';

export const topicsCommand = command({
  name: 'topics',
  positionals: ['dir'],
  summary: 'group the kept pages of a crawl into named subtopics, with pages, yield, hosts and years',
  examples: [
    ['$0 topics crawls/moss', 'as many subtopics as the pages show'],
    ['$0 topics crawls/moss --groups 6', 'six of them'],
    ['$0 topics crawls/moss --json', 'with all terms, hosts and years, for other programs'],
  ],
  run: async (options) => (await import('../runs/topics.ts')).runTopics(options),
});
