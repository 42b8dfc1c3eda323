/** The scripts of `forager completion`, asked by the shells themselves where they are installed. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { done, refused } from './forager.ts';

const root = mkdtempSync(join(tmpdir(), 'forager-completion-'));
const script = (shell: string) => join(root, `completion.${shell}`);

beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) writeFileSync(script(shell), await done('completion', shell));
});
afterAll(() => rmSync(root, { recursive: true }));

function inShell(shell: string, args: readonly string[]): string[] {
  const { status, stdout, stderr } = spawnSync(shell, args, { encoding: 'utf8', env: { ...process.env, HOME: root } });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter((line) => line !== '');
}

const hasShell = (shell: string) => spawnSync(shell, ['-c', 'true']).error === undefined;

/** @param words as bash splits the line; the last is the one to complete */
function byBash(...words: string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(' ');
  const ask = `source ${script('bash')}; COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _forager; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return inShell('bash', ['-c', ask]);
}

test.skipIf(!hasShell('bash')).each([
  [['forager', 'cr'], ['crawl']],
  [['forager', 'crawl', '--stra'], ['--strategy']],
  [
    ['forager', 'crawl', '--strategy', 'a'],
    ['apprentice', 'anchor', 'authority'],
  ],
  [['forager', 'crawl', '--strategy', '=', 'ba'], []],
  [['forager', 'crawl', '--strategy', '=', 'bf'], ['bfs']],
  [['forager', 'crawl', '--no-t'], ['--no-traps']],
  [['forager', 'ledger', 'crawls/moss', '--state', 'of'], ['off-topic']],
  [['forager', 'completion', 'f'], ['fish']],
  [['forager', 'corpus', 'm'], ['merge']],
  [
    ['forager', 'corpus', 'merge', 'a', '--sp'],
    ['--split', '--split-by'],
  ],
  [['forager', 'corpus', 'diff', 'a', '--s'], ['--skip-damaged']],
  [['forager', 'config', 'ev'], ['eval']],
  [['forager', 'lab'], ['label']],
  [['forager', 'label', 'au'], ['audit']],
  [
    ['forager', 'label', ''],
    ['audit', 'decide', 'import', 'export', 'none-of', 'judge', 'train', 'undo'],
  ],
  [
    ['forager', 'label', 'audit', 'm', '--co'],
    ['--count', '--config'],
  ],
  [['forager', 'label', 'm', '--au'], []],
  [['forager', 'label', 'judge', 'm', '--judge-q'], ['--judge-question']],
  [
    ['forager', 'label', 'crawls/moss', '--ev'],
    ['--every', '--even-if-worse'],
  ],
])('bash: %j', (words, expected) => {
  expect(byBash(...words)).toEqual(expected);
});

test.skipIf(!hasShell('bash'))('bash: files where no word is known', () => {
  expect(byBash('forager', 'crawl', '')).toEqual([]);
  expect(inShell('bash', ['-c', `source ${script('bash')}; complete -p forager`])).toEqual(['complete -o default -F _forager forager']);
});

test.skipIf(!hasShell('fish')).each([
  ['forager cr', 'crawl'],
  ['forager crawl --stra', '--strategy'],
  ['forager crawl --strategy ap', 'apprentice'],
])('fish: %s', (line, expected) => {
  const found = inShell('fish', ['-c', `source ${script('fish')}; complete -C '${line}'`]).map((word) => word.split('\t')[0]);
  expect(found).toContain(expected);
});

test.skipIf(!hasShell('zsh'))('zsh reads its script, and completes by it', () => {
  expect(inShell('zsh', ['-fc', `source ${script('zsh')}; print -r -- $_comps[forager]`])).toEqual([
    '_bash_complete -o default -F _forager',
  ]);
});

test('another shell is refused', async () => {
  await refused(2, ['tcsh', 'bash, zsh, fish'], 'completion', 'tcsh');
});
