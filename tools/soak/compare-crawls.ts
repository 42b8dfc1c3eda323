/** What a crawl came to, and whether another came to the same: ledger, corpus, WARC and recording. */
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { WARCParser } from 'warcio';
import { isWarcName, VISITS_FILE } from '../../src/corpus/records/corpus-writer.ts';
import { FrozenWeb } from '../../src/corpus/records/frozen-web.ts';
import { readManifest } from '../../src/crawling/crawl-dir/crawl-directory.ts';
import { openCrawl } from '../../src/crawling/crawl-dir/open-crawl.ts';
import { ledgerOf } from '../../src/study/inspect/ledger-lines.ts';
import { status } from '../../src/study/inspect/status.ts';
import { readBack } from '../../test/corpus/records/warcio-oracle.ts';

/** What a crawl that was left alone came to. */
export interface CrawlEnd {
  readonly visited: number;
  readonly discovered: number;
  readonly kept: number;
  /** Each discovered URL with how it ended, sorted; so with the lines below. */
  readonly ledger: readonly string[];
  readonly corpus: readonly string[];
  readonly recording: readonly string[];
}

/** Read a crawl that has ended; it must be sound in itself. @throws Error naming what is wrong with it */
export async function endOf(dir: string): Promise<CrawlEnd> {
  const faults = await faultsOf(dir);
  if (faults.length > 0) throw new Error(`${dir}: ${faults.join('; ')}`);
  const { counts } = await status(dir);
  const lines = { ledger: ledgerLines(dir), corpus: corpusLines(dir), recording: await recordedLines(dir) };
  return { visited: counts.visited, discovered: counts.discovered, kept: counts.kept, ...lines };
}

/** What is wrong within the crawl in `dir`, and where it does not agree with one left alone; empty when all is well. */
export async function differencesFrom(alone: CrawlEnd, dir: string): Promise<string[]> {
  return [
    ...(await faultsOf(dir)),
    ...differencesOf('ledger', alone.ledger, ledgerLines(dir)),
    ...differencesOf('corpus', alone.corpus, corpusLines(dir)),
    ...differencesOf('recording', alone.recording, await recordedLines(dir)),
  ];
}

function ledgerLines(dir: string): string[] {
  const crawl = openCrawl(dir);
  const lines = [...ledgerOf(crawl)].map(({ url, state, reason, status: code }) => `${url} ${state} ${reason} ${code}`);
  void crawl.close();
  return lines.sort();
}

interface Kept {
  readonly id: string;
  readonly url: string;
  readonly payloadSha256: string;
}

function records(dir: string): Kept[] {
  const lines = readFileSync(join(dir, 'corpus', 'records.jsonl'), 'utf8').split('\n');
  if (lines.pop() !== '') throw new Error(`${dir}: records.jsonl does not end with a line's end`);
  return lines.map((line) => JSON.parse(line) as Kept);
}

function corpusLines(dir: string): string[] {
  return records(dir)
    .map(({ url, payloadSha256 }) => `${url} ${payloadSha256}`)
    .sort();
}

/** Each recorded visit, twice where it is there twice, sorted; none of a crawl that is not recorded. */
async function recordedLines(dir: string): Promise<string[]> {
  const lines: string[] = [];
  if (!readManifest(dir).record) return lines;
  for await (const line of createInterface({ input: createReadStream(join(dir, 'corpus', VISITS_FILE)).pipe(createGunzip()) }))
    lines.push(createHash('sha256').update(line).digest('hex').concat(' ', line.slice(0, 120)));
  return lines.sort();
}

/** Visits that the ledger and the recording do not agree on. */
async function recordingFaults(dir: string): Promise<string[]> {
  if (!readManifest(dir).record) return [];
  const web = await FrozenWeb.open(join(dir, 'corpus', VISITS_FILE));
  web.close();
  const lines = (await recordedLines(dir)).length - 1;
  const crawl = openCrawl(dir);
  // A file that is read besides pages is no part of a frozen web.
  const pages = [...crawl.frontier.settled()].filter(({ entry }) => entry.task.kind === 'page');
  const settled = pages.map(({ entry }) => entry.url);
  void crawl.close();
  const missing = settled.filter((url) => web.indexOf(url) < 0).map((url) => `${url} is settled, but not recorded`);
  return lines === settled.length ? missing : [...missing, `${lines} visits are recorded, ${settled.length} settled`];
}

/** What is wrong within one crawl, whatever another says. */
async function faultsOf(dir: string): Promise<string[]> {
  const kept = records(dir);
  const { counts, states, stopReason } = await status(dir);
  const sum = Object.values(states).reduce((total, n) => total + n, 0);
  const faults = [
    ...twice(kept.map(({ id }) => id)).map((id) => `record ${id} is there twice`),
    ...twice(kept.map(({ url }) => url)).map((url) => `${url} is kept twice`),
    ...twice(ledgerLines(dir).map((line) => line.split(' ')[0] ?? '')).map((url) => `${url} is in the ledger twice`),
    ...(await warcFaults(dir, kept)),
    ...(await recordingFaults(dir)),
  ];
  if (stopReason !== 'drained') faults.push(`ended by ${stopReason}, not drained`);
  if (sum !== counts.discovered) faults.push(`the states sum to ${sum}, discovered are ${counts.discovered}`);
  if (counts.waiting + counts.leased > 0) faults.push(`${counts.waiting + counts.leased} URLs were not reached`);
  if (counts.kept !== kept.length) faults.push(`${counts.kept} URLs are kept by the ledger, ${kept.length} by the corpus`);
  return faults;
}

/** Each record is in the WARC files once, as another implementation reads them, every digest recomputed. */
async function warcFaults(dir: string, kept: readonly Kept[]): Promise<string[]> {
  const faults: string[] = [];
  const ids: string[] = [];
  const urlOf = new Map<string, string>();
  for (const name of readdirSync(join(dir, 'corpus')).filter(isWarcName)) {
    const path = join(dir, 'corpus', name);
    try {
      for (const { type, id, fields } of await readBack(path)) if (type === 'response') urlOf.set(id, fields.get('warc-target-uri') ?? '');
      for await (const record of new WARCParser(createReadStream(path), { parseHttp: false })) {
        if (record.warcType === 'response') ids.push(record.warcHeader('WARC-Record-ID')?.replace(/^<|>$/g, '') ?? '');
        await record.readFully(false);
      }
    } catch (error) {
      faults.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  faults.push(...twice(ids).map((id) => `response ${id} is in the WARC twice`));
  if (ids.length !== kept.length) faults.push(`${ids.length} responses in the WARC, ${kept.length} records`);
  for (const { id, url } of kept)
    if (urlOf.get(id) !== url) faults.push(`record ${id} of ${url}: the WARC has ${urlOf.get(id) ?? 'nothing'}`);
  return faults;
}

function twice(items: readonly string[]): string[] {
  const seen = new Set<string>();
  return items.filter((item) => seen.size === seen.add(item).size);
}

function differencesOf(what: string, alone: readonly string[], other: readonly string[]): string[] {
  const inAlone = new Set(alone);
  const inOther = new Set(other);
  return [
    ...alone.filter((line) => !inOther.has(line)).map((line) => `${what}, only when left alone: ${line}`),
    ...other.filter((line) => !inAlone.has(line)).map((line) => `${what}, not when left alone: ${line}`),
  ];
}
