/** The commands that `kill-calls` kills, and the folder that each works in. */
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CrawlStatus, crawl, gather, type LedgerLine } from 'forager';
import { readManifest } from '../../src/crawling/crawl-dir/crawl-directory.ts';
import { storedHeadOf } from '../../src/crawling/frontier/lmdb-opening.ts';
import { done, forager } from '../../test/faces/cli/forager.ts';
import type { SmallWeb } from '../../test/faces/cli/small-web.ts';
import { HAS_POSTGRES, PostgresServer } from '../../test/support/postgres-server.ts';
import { type Contents, contentsOf, digestOf } from './output-contents.ts';

/** A command in a fresh copy of the base folder. */
export interface Victim {
  readonly name: string;
  readonly words: (dir: string) => readonly string[];
  /** Its output, in the folder. */
  readonly output: string;
  /** Commands that must succeed whether it was killed or not. They read the output, if there is one. */
  readonly checks: (dir: string) => readonly (readonly string[])[];
  /** The output is a crawl, whose frontier is compared by its ledger. Default: false. */
  readonly isCrawl?: boolean;
  /** Its new files that count only once an old one names them, and may stay without that after a kill. Default: none. */
  readonly unnamed?: RegExp;
}

const at = join;
const verified = (name: string) => (dir: string) => [['verify', at(dir, name)]];

/** @param address of a crawl on several machines; null: there is no PostgreSQL, and `gather` is left out */
export function victims(examples: string, address: string | null): readonly Victim[] {
  const ofCrawl = (output: string) => ({ output, checks: verified(output), isCrawl: true });
  return [
    {
      ...{ name: 'harvest', output: 'h', checks: verified('h') },
      words: (d) => ['harvest', at(d, 'c'), '--out', at(d, 'h'), '--force', '--min-relevance', '0.6'],
    },
    {
      ...{ name: 'merge', output: 'h', checks: verified('h') },
      words: (d) => ['corpus', 'merge', at(d, 'h2'), at(d, 'c'), '--out', at(d, 'h'), '--force'],
    },
    {
      ...{ name: 'train', output: 'm', checks: (d) => [['judge', at(d, 'm'), examples]] },
      words: (d) => ['train', examples, '--out', at(d, 'm'), '--force', '--seed-rng', '9'],
    },
    { name: 'label', ...ofCrawl('c'), words: (d) => ['label', 'import', at(d, 'c'), at(d, 'labels.csv'), '--no-retrain'] },
    {
      ...{ name: 'retrain', ...ofCrawl('l'), unnamed: /^(models|labelling)\// },
      words: (d) => ['label', 'train', at(d, 'l'), '--even-if-worse'],
    },
    { name: 'compact', ...ofCrawl('c'), words: (d) => ['compact', at(d, 'c')] },
    { name: 'repair', ...ofCrawl('c'), words: (d) => ['repair', at(d, 'c')] },
    {
      ...{ name: 'freeze', output: 'web.jsonl.gz', checks: verified('c') },
      words: (d) => ['freeze', at(d, 'c'), '--out', at(d, 'web.jsonl.gz'), '--force'],
    },
    {
      ...{ name: 'link-model', output: 'links', checks: verified('c') },
      words: (d) => ['link-model', at(d, 'c'), '--out', at(d, 'links'), '--force'],
    },
    ...(address === null ? [] : gathers(address)),
  ];
}

/** The rest of a crawl that was gathered before, and a whole one. */
function gathers(address: string): readonly Victim[] {
  const gathered = (output: string) => ({ output, words: (d: string) => ['gather', at(d, output), '--at', address], isCrawl: true });
  return [
    { name: 'gather', ...gathered('g'), checks: verified('g') },
    { name: 'gather anew', ...gathered('new'), checks: () => [] },
  ];
}

/** @throws the error of gzip, or of a command that reads it */
export async function outputOf({ output, isCrawl = false }: Victim, dir: string): Promise<Contents> {
  const path = at(dir, output);
  return isCrawl ? crawlContents(path) : contentsOf(path);
}

/** A directory that was never gathered to its end counts as none. */
async function crawlContents(path: string): Promise<Contents> {
  const { code, stdout, stderr } = await forager('status', path, '--json');
  if (code === 2 && /no crawl is here|not gathered yet/.test(stderr)) return new Map();
  if (code !== 0) throw new Error(stderr.trim());
  if ((JSON.parse(stdout) as CrawlStatus).stopReason === 'gathering') return new Map();
  const { commit } = await storedHeadOf(at(path, 'frontier'), readManifest(path).id);
  const names = readdirSync(at(path, 'corpus'));
  const sizes = { ...Object.fromEntries(names.map((name) => [name, 0])), ...commit?.offsets };
  const committed = Object.fromEntries(Object.entries(sizes).map(([name, bytes]) => [`corpus/${name}`, bytes]));
  return new Map([...contentsOf(path, committed), ['ledger', digestOf(Buffer.from(await done('ledger', path)))]]);
}

/** The base folder: a crawl, the same with labels, two harvests, a model, and the like; beside it, two workers of one crawl. */
export async function makeBase(small: SmallWeb, base: string, server: PostgresServer | null): Promise<string | null> {
  const { proxy } = await small.serve();
  const { examples, seeds } = small;
  const topic = at(base, 'm');
  await done('train', examples, '--out', topic);
  await crawl({ dir: at(base, 'c'), topic, seeds, proxy, delay: 0, maxPages: 60 });
  for (const name of ['h', 'h2']) await done('harvest', at(base, 'c'), '--out', at(base, name));
  await done('freeze', at(base, 'c'), '--out', at(base, 'web.jsonl.gz'));
  await done('link-model', at(base, 'c'), '--out', at(base, 'links'));
  await labelled(base);
  if (server === null) return null;
  const address = server.address('killed');
  const worker = { proxy, delay: 0, workers: 1 };
  await crawl({ ...worker, topic, seeds, dir: small.path('one'), at: address, maxPages: 30 });
  await gather({ dir: at(base, 'g'), at: address });
  await crawl({ ...worker, dir: small.path('two'), at: address, maxPages: 60 });
  return address;
}

/** Answers to twelve judged pages, as a file and in a copy of the crawl. */
async function labelled(base: string): Promise<void> {
  const lines = (await done('ledger', at(base, 'c'))).split('\n');
  const urls = lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as LedgerLine]));
  const judged = urls.filter(({ relevance }) => relevance !== null).slice(0, 12);
  writeFileSync(
    at(base, 'labels.csv'),
    `url,label\n${judged.map(({ url, state }) => `${url},${state === 'kept' ? 'y' : 'n'}\n`).join('')}`,
  );
  cpSync(at(base, 'c'), at(base, 'l'), { recursive: true });
  await done('label', 'import', at(base, 'l'), at(base, 'labels.csv'), '--no-retrain');
}

/** null where there is no PostgreSQL. */
export async function database(): Promise<PostgresServer | null> {
  return HAS_POSTGRES ? PostgresServer.start() : null;
}
