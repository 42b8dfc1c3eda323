import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { sample } from '../../test/support/extent.ts';
import { wholeTest } from '../../test/support/whole-test.ts';
import { exitCodeOf } from './child.ts';
import { TABLES, type TableName } from './table.ts';

async function run(...args: readonly string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'tools/scripts/run.ts', ...args]);
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { stdout, stderr, code: Number(code) };
}

describe.each(Object.keys(TABLES) as TableName[])('npm run %s', (table) => {
  test.each(sample([[[]], [['--help']]], [0]))('with %j lists its names, a line each', async (args) => {
    const { stdout, stderr, code } = await run(table, ...args);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    const listed = [...stdout.matchAll(/^ {2}(\S+) +\S/gm)].map((match) => match[1]);
    expect(listed).toEqual(TABLES[table].map(({ name }) => name));
  });
});

test('a name with --help prints the heading of its file, without signs of comments', async () => {
  const { stdout, stderr, code } = await run('bench', 'page-pairs', '--sketches', '1', '--help');
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout).toMatch(/^Page pairs against true twins[\s\S]*\n {2}npm run bench -- page-pairs --sketches 100000/);
  expect(stdout).not.toMatch(/^ ?\*|\*\/$/m);
});

test.each([
  ['data', 'train-extractor', /^Train the block model[\s\S]*--folds 3/],
  ['check', 'tests', /Usage:\s+\$ vitest/],
  ['check', 'properties', /Usage:\s+\$ vitest/],
  ['data', 'web-serve', /--port N/],
] as const)('npm run %s -- %s --help ends with its usage', async (table, name, usage) => {
  const { stdout, stderr, code } = await run(table, name, '--help');
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  expect(stdout).toMatch(usage);
});

test('the scripts that answer --help themselves are those that know the option, or pass everything to Vitest', () => {
  const knows = (module: string) =>
    /\bhelp: \{ type: 'boolean'|vitest\.mjs.*process\.argv\.slice\(2\)\]/.test(readFileSync(module, 'utf8'));
  const rows = Object.values(TABLES).flat();
  expect(rows.filter(({ ownHelp }) => ownHelp).map(({ name }) => name)).toEqual(
    rows.filter(({ module }) => knows(module)).map(({ name }) => name),
  );
});

test('a name that is none is refused, with the nearest', async () => {
  const { stdout, stderr, code } = await run('bench', 'frontir');
  expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  expect(stderr).toMatch(/^npm run bench -- frontir: not one of .*; did you mean frontier\?\n$/);
});

wholeTest('what follows a name is for the script, and its exit code is ours', async () => {
  const asked = await run('data', 'topics-build', '--help');
  expect(asked).toMatchObject({ stderr: '', code: 0 });
  expect(asked.stdout).toContain('--packages');
  const refused = await run('data', 'topics-build', '--only', 'nonsense');
  expect({ ...refused, code: refused.code }).toMatchObject({ stdout: '', code: 2 });
  expect(refused.stderr).toContain('nonsense');
});

test('exit codes are those of the command; a signal that ended it is told as shells tell it', async () => {
  expect(await exitCodeOf(process.execPath, ['-e', 'process.exit(3)'])).toBe(3);
  expect(await exitCodeOf(process.execPath, ['-e', 'process.kill(process.pid, "SIGKILL")'])).toBe(128 + 9);
  await expect(exitCodeOf('/nowhere/command', [])).rejects.toThrow('ENOENT');
});

/** A process that waits for a command, which ends with code 7 by a signal and says when it listens for it. */
function waiting(signal: NodeJS.Signals): ChildProcess {
  const command = `process.on('${signal}', () => process.exit(7)); setInterval(() => undefined, 1000); console.log('listening');`;
  const waiter = `const { exitCodeOf } = await import('./tools/scripts/child.ts'); process.exitCode = await exitCodeOf(process.execPath, ['-e', ${JSON.stringify(command)}]);`;
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', waiter], { stdio: ['pipe', 'pipe', 'inherit'] });
}

test.each(sample(['SIGINT', 'SIGTERM', 'SIGHUP'] as const, [1]))('%s is forwarded, and the command waited for', async (signal) => {
  const waiter = waiting(signal);
  const closed = once(waiter, 'close');
  if (waiter.stdout) await once(waiter.stdout, 'data');
  waiter.kill(signal);
  expect((await closed)[0]).toBe(7);
});
