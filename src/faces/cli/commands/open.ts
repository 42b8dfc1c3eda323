import { command } from '../define.ts';

export const openCommand = command({
  name: 'open',
  positionals: ['dir', 'others'],
  summary: 'serve a page that starts, shows and steers a crawl, in a browser on this machine',
  examples: [
    ['$0 open', 'in an empty folder: from example pages to a crawl'],
    ['$0 open crawls/moss', 'prints the address to open; Ctrl-C ends it'],
    ['$0 open crawls/moss crawls/moss-bfs', 'the same, with a screen that compares the two crawls'],
  ],
  run: async (options) => (await import('../runs/open.ts')).runOpen(options),
});
