/** The tutorial's commands, one after the other in an empty folder, print the lines that it shows; figures may differ. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startWebProxy } from '../../datasets/web-proxy.ts';
import { NODE, PACKAGE } from '../support/tested-package.ts';
import { wholeTest } from '../support/whole-test.ts';
import { type TutorialWeb, tutorialWeb } from './tutorial-web.ts';

const PROMPT = 'q quit: ';

interface Step {
  readonly command: string;
  /** Lines it shows, without those of "…". */
  readonly shown: readonly string[];
}

function stepsOf(page: string): Step[] {
  const blocks = [...page.matchAll(/^ {4}\$ npx forager (.*)\n((?:(?: {4}.*)?\n)*)/gm)];
  return blocks.map(([, command = '', output = '']) => ({
    command,
    shown: output
      .split('\n')
      .filter((line) => line.startsWith('    '))
      .map((line) => line.slice(4))
      .filter((line) => line !== '…'),
  }));
}

/** Ids and numbers as one sign, and white space as one blank. */
function masked(line: string): string {
  return (
    line
      // With a letter: without one it may be the digits of a number.
      .replace(/\b(?=\d*[a-f])[0-9a-f]{16}\b/g, '#')
      .replace(/[+-]?\d[\d.,]*/g, '#')
      .replace(/\s+/g, ' ')
      .trim()
  );
}

/** @returns standard output. Questions of `label` are answered by the truth. */
async function run(command: string, cwd: string, web: TutorialWeb): Promise<string> {
  const child = spawn(NODE, [join(PACKAGE, 'src/faces/cli/forager.mjs'), ...command.split(' ')], { cwd, stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    if (!stdout.endsWith(PROMPT)) return;
    const asked = [...stdout.matchAll(/^http\S+$/gm)].at(-1)?.[0] ?? '';
    child.stdin.write(web.isMoss(asked) ? 'y\n' : 'n\n');
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect({ command, code, stderr: code === 0 ? '' : stderr }).toEqual({ command, code: 0, stderr: '' });
  return stdout;
}

wholeTest('each command runs, and prints the lines that are shown', async () => {
  const web = tutorialWeb();
  const server = await startWebProxy(web.source);
  const dir = mkdtempSync(join(tmpdir(), 'forager-tutorial-'));
  try {
    writeFileSync(join(dir, 'examples.txt'), web.examples.join('\n'));
    writeFileSync(join(dir, 'seeds.txt'), web.seeds.join('\n'));
    writeFileSync(join(dir, 'check.txt'), 'http://wet-rocks.example/moss-4\nhttp://bakery.example/bread-3\n');
    writeFileSync(join(dir, 'forager.yaml'), `contact: you@example.org\nproxy: ${server.proxy}\ndelay: 0\n`);
    const steps = stepsOf(readFileSync('docs/tutorial.md', 'utf8'));
    expect(steps.map(({ command }) => command.split(' ')[0])).toEqual(['train', 'judge', 'crawl', 'status', 'why', 'label', 'harvest']);
    for (const { command, shown } of steps) {
      const printed = new Set((await run(command, dir, web)).split('\n').map(masked));
      expect({ command, missing: shown.filter((line) => !printed.has(masked(line))) }).toEqual({ command, missing: [] });
    }
    expect(existsSync(join(dir, 'corpora/moss/corpus-card.md'))).toBe(true);
  } finally {
    await server.close();
    rmSync(dir, { recursive: true, force: true });
  }
});
