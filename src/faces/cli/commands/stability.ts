import { command } from '../define.ts';

export const stabilityCommand = command({
  name: 'stability',
  positionals: ['dir'],
  summary: 'run a recorded crawl again with other seeds, examples and chance, and see which pages stay',
  examples: [
    ['$0 stability crawls/moss', 'eight runs on the recording of the crawl, without a request'],
    ['$0 stability crawls/moss --vary seeds --runs 20 --pages stable.csv', 'the seeds alone, with the number of runs that keep each page'],
    ['$0 crawl crawls/moss --record --max-pages 2000', 'before that: record the crawl'],
  ],
  run: async (options) => (await import('../runs/stability.ts')).runStability(options),
});
