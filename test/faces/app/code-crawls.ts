/** Crawls of the small web with code of the user: hooks, judges, strategies and sinks. */
import { writeFileSync } from 'node:fs';
import { type CrawlOptions, type CrawlReport, crawl, type LedgerLine, ledger } from 'forager';
import { type SmallWeb, trainedOn } from '../cli/small-web.ts';

export type CodeCrawlBase = Pick<CrawlOptions, 'topic' | 'seeds' | 'proxy' | 'delay' | 'maxPages' | 'concurrency' | 'patience'>;

/** Options of a short crawl of one visit at a time. */
export async function codeCrawlBase(small: SmallWeb, more: Partial<CodeCrawlBase> = {}): Promise<CodeCrawlBase> {
  const { proxy } = await small.serve();
  return { topic: await trainedOn(small), seeds: small.seeds, proxy, delay: 0, maxPages: 6, concurrency: 1, ...more };
}

export function moduleIn({ path }: SmallWeb, name: string, code: string): `${string}.mjs` {
  writeFileSync(path(`${name}.mjs`), code);
  return path(`${name}.mjs`) as `${string}.mjs`;
}

/** @returns the report, and the warnings of that run */
export async function warnedCrawl(options: Parameters<typeof crawl>[0]): Promise<{ report: CrawlReport; warnings: string[] }> {
  const warnings: string[] = [];
  const onEvent: NonNullable<CrawlOptions['onEvent']> = (event) => {
    if (event.type === 'warning') warnings.push(event.message);
  };
  return { report: await crawl({ ...options, onEvent }), warnings };
}

export async function ledgerLines(dir: string): Promise<readonly LedgerLine[]> {
  const lines: LedgerLine[] = [];
  for await (const line of ledger(dir)) lines.push(line as unknown as LedgerLine);
  return lines;
}
