/**
 * Answers on the page of a running crawl, which is killed by SIGKILL at 20 moments: in the middle of a request, after a request for training, with and
 * without the processes that work for the page. Every answer that the page confirmed must be stored with its page and text, the crawl must be sound, and
 * the same command must resume it. Exit code 1 where that is not so. Under ten minutes.
 *
 *   npm run check -- kill-answers [--moments 20] [--seed N]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { killedAnswers } from './killed-answers.ts';

const { values } = parseArgs({
  options: { moments: { type: 'string', default: '20' }, seed: { type: 'string', default: String(Date.now() % 1_000_000) } },
});
const say = (line: string) => process.stdout.write(`${line}\n`);
const [seed, moments] = [Number(values.seed), Number(values.moments)];
const folder = mkdtempSync(join(tmpdir(), 'forager-kill-answers-'));
const startedAt = performance.now();
try {
  say(`seed ${seed} (repeat with --seed ${seed})`);
  const { faults, confirmed, inRequest, inTraining, memory } = await killedAnswers({ folder, moments, seed, say });
  say(`forms: ${[...memory.ways].map(([way, count]) => `${way} ${count}`).join(', ')}`);
  say(`${moments} kills, ${inRequest} with a form on its way, ${inTraining} after a request for training`);
  say(`${confirmed} answers confirmed, ${faults.length} faults, ${Math.round((performance.now() - startedAt) / 1000)} s`);
  process.exitCode = faults.length === 0 && confirmed > 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
