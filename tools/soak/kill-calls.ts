/**
 * Commands that write, killed by SIGKILL at single system calls. After the kill the output must be the old one or that of an uninterrupted run, by the
 * digests of all its files (output-contents.ts says what is not compared), and the same command must then succeed and make the uninterrupted one.
 * Run: npm run check -- kill-calls (--count N --seed N --only NAME); needs Debian's strace; `gather` needs PostgreSQL.
 */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { messageOf } from '../../src/base/core/errors.ts';
import { seededRng } from '../../src/base/core/rng.ts';
import { forager, MAIN } from '../../test/faces/cli/forager.ts';
import { smallWeb } from '../../test/faces/cli/small-web.ts';
import { database, makeBase, outputOf, type Victim, victims } from './kill-victims.ts';
import { type Contents, differences } from './output-contents.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '300' }, seed: { type: 'string', default: '1' }, only: { type: 'string' } },
});
const CALLS = ['rename', 'unlink', 'rmdir', 'mkdir', 'write', 'pwrite64', 'fsync', 'fdatasync', 'link', 'ftruncate'];
/** Names of differing files that a fault tells. */
const TOLD = 4;
/** A thread may make fewer calls in another run: then nobody is killed, and another moment is drawn. */
const TRIES = 2;

const small = smallWeb();
const base = mkdtempSync(join(tmpdir(), 'forager-kill-calls-'));

/** A victim that was let be: its calls, and its output before and after. */
interface Undisturbed {
  readonly victim: Victim;
  /** For each call, the moments at which it is made: the how manieth it is of its thread, as strace counts. */
  readonly calls: readonly (readonly [call: string, moments: readonly number[]])[];
  readonly old: Contents;
  readonly made: Contents;
}

/** As a process, below strace with those options. */
function traced(words: readonly string[], options: readonly string[]): SpawnSyncReturns<string> {
  const env = { ...process.env, UV_THREADPOOL_SIZE: '1' };
  return spawnSync('strace', ['-f', '-qq', ...options, process.execPath, MAIN, ...words], { encoding: 'utf8', env, input: '' });
}

async function inCopy<T>(use: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'forager-killed-'));
  cpSync(base, dir, { recursive: true });
  return use(dir).finally(() => rmSync(dir, { recursive: true }));
}

function letBe(victim: Victim): Promise<Undisturbed> {
  return inCopy(async (dir) => {
    const old = await outputOf(victim, dir);
    const trace = join(dir, 'trace');
    const { status, stderr } = traced(victim.words(dir), ['-e', `trace=${CALLS.join(',')}`, '-o', trace]);
    if (status !== 0) throw new Error(`${victim.name}: exit ${status}: ${stderr.slice(0, 500)}`);
    return { victim, calls: [...momentsIn(readFileSync(trace, 'utf8'))], old, made: await outputOf(victim, dir) };
  });
}

function momentsIn(trace: string): ReadonlyMap<string, number[]> {
  const ofThread = new Map<string, number>();
  const moments = new Map<string, number[]>();
  for (const [, thread, call = ''] of trace.matchAll(/^(\d+) +(\w+)\(/gm)) {
    const key = `${thread} ${call}`;
    const count = (ofThread.get(key) ?? 0) + 1;
    ofThread.set(key, count);
    moments.set(call, [...(moments.get(call) ?? []), count]);
  }
  return moments;
}

/** @returns the faults, in words; null if it ended before that call */
function killed({ victim, old, made }: Undisturbed, call: string, when: number): Promise<readonly string[] | null> {
  return inCopy(async (dir) => {
    const faults: string[] = [];
    const passes = async (words: readonly string[], moment: string) => {
      const { code, stderr } = await forager(...words);
      if (code !== 0) faults.push(`${moment}: forager ${words[0]}: exit ${code}: ${stderr.trim().split('\n').at(-1)?.slice(0, 300)}`);
    };
    const isWhole = async (moment: string, expected: readonly Contents[]) => {
      for (const words of victim.checks(dir)) await passes(words, moment);
      try {
        const found = await outputOf(victim, dir);
        const differing = expected.map((one) => differences(found, one, one === old ? victim.unnamed : undefined));
        if (differing.every((names) => names.length > 0))
          faults.push(`${moment}: differs in ${differing.map((names) => names.slice(0, TOLD)).join(' or ')}`);
      } catch (error) {
        faults.push(`${moment}: ${victim.output}: ${messageOf(error)}`);
      }
    };
    const inject = ['-e', 'signal=none', '-e', `trace=${call}`, '-e', `inject=${call}:signal=SIGKILL:when=${when}`, '-o', '/dev/null'];
    if (traced(victim.words(dir), inject).signal !== 'SIGKILL') return null;
    await isWhole('after the kill', [old, made]);
    await passes(victim.words(dir), 'again');
    await isWhole('after the second try', [made]);
    const hidden = readdirSync(dir).filter((name) => name.startsWith('.'));
    return hidden.length > 0 ? [...faults, `left: ${hidden.join(' ')}`] : faults;
  });
}

if (spawnSync('strace', ['-V']).status !== 0) {
  console.log('kill-calls: needs strace (apt-get install strace); nothing was checked');
  process.exit(0);
}
const server = await database();
if (server === null) console.log('kill-calls: there is no PostgreSQL; gather is left out');
const all = victims(small.examples, await makeBase(small, base, server));
const undisturbed: Undisturbed[] = [];
for (const victim of all.filter(({ name }) => values.only === undefined || name === values.only)) undisturbed.push(await letBe(victim));

const rng = seededRng(Number(values.seed));
const count = Number(values.count);
let [dead, bad] = [0, 0];
for (let i = 0; dead < count && i < TRIES * count; i++) {
  const one = undisturbed[i % undisturbed.length];
  const [call, moments = []] = one?.calls[Math.floor(rng() * one.calls.length)] ?? [];
  const when = moments[Math.floor(rng() * moments.length)];
  if (one === undefined || call === undefined || when === undefined) throw new Error('a victim makes no call');
  const faults = await killed(one, call, when);
  if (faults === null) continue;
  dead += 1;
  if (faults.length > 0) bad += 1;
  for (const fault of faults) console.log(`${one.victim.name}, ${call} ${when}: ${fault}`);
  if (dead % 25 === 0) console.log(`${dead} of ${count} kills`);
}
console.log(`${dead} kills at single system calls of ${undisturbed.map(({ victim }) => victim.name).join(', ')}: ${bad} with faults`);
rmSync(base, { recursive: true });
await Promise.all([small.close(), server?.close()]);
process.exitCode = bad > 0 || dead < count ? 1 : 0;
