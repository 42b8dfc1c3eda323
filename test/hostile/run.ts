/**
 * The table of faults, with what each test took. Exit code 1 where one failed, was over its bounds, or is not there.
 * Run: npm run check -- hostile [N4 S3] (three minutes; or those rows alone)
 */
import { startVitest } from 'vitest/node';
import { ELSEWHERE, FAULT_TESTS, type FaultTest, ROWS } from './faults.ts';

/** What became of one line of the table. */
interface Result {
  readonly line: FaultTest;
  /** In ms and MB; null where it did not run, or measures no memory. */
  readonly took: number | null;
  readonly growthMb: number | null;
  /** `pass`, or why not. */
  readonly verdict: string;
}

type TestRun = Pick<Result, 'took' | 'growthMb'> & { readonly state: string; readonly error: string };

const chosen = process.argv.slice(2);
const isChosen = ({ row }: { readonly row: string }) => chosen.length === 0 || chosen.includes(row);
const lines = FAULT_TESTS.filter(isChosen);

async function runTests(): Promise<Map<string, TestRun>> {
  const files = [...new Set(lines.map(({ file }) => file))];
  // Vitest matches names with a space where it shows ` > `.
  const names = lines.map(({ test }) => test.replaceAll(' > ', ' ').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const testNamePattern = new RegExp(`^(${[...new Set(names)].join('|')})$`);
  const vitest = await startVitest('test', files, { run: true, watch: false, reporters: [{}], testNamePattern });
  const runs = new Map<string, TestRun>();
  for (const module of vitest.state.getTestModules()) {
    for (const test of module.children.allTests()) {
      const took = test.diagnostic()?.duration ?? null;
      const { state, errors = [] } = test.result();
      const error = errors[0]?.message ?? '';
      runs.set(keyOf(module.relativeModuleId, test.fullName), { state, error, took, growthMb: test.meta().growthMb ?? null });
    }
  }
  await vitest.close();
  return runs;
}

function keyOf(file: string, test: string): string {
  return `${file}: ${test}`;
}

function resultOf(line: FaultTest, run: TestRun | undefined): Result {
  if (!run || run.state === 'skipped') return { line, took: null, growthMb: null, verdict: 'NOT THERE' };
  const { took, growthMb, state } = run;
  const isOver = took === null || took > line.ms || (line.mb !== undefined && (growthMb === null || growthMb > line.mb));
  return { line, took, growthMb, verdict: state !== 'passed' ? 'FAIL' : isOver ? 'OVER BOUNDS' : 'pass' };
}

function cells({ line, took, growthMb, verdict }: Result): string[] {
  const bound = `${line.ms / 1000} s${line.mb === undefined ? '' : `, ${line.mb} MB`}`;
  const measured = took === null ? '' : `${Math.round(took)} ms${growthMb === null ? '' : `, ${growthMb} MB`}`;
  return [line.row, line.input, `${line.file.replace('test/', '')} ${line.test}`, bound, measured, line.outcome, verdict];
}

const WIDTHS = [3, 40, 84, 12, 16, 36];

function printed(row: readonly string[]): string {
  return row
    .map((cell, i) => {
      const width = WIDTHS[i] ?? cell.length;
      return (cell.length > width ? `${cell.slice(0, width - 1)}…` : cell).padEnd(width);
    })
    .join('  ')
    .trimEnd();
}

const started = performance.now();
const runs = await runTests();
const results = lines.map((line) => resultOf(line, runs.get(keyOf(line.file, line.test))));
console.log(printed(['row', 'input', 'test', 'bound', 'took', 'outcome', 'verdict']));
for (const result of results) console.log(printed(cells(result)));
for (const { row, input, where } of ELSEWHERE.filter(isChosen)) console.log(printed([row, input, where]));
const bad = results.filter(({ verdict }) => verdict !== 'pass');
const rows = ROWS.filter((row) => results.some(({ line }) => line.row === row)).length;
console.log(
  `\n${rows} rows, ${results.length} items, ${new Set(lines.map(({ file, test }) => keyOf(file, test))).size} tests, ` +
    `${bad.length} not passed; ${Math.round((performance.now() - started) / 1000)} s`,
);
for (const { line, verdict } of bad) {
  const key = keyOf(line.file, line.test);
  console.log(`${verdict}: ${key} ${runs.get(key)?.error ?? ''}`.trimEnd());
}
process.exit(bad.length === 0 ? 0 : 1);
