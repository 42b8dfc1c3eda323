/** The state of a frontier is the same in the process that made it, after each kind of opening, in a rewritten and a converted database, and at a takeover. */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import type { Frontier, Settlement } from '../../../src/base/core/parts/queueing.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import type { CanonicalUrl, Fate, FrontierEntry, Lease, RecordId } from '../../../src/base/core/types.ts';
import { openLmdbFrontier, openLoggedFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { LmdbStore } from '../../../src/crawling/frontier/lmdb-store.ts';
import { entriesIn, logRowsOf } from '../../../src/crawling/frontier/log-rows.ts';
import { withTexts } from '../../../src/crawling/frontier/logged-step.ts';
import { rejudgeFrontier } from '../../../src/crawling/frontier/rejudge.ts';
import { unsettle } from '../../../src/crawling/frontier/unsettle.ts';
import { writeFrontier } from '../../../src/crawling/frontier/write-frontier.ts';
import { runs } from '../../support/extent.ts';
import { formerOf, writeFormer } from '../../support/former-frontier.ts';
import { PARTITIONS, partitionOf } from '../../support/frontier-log.ts';
import { ALTERNATE, fate, hostOf, link, outlinks, report, urlOf, WELL } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'forager-histories-'));
  folders.push(folder);
  return folder;
}

function copyOf(folder: string): string {
  const copy = newFolder();
  cpSync(folder, copy, { recursive: true });
  return copy;
}

const clock = new VirtualClock();
const OPTIONS = { clock, delay: 0, maxPagesPerHost: 1000, traps: true, checkpointFrom: 0 };
const ready = Promise.resolve();
const CHECKPOINT = 'checkpoint.bin';

const ACTIONS = [
  'visit',
  'visit',
  'visit',
  'visit',
  'revisit',
  'rescore',
  'commit',
  'resume',
  'kill',
  'rejudge',
  'lose',
  'unsettle',
] as const;
type Action = (typeof ACTIONS)[number];

/** A crawl of a small web whose commands are drawn. */
class History {
  readonly #rng: () => number;
  folder = newFolder();
  model: string | null = null;
  frontier: Frontier;
  #made = 0;

