/** Crawls in PID namespaces of their own on one directory, as containers on one volume. */

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { CONTAINED, insideOf, whyNotContained } from '../../support/lock-taker.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, type Ended, jsonLines, MAIN } from './forager.ts';
import { type Served, smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
const { path } = small;
let model: string;
beforeAll(async () => {
  model = await trainedOn(small);
});
afterAll(() => small.close());

const why = whyNotContained();
if (why !== null) console.warn(`left out: crawls in PID namespaces of their own (${why})`);

function contained(args: readonly string[]) {
  const [command = '', ...rest] = CONTAINED;
  const child = spawn(command, [...rest, process.execPath, MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
  return { child, ended };
}

function crawlArgs(dir: string, { proxy }: Served, maxPages: number): string[] {
  const seeds = small.seeds.flatMap((seed) => ['--seeds', seed]);
  return [
    'crawl',
    dir,
    '--topic',
    model,
    ...seeds,
    '--max-pages',
    `${maxPages}`,
    '--delay',
    '0ms',
    '--concurrency',
    '1',
    '--proxy',
    proxy,
    '--json',
  ];
}

describe.skipIf(why !== null)('in PID namespaces of their own', () => {
  wholeTest(
    'a second crawl on a directory is refused, so is any other writer; the first is not disturbed, and nothing is there twice',
    async () => {
      const slow = await small.serve({ latency: 100 });
      const dir = path('shared');
      const first = contained(crawlArgs(dir, slow, 25));
      await slow.reached(1);
      // A process that is stopped is alive; and so the others have all the time they need.
      process.kill(insideOf(first.child.pid ?? 0), 'SIGSTOP');
      const others = [crawlArgs(dir, slow, 25), [...crawlArgs(dir, slow, 25), '--force'], ['compact', dir]];
      for (const { code, stdout, stderr } of await Promise.all(others.map((args) => contained(args).ended))) {
        expect({ code, stdout, stderr }).toEqual({
          code: 3,
          stdout: '',
          stderr: expect.stringMatching(
            /^forager: \S+: process 1 of host \S+ \(another container, .*\) is working on it; wait for it to end, or stop it there\n$/,
          ),
        });
      }
      // LMDB tells readers apart by their process ids alone.
      // LMDB itself writes the words before; lmdb-js tries for ten seconds.
      const refusal = expect.stringMatching(
        /^(?:No current read transaction available)?forager: [^\n]+ has the same process id as this one, 1; [^\n]+\n$/,
      );
      const readers = [
        ['status', dir],
        ['verify', dir],
      ].map(async (args) => expect({ args, ...(await contained(args).ended) }).toEqual({ args, code: 3, stdout: '', stderr: refusal }));
      await Promise.all(readers);
      expect(jsonLines(await done('status', dir, '--json'))[0]).toMatchObject({ stopReason: 'running' });
      process.kill(insideOf(first.child.pid ?? 0), 'SIGCONT');
      const ended = await first.ended;
      expect(ended.code).toBe(0);
      const [report] = jsonLines<{ counts: { visited: number; kept: number } }>(ended.stdout);
      expect(report?.counts.visited).toBe(25);
      expect(slow.pages).toHaveLength(new Set(slow.pages).size);
      expect(
        readFileSync(path('shared', 'corpus', 'records.jsonl'), 'utf8')
          .trim()
          .split('\n'),
      ).toHaveLength(report?.counts.kept ?? 0);
      expect(existsSync(path('shared', 'lock'))).toBe(false);
    },
  );

  wholeTest('a crawl whose container was killed goes on in another one at once', async () => {
    const slow = await small.serve({ latency: 50 });
    const dir = path('restarted');
    const first = contained(crawlArgs(dir, slow, 25));
    await slow.reached(8);
    first.child.kill('SIGKILL');
    await first.ended;
    expect(existsSync(path('restarted', 'lock'))).toBe(true);
    expect(jsonLines(await done('status', dir, '--json'))[0]).toMatchObject({ stopReason: 'killed' });
    const second = await contained(crawlArgs(dir, slow, 25)).ended;
    expect(second).toMatchObject({ code: 0, stderr: expect.not.stringContaining('sign of life') });
    expect(jsonLines(second.stdout)[0]).toMatchObject({ resumed: true, counts: { visited: 25 } });
    expect(existsSync(path('restarted', 'lock'))).toBe(false);
  });
});
