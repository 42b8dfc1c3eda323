/**
 * Mutation score by room: how many small changes of the sources do the tests notice?
 *
 *   npm run check -- mutation [--room crawling/frontier]… [--sample 60] [--seed 1] [--jobs 2] [--budget 60] [--only TEXT] [--tests faces/cli]… [--json FILE]
 *
 * A mutant is one change (mutators.ts) in a copy of the tree. Where the compiler refuses it, it counts nowhere; else the test files that come by the changed block
 * are run, its own room's first and the fast before the slow, until one fails, or hangs where it does not without the change. `--budget` is the seconds of tests,
 * as they take without a change, that a mutant is worth. Why a survivor may live stands in survivors.json.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { UsageError } from '../../src/base/core/errors.ts';
import { seededRng, shuffled } from '../../src/base/core/rng.ts';
import { Bench } from './bench.ts';
import { Coverage } from './coverage.ts';
import { type Mutant, mutantsOf } from './mutants.ts';
import { listed, named, type Reason, summary, type Tried } from './report.ts';
import { Scratch } from './scratch.ts';

const ROOMS = ['crawling/frontier', 'crawling/crawl', 'corpus/records', 'crawling/fetch', 'base/web', 'faces/app'];
/** After so many mutants, the tests of one are run without it: a kill then is an error of the run. */
const CONTROL_EVERY = 15;

const { values } = parseArgs({
  options: {
    room: { type: 'string', multiple: true, default: ROOMS },
    sample: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '2' },
    budget: { type: 'string', default: '60' },
    /** Only mutants whose name holds this text, all of them. */
    only: { type: 'string' },
    /** Folders of tests that are used: all. */
    tests: { type: 'string', multiple: true },
    json: { type: 'string' },
  },
});
const seed = Number(values.seed);
const budget = 1000 * Number(values.budget);
const most = values.only === undefined ? Number(values.sample) : Number.POSITIVE_INFINITY;
const folders = values.tests?.map((folder) => `test/${folder}/`) ?? ['test/'];
const reasons = JSON.parse(readFileSync(new URL('survivors.json', import.meta.url), 'utf8')) as readonly Reason[];
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const benches = Array.from({ length: Number(values.jobs) }, (_, number) => new Bench(process.cwd(), number));
const [first] = benches;
if (!first) throw new UsageError(`--jobs ${values.jobs}: give at least 1`);
/** For the compiler's word, beside those that tests run in. */
const types = new Scratch(process.cwd(), benches.length);
const isWanted = (test: string) => folders.some((folder) => test.startsWith(folder));
const coverage = await Coverage.of(first.scratch, first.runs, isWanted, (line) => console.error(line));
if (coverage.failing.length > 0) console.log(`not used, since they fail without a mutant: ${coverage.failing.join(', ')}`);

const found: Record<string, readonly Tried[]> = {};
const controls: (string | null)[] = [];
for (const room of values.room) {
  const tried: Tried[] = [];
  found[room] = tried;
  await sample(room, tried);
  console.log([summary(room, tried, reasons), ...listed(tried, reasons), ''].join('\n'));
}
const failed = controls.filter((by) => by !== null);
console.log(`seed ${seed}; ${controls.length} runs without a change, of which ${failed.length} failed ${failed.join('; ')}`);
await Promise.all(benches.map((bench) => bench.close()));
types.remove();

/** Mutants of the room by lot, until as many were tried as are asked for. */
async function sample(room: string, tried: Tried[]): Promise<void> {
  const mutants = compiled(drawn(room), tried);
  let count = 0;
  const work = async (bench: Bench) => {
    while (count < most) {
      const { value: mutant } = mutants.next();
      if (!mutant) return;
      const number = ++count;
      const one = await bench.tryOut(mutant, coverage, budget);
      tried.push(one);
      console.error(`${room} ${number}: ${one.outcome}  ${named(mutant)}  ${one.by ?? ''}`);
      if (number % CONTROL_EVERY === 0) controls.push(await bench.control(mutant, coverage, budget));
      if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ ...values, found, controls }, null, 1)}\n`);
    }
  };
  await Promise.all(benches.map(work));
}

/** All mutants of the room (with `--only`, those) in an order that the seed gives. */
function drawn(room: string): Mutant[] {
  const { only = '' } = values;
  const mutants = types.sources(room).flatMap((file) => mutantsOf(file, types.source(file)));
  return shuffled(mutants, seededRng(seed)).filter((one) => named(one).includes(only));
}

/** Those that the compiler takes, in their order; the others are noted. */
function* compiled(mutants: Mutant[], tried: Tried[]): Generator<Mutant, undefined> {
  while (mutants.length > 0) {
    const some = mutants.splice(0, 2 * Math.min(most, mutants.length));
    const refused = types.refused(some);
    for (const mutant of some) {
      if (refused.has(mutant)) tried.push({ mutant, outcome: 'refused', by: null });
      else yield mutant;
    }
  }
}
