/** Crawls of frozen webs, with and without PostgreSQL: the same clock, the same answers, so that everything can be compared. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { linkScorer } from '../../src/reading/links/strategies.ts';
import { type FrozenCase, frozenCase } from '../study/eval/small-web.ts';
import { HAS_POSTGRES, PostgresServer } from '../support/postgres-server.ts';
import { wholeTest } from '../support/whole-test.ts';
import { crawlAlone, crawlTogether, type FrozenCrawl, type FrozenRun } from './frozen-workers.ts';
import { delays, guideOf, TROUBLED_START, troubledWeb } from './troubled-web.ts';

const ONE_AT_A_TIME = { tunnel: 4, tie: 'oldest', delay: 1_000, latency: 200, concurrency: 1 } as const;
const scorer = () => linkScorer('apprentice', { threshold: 0.5, seed: 1 });

describe.skipIf(!HAS_POSTGRES)('on a frozen web', () => {
  const folder = mkdtempSync(join(tmpdir(), 'forager-frozen-'));
  let server: PostgresServer;
  let generated: FrozenCase;
  let name = 0;
  beforeAll(async () => {
    [server, generated] = await Promise.all([PostgresServer.start(), frozenCase({ hosts: 12 })]);
  });
  afterAll(async () => {
    generated?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const fresh = () => join(folder, String(++name));
  const together = (crawl: FrozenCrawl, workers: number) => crawlTogether(crawl, workers, server.address(`frozen-${++name}`), fresh());

  /** Everything but the commits: leases with their priorities, requests, judgements and settlements, each with its time. */
  const steps = ({ events }: FrozenRun) =>
    events.flatMap((event) => {
      if (event.type === 'committed') return [];
      // The page of a judgement is a function.
      return [{ ...event, page: null }];
    });

  /** One worker, one request at a time. */
  const expectEqual = async (crawl: FrozenCrawl) => {
    const alone = await crawlAlone(crawl, fresh());
    const shared = await together(crawl, 1);
    expect(steps(shared)).toEqual(steps(alone));
    expect(shared.ends).toEqual(alone.ends);
    return alone;
  };

  wholeTest('with a budget, one worker makes the requests of a crawl without database, and its ledger is the same', async () => {
    const { web, guide, onTopic } = generated;
    const { ends } = await expectEqual({ ...ONE_AT_A_TIME, web, guide, scorer, starts: onTopic.slice(0, 3), maxPages: 200 });
    expect(ends).toMatchObject([{ stopReason: 'max-pages', visits: 200 }]);
  });

  wholeTest('with redirects, copies, refusals, retries and hosts in trouble too, until nothing waits', async () => {
    const web = await troubledWeb(join(folder, 'troubled.jsonl.gz'));
    const starts = [TROUBLED_START];
    const alone = await expectEqual({
      ...ONE_AT_A_TIME,
      ...{ web, guide: guideOf(web), scorer, starts, maxPages: Number.POSITIVE_INFINITY, change: delays },
    });
    web.close();
    expect(alone.ends).toMatchObject([{ stopReason: 'drained' }]);
    const fates = new Set(alone.ends.flatMap(({ ledger }) => ledger.map(({ state, reason }) => `${state} ${reason.split(/[: ]/)[0]}`)));
    const named = ['http-4xx', 'http-5xx', 'connect', 'dns'].map((code) => `failed ${code}`);
    expect(fates).toEqual(
      new Set([
        ...['kept ', 'off-topic ', 'duplicate payload', 'fetched redirect', ...named],
        ...['robots', 'content-type', 'noindex'].map((reason) => `refused ${reason}`),
        'parked host-unreachable',
      ]),
    );
    const retried = new Set(
      alone.events.flatMap((event) => (event.type === 'settled' && event.settlement === 'retry' ? [event.reason] : [])),
    );
    expect(retried).toEqual(new Set(['http-5xx', 'http-429', 'connect', 'dns', 'robots-unreachable:timeout']));
  });

  /** The URLs of all visits, in their order. */
  const visitsOf = ({ events }: FrozenRun) =>
    events.flatMap((event) => (event.type === 'settled' && event.status !== null ? [event.url] : []));

  wholeTest('visits go to the worker that has URLs, so that four of them end with one host', async () => {
    const one = await frozenCase({ hosts: 1, pages: 200 });
    const { web, guide, onTopic } = one;
    const starts = onTopic.slice(0, 3);
    const { ends, ...run } = await together({ ...ONE_AT_A_TIME, concurrency: 4, web, guide, scorer, starts, maxPages: 30 }, 4);
    one.close();
    expect(ends.map(({ stopReason }) => stopReason)).toEqual(Array.from({ length: 4 }, () => 'max-pages'));
    expect(ends.map(({ visits }) => visits).sort()).toEqual([0, 0, 0, 30]);
    expect(new Set(visitsOf({ ends, ...run })).size).toBe(30);
  });

  wholeTest('a budget is spent on the best URLs of four workers, to the last visit and not beyond', async () => {
    // Each topic has hosts of its own: three of four workers have nothing but other topics.
    const pure = await frozenCase({ hosts: 4, pages: 400, hostPurity: 1, locality: 0.3 });
    const { web, guide, onTopic } = pure;
    const crawl = { ...ONE_AT_A_TIME, concurrency: 4, web, guide, scorer, starts: onTopic.slice(0, 3), maxPages: 60 };
    const found = (run: FrozenRun) => visitsOf(run).filter((url) => onTopic.includes(url)).length;
    const [alone, shared] = [await crawlAlone(crawl, fresh()), await together(crawl, 4)];
    pure.close();
    expect(found(shared)).toBeGreaterThan(0.9 * found(alone));
    expect(visitsOf(shared)).toHaveLength(60);
    expect(new Set(visitsOf(shared)).size).toBe(60);
  });
});
