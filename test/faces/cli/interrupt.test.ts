import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { HANGS } from '../../support/cpu-time.ts';
import { sample } from '../../support/extent.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, jsonLines, refused, startScript } from './forager.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const BUSY_CRAWL = fileURLToPath(new URL('busy-crawl.mjs', import.meta.url));
const BUSY = fileURLToPath(new URL('busy-main.mjs', import.meta.url));

test.each(sample(['script', 'system'], [1]))(
  'a main thread that is busy in a %s call: the first signal is told, the second ends the process all the same',
  async (how) => {
    const run = startScript(BUSY, [how]);
    const gone = once(run.child, 'exit');
    await run.says('begun');
    run.child.kill('SIGINT');
    await run.says('Stopping.');
    const at = performance.now();
    run.child.kill('SIGINT');
    // A shell reports that as 130.
    expect(await gone).toEqual([null, 'SIGINT']);
    expect(performance.now() - at).toBeLessThan(HANGS);
    expect(run.said()).not.toContain('aborted');
  },
);

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a main thread that is not busy: %s aborts, and any second signal ends it with exit code 130',
  async (signal) => {
    const run = startScript(BUSY, ['idle']);
    await run.says('begun');
    run.child.kill(signal);
    await run.says('Stopping.');
    await run.says('aborted');
    run.child.kill('SIGTERM');
    expect((await run.ended).code).toBe(130);
  },
);

test('SIGTERM before Ctrl-C counts as the first', async () => {
  const run = startScript(BUSY, ['idle']);
  await run.says('begun');
  run.child.kill('SIGTERM');
  await run.says('aborted');
  run.child.kill('SIGINT');
  expect((await run.ended).code).toBe(130);
  expect(run.said()).toBe('begun\n\nStopping.\naborted\n');
});

wholeTest('a crawl that is ended so loses nothing that was committed, and goes on', async () => {
  const small = smallWeb();
  try {
    const served = await small.serve();
    const dir = small.path('crawl');
    const options = { dir, topic: await trainedOn(small), seeds: small.seeds, proxy: served.proxy, delay: 0, concurrency: 4 };
    const run = startScript(BUSY_CRAWL, [JSON.stringify(options)]);
    const gone = once(run.child, 'exit');
    await run.says('busy');
    run.child.kill('SIGINT');
    await run.says('Stopping.');
    run.child.kill('SIGINT');
    expect(await gone).toEqual([null, 'SIGINT']);
    const before = jsonLines<Line>(await done('ledger', dir, '--state', 'kept,off-topic,duplicate'));
    expect(before.length).toBeGreaterThan(0);
    const most = before.length + 20;
    await done('crawl', dir, '--max-pages', String(most));
    const after = new Map(jsonLines<Line>(await done('ledger', dir)).map((line) => [line.url, line]));
    for (const { url, state, order } of before) expect(after.get(url)).toMatchObject({ state, order });
    await done('harvest', dir, '--out', small.path('out'));
    const kept = [...after.values()].filter(({ state }) => state === 'kept').map(({ url }) => url);
    const harvested = jsonLines<Line>(readFileSync(small.path('out', 'corpus.jsonl'), 'utf8')).map(({ url }) => url);
    expect(harvested.sort()).toEqual(kept.sort());
  } finally {
    await small.close();
  }
});

interface Line {
  readonly url: string;
  readonly state: string;
  readonly order: number;
}

test.each([
  ['open', '/nowhere', '--page', '127.0.0.1:x'],
  ['crawl', '/nowhere', '--page', '127.0.0.1:x'],
])('%s that is refused leaves no listener to signals behind', async (...args) => {
  const before = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => process.listenerCount(signal));
  await refused(2, ['--page'], ...args);
  expect(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => process.listenerCount(signal))).toEqual(before);
});
