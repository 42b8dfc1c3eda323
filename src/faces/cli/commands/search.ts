import { command } from '../define.ts';

export const searchCommand = command({
  name: 'search',
  positionals: ['corpus', 'query'],
  summary: 'find pages of a corpus by their words',
  examples: [
    ["$0 search corpora/moss 'peat bog -game'", 'pages with both words or their inflections, without "game"'],
    ["$0 search corpora/moss -- '-game peat bog'", 'the same query with its minus first, after --'],
    ['$0 search corpora/moss \'"raised bog"\' --lang en --top 50 --json', 'the exact phrase, in English, as JSON'],
  ],
  run: async (options) => (await import('../runs/search.ts')).runSearch(options),
});
