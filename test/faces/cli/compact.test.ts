import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRng } from '../../../src/base/core/rng.ts';
import { wholeTest } from '../../support/whole-test.ts';
import { done, jsonLines, refused, refusedByProcess, start } from './forager.ts';
import { type Served, smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb();
const { path } = small;
let served: Served;
/** A crawl of 60 pages; copied by the tests. */
const finished = path('finished');

beforeAll(async () => {
  served = await small.serve();
  const model = await trainedOn(small);
  const args = [
    'crawl',
    finished,
    '--topic',
    model,
    '--seeds',
    ...small.seeds,
    '--max-pages',
    '60',
    '--delay',
    '0ms',
    '--proxy',
    served.proxy,
  ];
  await done(...args, '--concurrency', '1');
});
afterAll(() => small.close());

function copyOf(name: string): string {
  cpSync(finished, path(name), { recursive: true });
  return path(name);
}

function databaseOf(dir: string): string {
  return `${dir}/frontier/data.mdb`;
}

/** But for when pages were fetched. */
async function ledgerOf(dir: string): Promise<string> {
  return (await done('ledger', dir)).replaceAll(/"fetchedAt":"[^"]+"/g, '');
}

test('the ledger is the same after, and so is a crawl that goes on', async () => {
  const plain = copyOf('plain');
  const compacted = copyOf('compacted');
  const before = await done('ledger', compacted);
  expect(await done('compact', compacted)).toMatch(/^\S+\/compacted: frontier of [\d,]+ bytes, now [\d,]+\n$/);
  expect(await done('ledger', compacted)).toBe(before);
  const [sizes] = jsonLines<{ before: number; after: number }>(await done('compact', compacted, '--json'));
  expect(sizes).toMatchObject({ dir: compacted, before: readFileSync(databaseOf(compacted)).length });
  for (const dir of [plain, compacted]) await done('crawl', dir, '--max-pages', '110', '--concurrency', '1');
  expect(await ledgerOf(compacted)).toBe(await ledgerOf(plain));
  expect(await done('status', compacted)).toContain('visited 110');
});

wholeTest('killed at any moment: the crawl is as it was', async () => {
  const dir = copyOf('killed');
  const before = await done('ledger', dir);
  const rng = seededRng(3);
  for (let i = 0; i < 6; i++) {
    const run = start(['compact', dir]);
    // From before it begins to after it has ended, which takes half a second.
    setTimeout(() => run.child.kill('SIGKILL'), 150 + rng() * 400);
    await run.ended;
    expect(await done('ledger', dir)).toBe(before);
  }
  await done('compact', dir);
  expect(await done('ledger', dir)).toBe(before);
});

wholeTest('no crawl, and one that is at work', async () => {
  await refused(2, ['no crawl is here'], 'compact', path('none'));
  const slow = await small.serve({ latency: 300 });
  const dir = copyOf('at-work');
  const run = start(['crawl', dir, '--max-pages', '70', '--concurrency', '1', '--proxy', slow.proxy]);
  await slow.asked(1);
  await refused(3, [dir, `process ${run.child.pid}`], 'compact', dir);
  run.child.kill('SIGINT');
  await run.ended;
});

test.each<[string, (bytes: Buffer) => void]>([
  ['the root of a tree', (bytes) => flipRoot(bytes)],
  ['every page but the first two', (bytes) => bytes.fill(0xff, 8192)],
  ['one page in three', (bytes) => pages(bytes, 3)],
])('bits flipped in %s: exit 3 and the file named, by a crawl, status, ledger and compact alike', async (_, damage) => {
  const dir = copyOf('flipped');
  const bytes = readFileSync(databaseOf(dir));
  damage(bytes);
  writeFileSync(databaseOf(dir), bytes);
  for (const args of [
    ['status', dir],
    ['ledger', dir],
    ['compact', dir],
    ['crawl', dir, '--max-pages', '70'],
  ])
    await refusedByProcess(3, ['data.mdb: damaged', 'restore it from a copy'], ...args);
  expect(readFileSync(databaseOf(dir)).equals(bytes)).toBe(true);
  rmSync(dir, { recursive: true });
});

/** The roots in both meta pages and in the one of the last flush, see `lmdb-meta.ts`: moved a million pages on, for a near one may be the root of a moment ago, which is whole. */
function flipRoot(bytes: Buffer): void {
  for (const meta of [0, 2048, 4096]) bytes.writeUInt8(bytes.readUInt8(meta + 138) ^ 0x10, meta + 138);
}

function pages(bytes: Buffer, every: number): void {
  for (let at = 2 * 4096; at < bytes.length; at += every * 4096)
    for (let i = 0; i < 48; i++) bytes.writeUInt8(bytes.readUInt8(at + i) ^ 0x5a, at + i);
}

test('a WARC file shorter than was committed: exit 3, named', async () => {
  const dir = copyOf('short');
  truncateSync(`${dir}/corpus/forager-00000.warc.gz`, 1000);
  await refusedByProcess(3, ['forager-00000.warc.gz', '1000 bytes', 'restore the file from a copy'], 'crawl', dir, '--max-pages', '70');
});
