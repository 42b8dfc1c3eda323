/** URLs that were never requested are counted from columns: with the results that their lines would have. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededRng } from '../../../src/base/core/rng.ts';
import type { RefusalReason } from '../../../src/base/core/types.ts';
import type { OpenCrawl } from '../../../src/crawling/crawl-dir/open-crawl.ts';
import { openMemoryFrontier } from '../../../src/crawling/frontier/frontier.ts';
import { LedgerColumns } from '../../../src/faces/web-ui/ledger-columns.ts';
import { HostCounts } from '../../../src/study/inspect/host-counts.ts';
import { type LedgerVisitor, walkLedger } from '../../../src/study/inspect/ledger-walk.ts';
import { LineTally } from '../../../src/study/inspect/line-tally.ts';
import { Prospect } from '../../../src/study/inspect/outlook.ts';
import { RefusedDocumentTally } from '../../../src/study/inspect/refused-documents.ts';
import { SurveyCounts } from '../../../src/study/inspect/survey.ts';
import { runs } from '../../support/extent.ts';
import { fate, link, outlinks, report, seeds, WELL } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const REFUSALS: readonly (RefusalReason | null)[] = [null, null, null, 'tunnel', 'scope', 'content-type', 'next-round'];

/** A crawl with parked patterns, hosts over their cap, hosts that were given up, retries and a leased URL. */
function crawled(seed: number, steps: number) {
  const rng = seededRng(seed);
  const any = (most: number) => Math.floor(rng() * most);
  const clock = new VirtualClock();
  const frontier = openMemoryFrontier({ clock, delay: 0, maxPagesPerHost: 60, traps: true });
  frontier.add(seeds(link('http://h0.test/', 1)));
  for (let step = 0; step < steps; step++) {
    clock.advance(3_600_000);
    const next = frontier.next();
    if (next.kind !== 'lease' || step === steps - 1) break;
    const { url, host } = next.lease.entry;
    if (host.endsWith('h5.test') || rng() < 0.05) {
      frontier.settle(next.lease, { kind: 'retry', reason: 'timeout', notBefore: 0, host: report('fault') });
      continue;
    }
    const isTrap = url.includes('trap');
    const found = Array.from({ length: 4 }, () => {
      const page = any(2000);
      const to = isTrap || rng() < 0.3 ? `http://h1.test/trap/${page}` : `http://h${page % 7}.test/${page}${page % 5 === 0 ? '.pdf' : ''}`;
      return link(to, to.includes('trap') ? 1 : any(20) / 20, REFUSALS[any(REFUSALS.length)], { anchorText: `Page ${page}` });
    });
    const state = isTrap ? 'off-topic' : (['kept', 'off-topic', 'failed', 'duplicate'] as const)[any(4)];
    const relevance = state === 'failed' ? null : isTrap ? 0.1 : rng();
    const end = fate(state ?? 'kept', { relevance, fetchedAt: clock.now(), reason: state === 'failed' ? 'http-4xx' : '' });
    frontier.settle(next.lease, {
      kind: 'done',
      fate: end,
      discovered: outlinks(url, found, { depth: any(4), offTopicDepth: any(2) }),
      host: WELL,
    });
  }
  return frontier;
}

const withoutPlain = (visitor: LedgerVisitor): LedgerVisitor => ({
  ...(visitor.settled && { settled: (one) => visitor.settled?.(one) }),
  line: (one, place) => visitor.line?.(one, place),
});

test('any crawl: counts from columns and from lines are the same', () => {
  const met = new Set<string>();
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 500 }), fc.boolean(), (seed, steps, running) => {
      const frontier = crawled(seed, steps);
      const manifest = { topic: { id: null }, topics: [], runs: [{ stopReason: 'max-pages' }] };
      const crawl = { frontier, running, unclear: false, manifest, paths: {} } as unknown as OpenCrawl;
      const discovered = frontier.counts().discovered;
      const counted = (how: (visitor: LedgerVisitor) => LedgerVisitor) => {
        const [lines, hosts, prospect, documents, survey] = [
          new LineTally(),
          new HostCounts(),
          new Prospect(0.5),
          new RefusedDocumentTally(),
          new SurveyCounts(0.5),
        ];
        const columns = new LedgerColumns();
        columns.grow(discovered);
        walkLedger(crawl, [lines, hosts, prospect, documents, survey, columns].map(how));
        const filter = { state: '', reason: '', host: '', text: '', least: null, most: null };
        const filters = [
          filter,
          { state: 'waiting' },
          { state: 'parked' },
          { reason: 'tunnel' },
          { host: 'h1' },
          { least: 0.4 },
          { text: 'e 4' },
        ];
        return {
          lines: lines.counts(),
          hosts: hosts.hosts(),
          outlook: prospect.outlook(),
          documents: documents.counts(),
          survey: survey.found(hosts.hosts(), new Map()),
          matching: filters.map((one) => columns.matching({ ...filter, ...one }, frontier)),
        };
      };
      const fromColumns = counted((visitor) => visitor);
      expect(fromColumns).toEqual(counted(withoutPlain));
      for (const reason of Object.keys(fromColumns.lines.parked)) met.add(reason.split(' ')[0] ?? '');
      if (fromColumns.outlook !== null) met.add('outlook');
      if (fromColumns.lines.retried.length > 0) met.add('retried');
      if (fromColumns.documents.kinds.length > 0) met.add('documents');
    }),
    { numRuns: runs(300) },
  );
  expect([...met].sort()).toEqual(['documents', 'host-unreachable', 'max-pages-per-host', 'outlook', 'pattern', 'retried']);
});
