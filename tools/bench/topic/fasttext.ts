import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TextSet } from '../../../datasets/topics/text-set.ts';
import { DataError, EnvironmentError } from '../../../src/base/core/errors.ts';
import { wordsOf } from '../../../src/base/text/tokens.ts';
import { type Family, type Scorer, wholeText } from './family.ts';
import type { Cell, Draw } from './splits.ts';

const run = promisify(execFile);
/**
 * 25 rounds at rate 0.5 over words and pairs, as its tutorial on supervised models ends up with; 10 dimensions, as its authors take for two classes (Joulin and
 * others 2016). Fewer buckets than the default of 2 million: a problem has some 100,000 pairs. One thread, so that a run can be repeated.
 */
export const SETTINGS = [
  '-epoch',
  '25',
  '-lr',
  '0.5',
  '-wordNgrams',
  '2',
  '-dim',
  '10',
  '-bucket',
  '100000',
  '-thread',
  '1',
  '-verbose',
  '0',
];
/** One answer of it is `__label__on 0.93 __label__off 0.07`, for 2,000 texts. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** fastText's supervised model; its own splitting is at white space only, so words are given in lower case and without punctuation. */
export const fastText: Family = { name: 'fasttext', settings: ['pool', 'labelled'], open: opened };

async function opened(set: TextSet): Promise<Scorer> {
  if (spawnSync('fasttext', { stdio: 'ignore' }).error !== undefined)
    throw new EnvironmentError("fasttext is not installed: it is Debian's package of that name");
  const folder = mkdtempSync(join(tmpdir(), 'forager-fasttext-'));
  const lines = set.texts.map((text) => wordsOf(wholeText(text)).join(' '));
  let judged: Draw | null = null;
  return {
    async score(cell) {
      if (judged !== cell.draw) writeFileSync(join(folder, 'test'), joined(cell.draw.test, lines, ''));
      judged = cell.draw;
      return await scored(cell, folder, lines);
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function scored({ draw, positives, others }: Cell, folder: string, lines: readonly string[]): Promise<number[]> {
  const file = (name: string) => join(folder, name);
  writeFileSync(file('training'), joined(positives, lines, '__label__on ') + joined(others, lines, '__label__off '));
  await run('fasttext', ['supervised', '-input', file('training'), '-output', file('model'), ...SETTINGS]);
  const { stdout } = await run('fasttext', ['predict-prob', file('model.bin'), file('test'), '2'], { maxBuffer: MAX_ANSWER_BYTES });
  const answers = stdout.trimEnd().split('\n');
  if (answers.length !== draw.test.length)
    throw new DataError(`fasttext: ${answers.length} answers for ${draw.test.length} texts; try it by hand`);
  return answers.map((answer) => logOdds(answer));
}

function joined(places: readonly number[], lines: readonly string[], label: string): string {
  return places.map((place) => `${label}${lines[place] ?? ''}\n`).join('');
}

/** Of `__label__on 0.93 __label__off 0.07`, in any order; 0 of an empty answer. It rounds up to 1.00001 at the sure end, so the other probability tells such texts apart. */
function logOdds(answer: string): number {
  const of = (label: string) => Number(new RegExp(`__label__${label} (\\S+)`).exec(answer)?.[1] ?? Number.NaN);
  const [on, off] = [of('on'), of('off')];
  return Number.isNaN(on) || Number.isNaN(off) ? 0 : Math.log(on) - Math.log(off);
}
