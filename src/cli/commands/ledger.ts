import { once } from 'node:events';
import { UsageError } from '../../core/errors.ts';
import type { LedgerLine } from '../../core/types.ts';
import { type Args, type Command, listOf, requiredText, several } from '../command.ts';
import { nearest } from '../suggest.ts';

const STATES = [
  'queued',
  'leased',
  'fetched',
  'kept',
  'off-topic',
  'duplicate',
  'refused',
  'failed',
  'parked',
  'not-reached',
] as const satisfies readonly LedgerLine['state'][];
/** Lines written at once. */
const CHUNK = 512;

export const ledgerCommand: Command = {
  name: 'ledger <dir>',
  summary: 'the fate and reason of every discovered URL, one JSON line each',
  options: (argv) =>
    argv
      .positional('dir', { type: 'string', describe: 'crawl directory' })
      .options({
        state: several(`only these states: ${STATES.join(', ')}`),
        reason: several('only these reasons, e.g. robots, scope, http-4xx'),
      })
      .example('$0 ledger crawls/moss --state refused --reason robots', 'what robots.txt files kept us from')
      .example('$0 ledger crawls/moss --state kept > kept.jsonl', 'the pages kept'),
  run: async (args: Args) => {
    const states = listOf(args, 'state', true);
    const reasons = listOf(args, 'reason', true);
    for (const state of states) refuseUnknown(state);
    const { ledgerOf, openCrawl } = await import('../../app/inspect.ts');
    const crawl = openCrawl(requiredText(args, 'dir'));
    try {
      let lines: string[] = [];
      for (const line of ledgerOf(crawl)) {
        if (states.length > 0 && !states.includes(line.state)) continue;
        if (reasons.length > 0 && !reasons.includes(line.reason)) continue;
        lines.push(JSON.stringify(line));
        if (lines.length < CHUNK) continue;
        await write(lines);
        lines = [];
      }
      await write(lines);
    } finally {
      await crawl.close();
    }
    return 0;
  },
};

function refuseUnknown(state: string): void {
  if (STATES.some((known) => known === state)) return;
  const meant = nearest(state, STATES);
  throw new UsageError(`--state ${state}: no such state${meant ? `; did you mean ${meant}?` : ''}; there are ${STATES.join(', ')}`);
}

async function write(lines: readonly string[]): Promise<void> {
  if (lines.length > 0 && !process.stdout.write(`${lines.join('\n')}\n`)) await once(process.stdout, 'drain');
}
