/**
 * Commands that write, killed by SIGKILL at single system calls: the output is the old or the new one, whole, and the same command succeeds afterwards.
 * Run: npm run check -- kill-calls (--count N --seed N); needs Debian's strace.
 */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { crawl, type LedgerLine } from 'forager';
import { seededRng } from '../../src/core/rng.ts';
import { MAIN } from '../cli/forager.ts';
import { smallWeb } from '../cli/small-web.ts';

const { values } = parseArgs({ options: { count: { type: 'string', default: '300' }, seed: { type: 'string', default: '1' } } });
const CALLS = ['rename', 'unlink', 'rmdir', 'mkdir', 'write', 'pwrite64', 'fsync', 'fdatasync', 'link', 'ftruncate'];

const small = smallWeb();
const base = mkdtempSync(join(tmpdir(), 'forager-kill-calls-'));
const at = (dir: string, ...parts: string[]) => join(dir, ...parts);

/** A command in a fresh copy of the base folder, and the commands that must succeed whether it was killed or not. */
interface Victim {
  readonly name: string;
  readonly words: (dir: string) => readonly string[];
  /** Read the output; run after the kill (old or new) and after the second try. */
  readonly checks: (dir: string) => readonly (readonly string[])[];
}

const VICTIMS: readonly Victim[] = [
  {
    name: 'harvest',
    words: (d) => ['harvest', at(d, 'c'), '--out', at(d, 'h'), '--force', '--min-relevance', '0.6'],
    checks: (d) => [['verify', at(d, 'h')]],
  },
  {
    name: 'merge',
    words: (d) => ['corpus', 'merge', at(d, 'h2'), at(d, 'c'), '--out', at(d, 'h'), '--force'],
    checks: (d) => [['verify', at(d, 'h')]],
  },
  {
    name: 'train',
    words: (d) => ['train', small.examples, '--out', at(d, 'm'), '--force', '--seed-rng', '9'],
    checks: (d) => [['judge', at(d, 'm'), small.examples]],
  },
  {
    name: 'label',
    words: (d) => ['label', at(d, 'c'), '--labels', at(d, 'labels.csv'), '--no-retrain'],
    checks: (d) => [['verify', at(d, 'c')]],
  },
  { name: 'retrain', words: (d) => ['label', at(d, 'l'), '--retrain', '--even-if-worse'], checks: (d) => [['verify', at(d, 'l')]] },
  { name: 'compact', words: (d) => ['compact', at(d, 'c')], checks: (d) => [['verify', at(d, 'c')]] },
  {
    name: 'freeze',
    words: (d) => ['freeze', at(d, 'c'), '--out', at(d, 'web.jsonl.gz'), '--force'],
    checks: (d) => [['verify', at(d, 'c')]],
  },
  {
    name: 'link-model',
    words: (d) => ['link-model', at(d, 'c'), '--out', at(d, 'links'), '--force'],
    checks: (d) => [['verify', at(d, 'c')]],
  },
];

function forager(words: readonly string[], before: readonly string[] = []): SpawnSyncReturns<string> {
  const [program = process.execPath, ...rest] = [...before, process.execPath, MAIN, ...words];
  return spawnSync(program, rest, { encoding: 'utf8', env: { ...process.env, UV_THREADPOOL_SIZE: '1' }, input: '' });
}

function mustDo(words: readonly string[]): void {
  const { status, stderr } = forager(words);
  if (status !== 0) throw new Error(`forager ${words.join(' ')}: exit ${status}: ${stderr.slice(0, 500)}`);
}

function fresh(): string {
  const dir = mkdtempSync(join(tmpdir(), 'forager-killed-'));
  cpSync(base, dir, { recursive: true });
  return dir;
}

