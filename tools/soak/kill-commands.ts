/**
 * Every command that writes to a crawl, killed at random moments, by turns in two PID namespaces as in two containers on one volume. After each kill
 * ledger, corpus, WARC and the server's log must agree (agreement.ts), and what was kept must still be. Exit code 1 where they do not. Needs unshare(1) and
 * the right to use it.
 *
 *   npm run check -- kills [--kills 100] [--seed N] [--pages 1200]
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import type { RunningWeb } from '../../datasets/web-proxy.ts';
import { seededRng } from '../../src/base/core/rng.ts';
import { disagreements, type Kept } from './agreement.ts';
import { CLI, CrashBench, ended, pause } from './crash-bench.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    pages: { type: 'string', default: '1200' },
  },
});

/** A PID namespace of its own, whose processes die with it. */
const NAMESPACE = ['--pid', '--fork', '--mount-proc', '--kill-child'];
/** Each answer of the server waits so long: there is always something under way. */
const LATENCY = 30;
const LABELLED = 40;
/** That a crawl may visit more each time. */
const MORE_PAGES = 20;
/** Commands are begun until so many have been killed, but no more than this many for each kill. */
const TRIES = 4;
const TOLD = 5;

const say = (line: string) => process.stdout.write(`${line}\n`);

class KilledCommands {
  readonly #bench: CrashBench;
  readonly #server: RunningWeb;
  readonly #dir: string;
  readonly #rng: () => number;
  /** How long each command takes when it is let be, in ms. */
  readonly #takes = new Map<string, number>();
  #budget = 60;
  #kept: Kept = new Map();

  constructor(bench: CrashBench, server: RunningWeb, dir: string, seed: number) {
    this.#bench = bench;
    this.#server = server;
    this.#dir = dir;
    this.#rng = seededRng(seed);
  }

  /** @returns how many kills came before the end of their command, and how many were followed by a disagreement */
  async run(kills: number): Promise<{ readonly killed: Record<string, number>; readonly faults: number }> {
    const killed: Record<string, number> = {};
    let faults = 0;
    await this.#let('crawl');
    writeFileSync(`${this.#dir}.labels.jsonl`, await this.#labels());
    for (let n = 0, dead = 0; dead < kills && n < TRIES * kills; n++) {
      const name = this.#draw(n);
      if (!this.#takes.has(name)) await this.#let(name);
      const died = await this.#kill(name);
      if (died) killed[name] = (killed[name] ?? 0) + 1;
      dead += Number(died);
      const found = await this.#check();
      if (found.length > 0) faults += 1;
      say(
        `${String(n + 1).padStart(4)} ${died ? 'killed' : 'ended '} ${name.padEnd(8)} ${found.length === 0 ? `agrees, ${this.#kept.size} kept` : `FAULT ${found.slice(0, TOLD).join('; ')}`}`,
      );
    }
    return { killed, faults };
  }

  /** A crawl every other time; it has more moments. */
  #draw(n: number): string {
    const names = Object.keys(this.#commands());
    return n % 2 === 0 ? 'crawl' : (names[Math.floor(this.#rng() * names.length)] ?? 'crawl');
  }

  #commands(): Record<string, readonly string[]> {
    const dir = this.#dir;
    const crawl = this.#bench.crawlArgs(dir, this.#server, ['--delay', '0ms', '--record', '--max-pages', String(this.#budget)]);
    return {
      crawl,
      revisit: [...crawl, '--revisit', '1ms'],
      label: ['label', 'import', dir, `${dir}.labels.jsonl`],
      compact: ['compact', dir],
      harvest: ['harvest', dir, '--out', `${dir}.out`, '--force'],
      freeze: ['freeze', dir, '--out', `${dir}.web.jsonl.gz`, '--force'],
      repair: ['repair', dir],
    };
  }

  async #let(name: string): Promise<void> {
    const startedAt = performance.now();
    const { code, stderr } = await ended(this.#start(name));
    if (code !== 0) throw new Error(`${name} ended with ${code}: ${stderr.slice(-500)}`);
    this.#takes.set(name, performance.now() - startedAt);
  }

  #start(name: string): ChildProcess {
    const args = this.#commands()[name] ?? [];
    return spawn('unshare', [...NAMESPACE, process.execPath, CLI, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  }

  /** @returns false where it had ended before */
  async #kill(name: string): Promise<boolean> {
    if (name === 'crawl') this.#budget += MORE_PAGES;
    const child = this.#start(name);
    const end = ended(child);
    await Promise.race([end, pause(this.#rng() * (this.#takes.get(name) ?? 0))]);
    child.kill('SIGKILL');
    const { signal } = await end;
    return signal === 'SIGKILL';
  }

  async #check(): Promise<readonly string[]> {
    const harvest = `${this.#dir}.checked`;
    const ledger = await outputOf('ledger', this.#dir);
    await outputOf(
      'harvest',
      this.#dir,
      '--out',
      harvest,
      '--force',
      '--format',
      'jsonl,warc',
      '--min-relevance',
      '0',
      '--dedupe',
      'none',
      '--reserved',
      'include',
    );
    const asked = this.#server.log.filter(({ status }) => status !== 0).map(({ host, path }) => `http://${host}${path}`);
    const served = (url: string) => this.#bench.bodyOf(url);
    const { faults, kept } = await disagreements({ ledger, harvest, asked, served }, this.#kept);
    this.#kept = kept;
    return [...faults, ...overlaps(this.#server)];
  }

  async #labels(): Promise<string> {
    const lines = (await outputOf('ledger', this.#dir)).split('\n').filter((line) => /"state":"(kept|off-topic)"/.test(line));
    const urls = lines.slice(0, LABELLED).map((line) => (JSON.parse(line) as { url: string }).url);
    return urls.map((url) => `${JSON.stringify({ url, label: this.#bench.isOfOtherTopic(url) ? 'n' : 'y' })}\n`).join('');
  }
}

/** @throws Error where it does not end with exit code 0 */
async function outputOf(...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const { code, stderr } = await ended(child);
  if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${stderr.slice(-500)}`);
  return Buffer.concat(chunks).toString('utf8');
}

/** Two requests of one host at the same time. An answer to a process that was killed ends when the server has written it. */
function overlaps({ log }: RunningWeb): string[] {
  const ends = new Map<string, number>();
  return log.flatMap(({ host, path, start, end, status }) => {
    const isOverlap = start < (ends.get(host) ?? 0);
    if (status !== 0) ends.set(host, Math.max(end, ends.get(host) ?? 0));
    return isOverlap ? [`${host}${path}: asked while another request of the host was under way`] : [];
  });
}

const seed = Number(values.seed);
if (spawnSync('unshare', [...NAMESPACE, 'true']).status !== 0) {
  say('PID namespaces cannot be had here (unshare --pid): nothing was tested');
  process.exitCode = 1;
} else {
  say(`seed ${seed} (repeat with --seed ${seed})`);
  const folder = mkdtempSync(join(tmpdir(), 'forager-kills-'));
  const startedAt = performance.now();
  try {
    mkdirSync(join(folder, 'bench'));
    const bench = await CrashBench.make({ folder: join(folder, 'bench'), pages: Number(values.pages), seed, latency: LATENCY });
    const server = await bench.serve();
    const { killed, faults } = await new KilledCommands(bench, server, join(folder, 'crawl'), seed).run(Number(values.kills));
    await server.close();
    const counts = Object.entries(killed).map(([name, n]) => `${name} ${n}`);
    say(`killed before their end: ${counts.join(', ')}; ${faults} disagreements, ${Math.round((performance.now() - startedAt) / 1000)} s`);
    process.exitCode = faults === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
