/**
 * Random damage to each file of a crawl directory: is it refused, mended, told or harmless? `npm run check -- damage`, half an hour on two cores;
 * `--seed N --count N` for others, `--only "flip frontier"` for one kind or file. Exit code 1 where anything is lost in silence, a process
 * ends by a signal, or hangs. Read-only files are tried as another user where this is root.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRng } from '../../src/base/core/rng.ts';
import { damageBench } from './damage-bench.ts';
import { DamageRun, type Outcome, VERDICTS } from './damage-run.ts';
import { type Damage, drawDamages } from './damages.ts';

/** Copies worked on at once. */
const AT_ONCE = 2;
const WIDTH = 160;

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '200' }, only: { type: 'string', default: '' } },
});
const folder = mkdtempSync(join(tmpdir(), 'forager-damage-'));
chmodSync(folder, 0o755);
const bench = await damageBench(folder);
try {
  process.exitCode = await table();
} finally {
  await bench.close();
  rmSync(folder, { recursive: true, force: true });
}

async function table(): Promise<number> {
  const run = await DamageRun.begin(bench, folder);
  const count = Number(values.count);
  console.log(`${run.pages} pages to harvest, ${count} damages, seed ${values.seed}`);
  // Some change nothing, as an older copy that is the same.
  const drawn = drawDamages(bench, seededRng(Number(values.seed)), 3 * count).filter(isAsked);
  const outcomes = await allOutcomes(run, drawn, count);
  print(outcomes);
  const failed = outcomes.filter(({ verdict }) => verdict === 'FAIL');
  for (const { damage, said } of failed) console.log(`FAIL ${nameOf(damage)} (place ${damage.place}, bit ${damage.bit}): ${said}`);
  console.log(`${outcomes.length} damages, ${failed.length} failed`);
  if (process.getuid?.() !== 0 && outcomes.some(({ damage }) => damage.kind === 'read-only'))
    console.log('read-only: by permission bits of this user');
  return failed.length > 0 || outcomes.length === 0 ? 1 : 0;
}

async function allOutcomes(run: DamageRun, drawn: readonly Damage[], count: number): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const queue = [...drawn.entries()];
  const work = async () => {
    for (let next = queue.shift(); next && outcomes.length < count; next = queue.shift()) {
      const [number, damage] = next;
      const outcome = await run.outcome(damage, number);
      if (outcome === null || outcomes.length === count) continue;
      outcomes.push(outcome);
      console.log(`${outcome.verdict.padEnd(9)}${nameOf(damage)}  ${outcome.said}`.slice(0, WIDTH));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return outcomes;
}

function isAsked(damage: Damage): boolean {
  return values.only.split(' ').every((word) => nameOf(damage).includes(word));
}

function nameOf({ kind, file }: Damage): string {
  return `${kind} ${file}`;
}

/** Counts of verdicts by kind of damage, and by file. */
function print(outcomes: readonly Outcome[]): void {
  for (const by of [(damage: Damage) => damage.kind, ({ file }: Damage) => file]) {
    console.log(`\n${''.padEnd(36)}${VERDICTS.map((verdict) => verdict.padStart(10)).join('')}`);
    for (const name of [...new Set(outcomes.map(({ damage }) => by(damage)))].sort()) {
      const of = outcomes.filter(({ damage }) => by(damage) === name);
      const counts = VERDICTS.map((verdict) => String(of.filter((one) => one.verdict === verdict).length).padStart(10));
      console.log(`${name.padEnd(36)}${counts.join('')}`);
    }
  }
  console.log();
}
