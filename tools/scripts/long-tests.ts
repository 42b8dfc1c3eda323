/**
 * The long tests (`wholeTest`), which `npm test` omits, until a time is over. Files that it did not reach are named.
 *
 *   npm run check -- long-tests [--minutes <n>]      default: until all have run
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { createVitest, type TestModule } from 'vitest/node';

const MINUTE = 60_000;

/** Test files that have some. */
function filesWithSome(): string[] {
  const listed = execFileSync('git', ['grep', '-l', '-w', 'wholeTest', '--', 'test/**/*.test.ts', 'tools/**/*.test.ts'], {
    encoding: 'utf8',
  });
  return listed.split('\n').filter((path) => path !== '');
}

/** @returns what has ended in time: a file that is cut off looks as if it had ended too */
async function endedOf(files: readonly string[], limit: number): Promise<readonly TestModule[]> {
  const ended: TestModule[] = [];
  let isOver = false;
  const onTestModuleEnd = (module: TestModule) => void (isOver || ended.push(module));
  const vitest = await createVitest('test', { run: true, watch: false, allowOnly: true, reporters: ['default', { onTestModuleEnd }] });
  const timer = setTimeout(() => {
    isOver = true;
    void vitest.cancelCurrentRun('keyboard-input');
  }, limit);
  await vitest.start([...files]);
  clearTimeout(timer);
  await vitest.close();
  return ended;
}

/** @returns the exit code: 1 if a test failed */
async function main(): Promise<number> {
  const { minutes } = parseArgs({ options: { minutes: { type: 'string' } } }).values;
  const limit = minutes === undefined ? 2 ** 31 - 1 : Number(minutes) * MINUTE;
  if (!(limit >= 0)) throw new Error(`--minutes ${minutes}: not a number of minutes`);
  process.env['TEST_EXTENT'] = 'long';
  const files = filesWithSome();
  const ended = await endedOf(files, limit);
  const reached = new Set(ended.map(({ relativeModuleId }) => relativeModuleId));
  const missed = files.filter((file) => !reached.has(file));
  console.log(`${files.length - missed.length} of ${files.length} files with long tests have run.`);
  for (const file of missed) console.log(`  not reached: ${file}`);
  return ended.some((module) => module.state() === 'failed') ? 1 : 0;
}

process.exitCode = await main();
