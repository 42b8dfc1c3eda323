/** Counts that are kept up while a crawl grows equal those of a new opening. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { LiveLedger } from '../../../src/base/core/parts/queueing.ts';
import { seededRng } from '../../../src/base/core/rng.ts';
import type { LiveCrawl } from '../../../src/crawling/crawl-dir/open-crawl.ts';
import { openLmdbLedger } from '../../../src/crawling/frontier/frontier.ts';
import { KeptLessons } from '../../../src/faces/web-ui/kept-lessons.ts';
import { LedgerColumns } from '../../../src/faces/web-ui/ledger-columns.ts';
import { CountedCrawl } from '../../../src/study/inspect/survey.ts';
import { runs } from '../../support/extent.ts';
import { startWriter, WRITER_OPTIONS, type WriterOrder } from '../../support/random-writer.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const root = mkdtempSync(join(tmpdir(), 'forager-counted-'));
const clock = new VirtualClock(10 ** 12);
afterAll(() => rmSync(root, { recursive: true, force: true }));

const ALL = { state: '', reason: '', host: '', text: '', least: null, most: null };
const FILTERS = [
  {},
  { state: 'waiting' },
  { state: 'parked' },
  { state: 'kept', least: 0.5 },
  { reason: 'scope' },
  { host: 'h3' },
  { text: 'page 12' },
];

class Counting {
  readonly crawl: LiveCrawl;
  readonly #lessons = new KeptLessons();
  readonly #columns = new LedgerColumns();
  readonly #counted: CountedCrawl;

  constructor(frontier: LiveLedger) {
    const manifest = { topic: { id: null, threshold: 0.5 }, topics: [], runs: [] };
    this.crawl = { frontier, running: true, unclear: false, manifest, paths: {} } as unknown as LiveCrawl;
    this.#counted = new CountedCrawl(this.crawl, [this.#lessons, this.#columns]);
  }

  get isOfUse(): boolean {
    return this.#counted.counts(this.crawl);
  }

  shown() {
    const { frontier } = this.crawl;
    this.#columns.grow(frontier.counts().discovered);
    const { counters, counts } = this.#counted.take(this.crawl);
    const { tally, walls, prospect, lines, documents, hosts } = counters;
    return {
      tally: tally.counts(),
      judged: tally.lastJudged,
      failures: tally.recentFailures(clock.now()),
      walls: walls.hosts(hosts),
      outlook: prospect.outlook(),
      lines: lines.counts(),
      documents: documents.counts(),
      hosts: hosts.hosts(),
      survey: counts.found(hosts.hosts(), new Map()),
      lessons: this.#lessons.kept,
      matching: FILTERS.map((filter) => this.#columns.matching({ ...ALL, ...filter }, frontier)),
    };
  }
}

test('after any steps of a writer, kept counts equal new ones', { timeout: 300_000 }, async () => {
  const met = new Set<string>();
  for (let run = 0; run < runs(30); run++) {
    const folder = join(root, String(run));
    const rng = seededRng(run + 1);
    const opened = () => openLmdbLedger(folder, { clock, ...WRITER_OPTIONS });
    const writer = await startWriter(folder);
    const work = async (steps: number) => {
      writer.send({ seed: Math.floor(rng() * 2 ** 31), steps } satisfies WriterOrder);
      await once(writer, 'message');
    };
    await work(60);
    let kept = new Counting(opened());
    for (let turn = 0; turn < 10; turn++) {
      await work(1 + Math.floor(rng() * 100));
      const { frontier } = kept.crawl;
      const isFollowed = frontier.follow();
      if (!isFollowed) await frontier.close();
      if (isFollowed && kept.isOfUse && frontier.newEnds.length > 0) met.add('followed');
      else kept = new Counting(isFollowed ? frontier : opened());
      const fresh = new Counting(opened());
      const shown = kept.shown();
      expect(shown).toEqual(fresh.shown());
      if (shown.outlook !== null) met.add('outlook');
      for (const state of Object.keys(shown.lines.states)) met.add(state);
      await fresh.crawl.frontier.close();
    }
    await kept.crawl.frontier.close();
    writer.kill('SIGKILL');
  }
  expect([...met]).toEqual(expect.arrayContaining(['followed', 'outlook', 'kept', 'off-topic', 'refused', 'failed', 'waiting', 'parked']));
});
