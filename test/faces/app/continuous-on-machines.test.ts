/** A continuous crawl on several machines: each worker revisits its own pages, politely, and each change is kept once. */
import { crawl, gather, pageHistory } from 'forager';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { PageSource } from '../../../datasets/page-source.ts';
import { type LogLine, type RunningWeb, startWebProxy } from '../../../datasets/web-proxy.ts';
import type { Ms } from '../../../src/base/core/types.ts';
import { HAS_POSTGRES, PostgresServer } from '../../support/postgres-server.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { FILES_OF_HOSTS, smallWeb, trainedOn } from '../cli/small-web.ts';

const DELAY: Ms = 50;
/** The clocks of two processes and the network of the test. */
const TOLERANCE: Ms = 5;
const CHANGES_EVERY: Ms = 1500;

describe.skipIf(!HAS_POSTGRES)('a continuous crawl in PostgreSQL', () => {
  const small = smallWeb(120);
  /** States of each page that were sent, in order. */
  const sent = new Map<string, number[]>();
  let topic: string;
  let server: PostgresServer;
  let web: RunningWeb;

  /** Every second page has another sentence every 1.5 seconds. */
  const source: PageSource = {
    get: (host, path) => {
      const page = small.web.source.get(host, path);
      if (page === null || FILES_OF_HOSTS.has(path)) return page;
      const url = `http://${host}${path}`;
      const state = url.length % 2 === 0 ? 0 : Math.floor(Date.now() / CHANGES_EVERY);
      const states = sent.get(url) ?? [];
      if (states.at(-1) !== state) sent.set(url, [...states, state]);
      const sentence = `<p>The state of this page, as it was counted by its server this time, is number ${state}.</p>`;
      return { ...page, body: Buffer.from(String(page.body).replace('</p>', `</p>${sentence}`)) };
    },
  };
  beforeAll(async () => {
    [topic, server, web] = await Promise.all([trainedOn(small), PostgresServer.start(), startWebProxy(source, { latency: 2 })]);
  });
  afterAll(async () => {
    await Promise.all([small.close(), server?.close(), web?.close()]);
  });

  wholeTest('of two workers, one of which leaves: pages of both are revisited, and no change is kept twice', async () => {
    const at = server.address('continuous');
    const options = {
      proxy: web.proxy,
      delay: DELAY,
      delayFactor: 0,
      concurrency: 4,
      workers: 1,
      at,
      continuous: true,
      revisitBudget: { kind: 'a-day', count: 2_000_000 } as const,
    };
    await crawl({ ...options, topic, seeds: small.seeds, dir: small.path('a'), maxTime: 1000 });
    await Promise.all([
      crawl({ ...options, dir: small.path('a'), maxTime: 16_000 }),
      crawl({ ...options, dir: small.path('b'), maxTime: 8000 }),
    ]);
    await gather({ dir: small.path('whole'), at });

    const changed: number[] = [];
    for (const [url, states] of sent) {
      const history = await pageHistory(small.path('whole'), url).catch(() => null);
      if (history === null) continue;
      const versions = history.entries.filter((entry) => 'words' in entry).length;
      expect([url, versions]).toEqual([url, states.length]);
      changed.push(states.length - 1);
    }
    expect(changed.filter((count) => count > 2).length).toBeGreaterThan(10);
    for (const lines of byHost(web.log)) {
      for (const [i, line] of lines.entries())
        if (i > 0) expect(line.start - (lines[i - 1] as LogLine).end).toBeGreaterThan(DELAY - TOLERANCE);
    }
  });
});

function byHost(log: readonly LogLine[]): readonly (readonly LogLine[])[] {
  const hosts = new Map<string, LogLine[]>();
  for (const line of log) hosts.set(line.host, [...(hosts.get(line.host) ?? []), line]);
  return [...hosts.values()];
}
