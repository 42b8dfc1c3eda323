/**
 * Do ledger, corpus, WARC and the server's log of a crawl agree? Reads what the commands print and write by means of its own: nothing here is shared with
 * the code that wrote it.
 */
import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WARCParser } from 'warcio';

export interface Evidence {
  /** What `forager ledger` printed: JSON lines. */
  readonly ledger: string;
  /** Folder of `forager harvest --format jsonl,warc --min-relevance 0 --dedupe none --reserved include`. */
  readonly harvest: string;
  /** URLs of pages that the server answered, as often as it did. */
  readonly asked: readonly string[];
  /** What the server gives for a URL; null for what is no page. */
  readonly served: (url: string) => Uint8Array | null;
}

/** Kept pages: record ids by URL. */
export type Kept = ReadonlyMap<string, string>;

interface LedgerLine {
  readonly url: string;
  readonly state: string;
  readonly fetchedAt: unknown;
}

interface CorpusLine {
  readonly id: string;
  readonly url: string;
  readonly payloadSha256: string;
}

/** @returns what does not agree, in words; and the pages that are kept. @param before what was kept when it was last asked: it must still be */
export async function disagreements(
  evidence: Evidence,
  before: Kept,
): Promise<{ readonly faults: readonly string[]; readonly kept: Kept }> {
  const ledger = linesOf<LedgerLine>(evidence.ledger);
  const corpus = linesOf<CorpusLine>(readFileSync(join(evidence.harvest, 'corpus.jsonl'), 'utf8'));
  const kept = new Map(corpus.map(({ url, id }) => [url, id]));
  const inLedger = new Set(ledger.flatMap(({ url, state }) => (state === 'kept' ? [url] : [])));
  const asked = new Set(evidence.asked);
  const faults = [
    ...twice(
      'ledger',
      ledger.map(({ url }) => url),
    ),
    ...twice(
      'corpus',
      corpus.map(({ url }) => url),
    ),
    ...twice(
      'corpus',
      corpus.map(({ id }) => id),
    ),
    ...missing('kept by the ledger, not in the corpus', inLedger, kept),
    ...missing('in the corpus, not kept by the ledger', kept.keys(), inLedger),
    ...missing('kept before, and no more', before.keys(), kept),
    ...[...before].flatMap(([url, id]) => (kept.has(url) && kept.get(url) !== id ? [`${url}: has another record than before`] : [])),
    ...missing(
      'fetched by the ledger, never asked of the server',
      ledger.flatMap(({ url, fetchedAt }) => (fetchedAt === null ? [] : [url])),
      asked,
    ),
    ...(await warcFaults(evidence, corpus)),
  ];
  return { faults, kept };
}

async function warcFaults({ harvest, served }: Evidence, corpus: readonly CorpusLine[]): Promise<string[]> {
  const faults: string[] = [];
  const wanted = new Map(corpus.map((line) => [line.id, line]));
  for (const name of readdirSync(harvest).filter((file) => file.endsWith('.warc.gz'))) {
    for await (const record of new WARCParser(createReadStream(join(harvest, name)), { parseHttp: true })) {
      const payload = await record.readFully(false);
      if (record.warcType !== 'response') continue;
      const id = (record.warcHeader('WARC-Record-ID') ?? '').slice(1, -1);
      const line = wanted.get(id);
      if (!wanted.delete(id) || line === undefined) faults.push(`${id}: is in the WARC files and not in the corpus, or twice`);
      else if (sha256(payload) !== line.payloadSha256) faults.push(`${line.url}: its WARC record has another payload than its record`);
      else if (sha256(served(line.url) ?? new Uint8Array()) !== line.payloadSha256) faults.push(`${line.url}: is not what the server gave`);
    }
  }
  return [...faults, ...[...wanted.values()].map(({ url }) => `${url}: is in the corpus and has no WARC record`)];
}

function linesOf<T>(text: string): T[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

function twice(where: string, all: readonly string[]): string[] {
  const seen = new Set<string>();
  return all.flatMap((one) => (seen.size === seen.add(one).size ? [`${one}: is in the ${where} twice`] : []));
}

function missing(what: string, all: Iterable<string>, from: { has(one: string): boolean }): string[] {
  return [...all].flatMap((one) => (from.has(one) ? [] : [`${one}: ${what}`]));
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
