/** In a whole database each page belongs to one place: a page that two places point to is damage, though each of them reads well. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { seededRng } from '../../../src/base/core/rng.ts';
import { refuseBrokenTrees } from '../../../src/crawling/frontier/lmdb-check.ts';
import { LmdbStore } from '../../../src/crawling/frontier/lmdb-store.ts';
import { fate, NAME } from '../../support/frontier-values.ts';

const PAGE = 4096;
const BRANCH = 1;
const LEAF = 2;
const IN_OVERFLOW = 1;

/** A store of so many settled URLs, each with a text of so many characters that do not compress; of one transaction, so that few pages are free. */
async function written(count: number, textLength: number): Promise<{ readonly path: string; readonly bytes: Buffer }> {
  const folder = mkdtempSync(join(tmpdir(), 'forager-owners-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store = LmdbStore.open(folder, null, null);
  const rng = seededRng(3);
  const noise = () => Array.from({ length: textLength }, () => String.fromCharCode(0x4e00 + Math.floor(rng() * 20_000))).join('');
  for (let slot = 0; slot < count; slot++)
    store.putFate(
      slot,
      {
        fate: fate('off-topic', { page: { title: '', text: noise(), lang: null } }),
        order: slot + 1,
        priority: 1,
        learnedFrom: 0,
      },
      NAME,
    );
  await store.commit({}, Promise.resolve());
  await store.close();
  const path = join(folder, 'data.mdb');
  return { path, bytes: readFileSync(path) };
}

/** Where the entries of pages of a kind begin, page by page; among them pages that are free. */
function entries(bytes: Buffer, kind: number): number[][] {
  const pages = Array.from({ length: bytes.length / PAGE }, (_, page) => page * PAGE).slice(2);
  const ofKind = pages.filter((at) => Number(bytes.readBigUInt64LE(at)) === at / PAGE && bytes.readUInt16LE(at + 18) === kind);
  return ofKind.map((at) =>
    Array.from({ length: bytes.readUInt16LE(at + 20) >> 1 }, (_, i) => at + 24 + bytes.readUInt16LE(at + 24 + 2 * i)),
  );
}

/** What is said of the file with this change; null when it is found whole. */
function said(path: string, good: Buffer, change: (bytes: Buffer) => void): string | null {
  const bytes = Buffer.from(good);
  change(bytes);
  writeFileSync(path, bytes);
  try {
    refuseBrokenTrees(path);
    return null;
  } catch (error) {
    return String(error);
  }
}

test('a leaf that hangs from two entries of a branch', async () => {
  const { path, bytes } = await written(400, 200);
  expect(said(path, bytes, () => undefined)).toBeNull();
  const branches = entries(bytes, BRANCH).filter(([, second]) => second !== undefined);
  expect(branches.length).toBeGreaterThan(0);
  // The number of the page below is in the first eight bytes of an entry, where a leaf has sizes and flags.
  const found = branches.map((nodes) => {
    const [first = 0] = nodes;
    return nodes.slice(1).map((node) => said(path, bytes, (copy) => copy.copyWithin(node, first, first + 6)));
  });
  for (const told of found.flat()) expect(told).toMatch(/page \d+ is out of place/);
});

test('pages of one value that another value points to, wholly or by one page', async () => {
  const { path, bytes } = await written(12, 40_000);
  expect(said(path, bytes, () => undefined)).toBeNull();
  const apart = entries(bytes, LEAF)
    .flat()
    .filter((node) => bytes.readUInt16LE(node + 4) === IN_OVERFLOW && bytes.readUInt16LE(node + 6) === 4)
    .map((node) => node + 8 + 4);
  expect(apart.length).toBeGreaterThan(6);
  const [first = 0, ...others] = apart;
  const pageOf = (value: number) => bytes.readBigUInt64LE(value);
  const pages = Number(bytes.readBigUInt64LE(first + 16));
  expect(pages).toBeGreaterThan(1);
  for (const value of others) {
    const same = (copy: Buffer) => copy.writeBigUInt64LE(pageOf(first), value);
    const last = (copy: Buffer) => copy.writeBigUInt64LE(pageOf(first) + BigInt(pages - 1), value);
    for (const change of [same, last]) expect(said(path, bytes, change)).toMatch(/has a broken entry/);
    const fewer = (copy: Buffer) => copy.writeBigUInt64LE(BigInt(pages - 1), value + 16);
    expect(said(path, bytes, fewer)).toMatch(/has a broken entry/);
  }
  const beyond = (copy: Buffer) => copy.writeBigUInt64LE(BigInt(bytes.length / PAGE + 100), first);
  expect(said(path, bytes, beyond)).toMatch(/has a broken entry/);
  for (const meta of [0n, 1n]) expect(said(path, bytes, (copy) => copy.writeBigUInt64LE(meta, first))).toMatch(/has a broken entry/);
});
