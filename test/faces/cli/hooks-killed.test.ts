/** A crawl that is killed again and again tells `onKept` and its sink of each page that it keeps. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CorpusRecord } from 'forager';
import { afterAll, expect, vi } from 'vitest';
import { HANGS } from '../../support/cpu-time.ts';
import { NODE, PACKAGE } from '../../support/tested-package.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, jsonLines } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const KILLS = 20;
const small = smallWeb();
afterAll(() => small.close());

wholeTest('killed at twenty moments, the hook has each kept record at least once', async () => {
  const list = small.path('kept.txt');
  const hooks = small.path('hooks.mjs');
  writeFileSync(
    hooks,
    `import { appendFileSync } from 'node:fs';\nexport const onKept = ({ id }) => appendFileSync(${JSON.stringify(list)}, id + '\\n');\n`,
  );
  const { kept, known } = await killed('crawl', list, ['--hooks', hooks]);
  // A kill loses commits, so that some pages came twice.
  expect(known.size).toBeGreaterThan(kept.length);
});

wholeTest('killed at twenty moments, the sink has each kept record at least once, and no other', async () => {
  const list = small.path('sunk.txt');
  const program = small.path('sink.js');
  writeFileSync(
    program,
    `const { appendFileSync, readFileSync } = require('node:fs');
    const lines = readFileSync(0, 'utf8').split('\\n').slice(0, -1);
    for (const line of lines) appendFileSync(${JSON.stringify(list)}, JSON.parse(line).id + '\\n');\n`,
  );
  const { kept, known } = await killed('sunk', list, ['--sink', `'${NODE}' '${program}'`]);
  // It gets committed records alone.
  expect(known.size).toBe(kept.length);
});

/** Runs and kills a crawl whose code writes ids to a list. @returns ids of the kept records, and those of the list */
async function killed(name: string, list: string, more: readonly string[]) {
  const { proxy } = await small.serve({ latency: 10 });
  const told = () => (existsSync(list) ? readFileSync(list, 'utf8').split('\n').slice(0, -1) : []);
  const dir = small.path(name);
  const args = ['crawl', dir, '--topic', await trainedOn(small), '--seeds', ...small.seeds, '--proxy', proxy, '--delay', '20ms', ...more];
  for (let kill = 1; kill <= KILLS; kill++) {
    const child = spawn(NODE, [join(PACKAGE, 'src/faces/cli/forager.mjs'), ...args, '--max-pages', '250'], { stdio: 'ignore' });
    const closed = new Promise((resolve) => child.on('close', resolve));
    // Between one and four records after the start: within commits, within deliveries, and between them.
    const until = told().length + 1 + (kill % 4);
    await vi.waitUntil(() => told().length >= until || child.exitCode !== null, { timeout: HANGS, interval: 1 });
    child.kill('SIGKILL');
    await closed;
  }
  await done(...args, '--max-pages', '260');
  const corpus = small.path(`${name}-corpus`);
  await done('harvest', dir, '--out', corpus, '--format', 'jsonl', '--dedupe', 'none', '--min-relevance', '0');
  const kept = jsonLines<CorpusRecord>(readFileSync(join(corpus, 'corpus.jsonl'), 'utf8')).map(({ id }) => id);
  const known = new Set(told());
  expect(kept.length).toBeGreaterThan(KILLS);
  expect(kept.filter((id) => !known.has(id))).toEqual([]);
  return { kept, known };
}
