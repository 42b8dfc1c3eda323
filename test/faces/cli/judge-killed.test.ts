/** Crawls that are killed again and again: a judge is asked about no text whose judgement the crawl has, a strategy about no link of a committed page. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, vi } from 'vitest';
import { HANGS } from '../../support/cpu-time.ts';
import { NODE, PACKAGE } from '../../support/tested-package.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, jsonLines } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const KILLS = 20;
const small = smallWeb();
afterAll(() => small.close());

/** A line for each text when the judge is asked. Equal texts have equal lines. */
const judgeCode = (log: string) => `
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
export const judge = (pages) => pages.map(({ id, title, text }) => {
  const digest = createHash('sha256').update(JSON.stringify([title, text])).digest('hex');
  appendFileSync(${JSON.stringify(log)}, digest + '\\n');
  return { id, relevance: 0.9 };
});
`;

const linesIn = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []);

wholeTest('killed at twenty moments, a crawl asks about no text whose judgement it has', async () => {
  const { proxy } = await small.serve({ latency: 10 });
  const [log, judge, dir] = [small.path('asked.txt'), small.path('judge.mjs'), small.path('crawl')];
  writeFileSync(judge, judgeCode(log));
  const args = ['crawl', dir, '--topic', await trainedOn(small), '--seeds', ...small.seeds, '--proxy', proxy, '--delay', '20ms'];
  const stored = () => linesIn(join(dir, 'judgements.jsonl')).map((line) => jsonLines<{ text: string }>(`${line}\n`)[0]?.text ?? '');
  let repeated = 0;
  for (let kill = 1; kill <= KILLS; kill++) {
    const before = linesIn(log).length;
    const known = new Set(stored());
    const all = [...args, '--judge-by', judge, '--max-pages', '250'];
    const child = spawn(NODE, [join(PACKAGE, 'src/faces/cli/forager.mjs'), ...all], { stdio: 'ignore' });
    const closed = new Promise((resolve) => child.on('close', resolve));
    await vi.waitUntil(() => linesIn(log).length > before + (kill % 4) || child.exitCode !== null, { timeout: HANGS, interval: 1 });
    child.kill('SIGKILL');
    await closed;
    repeated += linesIn(log)
      .slice(before)
      .filter((text) => known.has(text)).length;
  }
  expect(repeated).toBe(0);
  await done(...args, '--max-pages', '260');
  const asked = linesIn(log);
  expect(asked.length).toBeGreaterThan(KILLS);
  // A kill during a call loses the judgements of that call, eight at most: those alone are asked about twice.
  expect(asked.length - new Set(asked).size).toBeLessThanOrEqual(8 * KILLS);
  expect(new Set(stored())).toEqual(new Set(asked));
});

/** The strategy `parent`, with a line for each page whose links it scores. */
const strategyCode = (log: string) => `
import { appendFileSync } from 'node:fs';
const share = ({ edge }) => edge.referrer.relevance;
export default { name: 'mine', scorer: () => ({
  score(links) { appendFileSync(${JSON.stringify(log)}, links[0].edge.referrer.url + '\\n'); return links.map(share); },
  explain: (link) => ({ contributions: [{ feature: 'share', contribution: share(link) }] }),
}) };
`;

wholeTest('killed at six moments, a crawl asks its strategy about no link of a committed page', async () => {
  const { proxy } = await small.serve({ latency: 10 });
  const [log, strategy, dir] = [small.path('scored.txt'), small.path('strategy.mjs'), small.path('ordered')];
  writeFileSync(strategy, strategyCode(log));
  const args = ['crawl', dir, '--topic', await trainedOn(small), '--seeds', ...small.seeds, '--proxy', proxy, '--delay', '20ms'];
  const committed = async (): Promise<ReadonlySet<string>> =>
    new Set(
      jsonLines<{ url: string; order: number | null }>(await done('ledger', dir)).flatMap(({ url, order }) =>
        order === null ? [] : [url],
      ),
    );
  let [repeated, known]: [number, ReadonlySet<string>] = [0, new Set()];
  for (let kill = 1; kill <= 6; kill++) {
    const before = linesIn(log).length;
    const all = [...args, '--strategy', strategy, '--max-pages', '250'];
    const child = spawn(NODE, [join(PACKAGE, 'src/faces/cli/forager.mjs'), ...all], { stdio: 'ignore' });
    const closed = new Promise((resolve) => child.on('close', resolve));
    await vi.waitUntil(() => linesIn(log).length > before + 20 + 10 * (kill % 4) || child.exitCode !== null, {
      timeout: HANGS,
      interval: 1,
    });
    child.kill('SIGKILL');
    await closed;
    repeated += linesIn(log)
      .slice(before)
      .filter((url) => known.has(url)).length;
    known = await committed();
  }
  expect(repeated).toBe(0);
  expect(known.size).toBeGreaterThan(KILLS);
});
