import { command } from '../define.ts';

export const gatherCommand = command({
  name: 'gather',
  positionals: ['dir'],
  summary: 'copy a crawl on several machines into one directory, for all other commands',
  examples: [
    ['$0 gather gathered/moss --at "postgres://forager@db/crawls?crawl=moss"', 'the whole crawl, also while it runs'],
    ['$0 gather gathered/moss --at "postgres://forager@db/crawls?crawl=moss"', 'later: only the rest'],
    ['$0 status gathered/moss', 'then any command that reads a crawl'],
  ],
  run: async (options) => (await import('../runs/gather.ts')).runGather(options),
});
