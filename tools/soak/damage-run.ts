/** What the commands make of a damaged crawl, and whether that is well. */
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Ms } from '../../src/base/core/types.ts';
import type { DamageBench } from './damage-bench.ts';
import { type Damage, damage } from './damages.ts';

const CLI = fileURLToPath(new URL('../../dist/bin/main.js', import.meta.url));
/** A command that takes longer hangs. */
const CAP: Ms = 60_000;
/** Visits that a crawl is given when it goes on. */
const FURTHER = 15;
/** `nobody`: for root, permission bits do not bind. */
const NOBODY = 65534;

export const VERDICTS = ['refused', 'mended', 'warn', 'harmless', 'FAIL'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Outcome {
  readonly damage: Damage;
  readonly verdict: Verdict;
  /** What is wrong, or the message that names the damage. */
  readonly said: string;
}

/** How a command line went. */
export interface Ran {
  /** null when a signal ended it. */
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line; as `nobody` where permission bits are to bind. */
export type Runner = (args: readonly string[], asNobody?: boolean) => Promise<Ran>;

/** URL and text of each page, by id. */
type Pages = ReadonlyMap<string, string>;

/** Runs one damage after the other, each on a copy of its own. */
export class DamageRun {
  readonly #bench: DamageBench;
  readonly #folder: string;
  readonly #pages: Pages;

  private constructor(bench: DamageBench, folder: string, pages: Pages) {
    this.#bench = bench;
    this.#folder = folder;
    this.#pages = pages;
  }

  /** @param folder for copies @throws Error where the crawl is not whole before all damage */
  static async begin(bench: DamageBench, folder: string): Promise<DamageRun> {
    const out = join(folder, 'whole');
    const [verified, harvested] = [await byProcess(['verify', bench.dir]), await byProcess(['harvest', bench.dir, '--out', out])];
    if (verified.code !== 0 || harvested.code !== 0) throw new Error(`the crawl is not whole: ${verified.stdout}${harvested.stderr}`);
    return new DamageRun(bench, folder, pagesOf(out));
  }

  get pages(): number {
    return this.#pages.size;
  }

  /** null where the damage would change nothing. */
  async outcome(one: Damage, number: number, run: Runner = byProcess): Promise<Outcome | null> {
    const place = join(this.#folder, `damage-${number}`);
    const dir = join(place, 'crawl');
    mkdirSync(place);
    cpSync(this.#bench.dir, dir, { recursive: true });
    const asNobody = one.kind === 'read-only' && process.getuid?.() === 0;
    if (asNobody) giveAway(place);
    try {
      return damage(this.#bench, dir, one) ? await this.#judged(one, place, (args) => run(args, asNobody)) : null;
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  }

  async #judged(one: Damage, place: string, run: Runner): Promise<Outcome> {
    const dir = join(place, 'crawl');
    const [plain, skipping] = [join(place, 'plain'), join(place, 'skipping')];
    const [verified, harvested, skipped, status] = await Promise.all([
      run(['verify', dir]),
      run(['harvest', dir, '--out', plain]),
      run(['harvest', dir, '--out', skipping, '--skip-damaged', '--json']),
      run(['status', dir]),
    ]);
    const before = corpusOf(dir);
    const labels = contentOf(join(dir, 'labels.jsonl'));
    const visits = String(this.#bench.visited + FURTHER);
    const resumed = await run(['crawl', dir, '--proxy', this.#bench.proxy, '--max-pages', visits, '--concurrency', '2', '--json']);
    const after = resumed.code === 0 ? await run(['verify', dir]) : null;
    const wrong = [
      ...[verified, harvested, skipped, status, resumed].flatMap((ran) => wrongEnd(ran, dir)),
      ...this.#silentLoss(harvested, plain),
      ...this.#uncounted(skipped, skipping),
      ...lostBy(before, corpusOf(dir), dir),
      ...(contentOf(join(dir, 'labels.jsonl')).subarray(0, labels.length).equals(labels) ? [] : ['a resume changed labels.jsonl']),
      ...(verified.code === 0 && harvested.code !== 0 ? [`verify finds nothing, and harvest: ${harvested.stderr.trim()}`] : []),
      ...(verified.code === 0 && after?.code === 3 ? [`after the resume: ${firstFault(after)}`] : []),
    ];
    if (wrong.length > 0) return { damage: one, verdict: 'FAIL', said: wrong.join('; ') };
    return { damage: one, ...verdictOf(verified, harvested, resumed, after) };
  }

  /** Without --skip-damaged nothing may be missing. */
  #silentLoss({ code }: Ran, out: string): string[] {
    if (code !== 0) return [];
    const there = pagesOf(out);
    const lost = [...this.#pages].filter(([id, page]) => there.get(id) !== page).length;
    const more = [...there.keys()].filter((id) => !this.#pages.has(id)).length;
    return lost + more > 0 ? [`harvest, exit code 0: ${lost} pages lost or changed, ${more} that were not there`] : [];
  }

  /** With it, what is missing is counted, and what is there is as it was. */
  #uncounted({ code, stdout }: Ran, out: string): string[] {
    if (code !== 0) return [];
    const there = pagesOf(out);
    const changed = [...there].filter(([id, page]) => this.#pages.get(id) !== page).length;
    const { damaged } = JSON.parse(stdout) as { readonly damaged: { readonly records: number } };
    const lost = this.#pages.size - there.size;
    // A damaged page may have been one that the harvest leaves out.
    const told = damaged.records >= lost ? [] : [`harvest --skip-damaged tells ${damaged.records} of ${lost} lost pages`];
    return changed > 0 ? [...told, `harvest --skip-damaged gives ${changed} other pages`] : told;
  }
}

function verdictOf(verified: Ran, harvested: Ran, resumed: Ran, after: Ran | null): { readonly verdict: Verdict; readonly said: string } {
  const refusal = [harvested, resumed].find(({ code }) => code !== 0);
  if (refusal) return { verdict: 'refused', said: refusal.stderr.trim() };
  if (verified.code === 0) return { verdict: 'harmless', said: '' };
  return { verdict: after?.code === 0 ? 'mended' : 'warn', said: firstFault(verified) };
}

function firstFault({ stdout, stderr }: Ran): string {
  return stdout.split('\n').find((line) => line.includes('DAMAGED')) ?? stderr.trim();
}

/** A signal, a hang, a bug, or a refusal that does not say in one line what it is about. */
function wrongEnd({ code, signal, stderr, stdout }: Ran, dir: string): string[] {
  if (signal !== null) return [`ended by ${signal}: ${stderr.trim()}`];
  if (code === 1) return [`a bug: ${stderr.trim()}`];
  const told = stdout.includes('DAMAGED') ? stdout : stderr;
  return code !== 0 && !told.includes(dir) ? [`exit code ${code} without a name: ${stderr.trim()}`] : [];
}

/** Files of the corpus, and of what was cut off it. */
function corpusOf(dir: string): ReadonlyMap<string, Buffer> {
  const corpus = join(dir, 'corpus');
  if (!existsSync(corpus)) return new Map();
  const names = readdirSync(corpus, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    names
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !/commit-[01]\.json$/.test(path))
      .map((path) => [path.slice(corpus.length + 1), readFileSync(path)]),
  );
}

/** Whatever stood in the corpus before a resume stands there after it, or in `cut-<time>/`. */
function lostBy(before: ReadonlyMap<string, Buffer>, after: ReadonlyMap<string, Buffer>, dir: string): string[] {
  return [...before].flatMap(([name, bytes]) => {
    const now = after.get(name) ?? Buffer.alloc(0);
    if (now.subarray(0, bytes.length).equals(bytes)) return [];
    const isThere = [...after].some(([cut, tail]) => {
      const from = cut.endsWith(`/${name}`) ? 0 : Number(new RegExp(`/${name}\\.from-(\\d+)$`).exec(cut)?.[1] ?? Number.NaN);
      return Number.isFinite(from) && now.subarray(0, from).equals(bytes.subarray(0, from)) && tail.equals(bytes.subarray(from));
    });
    return isThere ? [] : [`a resume lost bytes of ${join(dir, 'corpus', name)}`];
  });
}

function pagesOf(out: string): Pages {
  const path = join(out, 'corpus.jsonl');
  if (!existsSync(path)) return new Map();
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return new Map(lines.map((line) => [(JSON.parse(line) as { readonly id: string }).id, line]));
}

function contentOf(path: string): Buffer {
  return existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
}

function giveAway(path: string): void {
  chownSync(path, NOBODY, NOBODY);
  chmodSync(path, 0o755);
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true }))
    chownSync(join(entry.parentPath, entry.name), NOBODY, NOBODY);
}

/** As its users meet it: damage that LMDB maps could end the process. */
function byProcess(args: readonly string[], asNobody = false): Promise<Ran> {
  const user = asNobody ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(process.execPath, [CLI, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: CAP,
    killSignal: 'SIGKILL',
    ...user,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => {
    stdout += String(text);
  });
  child.stderr.on('data', (text) => {
    stderr += String(text);
  });
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr })));
}
