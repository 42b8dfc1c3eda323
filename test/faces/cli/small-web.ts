/** A small generated web served on loopback, with example pages of one of its topics on disk. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { status } from 'forager';
import { expect, vi } from 'vitest';
import { type GeneratedWeb, generateWeb } from '../../../datasets/generated-web/web.ts';
import { htmlAnswer, notFound } from '../../../datasets/page-source.ts';
import { startWebProxy } from '../../../datasets/web-proxy.ts';
import { HANGS } from '../../support/cpu-time.ts';
import { trainedOnce } from '../../support/trained-once.ts';

const TOPIC = 'topic-1';
/** Files that are no pages, of which a crawl asks each host for one. They have priorities of their own. */
export const FILES_OF_HOSTS: ReadonlySet<string> = new Set(['/robots.txt', '/.well-known/tdmrep.json', '/sitemap.xml']);

export interface SmallWeb {
  readonly web: GeneratedWeb;
  readonly topic: string;
  /** A folder of one's own; everything is deleted by `close`. */
  readonly dir: string;
  path(...parts: string[]): string;
  /** Folder of example pages. */
  readonly examples: string;
  readonly seeds: readonly string[];
  /** A server of that web, closed with it. */
  serve(options?: ServeOptions): Promise<Served>;
  close(): Promise<void>;
}

export interface ServeOptions {
  readonly latency?: number;
  /** robots.txt by host name. */
  readonly robots?: ReadonlyMap<string, string>;
  /** HTML of pages that are not of the web, by URL. */
  readonly extra?: ReadonlyMap<string, string>;
}

export interface Served {
  readonly proxy: string;
  /** Hosts whose robots.txt was asked for, in order. */
  readonly robots: readonly string[];
  /** Page URLs answered so far, those of `FILES_OF_HOSTS` left out. */
  readonly pages: readonly string[];
  /** Resolves when that many pages have been asked for. */
  reached(pages: number): Promise<void>;
  /** Resolves when that many requests of any kind have come; they are answered after the server's latency. */
  asked(requests: number): Promise<void>;
}

export function smallWeb(pages = 300, topics = 4): SmallWeb {
  const web = generateWeb({ seed: 3, pages, hosts: 10, topics, locality: 0.6, hubs: 0.05 });
  const dir = mkdtempSync(join(tmpdir(), 'forager-test-'));
  const path = (...parts: string[]) => join(dir, ...parts);
  const examples = path('examples');
  mkdirSync(examples);
  for (const [i, html] of web.examples(TOPIC, 12).entries()) writeFileSync(join(examples, `${i}.html`), html);
  const closers: (() => Promise<void>)[] = [];
  return {
    web,
    topic: TOPIC,
    dir,
    path,
    examples,
    seeds: web.seeds(TOPIC, 3),
    serve: async (options = {}) => {
      const { served, source } = counted(web, options.extra ?? new Map());
      const server = await startWebProxy(source, options);
      closers.push(() => server.close());
      // The log has a request when it comes, the source only when it is answered.
      const asked = async (requests: number) => {
        await vi.waitUntil(() => server.log.length >= requests, { timeout: HANGS, interval: 5 });
      };
      return { ...served, asked, proxy: server.proxy };
    },
    close: async () => {
      for (const close of closers) await close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** That web's topic; a second or so for the first test file of a run. @returns the folder of the model. */
export function trainedOn(small: SmallWeb): Promise<string> {
  return trainedOnce({ examples: [small.examples], out: small.path('model') });
}

/** A topic of all subjects of the web: nearly every page is on topic, and labels can only improve it. @returns the folder of the model. */
export function trainedOnAll(small: SmallWeb): Promise<string> {
  const examples = small.path('all-examples');
  mkdirSync(examples);
  for (const topic of small.web.topics)
    for (const [i, html] of small.web.examples(topic, 6).entries()) writeFileSync(join(examples, `${topic}-${i}.html`), html);
  return trainedOnce({ examples: [examples], out: small.path('model-all') });
}

function counted(web: GeneratedWeb, extra: ReadonlyMap<string, string>) {
  const pages: string[] = [];
  const robots: string[] = [];
  const waiting: (() => void)[] = [];
  const get = (host: string, path: string) => {
    if (path === '/robots.txt') robots.push(host);
    if (!FILES_OF_HOSTS.has(path)) pages.push(`http://${host}${path}`);
    for (const look of waiting) look();
    const html = extra.get(`http://${host}${path}`);
    return html === undefined ? (web.source.get(host, path) ?? notFound()) : htmlAnswer(Buffer.from(html));
  };
  const reached = (count: number) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (pages.length >= count) resolve();
      };
      waiting.push(look);
      look();
    });
  return { served: { pages, robots, reached }, source: { get } };
}

/** Resolves when a running crawl has stored that many visits: a busy machine stores them some time after they were answered. */
export async function stored(dir: string, visits: number): Promise<void> {
  await vi.waitFor(async () => expect((await status(dir)).counts.visited).toBeGreaterThanOrEqual(visits), {
    timeout: HANGS,
    interval: 200,
  });
}

/** Resolves when no page was asked for in a second: those in flight end within the latency of the server. @returns the pages so far */
export async function cameToRest(served: Served): Promise<number> {
  let before = -1;
  while (served.pages.length !== before) {
    before = served.pages.length;
    await sleep(1000);
  }
  return before;
}
