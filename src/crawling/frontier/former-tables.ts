/**
 * The database of a frontier of Forager 0.1 and 0.2: a table for each kind of step, with the newest value by URL, host or discovery. It is only read:
 * `convert-frontier.ts` makes a log of it. Version 1 stored the links of a discovery one by one, version 2 values without checksums.
 */
import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import { messageOf } from '../../base/core/errors.ts';
import type { CorpusOffsets } from '../../base/core/parts/queueing.ts';
import type { HostKey, RecordId, Revisit } from '../../base/core/types.ts';
import { AS_BYTES, CheckedTable, packed, type ValueForm } from './checked-table.ts';
import type { HostHealth } from './host-health.ts';
import { damagedDatabase, openErrorFrom, readThrough, undecodable } from './lmdb-file.ts';
import { formatOf, headFieldsIn, type StoredHead } from './lmdb-head.ts';
import { giveUp, hasTable, isReadableDatabase, openRoot } from './lmdb-read.ts';
import type { UrlName } from './log-entry.ts';
import type { LoggedStep } from './logged-step.ts';
import { type PackedDiscovery, unpackDiscovery } from './packed-discovery.ts';
import { AS_PRIORITIES } from './packed-priorities.ts';
import type { RejudgementKey } from './rejudgement.ts';
import type { LinkPriorities, StoredDiscovery, StoredFate, StoredRetry, Unparking } from './store.ts';
import { AS_FATE, AS_RETRY } from './stored-reasons.ts';
import { type Slot, UrlTable } from './url-table.ts';

const OPTIONS = { maxDbs: 9, noReadAhead: true };
/** First version whose values have checksums and whose head counts entries. */
const CHECKED = 3;

/** The head of that time. */
interface FormerHead extends Omit<StoredHead, 'entries' | 'checkpoint'> {
  readonly unparkings: readonly Unparking[];
  /** null in versions up to 2. */
  readonly discoveries: number | null;
  readonly fates: number | null;
}

/** null for a table that its version did not have. */
interface FormerDatabases {
  readonly discoveries: CheckedTable<PackedDiscovery | StoredDiscovery> | null;
  readonly hosts: CheckedTable<HostHealth> | null;
  readonly retries: CheckedTable<StoredRetry> | null;
  readonly fates: CheckedTable<StoredFate> | null;
  /** Texts of pages. */
  readonly pages: CheckedTable<Uint8Array> | null;
  readonly revisits: CheckedTable<Revisit> | null;
  readonly lost: CheckedTable<RecordId> | null;
  readonly priorities: CheckedTable<LinkPriorities> | null;
  readonly rejudgements: CheckedTable<Uint8Array, RejudgementKey> | null;
}

export class FormerTables {
  readonly #path: string;
  readonly #root: RootDatabase<unknown, string>;
  readonly #isChecked: boolean;
  readonly #tables: FormerDatabases;
  readonly head: FormerHead;

