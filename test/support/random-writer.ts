/** A process that writes a frontier at random, and may be killed at any moment. It makes as many steps as each message wants, and answers after each. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Frontier, Settlement } from '../../src/base/core/parts/queueing.ts';
import type { Rescorer } from '../../src/base/core/parts/scoring.ts';
import { seededRng } from '../../src/base/core/rng.ts';
import type { Fate, FrontierEntry, RecordId, RefusalReason } from '../../src/base/core/types.ts';
import { openLmdbFrontier } from '../../src/crawling/frontier/frontier.ts';
import { LmdbStore } from '../../src/crawling/frontier/lmdb-store.ts';
import { unsettle } from '../../src/crawling/frontier/unsettle.ts';
import { fate, hostOf, link, outlinks, report, seeds, WELL } from './frontier-values.ts';
import { rescored } from './rescored.ts';
import { VirtualClock } from './virtual-clock.ts';

export interface WriterOrder {
  readonly seed: number;
  readonly steps: number;
}

/** The writer of a folder, once it is ready. */
export async function startWriter(folder: string): Promise<ChildProcess> {
  const writer = fork(fileURLToPath(import.meta.url), [folder], { execArgv: ['--import', 'tsx'] });
  await once(writer, 'message');
  return writer;
}

/** As the reader opens it. */
export const WRITER_OPTIONS = { delay: 0, maxPagesPerHost: 12, traps: true } as const;

const REFUSALS: readonly (RefusalReason | null)[] = [null, null, null, null, 'tunnel', 'scope', 'next-round', 'content-type'];
const PAGES = 400;

class RandomWriter {
  readonly #folder: string;
  readonly #clock = new VirtualClock();
  #rng = seededRng(1);
  #frontier: Frontier;
  #turn = 0;

  constructor(folder: string) {
    this.#folder = folder;
    this.#frontier = this.#open();
    this.#frontier.add(seeds(link('http://h0.test/', 1), link('http://h1.test/', 1)));
  }

  #open(): Frontier {
    return openLmdbFrontier(this.#folder, { clock: this.#clock, checkpointFrom: 1, ...WRITER_OPTIONS });
  }

  async obey({ seed, steps }: WriterOrder): Promise<void> {
    this.#rng = seededRng(seed);
    for (let step = 0; step < steps; step++) await this.#step();
  }

  #below(many: number): number {
    return Math.floor(this.#rng() * many);
  }

  async #step(): Promise<void> {
    this.#turn += 1;
    const pick = this.#rng();
    if (pick < 0.75) this.#visit();
    else if (pick < 0.78) this.#revisit();
    else if (pick < 0.82) this.#frontier.rescore(this.#scorer(), this.#turn);
    else if (pick < 0.86) rescored(this.#frontier, { ...this.#scorer(), learnedFrom: this.#turn }, 1 + 30 * this.#rng());
    else if (pick < 0.88) this.#frontier.unpark('all');
    else if (pick < 0.89) this.#frontier.readmitHosts();
    else if (pick < 0.92) this.#frontier.storePriorities();
    else if (pick < 0.995) await this.#commit();
    else await this.#restart();
  }

  #commit(): Promise<void> {
    this.#frontier.note({ round: this.#turn });
    return this.#frontier.commit({ 'records.jsonl': this.#turn }, Promise.resolve());
  }

  #scorer(): Rescorer {
    return { score: (entries: readonly FrontierEntry[]) => Float32Array.from(entries, () => this.#rng()) };
  }

  #visit(): void {
    this.#clock.advance(1000);
    const next = this.#frontier.next();
    if (next.kind !== 'lease') {
      this.#frontier.add(outlinks('http://h0.test/', this.#links(), { learnedFrom: this.#turn }));
      return;
    }
    const { url } = next.lease.entry;
    const kind = this.#rng();
    const host = this.#rng() < 0.9 ? WELL : report('fault');
    const notBefore = this.#clock.now() + this.#below(5000);
    const settlement: Settlement =
      next.lease.entry.task.kind === 'revisit'
        ? { kind: 'released', host: null }
        : kind < 0.1
          ? { kind: 'retry', reason: 'timeout', notBefore, host }
          : { kind: 'done', fate: this.#fate(), discovered: this.#rng() < 0.7 ? outlinks(url, this.#links(), this.#way()) : null, host };
    this.#frontier.settle(next.lease, settlement);
  }

  #way() {
    return { depth: 1 + this.#below(4), offTopicDepth: this.#below(3), learnedFrom: this.#turn };
  }

  #links() {
    return Array.from({ length: 1 + this.#below(6) }, () => {
      const page = this.#below(PAGES);
      return link(`http://h${page % 9}.test/${page % 9 < 3 ? 'trap/' : ''}${page}`, this.#rng(), REFUSALS[this.#below(REFUSALS.length)], {
        anchorText: `Page ${page}`,
      });
    });
  }

  #fate(): Fate {
    const relevance = this.#rng();
    const state = (['kept', 'off-topic', 'off-topic', 'off-topic', 'duplicate', 'refused', 'failed'] as const)[this.#below(7)] ?? 'kept';
    const known = { fetchedAt: this.#clock.now(), relevance: state === 'refused' || state === 'failed' ? null : relevance };
    if (state === 'failed') return fate('failed', { ...known, reason: 'http-4xx', status: 404 });
    return fate(state, {
      ...known,
      ...(state === 'kept' && { recordId: `record ${this.#turn}` as RecordId, payloadSha256: `${this.#turn}` }),
    });
  }

  #revisit(): void {
    this.#frontier.revisit(this.#clock.now() + 1);
    const next = this.#frontier.next('revisits');
    if (next.kind !== 'lease') return;
    const version = { recordId: `record ${this.#turn}`, payloadSha256: `${this.#turn}`, relevance: this.#rng(), modelId: 'model' };
    const revisit = { at: this.#clock.now(), result: 'changed', status: 200, reason: '', version } as never;
    this.#frontier.settle(next.lease, {
      kind: 'revisited',
      revisit,
      discovered: outlinks(next.lease.entry.url, this.#links()),
      host: WELL,
    });
  }

  /** The next opening has a checkpoint; before it, some pages are lost or unsettled. */
  async #restart(): Promise<void> {
    await this.#commit();
    const settled = [...this.#frontier.settled()].filter(() => this.#rng() < 0.1);
    const places = new Map([...this.#frontier.ledger()].map(({ url }, place) => [url, place]));
    await this.#frontier.close();
    if (this.#rng() < 0.5) await unsettle(this.#folder, new Set(settled.map(({ entry }) => entry.url)));
    else await this.#lose(settled, places);
    this.#frontier = this.#open();
  }

  async #lose(
    settled: readonly { readonly entry: FrontierEntry; readonly fate: Fate }[],
    places: ReadonlyMap<string, number>,
  ): Promise<void> {
    const store = LmdbStore.open(this.#folder, null);
    for (const { entry, fate: ended } of settled)
      if (ended.recordId !== null)
        store.push(places.get(entry.url) ?? 0, { kind: 'lost', url: entry.url, host: hostOf(entry.url), record: ended.recordId });
    await store.commit({}, Promise.resolve());
    await store.close();
  }
}

const [, program, folder] = process.argv;
if (program === fileURLToPath(import.meta.url) && folder !== undefined && process.send) {
  const writer = new RandomWriter(folder);
  process.on('message', (order: WriterOrder) => void writer.obey(order).then(() => process.send?.('done')));
  process.send('done');
}
