import { command } from '../define.ts';

export const topicsCommand = command({
  name: 'topics',
  positionals: ['dir'],
  summary: 'group the kept pages of a crawl into named subtopics, and ask for more of one, or none of it',
  examples: [
    ['$0 topics crawls/moss', 'as many subtopics as the pages show'],
    ['$0 topics crawls/moss --groups 6', 'six of them'],
    ['$0 topics crawls/moss --more peat-bogs', 'links that promise pages of this subtopic come first'],
    ['$0 topics crawls/moss --none garden-centre --name anna', 'pages of this one are off topic from now on'],
    ['$0 topics crawls/moss --undo', 'the last wish is taken back'],
    ['$0 topics crawls/moss --json', 'with all terms, hosts and years, for other programs'],
  ],
  run: async (options) => (await import('../runs/topics.ts')).runTopics(options),
});
