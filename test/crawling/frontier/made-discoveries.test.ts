/** Committed discoveries whose links have hashes are not decoded while there is room for them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { LinkHashes } from '../../../src/base/core/types.ts';
import { LmdbStore } from '../../../src/crawling/frontier/lmdb-store.ts';
import type { StoredDiscovery } from '../../../src/crawling/frontier/store.ts';
import { link, NO_TEXT, outlinks } from '../../support/frontier-values.ts';

const folder = mkdtempSync(join(tmpdir(), 'forager-made-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const MB = 2 ** 20;

function discovery(n: number, hashBytes: number): StoredDiscovery {
  const numbers = new Uint32Array(hashBytes / 4);
  const hashes: LinkHashes = { numbers, start: 0, places: numbers.length, end: numbers.length };
  const found = outlinks(`http://p.test/${n}`, [link(`http://a.test/${n}`, 0.5)]);
  const links = found.links.map((one) => ({ ...one, text: { ...NO_TEXT, ...(hashBytes > 0 && { hashes }) } }));
  return { ...found, links, shorterWayOnly: [] };
}

test('the last ones stay as they were made, up to 8 MB of hashes; the others, and those without hashes, are read from the database', async () => {
  const store = LmdbStore.open(folder, null);
  const made = [discovery(0, 3 * MB), discovery(1, 0), discovery(2, 4 * MB)];
  for (const [index, one] of made.entries()) store.appendDiscovery(index, one);
  await store.commit({}, Promise.resolve());
  expect(made.map((one, index) => store.discovery(index) === one)).toEqual([true, false, true]);
  made.push(discovery(3, 4 * MB));
  store.appendDiscovery(3, made[3] as StoredDiscovery);
  await store.commit({}, Promise.resolve());
  expect(made.map((one, index) => store.discovery(index) === one)).toEqual([false, false, true, true]);
  for (const [index, { links }] of made.entries()) {
    const plain = links.map(({ text: { hashes, ...text }, ...rest }) => ({ ...rest, text }));
    expect(store.discovery(index)).toMatchObject({ links: plain });
  }
  await store.close();
});
