/**
 * A harvest in seven formats of a corpus, killed by SIGKILL at random steps, and at random moments after the last step. After each kill the target must be absent or complete, and a second harvest
 * must give the bytes of one that was never killed, with nothing beside it. Every second time an earlier harvest is at the target, and is replaced. Exit
 * code 1 if something differs.
 *
 *   npm run check -- kill-harvests [--moments 20] [--seed N] [--pages 1500]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { seededRng } from '../../src/base/core/rng.ts';
import { madeRecord } from '../../test/corpus/harvest/made-corpus.ts';
import { CRAWL, type WrittenPage, writtenCrawl } from '../../test/corpus/harvest/written-crawl.ts';
import { ended, pause } from './crash-bench.ts';

const { values } = parseArgs({
  options: {
    moments: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    pages: { type: 'string', default: '1500' },
  },
});
const RUN = fileURLToPath(new URL('kill-harvests-run.mjs', import.meta.url));
const ALL = 'jsonl,parquet,csv,warc,wacz,sqlite,links';
/** Of the harvest that is replaced. */
const EARLIER = 'jsonl';
const NOW = Date.UTC(2024, 4, 6);
/** Every so many moments is after the last step, where the folder takes its place. */
const AT_END = 4;
/** How long after the card is begun, in ms: the renames take less. */
const MOST_AT_END = 30;

const folder = mkdtempSync(join(tmpdir(), 'forager-kill-harvests-'));
const say = (line: string) => process.stdout.write(`${line}\n`);

function pages(count: number, rng: () => number): WrittenPage[] {
  const at = (i: number) => `http://h${i % 19}.example/pages/${i}`;
  const link = () => {
    const to = Math.floor(rng() * 2 * count);
    return `<a href="${at(to)}">to page ${to}</a>`;
  };
  return Array.from({ length: count }, (_, i) => {
    // Every tenth page is nearly the one before.
    const { text, title, lang, metadata, fields } = madeRecord(i - Number(i % 10 === 9), 200);
    const html = `<html><body><h1>${i}</h1><p>${text.replaceAll('<', '&lt;')}</p>${Array.from({ length: 12 }, link).join(' ')}</body></html>`;
    return { at: at(i), html, text, title, lang, metadata, fields };
  });
}

/** A line for each file of a folder: path, size and hash. */
function contentOf(dir: string): string {
  const paths = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((path) => statSync(join(dir, path)).isFile());
  const line = (path: string) => {
    const bytes = readFileSync(join(dir, path));
    return `${path} ${bytes.length} ${createHash('sha256').update(bytes).digest('hex')}`;
  };
  return paths.sort().map(line).join('\n');
}

/** Lines of one that the other lacks, by the names of the files. */
function differing(content: string, expected: string): string {
  const lines = new Set(expected.split('\n'));
  const other = content.split('\n').filter((line) => !lines.has(line));
  const missing = expected.split('\n').filter((line) => !content.includes(line.slice(0, line.indexOf(' '))));
  return [...other, ...missing.map((line) => `lacks ${line}`)].map((line) => line.split(' ').slice(0, 2).join(' ')).join(', ');
}

class KilledHarvests {
  readonly #corpus: string;
  readonly #rng: () => number;
  #whole = '';
  #earlier = '';
  #steps = 0;

  constructor(corpus: string, rng: () => number) {
    this.#corpus = corpus;
    this.#rng = rng;
  }

  /** @returns number of moments with a fault */
  async run(moments: number): Promise<number> {
    await this.#harvested(join(folder, 'earlier'), EARLIER);
    this.#earlier = contentOf(join(folder, 'earlier'));
    this.#steps = await this.#harvested(join(folder, 'whole'), ALL);
    this.#whole = contentOf(join(folder, 'whole'));
    say(`undisturbed: ${this.#whole.split('\n').length} files in ${this.#steps} steps`);
    let faults = 0;
    for (let n = 0; n < moments; n++) faults += Number(!(await this.#moment(n)));
    return faults;
  }

  async #moment(n: number): Promise<boolean> {
    const out = join(folder, 'targets', `out-${n}`);
    if (n % 2 === 1) cpSync(join(folder, 'earlier'), out, { recursive: true });
    const when = n % AT_END === AT_END - 1 ? await this.#killedAtEnd(out) : await this.#killedAt(out, Math.ceil(this.#rng() * this.#steps));
    const [left, isFault] = this.#leftAt(out);
    await this.#harvested(out, ALL);
    const again = contentOf(out);
    const beside = readdirSync(join(folder, 'targets')).filter((name) => name !== `out-${n}`);
    rmSync(join(folder, 'targets'), { recursive: true });
    const faults = [
      ...(isFault ? [`target ${left}`] : []),
      ...(again === this.#whole ? [] : [`second harvest differs: ${differing(again, this.#whole)}`]),
      ...beside.map((name) => `${name} is left`),
    ];
    say(
      `${String(n + 1).padStart(3)} ${when}: ${faults.length === 0 ? `target ${left}; the second harvest is whole` : `FAULT ${faults.join('; ')}`}`,
    );
    return faults.length === 0;
  }

  #leftAt(out: string): readonly [left: string, isFault: boolean] {
    if (!existsSync(out)) return ['absent', false];
    const content = contentOf(out);
    if (content === this.#whole) return ['complete', false];
    if (content === this.#earlier) return ['the earlier one', false];
    return [`neither absent nor complete: ${differing(content, this.#whole)}`, true];
  }

  async #killedAt(out: string, step: number): Promise<string> {
    const child = this.#start(out, ALL, step);
    const told = linesOf(child);
    const { signal } = await ended(child);
    if (signal !== 'SIGKILL') throw new Error(`step ${step} was not reached`);
    return `killed at step ${step}, ${told().at(-1)}`;
  }

  /** Cards, renames and removals come after the last step. */
  async #killedAtEnd(out: string): Promise<string> {
    const child = this.#start(out, ALL);
    const end = ended(child);
    const written = join(dirname(out), `.${basename(out)}.forager-new`, 'new', 'README.md');
    let isRunning = true;
    void end.then(() => {
      isRunning = false;
    });
    while (isRunning && !existsSync(written)) await pause(1);
    await pause(this.#rng() * MOST_AT_END);
    child.kill('SIGKILL');
    const { signal } = await end;
    return signal === 'SIGKILL' ? 'killed at the end' : 'ended before the kill';
  }

  /** @returns number of its steps */
  async #harvested(out: string, formats: string): Promise<number> {
    const child = this.#start(out, formats);
    const told = linesOf(child);
    const { code, stderr } = await ended(child);
    if (code !== 0) throw new Error(`a harvest ended with ${code}: ${stderr.slice(-500)}`);
    return Number(told().at(-1));
  }

  #start(out: string, formats: string, killAt = 0): ChildProcess {
    const args = [RUN, this.#corpus, out, formats, JSON.stringify(CRAWL), String(NOW), String(killAt)];
    return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  }
}

function linesOf(child: ChildProcess): () => readonly string[] {
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += String(chunk);
  });
  return () => text.trim().split('\n');
}

const seed = Number(values.seed);
say(`seed ${seed} (repeat with --seed ${seed})`);
try {
  const rng = seededRng(seed);
  const { dir } = await writtenCrawl(join(folder, 'crawl'), pages(Number(values.pages), rng));
  const faults = await new KilledHarvests(dir, rng).run(Number(values.moments));
  say(`${values.moments} moments, ${faults} with a fault`);
  process.exitCode = faults === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
