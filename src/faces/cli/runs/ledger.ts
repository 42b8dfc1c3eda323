import { once } from 'node:events';
import { EXIT, UsageError } from '../../../base/core/errors.ts';
import { nearest } from '../../../base/text/nearest.ts';
import { countText } from '../../../base/text/number-text.ts';
import { csvCell } from '../../../base/text/table-cells.ts';
import { openCrawl } from '../../../crawling/crawl-dir/open-crawl.ts';
import { type CrawlLedgerLine, ledgerOf } from '../../../study/inspect/ledger-lines.ts';
import { type NetworkFormat, networkLines } from '../../../study/inspect/network-files.ts';
import { printableJsonLine, warn } from '../command.ts';
import type { CommandOptions } from '../define.ts';
import { longWork, type Shown } from '../long-work.ts';
import { rateAndEta } from '../progress.ts';
import { endWorking } from '../working.ts';

/** Lines written at once. */
const CHUNK = 512;

export async function runLedger({ dir, state, reason, format = 'jsonl', network }: CommandOptions<'ledger'>): Promise<number> {
  if (format === 'jsonl' && network !== undefined)
    throw new UsageError('--network: JSON lines have none; give --format csv, gexf or graphml');
  if (format === 'jsonl' || (format === 'csv' && network === undefined)) return printLines(dir, { state, reason }, format);
  if (state !== undefined || reason !== undefined)
    throw new UsageError('--state, --reason: choose lines of the ledger; a network has none, so omit them');
  return printNetwork(dir, format, network ?? 'hosts');
}

async function printNetwork(dir: string, format: NetworkFormat, nodes: 'hosts' | 'pages'): Promise<number> {
  const { crawlNetwork } = await import('../../app/crawl-network.ts');
  const network = await longWork(KEPT_PAGES, (signal, tell) =>
    crawlNetwork(nodes, { dir, signal, onProgress: (done, total) => tell({ done, total }) }),
  );
  if (network === null) return EXIT.interrupted;
  await writeAll(networkLines(network, format));
  return EXIT.done;
}

/** Progress of a reading of kept pages. */
export const KEPT_PAGES: Shown<{ readonly done: number; readonly total: number }> = {
  start: { done: 0, total: 0 },
  line: ({ done, total }, ms) => `read ${countText(done)} of ${countText(total)} pages; ${rateAndEta(done, total, ms)}`,
  stopping: 'Stopping.',
};

interface Chosen {
  readonly state: CommandOptions<'ledger'>['state'];
  readonly reason: CommandOptions<'ledger'>['reason'];
}

async function printLines(dir: string, { state: states = [], reason: reasons = [] }: Chosen, format: 'jsonl' | 'csv'): Promise<number> {
  const crawl = openCrawl(dir);
  const met = new Set<string>();
  function* chosen(): Generator<string> {
    if (format === 'csv') yield [...COLUMNS, 'rendered'].join(',');
    for (const line of ledgerOf(crawl)) {
      if (states.length > 0 && !states.includes(line.state)) continue;
      // `robots-unreachable` also selects `robots-unreachable:dns`.
      const words = [line.reason, line.reason.split(':', 1)[0] ?? ''];
      if (reasons.length > 0) for (const word of words) met.add(word);
      if (reasons.length > 0 && !words.some((word) => reasons.includes(word))) continue;
      yield format === 'csv' ? csvLine(line) : printableJsonLine(line);
    }
  }
  try {
    await writeAll(chosen());
    for (const reason of reasons) if (!met.has(reason)) warn(unmetText(reason, met, states));
  } finally {
    await crawl.close();
  }
  return EXIT.done;
}

const COLUMNS = [
  'url',
  'state',
  'reason',
  'order',
  'depth',
  'priority',
  'relevance',
  'status',
  'fetchedAt',
  'referrer',
  'anchorText',
] as const;

function csvLine(line: CrawlLedgerLine): string {
  const cells = COLUMNS.map((name) => (line[name] === null ? '' : csvCell(String(line[name]))));
  return [...cells, line.rendered?.because ?? ''].join(',');
}

/** A reason may be misspelt, or may have stopped no URL: the reasons of the ledger show which. Reasons that name a URL or a pattern are omitted. */
function unmetText(reason: string, met: ReadonlySet<string>, states: readonly string[]): string {
  const known = [...met].filter((word) => /^[a-z0-9-]+$/.test(word)).sort();
  const meant = nearest(reason, known);
  const where = states.length > 0 ? ` in state ${states.join(', ')}` : '';
  return `--reason ${reason}: no URL${where} has that reason${meant ? `; did you mean ${meant}?` : ''}; there are ${known.join(', ') || 'none'}`;
}

async function writeAll(lines: Iterable<string>): Promise<void> {
  let held: string[] = [];
  for (const line of lines) {
    held.push(line);
    if (held.length < CHUNK) continue;
    await write(held);
    held = [];
  }
  await write(held);
}

async function write(lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  endWorking();
  if (!process.stdout.write(`${lines.join('\n')}\n`)) await once(process.stdout, 'drain');
}
