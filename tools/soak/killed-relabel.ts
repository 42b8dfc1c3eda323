/** `forager label` killed at each of its points: the model that judges a crawl changes in one step, or not at all. */
import { cpSync, writeFileSync } from 'node:fs';
import { openCrawl } from '../../src/crawling/crawl-dir/open-crawl.ts';
import { ledgerOf } from '../../src/study/inspect/ledger-lines.ts';
import { differencesFrom, endOf } from './compare-crawls.ts';
import { type CheckReport, type CrashBench, startCli, succeeded } from './crash-bench.ts';
import type { CrashPoint } from './crash-plan.ts';
import { runTrapped } from './named-kills.ts';

/** The crawl is labelled when it has read so many pages, and then goes on. */
const PAGES = 60;
/** In the order they are come to. The last one is where the new model is in force already. */
const POINTS: readonly CrashPoint[] = ['model saved', 'rejudgement stored', 'manifest written', 'manifest renamed'];

export async function killedRelabel(bench: CrashBench, dir: string): Promise<CheckReport> {
  const server = await bench.serve();
  try {
    // Not recorded: a page that a new model reopens is visited twice.
    const crawlOn = (of: string, ...more: string[]) => succeeded(startCli(bench.crawlArgs(of, server, ['--delay', '0ms', ...more])));
    await crawlOn(dir, '--max-pages', String(PAGES));
    const labels = `${dir}.labels.jsonl`;
    writeFileSync(labels, labelsOf(bench, dir));
    const alone = `${dir}-alone`;
    cpSync(dir, alone, { recursive: true });
    await succeeded(startCli(['label', 'import', alone, labels, '--even-if-worse']));
    const differences = await killedAtEach(dir, labels, modelOf(dir), modelOf(alone));
    await succeeded(startCli(['label', 'train', dir, '--even-if-worse']));
    await crawlOn(alone);
    await crawlOn(dir);
    return { differences: [...differences, ...(await differencesFrom(await endOf(alone), dir))], said: `killed: ${POINTS.join(', ')}` };
  } finally {
    await server.close();
  }
}

/** Before the manifest is renamed the model before is in force, after it the new one. */
async function killedAtEach(dir: string, labels: string, before: string, after: string): Promise<string[]> {
  const differences = before === after ? ['the labels made no other model'] : [];
  for (const point of POINTS) {
    const { code, signal, stderr } = await runTrapped({ kill: { point, nth: 1 } }, ['label', 'import', dir, labels, '--even-if-worse']);
    if (signal !== 'SIGKILL') throw new Error(`"${point}" was not come to; label ended with ${code}: ${stderr}`);
    const expected = point === 'manifest renamed' ? after : before;
    if (modelOf(dir) !== expected) differences.push(`${point}: model ${modelOf(dir)} is in force, not ${expected}`);
  }
  return differences;
}

function modelOf(dir: string): string {
  const crawl = openCrawl(dir);
  void crawl.close();
  return crawl.manifest.topic.id;
}

/** Pages that were read, with the other topic's called on topic. */
function labelsOf(bench: CrashBench, dir: string): string {
  const crawl = openCrawl(dir);
  const judged = [...ledgerOf(crawl)].filter(({ state }) => state === 'kept' || state === 'off-topic');
  void crawl.close();
  return judged.map(({ url }) => `${JSON.stringify({ url, label: bench.isOfOtherTopic(url) ? 'y' : 'n' })}\n`).join('');
}
