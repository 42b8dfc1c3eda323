import { EXIT } from '../../../base/core/errors.ts';
import { command } from '../define.ts';

export const huntCommand = command({
  name: 'hunt',
  positionals: ['start', 'keyword', 'outputDir'],
  summary: 'look for a keyword in a page and in the pages behind its links, level by level, down to level 5',
  examples: [
    ['$0 hunt example.org/index.html sphagnum', 'the first page with the word, and the line that has it'],
    ['$0 hunt 127.0.0.1:8080/index.html "raised bog" pages', 'each page that was fetched is also in the folder pages'],
  ],
  errorCode: EXIT.noPage,
  run: async (options) => (await import('../runs/hunt.ts')).runHunt(options),
});
