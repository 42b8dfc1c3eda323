/** The store does what LMDB says: a commit waits for the flush, and after a failed one nothing of the database is used again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { LmdbStore } from '../../../src/crawling/frontier/lmdb-store.ts';
import { NAME } from '../../support/frontier-values.ts';

interface Root {
  close(): Promise<void>;
  flushed: Promise<boolean>;
  transaction(action: () => unknown): Promise<unknown>;
}

/** The database as the store sees it. `flushes`, `commits`: null for LMDB's own. */
const seen = { flushes: null as (() => Promise<boolean>) | null, commits: null as Error | null, closed: 0, root: null as Root | null };

vi.mock('lmdb', async (original) => {
  const { open, ...others } = await original<typeof import('lmdb')>();
  const watched = (root: Root) =>
    new Proxy(root, {
      get(target, name) {
        if (name === 'flushed' && seen.flushes !== null) return seen.flushes();
        if (name === 'transaction' && seen.commits !== null) return () => Promise.reject(seen.commits);
        if (name === 'close') seen.closed += 1;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  return {
    ...others,
    open: (...given: Parameters<typeof open>) => {
      seen.root = open(...given) as unknown as Root;
      return watched(seen.root);
    },
  };
});

const folders: string[] = [];
afterEach(async () => {
  Object.assign(seen, { flushes: null, commits: null, closed: 0 });
  await seen.root?.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function opened(): LmdbStore {
  const folder = mkdtempSync(join(tmpdir(), 'forager-flushed-'));
  folders.push(folder);
  return LmdbStore.open(folder, null, null);
}

const ready = Promise.resolve();

test('a commit resolves when its transaction is flushed, and not before', async () => {
  const store = opened();
  let flush = (_: boolean) => {};
  const flushed = new Promise<boolean>((resolve) => {
    flush = resolve;
  });
  seen.flushes = () => flushed;
  store.putRetry(1, { attempts: 1, notBefore: 1 }, NAME);
  let isDone = false;
  const commit = store.commit({ 'records.jsonl': 7 }, ready).then(() => {
    isDone = true;
  });
  // The transaction itself is done by then.
  await seen.root?.transaction(() => undefined);
  await new Promise(setImmediate);
  expect([isDone, store.lastCommit()]).toEqual([false, null]);
  flush(true);
  await commit;
  expect(store.lastCommit()).toEqual({ number: 1, offsets: { 'records.jsonl': 7 } });
  await store.close();
});

test.each([
  ['transaction', () => Object.assign(seen, { commits: new Error('MDB_MAP_FULL') })],
  ['flush', () => Object.assign(seen, { flushes: () => Promise.reject(new Error('I/O error')) })],
])('a commit whose %s fails is no commit, and its database stays open until the process ends', async (_, fail) => {
  const store = opened();
  await store.commit({}, ready);
  store.putRetry(1, { attempts: 1, notBefore: 1 }, NAME);
  fail();
  await expect(store.commit({ 'records.jsonl': 7 }, ready)).rejects.toMatchObject({ exitCode: 3 });
  expect(store.lastCommit()).toEqual({ number: 1, offsets: {} });
  await store.close(() => {
    throw new Error('no checkpoint of a failed commit');
  });
  expect(seen.closed).toBe(0);
});
