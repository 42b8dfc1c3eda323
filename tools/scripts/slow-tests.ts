/**
 * Tests of `npm test` that take over two seconds and are not in the list of `test/support/slow-tests.ts`, and rows of the list that name no test.
 * Time under load is no property of the code: run it on a quiet machine. With a report of such a run (`npx vitest run --reporter=json
 * --outputFile=<file>`) it runs nothing.
 *
 *   npm run check -- slow-tests [<report>]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { SLOW, SLOW_TESTS } from '../../test/support/slow-tests.ts';
import { exitCodeOf } from './child.ts';

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly duration?: number | null }[];
  }[];
}

interface Timed {
  readonly name: string;
  readonly ms: number;
}

async function reportOfRun(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'forager-slow-tests-'));
  const file = join(folder, 'report.json');
  await exitCodeOf(process.execPath, [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=json',
    '--reporter=dot',
    `--outputFile.json=${file}`,
  ]);
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  rmSync(folder, { recursive: true });
  return report;
}

function timesOf({ testResults }: Report): Timed[] {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({ name: `${relative('.', name)}: ${fullName}`, ms: duration ?? 0 })),
  );
}

async function main(path?: string): Promise<number> {
  const times = timesOf(path === undefined ? await reportOfRun() : (JSON.parse(readFileSync(path, 'utf8')) as Report));
  const names = new Set(times.map(({ name }) => name));
  const listed = new Set(SLOW_TESTS.map(({ file, test }) => `${file}: ${test}`));
  const slow = times.filter(({ name, ms }) => ms > SLOW && !listed.has(name)).sort((a, b) => b.ms - a.ms);
  const gone = [...listed].filter((name) => !names.has(name));
  for (const { name, ms } of slow) console.log(`${(ms / 1000).toFixed(1)} s  ${name}`);
  for (const name of gone) console.log(`in the list, and no test: ${name}`);
  console.log(`${slow.length} tests over ${SLOW / 1000} s that are not in the list of ${listed.size}.`);
  return slow.length + gone.length > 0 ? 1 : 0;
}

process.exitCode = await main(...process.argv.slice(2));
