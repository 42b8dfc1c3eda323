/** The answers to "What is wrong?": recent failures, seeds without a page, room that runs out. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crawl, ledger, status } from 'forager';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeLock } from '../../../dist/base/disk/lock.js';
import { openPage } from '../../../dist/faces/web-ui/open-page.js';
import { wholeTest } from '../../support/whole-test.ts';
import { start } from '../cli/forager.ts';
import { smallWeb, trainedOn } from '../cli/small-web.ts';
import { PageClient } from './page-client.ts';
import { cellsOf } from './tables.ts';

const small = smallWeb();
const dir = small.path('crawl');
const dead = `${new URL(small.seeds[0] ?? '').origin}/nothing-here`;

beforeAll(async () => {
  const { proxy } = await small.serve();
  const seeds = [...small.seeds, dead];
  await crawl({ dir, topic: await trainedOn(small), seeds, proxy, delay: 0, maxPages: 40, concurrency: 1 });
});
afterAll(() => small.close());

test('failures of the last ten minutes are those of the ledger; a seed without a page is named', async () => {
  const lines = [];
  for await (const line of ledger(dir)) lines.push(line);
  const requested = lines.flatMap(({ fetchedAt }) => (fetchedAt === null ? [] : [Date.parse(fetchedAt)]));
  const failed = lines.filter(
    ({ state, fetchedAt }) => state === 'failed' && Date.parse(fetchedAt ?? '') > Math.max(...requested) - 600_000,
  );
  expect(failed.length).toBeGreaterThan(0);
  const { recentFailures, lostSeeds, seedsWithPage } = await status(dir);
  expect(Object.values(recentFailures.counts).reduce((sum, one) => sum + one, 0)).toBe(failed.length);
  expect(recentFailures.until).toBe(new Date(Math.max(...requested)).toISOString());
  expect({ lostSeeds, seedsWithPage }).toEqual({
    lostSeeds: [{ url: dead, state: 'failed', reason: 'http-4xx', status: 404 }],
    seedsWithPage: 3,
  });
  const page = await openPage({ dir, address: '0', run: null });
  const screen = await (await PageClient.of(page.url)).screen('/');
  await page.close();
  const shown = cellsOf(screen, 'Failed in the ten minutes before');
  expect(shown).toEqual(Object.entries(recentFailures.counts).map(([kind, count]) => [kind, String(count)]));
  expect(cellsOf(screen, 'Seeds without a page: 1')).toEqual([['failed: http-4xx', dead]]);
  const said = await start(['status', dir]).ended;
  expect(said.stdout).toContain(`failed in the last ten minutes of the crawl: ${failed.length} HTTP 404\n`);
  const share = `${failed.length} of 40 visits failed (${((failed.length / 40) * 100).toFixed(1)} %): ${failed.length} HTTP 404`;
  expect(said.stdout).toContain(`${share}\n`);
  expect(screen.querySelector('main')?.textContent).toContain(`${share}.`);
  expect(said.stdout).toContain(`seeds without a page: 1\n  failed (http-4xx)  ${dead}`);
});

wholeTest('room that runs out, while a run holds the crawl: page and command say the same', async () => {
  expect((await status(dir)).room).toBeNull();
  const lock = await takeLock(join(dir, 'lock'), dir, { warn: () => undefined });
  const [at, GB] = [Date.now() + 1000, 1e9];
  const point = { at, written: 0, free: 12 * GB, resident: GB, available: 3 * GB };
  writeFileSync(join(dir, 'room.json'), JSON.stringify([point, { ...point, at: at + 3_600_000, written: 2.4 * GB }]));
  const page = await openPage({ dir, address: '0', run: null });
  const text = (await (await PageClient.of(page.url)).screen('/')).querySelector('main')?.textContent ?? '';
  expect((await status(dir)).room?.disk).toEqual({ free: 12 * GB, perHour: 2.4 * GB, hours: 5 });
  expect(text).toContain('Disk: about 5 hours left at this rate (12,000 MB free, 2,400 MB an hour).');
  expect(text).not.toContain('Memory: about');
  expect((await start(['status', dir]).ended).stdout).toContain(
    'disk: about 5 hours left at this rate (12,000 MB free, 2,400 MB an hour)\n',
  );
  writeFileSync(join(dir, 'room.json'), '[{"at":');
  expect((await status(dir)).room).toBeNull();
  await page.close();
  await lock.release();
});
