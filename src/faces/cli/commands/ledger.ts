import { command } from '../define.ts';

export const ledgerCommand = command({
  name: 'ledger',
  positionals: ['dir'],
  summary: 'print the fate and reason of every discovered URL, one JSON line each; or the network of the crawl',
  examples: [
    ['$0 ledger crawls/moss --state refused --reason robots', 'URLs that robots.txt files forbid'],
    ['$0 ledger crawls/moss --state kept > kept.jsonl', 'the kept pages'],
    ['$0 ledger crawls/moss --format gexf > hosts.gexf', 'the hosts and the links between them, for Gephi'],
  ],
  run: async (options) => (await import('../runs/ledger.ts')).runLedger(options),
});