  constructor(seed: number) {
    this.#rng = seededRng(seed);
    this.frontier = this.#open();
    this.frontier.add(outlinks('http://start.test/', this.#links(), { depth: 1 }));
  }

  #open(): Frontier {
    return openLmdbFrontier(this.folder, OPTIONS, this.model);
  }

  #drawn(most: number): number {
    return Math.floor(this.#rng() * most);
  }

  #links() {
    return Array.from({ length: 1 + this.#drawn(4) }, () => {
      const refusal = ([null, null, null, 'tunnel', 'next-round', 'scope'] as const)[this.#drawn(6)] ?? null;
      const found = link(
        `http://${'abcdef'[this.#drawn(6)]}.test/${this.#drawn(5)}${['', '.pdf', '?page=1'][this.#drawn(3)]}`,
        this.#rng(),
        refusal,
        { anchorText: `a${this.#drawn(9)}` },
        this.#drawn(5) === 0 ? ALTERNATE : undefined,
      );
      return this.#drawn(4) > 0 ? found : { ...found, alternates: [{ lang: 'fr', url: urlOf(`http://fr.test/${this.#drawn(9)}`) }] };
    });
  }

  async act(action: Action): Promise<void> {
    this.#made += 1;
    if (action === 'visit') this.#visit();
    else if (action === 'revisit') this.#revisit();
    else if (action === 'rescore')
      this.frontier.rescore({ score: (entries) => Float32Array.from(entries, () => Math.fround(this.#rng())) }, this.#made);
    else if (action === 'commit') await this.commit();
    else await this.#between(action);
  }

  /** Something that needs the directory for itself. */
  async #between(action: Exclude<Action, 'visit' | 'revisit' | 'rescore' | 'commit'>): Promise<void> {
    await this.commit();
    if (action === 'kill') {
      const killed = copyOf(this.folder);
      await this.frontier.close();
      this.folder = killed;
    } else await this.frontier.close();
    if (action === 'rejudge') await this.#rejudge();
    if (action === 'lose') await this.#lose();
    if (action === 'unsettle') await unsettle(this.folder, new Set(this.#some(await this.#settled())));
    this.frontier = this.#open();
  }

  #some<T>(all: readonly T[]): T[] {
    return all.filter(() => this.#drawn(3) === 0);
  }

  async #settled(): Promise<CanonicalUrl[]> {
    const frontier = this.#open();
    const urls = [...frontier.settled()].map(({ entry }) => entry.url);
    await frontier.close();
    return urls;
  }

  async #rejudge(): Promise<void> {
    const modelId = `model-${this.#made}`;
    const judged = () => ({ relevance: this.#rng() });
    const none = new Map<never, never>();
    const scoresOf = () => ({ anchorScore: this.#rng(), contextScore: this.#rng() });
    await rejudgeFrontier(this.folder, {
      modelId,
      threshold: 0.5,
      active: this.model,
      kept: none,
      payloads: none,
      judge: judged,
      scoresOf,
    });
    this.model = modelId;
  }

  async #lose(): Promise<void> {
    const frontier = this.#open();
    const kept = [...frontier.settled()].filter(({ fate: { recordId } }) => recordId !== null);
    await frontier.close();
    const store = LmdbStore.open(this.folder, this.model);
    const slots = new Map([...store.fates()].map(([slot, stored]) => [stored.fate.recordId, slot]));
    for (const { entry, fate: ended } of this.#some(kept))
      if (ended.recordId !== null)
        store.push(slots.get(ended.recordId) ?? -1, { kind: 'lost', url: entry.url, host: entry.host, record: ended.recordId });
    await store.commit({}, ready);
    await store.close();
  }

  async commit(): Promise<void> {
    this.frontier.storePriorities();
    await this.frontier.commit({ 'records.jsonl': this.#made }, ready);
  }

  #visit(): void {
    const next = this.frontier.next();
    if (next.kind === 'lease') this.frontier.settle(next.lease, this.#settlement(next.lease));
    else
      this.frontier.add(
        outlinks(`http://more.test/${this.#made}`, this.#links(), { depth: 1 + this.#drawn(4), offTopicDepth: this.#drawn(3) }),
      );
  }

  #settlement({ entry }: Lease): Settlement {
    const kind = this.#drawn(7);
    if (kind === 0) return { kind: 'retry', reason: 'timeout', notBefore: clock.now() + 1_000_000 * this.#drawn(2), host: report('well') };
    const discovered = outlinks(entry.url, this.#links(), { depth: 1 + this.#drawn(4), offTopicDepth: this.#drawn(3) });
    return { kind: 'done', fate: this.#fate(kind), discovered: kind > 2 ? discovered : null, host: WELL };
  }

  #fate(kind: number): Fate {
    if (kind === 1) return fate('refused', { reason: 'robots', visited: false, status: null });
    if (kind === 2) return fate('refused', { reason: 'content-type' });
    const page = { title: `t${this.#made}`, text: `text ${this.#made}`, lang: 'en' };
    if (kind < 5) return fate('off-topic', { relevance: this.#rng() / 2, page, simhash: [this.#drawn(3), 7] });
    return fate('kept', { relevance: this.#rng(), recordId: `urn:uuid:${this.#made}` as RecordId, payloadSha256: `sha-${this.#made}` });
  }

  #revisit(): void {
    const kept = [...this.frontier.ledger()].filter(({ state }) => state === 'kept');
    const { url } = kept[this.#drawn(kept.length)] ?? {};
    const lease = url === undefined ? null : this.frontier.lease(url, 'kept');
    if (lease === null) return;
    const recordId = `urn:uuid:again-${this.#made}` as RecordId;
    const version = { recordId, payloadSha256: `again-${this.#made}`, relevance: this.#rng(), modelId: this.model ?? 'first' };
    const result = this.#drawn(2) === 0 ? 'same' : 'changed';
    const revisit = { at: clock.now(), status: 200, result, version: result === 'same' ? null : version } as const;
    this.frontier.settle(lease, { kind: 'revisited', revisit, discovered: null, host: WELL });
  }
}

interface Shown {
  readonly counts: unknown;
  readonly found: readonly unknown[];
  readonly settled: readonly unknown[];
  readonly earlier: readonly unknown[];
  readonly revisits: readonly unknown[];
  readonly leases: readonly FrontierEntry[];
}

/** Everything that a frontier shows, and the order in which it leases the URLs that wait. */
function shown(frontier: Frontier): Shown {
  const ledger = [...frontier.ledger()];
  const found = ledger.map(({ url }) => ({
    ...frontier.find(url),
    standing: frontier.standing(url),
    alternates: frontier.alternatesOf(url),
  }));
  const settled = [...frontier.settled()];
  const revisits = [...frontier.revisits()].sort((a, b) => (a.url < b.url ? -1 : 1));
  const [counts, earlier] = [frontier.counts(), frontier.earlierVisits()];
  const leases: FrontierEntry[] = [];
  for (let next = frontier.next(); next.kind === 'lease'; next = frontier.next()) {
    leases.push(next.lease.entry);
    frontier.settle(next.lease, { kind: 'done', fate: fate('failed', { visited: false, status: null }), discovered: null, host: null });
  }
  return { counts, found, settled, earlier, revisits, leases };
}

async function shownBy(folder: string, model: string | null): Promise<Shown> {
  const frontier = openLmdbFrontier(folder, OPTIONS, model);
  const state = shown(frontier);
  await frontier.commit({}, ready);
  await frontier.close();
  return state;
}

async function withCheckpoint(folder: string, model: string | null): Promise<string> {
  const copy = copyOf(folder);
  await openLmdbFrontier(copy, OPTIONS, model).close();
  expect(existsSync(join(copy, CHECKPOINT))).toBe(true);
  return copy;
}

async function rewritten(folder: string): Promise<string> {
  const to = newFolder();
  const store = LmdbStore.open(folder, null, null, 'read');
  writeFrontier(to, store.whole());
  await store.close();
  return to;
}

/** null for one that an earlier version could not have: it had no alternates of kept pages. */
async function converted(folder: string): Promise<string | null> {
  const to = newFolder();
  const store = LmdbStore.open(folder, null, null, 'read');
  const isNew = [...store.history()].some(({ entry }) => entry.kind === 'lost' && entry.record === null);
  if (isNew) return store.close().then(() => null);
  const { head, priorities, rejudgements } = store.whole();
  const former = { ...formerOf(store.history()), priorities: [...priorities], rejudgements: [...rejudgements], offsets: head.offsets };
  await writeFormer(to, 3, former);
  await store.close();
  return to;
}

/** The frontier of a worker that takes all partitions over from the rows of a log. */
async function takenOver(folder: string): Promise<Shown> {
  const nothing = { begin: () => async () => ({ commit: 0, id: null }) };
  const held = Array.from({ length: PARTITIONS }, (_, i) => i);
  let isAway = true;
  const share = { isAway: () => isAway, held: () => held };
  const frontier = openLoggedFrontier(newFolder(), OPTIONS, null, nothing, share);
  const store = LmdbStore.open(folder, null, null, 'read');
  const entries = [...store.history()].map(withTexts);
  await store.close();
  for (let at = 0; at < entries.length; at += 7)
    frontier.take(
      entriesIn(logRowsOf(entries.slice(at, at + 7), partitionOf, held)),
      held.map((one) => [one, at + 1] as const),
    );
  isAway = false;
  frontier.shareChanged(() => 0);
  const state = shown(frontier);
  await frontier.commit({}, ready);
  await frontier.close();
  return state;
}

test('any history shows the same in its process, after each opening, rewritten, converted and taken over', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.array(fc.constantFrom(...ACTIONS), { minLength: 5, maxLength: 60 }), async (seed, actions) => {
      const history = new History(seed);
      for (const action of actions) await history.act(action);
      await history.commit();
      const { folder, model, frontier } = history;
      const replayed = copyOf(folder);
      rmSync(join(replayed, CHECKPOINT), { force: true });
      const others = {
        checkpoint: await withCheckpoint(folder, model),
        rewritten: await rewritten(folder),
        converted: await converted(folder),
        replayed,
      };
      const taken = model === null ? await takenOver(folder) : null;
      const live = shown(frontier);
      await frontier.commit({}, ready);
      await frontier.close();
      for (const [how, other] of Object.entries(others))
        if (other !== null) expect({ how, ...(await shownBy(other, model)) }).toEqual({ how, ...live });
      if (taken) expect(taken.counts).toEqual(live.counts);
    }),
    { numRuns: runs(40) },
  );
});

/** The first URL that is leased ends like this. */
function end(frontier: Frontier, settlement: Settlement): CanonicalUrl {
  const next = frontier.next();
  if (next.kind !== 'lease') throw new Error('no lease');
  frontier.settle(next.lease, settlement);
  return next.lease.entry.url;
}

const done = (ended: Fate): Settlement => ({ kind: 'done', fate: ended, discovered: null, host: WELL });
const PAGE = { title: 'Peat', text: 'Bog.', lang: 'en' };
const A = urlOf('http://a.test/');
const kept = (record: string) => fate('kept', { relevance: 0.25, recordId: record as RecordId, payloadSha256: record });

async function opened(folder: string, use: (frontier: Frontier) => void, model: string | null = null): Promise<void> {
  const frontier = openLmdbFrontier(folder, { ...OPTIONS, checkpointFrom: Number.POSITIVE_INFINITY }, model);
  use(frontier);
  await frontier.commit({}, ready);
  await frontier.close();
}

async function lose(folder: string, record: string): Promise<void> {
  const store = LmdbStore.open(folder, null);
  store.push(0, { kind: 'lost', url: A, host: hostOf(A), record: record as RecordId });
  await store.commit({}, ready);
  await store.close();
}

/** Finds every page on topic. */
const MODEL = { modelId: 'later', threshold: 0.5, active: null, kept: new Map(), payloads: new Map() };
const rejudge = (folder: string) =>
  rejudgeFrontier(folder, {
    ...MODEL,
    judge: () => ({ relevance: 0.75 }),
    scoresOf: () => ({ anchorScore: 0, contextScore: 0 }),
  });

test('a URL that is taken back leaves no visit: one that was never requested, and one that was visited twice', async () => {
  const folder = newFolder();
  await opened(folder, (frontier) => {
    frontier.add(outlinks('http://start.test/', [link(A, 0.5), link('http://b.test/', 0.375)]));
    end(frontier, done(kept('one')));
    end(frontier, done(fate('refused', { reason: 'robots', visited: false })));
  });
  await lose(folder, 'one');
  await opened(folder, (frontier) => {
    expect(end(frontier, done(kept('two')))).toBe(A);
    expect(frontier.counts()).toMatchObject({ visited: 2, earlierVisits: 1, reopened: 0 });
  });
  await unsettle(folder, new Set([urlOf('http://b.test/')]));
  await opened(folder, (frontier) => expect(frontier.counts()).toMatchObject({ visited: 2, earlierVisits: 1, reopened: 0 }));
  await unsettle(folder, new Set([A]));
  await opened(folder, (frontier) => {
    expect(frontier.counts()).toMatchObject({ visited: 0, earlierVisits: 0, reopened: 0, waiting: 2 });
    expect(frontier.find(A)?.line.priority).toBe(0.5);
    expect(end(frontier, done(kept('three')))).toBe(A);
    expect(frontier.counts()).toMatchObject({ visited: 1, earlierVisits: 0 });
  });
});

test('a page that a model reopened waits for its retry after a restart as well', async () => {
  const folder = newFolder();
  await opened(folder, (frontier) => {
    frontier.add(outlinks('http://start.test/', [link(A, 0.5)]));
    end(frontier, done(fate('off-topic', { relevance: 0.25, page: PAGE })));
  });
  await rejudge(folder);
  const until = clock.now() + 60_000;
  await opened(folder, (frontier) => void end(frontier, { kind: 'retry', reason: 'timeout', notBefore: until, host: WELL }), 'later');
  await opened(folder, (frontier) => expect(frontier.next()).toEqual({ kind: 'wait', until }), 'later');
});

test('a page that was kept again is that of its new record, whatever its former one was replaced by', async () => {
  const folder = newFolder();
  await opened(folder, (frontier) => {
    frontier.add(outlinks('http://start.test/', [link(A, 0.5)]));
    end(frontier, done(kept('one')));
    const again = frontier.lease(A, 'kept');
    const version = { recordId: 'two' as RecordId, payloadSha256: 'two', relevance: 0.5, modelId: 'first' };
    const revisit = { at: 5, status: 200, result: 'changed', version } as const;
    if (again) frontier.settle(again, { kind: 'revisited', revisit, discovered: null, host: WELL });
    expect(frontier.find(A)?.fate?.recordId).toBe('two');
  });
  await lose(folder, 'one');
  const expectNew = (frontier: Frontier) => {
    expect(frontier.find(A)?.fate).toMatchObject({ recordId: 'three', payloadSha256: 'three' });
    expect(frontier.find(A)?.line.revisit).toBeUndefined();
    expect([...frontier.revisits()]).toEqual([]);
  };
  await opened(folder, (frontier) => {
    expect(end(frontier, done(kept('three')))).toBe(A);
    expectNew(frontier);
  });
  await opened(folder, expectNew);
  await opened(await rewritten(folder), expectNew);
});

test('pages that a model reopened are no evidence against their pattern', async () => {
  const folder = newFolder();
  const options = { ...OPTIONS, checkpointFrom: Number.POSITIVE_INFINITY };
  const parkedIn = (frontier: Frontier) => [...frontier.ledger()].filter(({ state }) => state === 'parked').length;
  const frontier = openLmdbFrontier(folder, options);
  const pages = Array.from({ length: 60 }, (_, i) => link(`http://a.test/list?page=${i}`, 1 - i / 100));
  frontier.add(outlinks('http://start.test/', pages, { depth: 1, offTopicDepth: 1 }));
  for (let i = 0; i < 30; i++) {
    const next = frontier.next();
    if (next.kind !== 'lease') break;
    const ended = fate('off-topic', { relevance: 0.25, simhash: [5, 6], page: PAGE });
    frontier.settle(next.lease, { kind: 'done', fate: ended, discovered: outlinks(next.lease.entry.url, []), host: WELL });
  }
  expect(parkedIn(frontier)).toBeGreaterThan(20);
  await frontier.commit({}, ready);
  await frontier.close();
  await rejudge(folder);
  const later = openLmdbFrontier(folder, options, 'later');
  expect(parkedIn(later)).toBe(0);
  await later.close();
});

test('a kind of file that can be read now is no longer parked when its URLs are taken back', async () => {
  const folder = newFolder();
  const files = Array.from({ length: 12 }, (_, i) => link(`http://a.test/${i}.pdf`, 1 - i / 100));
  const refused = files.slice(0, 4).map(({ url }) => url);
  await opened(folder, (frontier) => {
    frontier.add(outlinks('http://start.test/', files, { depth: 1, offTopicDepth: 1 }));
    for (const url of refused) expect(end(frontier, done(fate('refused', { reason: 'content-type' })))).toBe(url);
    expect([...frontier.ledger()].filter(({ state }) => state === 'parked')).toHaveLength(8);
  });
  await unsettle(folder, new Set(refused));
  await opened(folder, (frontier) => {
    expect([...frontier.ledger()].filter(({ state }) => state === 'waiting')).toHaveLength(12);
  });
});
