/**
 * A crawl of a web of PDFs, books, Word documents, services and pages, killed by SIGKILL at random moments and resumed each time. In the end ledger,
 * corpus, WARC and recording must be those of a crawl left alone, `verify` must find no fault, and each document must be in the WARC with the bytes
 * that the server sent. Exit code 1 if not.
 *
 *   npm run check -- kill-documents [--kills 20] [--pages 2400] [--seed N]
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { records, verify } from 'forager';
import { CrashBench } from './crash-bench.ts';
import { withDocuments } from './document-web.ts';
import { killedCrawl } from './killed-crawl.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '20' },
    pages: { type: 'string', default: '2400' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
/** Each answer waits so long, in ms, so that there is a crawl to kill. */
const LATENCY = 50;
const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'forager-kill-documents-'));

/** Differences between the payloads of a corpus and the bytes that the server sends, and the number of documents by kind. */
async function payloads(bench: CrashBench, dir: string): Promise<{ readonly faults: string[]; readonly kinds: Map<string, number> }> {
  const [faults, kinds]: [string[], Map<string, number>] = [[], new Map()];
  for await (const { url, payloadSha256, document } of records(dir)) {
    kinds.set(document?.kind ?? 'html', (kinds.get(document?.kind ?? 'html') ?? 0) + 1);
    const sent = createHash('sha256')
      .update(bench.bodyOf(url) ?? '')
      .digest('hex');
    if (sent !== payloadSha256) faults.push(`${url}: other bytes than the server sent`);
  }
  return { faults, kinds };
}

try {
  say(`seed ${values.seed} (repeat with --seed ${values.seed})`);
  const bench = await CrashBench.make({
    ...{ folder, pages: Number(values.pages), seed: Number(values.seed), latency: LATENCY },
    ...{ change: withDocuments, more: ['--documents', 'all'] },
  });
  say(`left alone: ${bench.alone.visited} visited, ${bench.alone.kept} kept, ${bench.alone.discovered} discovered`);
  const dir = join(folder, 'killed');
  const { differences, said } = await killedCrawl(bench, { dir, kills: Number(values.kills), seed: Number(values.seed), latency: LATENCY });
  const { faults } = await verify({ dir });
  const stored = await payloads(bench, dir);
  const all = [...differences, ...stored.faults, ...(faults > 0 ? [`verify: ${faults} faults`] : [])];
  say(said);
  say(`kept: ${[...stored.kinds].map(([kind, count]) => `${count} ${kind}`).join(', ')}; verify: ${faults} faults`);
  for (const difference of all.slice(0, 20)) say(`FAULT ${difference}`);
  say(all.length === 0 ? 'as left alone' : `${all.length} differences`);
  process.exitCode = all.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
