import { once } from 'node:events';
import { nearest } from '../../../base/text/nearest.ts';
import { printableJsonLine, warn } from '../command.ts';
import { command } from '../define.ts';
import { endWorking } from '../working.ts';

/** Lines written at once. */
const CHUNK = 512;

export const ledgerCommand = command({
  name: 'ledger',
  positionals: ['dir'],
  summary: 'print the fate and reason of every discovered URL, one JSON line each',
  examples: [
    ['$0 ledger crawls/moss --state refused --reason robots', 'URLs that robots.txt files forbid'],
    ['$0 ledger crawls/moss --state kept > kept.jsonl', 'the kept pages'],
  ],
  run: async (options) => {
    const { dir, state: states = [], reason: reasons = [] } = options;
    const { ledgerOf } = await import('../../../study/inspect/ledger-lines.ts');
    const { openCrawl } = await import('../../../crawling/crawl-dir/open-crawl.ts');
    const crawl = openCrawl(dir);
    try {
      let lines: string[] = [];
      const met = new Set<string>();
      for (const line of ledgerOf(crawl)) {
        if (states.length > 0 && !states.includes(line.state)) continue;
        // `robots-unreachable` also selects `robots-unreachable:dns`.
        const words = [line.reason, line.reason.split(':', 1)[0] ?? ''];
        if (reasons.length > 0) for (const word of words) met.add(word);
        if (reasons.length > 0 && !words.some((word) => reasons.includes(word))) continue;
        lines.push(printableJsonLine(line));
        if (lines.length < CHUNK) continue;
        await write(lines);
        lines = [];
      }
      await write(lines);
      for (const reason of reasons) if (!met.has(reason)) warn(unmetText(reason, met, states));
    } finally {
      await crawl.close();
    }
    return 0;
  },
});

/** A reason may be misspelt, or may have stopped no URL: the reasons of the ledger show which. Reasons that name a URL or a pattern are omitted. */
function unmetText(reason: string, met: ReadonlySet<string>, states: readonly string[]): string {
  const known = [...met].filter((word) => /^[a-z0-9-]+$/.test(word)).sort();
  const meant = nearest(reason, known);
  const where = states.length > 0 ? ` in state ${states.join(', ')}` : '';
  return `--reason ${reason}: no URL${where} has that reason${meant ? `; did you mean ${meant}?` : ''}; there are ${known.join(', ') || 'none'}`;
}

async function write(lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  endWorking();
  if (!process.stdout.write(`${lines.join('\n')}\n`)) await once(process.stdout, 'drain');
}
