/**
 * kill -9 at ten random moments of a crawl of a generated web of 1,000 pages, resumed each time by the same command; at the end its
 * ledger, corpus and WARC must be those of a crawl left alone. Exit code 1 on any difference, which is printed.
 *
 *   npm run test:crash -- [--pages 1000] [--kills 10] [--seed N]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { killedCrawl } from './killed-crawl.ts';

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    latency: { type: 'string', default: '50' },
  },
});
const say = (line: string) => process.stdout.write(`${line}\n`);

say(`seed ${values.seed} (repeat with --seed ${values.seed})`);
const folder = mkdtempSync(join(tmpdir(), 'forager-crash-'));
try {
  const report = await killedCrawl({
    folder,
    pages: Number(values.pages),
    kills: Number(values.kills),
    seed: Number(values.seed),
    latency: Number(values.latency),
    say,
  });
  for (const line of report.differences) say(`DIFFERENT ${line}`);
  say(
    report.differences.length === 0
      ? `${report.killedAt.length} kills, at ${report.killedAt.join(', ')} visits; ${report.discovered} URLs and ${report.kept} records, none lost, none twice, WARC whole`
      : `${report.differences.length} differences`,
  );
  process.exitCode = report.differences.length === 0 ? 0 : 1;
} catch (error) {
  say(`FAILED ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
