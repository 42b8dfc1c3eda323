/** A generated web on loopback, a topic model, and the crawl of them left alone: what crawls that were killed are held against. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GeneratedWeb, generateWeb } from '../../datasets/generated-web/web.ts';
import type { PageAnswer, PageSource } from '../../datasets/page-source.ts';
import { type RunningWeb, startWebProxy } from '../../datasets/web-proxy.ts';
import type { Ms } from '../../src/base/core/types.ts';
import { train } from '../../src/faces/app/train-from-pages.ts';
import { type CrawlEnd, endOf } from './compare-crawls.ts';

export const CLI = fileURLToPath(new URL('../../dist/bin/main.js', import.meta.url));
const TOPIC = 'topic-1';
const OTHER_TOPIC = 'topic-2';
/** Hosts of the web; each has a home and an about page besides its share of the pages. */
const HOSTS = 20;
export const CONCURRENCY = 8;

export interface CrashBenchOptions {
  /** An empty folder. */
  readonly folder: string;
  readonly pages: number;
  readonly seed: number;
  /** Each answer of the server waits this long, so that there is a crawl to kill. */
  readonly latency: Ms;
  /** The web with other answers. Default: as generated. */
  readonly change?: (source: PageSource) => PageSource;
  /** Further options of the crawl. */
  readonly more?: readonly string[];
}

/** How a process ended. */
export interface Ended {
  /** null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** What all checks share. Needs `dist`. */
export class CrashBench {
  readonly folder: string;
  /** Of the crawl left alone: it must be sound in itself. */
  readonly alone: CrawlEnd;
  /** Pages it asked for. */
  readonly needed: number;
  readonly #model: string;
  readonly #web: GeneratedWeb;
  readonly #source: PageSource;
  readonly #latency: Ms;
  readonly #more: readonly string[];

  private constructor(options: CrashBenchOptions, web: GeneratedWeb, model: string, alone: CrawlEnd, needed: number) {
    this.folder = options.folder;
    this.#latency = options.latency;
    this.#web = web;
    this.#source = withFaults(options.change?.(web.source) ?? web.source);
    this.#more = options.more ?? [];
    this.#model = model;
    this.alone = alone;
    this.needed = needed;
  }

  /** Train the model, and crawl the web once without a kill. */
  static async make(options: CrashBenchOptions): Promise<CrashBench> {
    const { folder, seed, pages } = options;
    const web = generateWeb({ seed, pages: pages - 2 * HOSTS, hosts: HOSTS, topics: 2, hubs: 0.05 });
    const model = await trainedModel(folder, web);
    const nothing: CrawlEnd = { visited: 0, discovered: 0, kept: 0, ledger: [], corpus: [], recording: [] };
    const first = new CrashBench(options, web, model, nothing, 0);
    const dir = join(folder, 'alone');
    const server = await first.serve();
    await succeeded(startCli(first.crawlArgs(dir, server)));
    await server.close();
    return new CrashBench(options, web, model, await endOf(dir), pagesAsked(server, 0));
  }

  /** A server of the web with a log of its own. @param port 0 for any */
  serve(latency = this.#latency, port = 0): Promise<RunningWeb> {
    const robots = new Map([['site-3.example', 'User-agent: *\nDisallow: /*7\n']]);
    return startWebProxy(this.#source, { latency, robots, port });
  }

  /** What the server gives for a URL; null for what is no page. */
  bodyOf(url: string): Uint8Array | null {
    const { host, pathname, search } = new URL(url);
    return this.#source.get(host, pathname + search)?.body ?? null;
  }

  /** Is it a page of the topic that is not crawled for? */
  isOfOtherTopic(url: string): boolean {
    return this.#web.page(url)?.topic === OTHER_TOPIC;
  }

  /** Arguments of the command line for a crawl in `dir`, new or to be resumed. */
  crawlArgs(dir: string, server: RunningWeb, more: readonly string[] = ['--delay', '0ms', '--record']): readonly string[] {
    return [
      ...['crawl', dir, '--topic', this.#model, '--seeds', ...this.#web.seeds(TOPIC, 3), '--proxy', server.proxy, ...more, ...this.#more],
      ...['--concurrency', String(CONCURRENCY), '--tunnel', '1000000', '--json'],
    ];
  }
}

/** What a check found; `differences` is empty when all is well. */
export interface CheckReport {
  readonly differences: readonly string[];
  /** What was done, and what it came to. */
  readonly said: string;
}

/** The built command line, as its users run it. */
export function startCli(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
}

export async function ended(child: ChildProcess): Promise<Ended> {
  let stderr = '';
  child.stderr?.on('data', (text) => {
    stderr += String(text);
  });
  const [code, signal] = await once(child, 'close');
  return { code, signal, stderr };
}

/** @throws Error when it did not end with exit code 0 */
export async function succeeded(child: ChildProcess): Promise<void> {
  requireDone(await ended(child));
}

/** What is told of an error that was not foreseen: its end says most. */
const MOST_TOLD = 1000;

/** @throws Error */
export function requireDone({ code, signal, stderr }: Ended): void {
  if (code !== 0) throw new Error(`a process ended with ${code ?? signal}: ${stderr.slice(-MOST_TOLD)}`);
}

/** Requests of pages in the server's log, from a line on. */
export function pagesAsked({ log }: RunningWeb, from: number): number {
  let pages = 0;
  for (let i = from; i < log.length; i++) if (isPage(log[i]?.path)) pages += 1;
  return pages;
}

function isPage(path: string | undefined): boolean {
  return path !== '/robots.txt' && path !== '/.well-known/tdmrep.json';
}

export function pause(ms: Ms): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Dead pages, redirects and pages of another type, one in fifty each, so that the ledger has something to lose. */
function withFaults(source: PageSource): PageSource {
  return {
    get(host, path) {
      const answer = source.get(host, path);
      const number = Number(/\d+/.exec(path)?.[0] ?? 0) % 50;
      if (answer === null || answer.status !== 200) return answer;
      const faults: Record<number, PageAnswer> = {
        1: { ...answer, status: 410 },
        2: { status: 301, headers: { location: `http://${host}/` }, body: new Uint8Array() },
        3: { ...answer, headers: { 'content-type': 'application/pdf' } },
      };
      return faults[number] ?? answer;
    },
  };
}

async function trainedModel(folder: string, web: GeneratedWeb): Promise<string> {
  const examples = join(folder, 'examples');
  mkdirSync(examples);
  for (const [i, html] of web.examples(TOPIC, 20).entries()) writeFileSync(join(examples, `${i}.html`), html);
  await train({ examples: [examples], wordVectors: 'none', out: join(folder, 'model') });
  return join(folder, 'model');
}
