import { command } from '../define.ts';

export const labelDecideCommand = command({
  name: 'label decide',
  positionals: ['dir'],
  summary: 'decide about the pages that people answered differently, and train nothing',
  examples: [
    ['$0 label decide crawls/moss --name carol', 'answer y, n or s(kip) for each page; the decision counts before all answers'],
    ['$0 label decide crawls/moss --count 10', 'at most so many pages'],
  ],
  run: async (options) => (await import('../runs/label-decide.ts')).runDecide(options),
});
