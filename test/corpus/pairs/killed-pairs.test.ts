/** Work that is killed at any step continues, and ends with the bytes of work that was not. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRng } from '../../../src/base/core/rng.ts';
import { bilingualPages } from '../../support/bilingual-pages.ts';
import { size } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { T0 } from '../records/samples.ts';
import { corpusOf, recordOfPage } from './bilingual-corpus.ts';

const root = mkdtempSync(join(tmpdir(), 'killed-pairs-'));
const PAGE_PAIRS = size(30, 8);
const MOMENTS = size(40, 2);
let corpus: string;
let steps: number;
let whole: Record<string, string>;

/** @param killAt number of the step at which the process kills itself; 0 for none. @returns its steps; null if it was killed */
function run(name: string, killAt = 0, over: object = {}): number | null {
  const options = {
    corpus,
    out: join(root, name, 'pairs'),
    langs: ['en', 'fr'],
    formats: ['tmx', 'tsv', 'jsonl', 'parquet'],
    split: [80, 20],
    now: T0,
  };
  const args = [join(import.meta.dirname, 'pairs-child.mjs'), JSON.stringify({ ...options, ...over }), String(killAt)];
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (signal === 'SIGKILL') return null;
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return Number(stdout);
}

function contentOf(name: string): Record<string, string> {
  const out = join(root, name, 'pairs');
  return Object.fromEntries(readdirSync(out).map((file) => [file, readFileSync(join(out, file), 'latin1')]));
}

beforeAll(async () => {
  const pages = [...bilingualPages({ pagePairs: PAGE_PAIRS, sentences: 12, lost: 0.1 })];
  corpus = await corpusOf(
    root,
    pages.map((page, i) => recordOfPage(page, i % 3 > 0)),
  );
  steps = run('whole') ?? 0;
  whole = contentOf('whole');
}, 60_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

test(`work that is killed once, at any of ${MOMENTS} moments, ends the same`, { timeout: 1_800_000 }, () => {
  for (let moment = 0; moment < MOMENTS; moment++) {
    const at = Math.ceil(((moment + 0.5) * steps) / MOMENTS);
    expect(run(`once-${moment}`, at)).toBe(null);
    expect(readdirSync(join(root, `once-${moment}`)).sort()).toEqual(['.pairs.forager-new', '.pairs.forager-pairs']);
    expect(run(`once-${moment}`)).toBeLessThanOrEqual(steps);
    expect(contentOf(`once-${moment}`), `killed at step ${at} of ${steps}`).toEqual(whole);
    expect(readdirSync(join(root, `once-${moment}`))).toEqual(['pairs']);
  }
});

wholeTest('work that is killed again and again ends the same, and does no page pair twice', { timeout: 1_800_000 }, () => {
  const rng = seededRng(7);
  let [kills, most] = [0, steps];
  for (let left = run('often', Math.ceil(most * 0.4)); left === null && kills < size(20, 3); kills++)
    left = run('often', Math.ceil(rng() * most * 0.4));
  most = run('often') ?? 0;
  expect(kills).toBeGreaterThan(1);
  expect(most).toBeLessThan(steps);
  expect(contentOf('often')).toEqual(whole);
});

wholeTest('work with other options starts again', { timeout: 60_000 }, () => {
  expect(run('other', Math.ceil(steps / 2), { langs: ['fr', 'en'] })).toBe(null);
  run('other');
  expect(contentOf('other')).toEqual(whole);
});
