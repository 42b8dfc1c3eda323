/** A crawl through a proxy with a password never goes on without it unawares. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crawl, UsageError } from 'forager';
import { afterAll, expect, test } from 'vitest';
import { ChildProcessRun } from '../../../dist/faces/web-ui/child-process-run.js';
import { smallWeb, trainedOn } from '../cli/small-web.ts';

const small = smallWeb();
afterAll(() => small.close());

/** A test fails on its own before. */
const HANGS = 60_000;

test('its host alone is stored; the next run is refused until it is given again, on the page too', async () => {
  const served = await small.serve();
  const dir = small.path('crawl');
  const proxy = served.proxy.replace('//', '//me:secret@');
  const { host } = new URL(proxy);
  const fixed = { dir, delay: 0, concurrency: 1 };
  await crawl({ ...fixed, topic: await trainedOn(small), seeds: small.seeds, proxy, maxPages: 5 });
  const stored = readFileSync(join(dir, 'crawl.json'), 'utf8');
  expect(stored).toContain(`@${host}`);
  expect(stored).not.toMatch(/secret|me:/);
  const why = `uses the proxy ${host}, whose name and password are not stored; give npx forager crawl --proxy`;
  const refused = crawl({ ...fixed, maxPages: 10 });
  await expect(refused).rejects.toThrow(UsageError);
  await expect(refused).rejects.toThrow(why);
  const aside = new ChildProcessRun(dir);
  await aside.start({ config: null, maxPages: 10, environment: {} });
  await expect.poll(async () => (await aside.now()).state, { timeout: HANGS }).toBe('ended');
  expect((await aside.now()).warnings).toEqual([expect.stringContaining(why)]);
  await aside.close();
  expect((await crawl({ ...fixed, proxy, maxPages: 10 })).counts.visited).toBe(10);
});
