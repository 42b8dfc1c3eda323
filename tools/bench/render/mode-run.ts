/** One crawl of the web of shells, a process of its own. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RenderChoice, RenderedVisit } from '../../../src/base/core/rendering.ts';
import type { CrawlRecord } from '../../../src/base/core/types.ts';
import { readRecords } from '../../../src/corpus/records/records.ts';
import { TreeCpu } from '../../../test/support/process-tree.ts';

const PROGRAM = fileURLToPath(new URL('../../../src/faces/cli/forager.mjs', import.meta.url));
const HOOK = fileURLToPath(new URL('./texts-hook.mjs', import.meta.url));

export interface ModeRun {
  readonly mode: RenderChoice;
  /** Main text of each visited page. */
  readonly texts: ReadonlyMap<string, string>;
  readonly kept: readonly CrawlRecord[];
  /** By URL. */
  readonly rendered: ReadonlyMap<string, RenderedVisit>;
  /** Of the crawl, and of the processes of its browser. */
  readonly cpuSeconds: { readonly own: number; readonly others: number };
  readonly wallSeconds: number;
}

export interface ModeOptions {
  readonly mode: RenderChoice;
  readonly dir: string;
  readonly topic: string;
  readonly seeds: string;
  readonly proxy: string;
}

/** Crawls all that is reached, without delays. @throws Error with its last lines if the crawl fails */
export async function runMode(options: ModeOptions): Promise<ModeRun> {
  const file = join(options.dir, '..', `${options.mode}.jsonl`);
  const startedAt = performance.now();
  const child = spawn(process.execPath, [PROGRAM, 'crawl', options.dir, ...argumentsOf(options)], {
    env: { ...process.env, TEXTS_FILE: file },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const cpu = new TreeCpu(child.pid ?? 0);
  await ended(child);
  const cpuSeconds = cpu.stop();
  const wallSeconds = (performance.now() - startedAt) / 1000;
  const kept: CrawlRecord[] = [];
  for await (const record of readRecords(join(options.dir, 'corpus'))) kept.push(record);
  return { mode: options.mode, texts: textsOf(file), kept, rendered: renderedIn(options.dir), cpuSeconds, wallSeconds };
}

function argumentsOf({ mode, topic, seeds, proxy }: ModeOptions): readonly string[] {
  const where = ['--topic', topic, '--seeds', seeds, '--proxy', proxy, '--contact', 'bench@example.org', '--hooks', HOOK];
  const how = ['--strategy', 'bfs', '--delay', '0', '--warm-up', '0', '--sitemaps', 'never', '--no-traps'];
  return [...where, ...how, '--render', mode, ...(mode === 'never' || process.getuid?.() !== 0 ? [] : ['--no-sandbox'])];
}

async function ended(child: ChildProcess): Promise<void> {
  let said = '';
  child.stderr?.on('data', (data: Buffer) => {
    said = (said + data.toString()).slice(-2000);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the crawl ended with ${code}: ${said}`);
}

/** The last text of each URL: a page that is read twice is judged by the second. */
function textsOf(file: string): ReadonlyMap<string, string> {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return new Map(lines.map((line) => JSON.parse(line) as { url: string; text: string }).map(({ url, text }) => [url, text]));
}

function renderedIn(dir: string): ReadonlyMap<string, RenderedVisit> {
  const lines = execFileSync(process.execPath, [PROGRAM, 'ledger', dir], { encoding: 'utf8', maxBuffer: 2 ** 28 })
    .trim()
    .split('\n');
  const parsed = lines.map((line) => JSON.parse(line) as { readonly url: string; readonly rendered?: RenderedVisit });
  return new Map(parsed.flatMap(({ url, rendered }) => (rendered === undefined ? [] : [[url, rendered] as const])));
}
