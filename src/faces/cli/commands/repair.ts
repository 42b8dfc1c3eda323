import { command } from '../define.ts';

export const repairCommand = command({
  name: 'repair',
  positionals: ['dir'],
  summary: 'bring the frontier and the corpus of a damaged crawl back to one state',
  examples: [
    ['$0 repair crawls/moss', 'after a message that names this command; deletes nothing'],
    ['$0 repair crawls/moss --cut', 'return to the state of an older frontier'],
    [
      '$0 repair gathered/moss --at "postgres://forager@db/crawls?crawl=moss" --refetch',
      'pages lost with the disk of a worker are visited again',
    ],
  ],
  run: async (options) => (await import('../runs/repair.ts')).runRepair(options),
});