  private constructor(path: string, root: RootDatabase<unknown, string>) {
    [this.#path, this.#root] = [path, root];
    const file = join(path, 'data.mdb');
    this.#isChecked = (formatOf(root, file) ?? CHECKED) >= CHECKED;
    this.#tables = this.#open();
    // After all tables are open: opening one ends the current read snapshot, and a crawl of that version may commit meanwhile.
    this.head = this.#readHead(file);
    for (const name of ['discoveries', 'fates'] as const) {
      const [there, were] = [this.#tables[name]?.size ?? 0, this.head[name]];
      if (were !== null && there !== were) throw damagedDatabase(file, `it has ${there} ${name} where ${were} were committed`);
    }
  }

  /** @throws StoreError for a damaged one */
  static open(path: string): FormerTables {
    // After a power cut, opening it to read would write to it as well.
    let root: RootDatabase<unknown, string> | null = null;
    try {
      root = openRoot({ path, ...OPTIONS, readOnly: isReadableDatabase(path) });
      return new FormerTables(path, root);
    } catch (error) {
      if (root) giveUp(root);
      throw openErrorFrom(error, path);
    }
  }

  close(): void {
    void this.#root.close();
  }

  #readHead(file: string): FormerHead {
    const stored = this.#root.get('head');
    if (stored !== undefined) return headFieldsIn<FormerHead>(stored, file);
    if (this.#isChecked) throw damagedDatabase(file, 'it has no head');
    const offsets = (this.#root.get('offsets') as CorpusOffsets | undefined) ?? {};
    const unparkings = (this.#root.get('unparkings') as readonly Unparking[] | undefined) ?? [];
    return { crawl: null, number: 0, offsets, unparkings, runs: 0, discoveries: null, fates: null };
  }

  #open(): FormerDatabases {
    return {
      discoveries: this.#table('discoveries', packed<PackedDiscovery | StoredDiscovery>()),
      hosts: this.#table('hosts', packed<HostHealth>()),
      retries: this.#table('retries', AS_RETRY),
      fates: this.#table('fates', AS_FATE),
      pages: this.#table('pages', AS_BYTES),
      revisits: this.#table('revisits', packed<Revisit>()),
      lost: this.#table('lost', packed<RecordId>()),
      priorities: this.#table('priorities', AS_PRIORITIES),
      rejudgements: this.#table<Uint8Array, RejudgementKey>('rejudgements', AS_BYTES),
    };
  }

  #table<V, K extends number | RejudgementKey = number>(name: keyof FormerDatabases, form: ValueForm<V>): CheckedTable<V, K> | null {
    if (!hasTable(this.#root, name)) return null;
    const key = name === 'rejudgements' ? {} : ({ keyEncoding: 'uint32' } as const);
    return new CheckedTable<V, K>(this.#root.openDB<Uint8Array, K>({ name, encoding: 'binary', ...key }), form, this.#isChecked, (why) =>
      undecodable(this.#path, new Error(`${name}: ${messageOf(why)}`, { cause: why })),
    );
  }

  priorities(): Iterable<readonly [number, LinkPriorities]> {
    return this.#tables.priorities?.all() ?? [];
  }

  rejudgements(): Iterable<readonly [RejudgementKey, Uint8Array]> {
    return this.#tables.rejudgements?.all() ?? [];
  }

  /**
   * All discoveries, then health and retries, then all settlements in their order, which gives the same state as the order in which they came.
   * O(discovered links); some bytes of memory a URL.
   * @throws StoreError for a damaged value
   */
  *history(): Generator<LoggedStep> {
    readThrough(join(this.#path, 'data.mdb'));
    const names = new Names();
    for (const [key, stored] of this.#tables.discoveries?.all() ?? []) {
      const discovery = this.#unpacked(stored);
      for (const link of discovery.links) names.add(link);
      yield { key, entry: { kind: 'discovery', discovery }, texts: null };
    }
    const hosts = names.hosts();
    for (const [key, health] of this.#tables.hosts?.all() ?? []) {
      const host = hosts[key];
      if (host !== undefined) yield { key, entry: { kind: 'health', host, health }, texts: null };
    }
    const nameOf = this.#namesIn(names);
    for (const [key, retry] of this.#tables.retries?.all() ?? [])
      yield { key, entry: { kind: 'retry', ...nameOf(key), retry }, texts: null };
    yield* this.#settlements(nameOf);
  }

  *#settlements(nameOf: (slot: Slot) => UrlName): Generator<LoggedStep> {
    const { fates, pages, revisits, lost } = this.#tables;
    const inOrder = [...(fates?.all() ?? [])].map(([slot, { order }]) => [slot, order] as const).sort(([, a], [, b]) => a - b);
    const unparkings = [...this.head.unparkings.entries()];
    const released = function* (before: number): Generator<LoggedStep> {
      for (let [next] = unparkings; next && next[1].settled < before; [next] = unparkings) {
        yield { key: next[0], entry: { kind: 'unparking', unparking: next[1] }, texts: null };
        unparkings.shift();
      }
    };
    for (const [key, order] of inOrder) {
      yield* released(order);
      const [stored, revisit, record] = [fates?.get(key), revisits?.get(key), lost?.get(key)];
      if (stored) yield { key, entry: { kind: 'fate', ...nameOf(key), stored }, texts: pages?.get(key) ?? null };
      if (revisit) yield { key, entry: { kind: 'revisit', ...nameOf(key), revisit }, texts: null };
      if (record && record === stored?.fate.recordId) yield { key, entry: { kind: 'lost', ...nameOf(key), record }, texts: null };
    }
    yield* released(Number.POSITIVE_INFINITY);
  }

  /** @returns throws a StoreError for a URL of which there is no discovery */
  #namesIn(names: Names): (slot: Slot) => UrlName {
    const found = names.found(this.#links());
    return (slot) => {
      const name = found[slot];
      if (name === undefined) throw damagedDatabase(join(this.#path, 'data.mdb'), `no discovery has its URL ${slot}`);
      return name;
    };
  }

  *#links(): Generator<UrlName> {
    for (const [, stored] of this.#tables.discoveries?.all() ?? []) yield* this.#unpacked(stored).links;
  }

  /** @throws StoreError */
  #unpacked(stored: PackedDiscovery | StoredDiscovery): StoredDiscovery {
    try {
      return 'links' in stored ? stored : unpackDiscovery(stored);
    } catch (error) {
      throw undecodable(this.#path, error);
    }
  }
}

/** URLs and hosts by number, in the order of their discovery, as in a frontier. */
class Names {
  readonly #urls = new UrlTable();
  readonly #hosts = new Set<HostKey>();

  add({ url, host }: UrlName): void {
    if (this.#urls.claim(url).isNew) this.#hosts.add(host);
  }

  /** Hosts by number. */
  hosts(): readonly HostKey[] {
    return [...this.#hosts];
  }

  /** Names of all URLs by number, found in all links. */
  found(links: Iterable<UrlName>): readonly UrlName[] {
    const names: UrlName[] = [];
    for (const { url, host } of links) names[this.#urls.find(url)] ??= { url, host };
    return names;
  }
}
