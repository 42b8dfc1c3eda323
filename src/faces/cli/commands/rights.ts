import { command } from '../define.ts';

export const rightsCommand = command({
  name: 'rights',
  positionals: ['corpus'],
  summary: 'print the statements of the owners of pages about rights and use, word for word',
  examples: [
    ['$0 rights corpora/moss', 'by protocol and host'],
    ['$0 rights crawls/moss --host example.org', 'the statements of one host'],
    ['$0 rights corpora/moss --format csv > rights.csv', 'hosts, protocols, statements and pages as a table'],
  ],
  run: async (options) => (await import('../runs/rights.ts')).runRights(options),
});
