/**
 * Sentence pairs of generated bilingual corpora of several sizes: seconds by stage, peak memory, and the share of the 1-1 pairs that are translations. A side
 * lacks a tenth of the sentences. Each size has a process of its own. Anonymous memory is that without mapped files.
 *
 *   npm run bench -- pairs [--pairs 10000,100000] [--sentences 28]
 */
import { spawnSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { NO_METADATA } from '../../src/base/core/no-metadata.ts';
import type { CanonicalUrl, CorpusRecord } from '../../src/base/core/types.ts';
import { madeRecord, writeRecords } from '../../test/corpus/harvest/made-corpus.ts';
import { CRAWL } from '../../test/corpus/harvest/written-crawl.ts';
import type { PairLine } from '../../test/corpus/pairs/bilingual-corpus.ts';
import { type BilingualPage, bilingualPages } from '../../test/support/bilingual-pages.ts';

const { values } = parseArgs({
  options: { pairs: { type: 'string', default: '10000,100000' }, sentences: { type: 'string', default: '28' } },
});
const SENTENCES = Number(values.sentences);
/** Share of the sentences that both sides have, with a tenth lost on each. */
const SHARED = 0.81;
const RUN = fileURLToPath(new URL('pairs-run.mjs', import.meta.url));

interface Spent {
  readonly wall: number;
  readonly cpu: number;
  readonly megabytes: number;
  readonly anonymous: number;
  readonly spent: Readonly<Record<string, number>>;
  readonly kept: number;
  readonly dropped: Readonly<Record<string, number>>;
}

function recordOf(i: number, { id, url, lang, title, text, partner }: BilingualPage): CorpusRecord {
  const alternates = i % 6 < 2 ? [] : [{ lang: lang === 'en' ? 'fr' : 'en', url: partner as CanonicalUrl }];
  return { ...madeRecord(i, 1), id, url: url as CanonicalUrl, lang, title, text, metadata: { ...NO_METADATA, alternates } };
}

/** Share of the 1-1 pairs of which both sides are one sentence of the grammar. */
async function precision(out: string, twins: ReadonlySet<string>): Promise<number> {
  let [right, all] = [0, 0];
  for await (const line of createInterface({ input: createReadStream(join(out, 'pairs.jsonl')) })) {
    const pair = JSON.parse(line) as PairLine;
    if (pair.kind !== '1-1') continue;
    all++;
    if (twins.has(`${pair.left}\n${pair.right}`)) right++;
  }
  return right / all;
}

async function measured(folder: string, pairs: number): Promise<void> {
  const pagePairs = Math.ceil(pairs / SENTENCES / SHARED);
  const pages = bilingualPages({ pagePairs, sentences: SENTENCES, lost: 0.1 });
  const twins = new Set<string>();
  const corpus = await writeRecords(folder, 2 * pagePairs, (i) => {
    const page = pages.next().value as BilingualPage;
    for (const both of page.twins) twins.add(both.join('\n'));
    return recordOf(i, page);
  });
  const out = join(folder, 'out');
  const { status, stdout, stderr } = spawnSync(process.execPath, [RUN, corpus, out, JSON.stringify(CRAWL)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const { wall, cpu, megabytes, anonymous, spent, kept, dropped } = JSON.parse(stdout) as Spent;
  const stages = Object.entries(spent).map(([stage, seconds]) => `${stage} ${seconds.toFixed(1)}`);
  const share = await precision(out, twins);
  console.log(
    `| ${pagePairs} | ${kept} | ${wall.toFixed(1)} | ${cpu.toFixed(1)} | ${megabytes.toFixed(0)} | ${anonymous.toFixed(0)} | ${share.toFixed(4)} | ${stages.join(', ')} | ${JSON.stringify(dropped).replaceAll(/[{}"]/g, '')} |`,
  );
}

console.log('| page pairs | sentence pairs | wall s | CPU s | peak MB | anonymous MB | translations | seconds by stage | dropped |');
console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- |');
for (const pairs of values.pairs.split(',').map(Number)) {
  const folder = mkdtempSync(join(tmpdir(), 'forager-pairs-'));
  try {
    await measured(folder, pairs);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