/** How often a victim makes each call, counted once. */
function countsOf({ words }: Victim): ReadonlyMap<string, number> {
  const dir = fresh();
  const trace = at(dir, 'trace');
  forager(words(dir), ['strace', '-f', '-qq', '-e', `trace=${CALLS.join(',')}`, '-o', trace]);
  const counts = new Map<string, number>();
  for (const [, call = ''] of readFileSync(trace, 'utf8').matchAll(/^\d+ +(\w+)\(/gm)) counts.set(call, (counts.get(call) ?? 0) + 1);
  rmSync(dir, { recursive: true });
  return counts;
}

/** @returns the faults, in words */
function killed(victim: Victim, call: string, when: number): string[] {
  const dir = fresh();
  const faults: string[] = [];
  const inject = [
    'strace',
    '-f',
    '-qq',
    '-e',
    'signal=none',
    '-e',
    `trace=${call}`,
    '-e',
    `inject=${call}:signal=SIGKILL:when=${when}`,
    '-o',
    '/dev/null',
  ];
  forager(victim.words(dir), inject);
  const passes = (words: readonly string[], moment: string) => {
    const { status, stderr } = forager(words);
    if (status !== 0) faults.push(`${moment}: forager ${words[0]}: exit ${status}: ${stderr.trim().split('\n').at(-1)?.slice(0, 300)}`);
  };
  for (const words of victim.checks(dir)) passes(words, 'after the kill');
  passes(victim.words(dir), 'again');
  for (const words of victim.checks(dir)) passes(words, 'after the second try');
  const hidden = readdirSync(dir).filter((name) => name.startsWith('.'));
  if (hidden.length > 0) faults.push(`left: ${hidden.join(' ')}`);
  rmSync(dir, { recursive: true });
  return faults;
}

if (spawnSync('strace', ['-V']).status !== 0) {
  console.log('kill-calls: needs strace (apt-get install strace); nothing was checked');
  process.exit(0);
}
const { proxy } = await small.serve();
mustDo(['train', small.examples, '--out', at(base, 'm')]);
// In this process, which serves the web.
await crawl({ dir: at(base, 'c'), topic: at(base, 'm'), seeds: small.seeds, proxy, delay: 0, maxPages: 60 });
mustDo(['harvest', at(base, 'c'), '--out', at(base, 'h')]);
mustDo(['harvest', at(base, 'c'), '--out', at(base, 'h2')]);
mustDo(['freeze', at(base, 'c'), '--out', at(base, 'web.jsonl.gz')]);
mustDo(['link-model', at(base, 'c'), '--out', at(base, 'links')]);
const urls = forager(['ledger', at(base, 'c')])
  .stdout.split('\n')
  .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as LedgerLine]));
const judged = urls.filter(({ relevance }) => relevance !== null).slice(0, 12);
writeFileSync(at(base, 'labels.csv'), `url,label\n${judged.map(({ url, state }) => `${url},${state === 'kept' ? 'y' : 'n'}\n`).join('')}`);
cpSync(at(base, 'c'), at(base, 'l'), { recursive: true });
mustDo(['label', at(base, 'l'), '--labels', at(base, 'labels.csv'), '--no-retrain']);

const rng = seededRng(Number(values.seed));
const places = new Map(VICTIMS.map((victim) => [victim, [...countsOf(victim)].filter(([, count]) => count > 0)]));
let bad = 0;
const count = Number(values.count);
for (let i = 0; i < count; i++) {
  const victim = VICTIMS[i % VICTIMS.length];
  const calls = victim && places.get(victim);
  const [call = '', most = 0] = calls?.[Math.floor(rng() * calls.length)] ?? [];
  if (victim === undefined || most === 0) continue;
  const when = 1 + Math.floor(rng() * most);
  const faults = killed(victim, call, when);
  if (faults.length > 0) bad += 1;
  for (const fault of faults) console.log(`${victim.name}, ${call} ${when} of ${most}: ${fault}`);
}
console.log(`${count} kills at single system calls: ${bad} with faults`);
rmSync(base, { recursive: true });
await small.close();
process.exitCode = bad > 0 ? 1 : 0;
