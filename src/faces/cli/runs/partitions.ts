import { EXIT } from '../../../base/core/errors.ts';
import { counted, countText } from '../../../base/text/number-text.ts';
import type { Partitioning, PartitionReport } from '../../../study/inspect/partition-shares.ts';
import { print, printJson } from '../command.ts';
import { longWork } from '../long-work.ts';
import { KEPT_PAGES } from './ledger.ts';

/** Prints how a crawl would divide among several crawlers. */
export async function runPartitions(dir: string, partitioning: Partitioning, json = false): Promise<number> {
  const { partitionShares } = await import('../../app/crawl-network.ts');
  const report = await longWork(KEPT_PAGES, (signal, tell) =>
    partitionShares(partitioning, { dir, signal, onProgress: (done, total) => tell({ done, total }) }),
  );
  if (report === null) return EXIT.interrupted;
  if (json) printJson({ dir, ...report });
  else describe(report);
  return EXIT.done;
}

function describe({ by, count, shares, balance, links, across, acrossShare }: PartitionReport): void {
  print(`${counted(count, 'partition')} by ${by}:`);
  print('partition  discovered     visited        kept');
  for (const [number, { discovered, visited, kept }] of shares.entries())
    print([String(number).padStart(9), ...[discovered, visited, kept].map((one) => countText(one).padStart(11))].join(' '));
  if (balance !== null) print(`balance: the largest has ${balance.toFixed(2)} times an equal share of the visited URLs`);
  if (acrossShare === null) print('links across partitions: none known, since no page is kept');
  else
    print(
      `links across partitions: ${countText(across)} of ${countText(links)} (${(100 * acrossShare).toFixed(1)} %), between kept pages and discovered URLs`,
    );
}
