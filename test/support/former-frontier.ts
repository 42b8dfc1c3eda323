/** Writes the database of a frontier as Forager 0.1 and 0.2 had it: a table for each kind of step. Written apart from the program, by its documents. */
import { crc32 } from 'node:zlib';
import { open, type RootDatabase } from 'lmdb';
import { Packr } from 'msgpackr';
import type { CorpusOffsets } from '../../src/base/core/parts/queueing.ts';
import type { RecordId, Revisit } from '../../src/base/core/types.ts';
import type { HostHealth } from '../../src/crawling/frontier/host-health.ts';
import { type LoggedStep, withTexts } from '../../src/crawling/frontier/logged-step.ts';
import { packDiscovery } from '../../src/crawling/frontier/packed-discovery.ts';
import { AS_PRIORITIES } from '../../src/crawling/frontier/packed-priorities.ts';
import type { LinkPriorities, StoredDiscovery, StoredFate, StoredRetry, Unparking } from '../../src/crawling/frontier/store.ts';
import { AS_FATE, AS_RETRY } from '../../src/crawling/frontier/stored-reasons.ts';
import { packTexts } from '../../src/crawling/frontier/stored-texts.ts';

export interface FormerFrontier {
  readonly discoveries: readonly StoredDiscovery[];
  readonly fates?: readonly (readonly [slot: number, stored: StoredFate])[];
  readonly retries?: readonly (readonly [slot: number, retry: StoredRetry])[];
  readonly revisits?: readonly (readonly [slot: number, revisit: Revisit])[];
  readonly hosts?: readonly (readonly [index: number, health: HostHealth])[];
  readonly lost?: readonly (readonly [slot: number, record: RecordId])[];
  readonly priorities?: readonly (readonly [index: number, given: LinkPriorities])[];
  readonly rejudgements?: readonly (readonly [key: readonly [string, string, number], value: Uint8Array])[];
  readonly unparkings?: readonly Unparking[];
  readonly offsets: CorpusOffsets;
  readonly runs?: number;
  readonly crawl?: string;
}

const packr = new Packr({});

/** @param version 1: the links of a discovery one by one; 2: values without checksums; 3: that of 0.2 */
export async function writeFormer(folder: string, version: 1 | 2 | 3, frontier: FormerFrontier): Promise<void> {
  const root = open<unknown, string>({ path: folder, maxDbs: 9 });
  const put = (name: string, key: number | readonly [string, string, number], value: Uint8Array) =>
    void tableOf(root, name).put(key as number, version < 3 ? value : checked(key, value));
  await root.transaction(() => {
    for (const name of ['discoveries', 'fates', 'pages', 'retries', 'revisits', 'hosts', 'rejudgements']) tableOf(root, name);
    for (const [index, one] of frontier.discoveries.entries())
      put('discoveries', index, packr.pack(version === 1 ? one : packDiscovery(one)));
    for (const [slot, { fate, ...stored }] of frontier.fates ?? []) {
      put('fates', slot, AS_FATE.encode({ ...stored, fate: { ...fate, page: null } }));
      if (fate.page) put('pages', slot, packTexts(fate.page));
    }
    for (const [slot, retry] of frontier.retries ?? []) put('retries', slot, AS_RETRY.encode(retry));
    for (const [slot, revisit] of frontier.revisits ?? []) put('revisits', slot, packr.pack(revisit));
    for (const [index, health] of frontier.hosts ?? []) put('hosts', index, packr.pack(health));
    for (const [slot, record] of frontier.lost ?? []) put('lost', slot, packr.pack(record));
    for (const [index, given] of frontier.priorities ?? []) put('priorities', index, AS_PRIORITIES.encode(given));
    for (const [key, value] of frontier.rejudgements ?? []) put('rejudgements', key, value);
    putHead(root, version, frontier);
  });
  await root.close();
}

function putHead(root: RootDatabase<unknown, string>, version: number, frontier: FormerFrontier): void {
  const { offsets, unparkings = [], runs = 0, crawl = null } = frontier;
  void root.put('format', version);
  if (version < 3) {
    void root.put('offsets', offsets);
    void root.put('unparkings', unparkings);
    return;
  }
  const counts = { discoveries: frontier.discoveries.length, fates: frontier.fates?.length ?? 0 };
  const head = JSON.stringify({ crawl, number: 4, offsets, unparkings, runs, ...counts });
  const sum = crc32(Buffer.from(head.slice(0, -1)))
    .toString(16)
    .padStart(8, '0');
  void root.put('head', `${head.slice(0, -1)},"crc32":"${sum}"}`);
}

function tableOf(root: RootDatabase<unknown, string>, name: string) {
  const key = name === 'rejudgements' ? {} : ({ keyEncoding: 'uint32' } as const);
  return root.openDB<Uint8Array, number>({ name, encoding: 'binary', ...key });
}

function checked(key: number | readonly [string, string, number], value: Uint8Array): Uint8Array {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(value, typeof key === 'number' ? key : crc32(key.join('/'))));
  return Buffer.concat([value, sum]);
}

/** The tables that a frontier of 0.2 would have after these steps. */
export function formerOf(steps: Iterable<LoggedStep>): Omit<FormerFrontier, 'offsets'> {
  const discoveries: StoredDiscovery[] = [];
  const fates = new Map<number, StoredFate>();
  const retries = new Map<number, StoredRetry>();
  const revisits = new Map<number, Revisit>();
  const hosts = new Map<number, HostHealth>();
  const lost = new Map<number, RecordId>();
  const unparkings: Unparking[] = [];
  for (const step of steps) {
    const { key } = step;
    const entry = withTexts(step);
    if (entry.kind === 'discovery') discoveries[key] = entry.discovery;
    else if (entry.kind === 'fate') fates.set(key, entry.stored);
    else if (entry.kind === 'retry') retries.set(key, entry.retry);
    else if (entry.kind === 'revisit') revisits.set(key, entry.revisit);
    else if (entry.kind === 'health') hosts.set(key, entry.health);
    else if (entry.kind === 'lost' && entry.record !== null) lost.set(key, entry.record);
    else if (entry.kind === 'unparking') unparkings.push(entry.unparking);
  }
  return { discoveries, fates: [...fates], retries: [...retries], revisits: [...revisits], hosts: [...hosts], lost: [...lost], unparkings };
}
