/** A sample of the damage table; `npm run check -- damage` has all of it. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { forager } from '../../test/faces/cli/forager.ts';
import { wholeTest } from '../../test/support/whole-test.ts';
import { type DamageBench, damageBench } from './damage-bench.ts';
import { DamageRun, type Runner, type Verdict } from './damage-run.ts';
import type { Kind } from './damages.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-damage-test-'));
let bench: DamageBench;
let run: DamageRun;
beforeAll(async () => {
  chmodSync(folder, 0o755);
  bench = await damageBench(folder);
  run = await DamageRun.begin(bench, folder);
});
afterAll(async () => {
  await bench.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What may come of each: more than one where a later version may do better. */
const SAMPLE: readonly (readonly [kind: Kind, file: string, verdicts: readonly Verdict[]])[] = [
  ['truncate', 'frontier/data.mdb', ['refused']],
  ['flip', 'frontier/data.mdb', ['refused', 'warn', 'harmless']],
  ['older', 'frontier/data.mdb', ['refused']],
  ['other', 'frontier/data.mdb', ['refused']],
  ['remove', 'frontier/data.mdb', ['refused']],
  ['zero', 'corpus/records.jsonl', ['refused']],
  ['older', 'corpus/records.jsonl', ['refused']],
  ['flip', 'corpus/forager-00000.warc.gz', ['warn']],
  ['truncate', 'corpus/visits.jsonl.gz', ['refused']],
  ['remove', 'corpus/commit-1.json', ['refused', 'harmless', 'mended']],
  ['flip', 'labels.jsonl', ['refused', 'warn']],
  ['other', 'crawl.json', ['refused']],
  ['remove', 'lock', ['harmless']],
  ['remove', 'frontier/lock.mdb', ['harmless']],
  ['other', 'corpus/records.jsonl', ['refused']],
  ['read-only', 'corpus/records.jsonl', ['refused', 'harmless']],
];

/** In this process, one command at a time. Not for a damaged frontier, which could end it once it is mapped, nor for the rights of a process. */
function inTurn(): Runner {
  let before: Promise<unknown> = Promise.resolve();
  return (args) => {
    const ran = before.then(async () => ({ ...(await forager(...args)), signal: null }));
    before = ran;
    return ran;
  };
}

let number = 0;
wholeTest.each(SAMPLE)('%s %s', async (kind, file, verdicts) => {
  const isOfProcess = file.startsWith('frontier/') || kind === 'read-only';
  const damage = { kind, file, place: 0.4, bit: 3 };
  const outcome = await run.outcome(damage, number++, ...(isOfProcess ? [] : [inTurn()]));
  expect(outcome?.said ?? 'nothing was changed').not.toBe('nothing was changed');
  expect({ said: outcome?.said, verdict: verdicts.find((one) => one === outcome?.verdict) }).toEqual({
    said: outcome?.said,
    verdict: outcome?.verdict,
  });
});
