/** A frontier opened for reading alone. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open as openLmdb } from 'lmdb';
import { afterEach, expect, test } from 'vitest';
import { openLmdbFrontier, openLmdbLedger } from '../../../src/crawling/frontier/frontier.ts';
import { withoutChecksums } from '../../support/earlier-crawl.ts';
import { link, seeds, urlOf } from '../../support/frontier-values.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

const URLS = ['http://a.test/', 'http://b.test/'];
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const options = { clock: new VirtualClock(), delay: 0, patience: 0, maxPagesPerHost: Number.POSITIVE_INFINITY };
const open = (folder: string) => openLmdbFrontier(folder, options);
const read = (folder: string) => openLmdbLedger(folder, options);

async function written(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'forager-reading-'));
  folders.push(folder);
  const frontier = open(folder);
  frontier.add(seeds(...URLS.map((url) => link(url, 1))));
  await frontier.commit({ 'records.jsonl': 7 }, Promise.resolve());
  await frontier.close();
  return folder;
}

test('it shows what was committed, and neither folder nor database is touched', async () => {
  const folder = await written();
  const state = () => [statSync(folder).ctimeMs, statSync(join(folder, 'data.mdb')).ctimeMs, readFileSync(join(folder, 'data.mdb'), 'hex')];
  const before = state();
  const frontier = read(folder);
  expect([...frontier.ledger()].map(({ url }) => url)).toEqual(URLS);
  expect(frontier.committedOffsets()).toEqual({ 'records.jsonl': 7 });
  await frontier.close();
  expect(state()).toEqual(before);
});

test('a program that reads it is told to stop before it writes; what it reads beside its own writing is what was committed', async () => {
  const folder = await written();
  const reader = read(folder);
  expect(() => open(folder)).toThrow(/this program reads the crawl; close the result of openCrawl/);
  await reader.close();
  const writer = open(folder);
  const beside = read(folder);
  expect(beside.find(urlOf('http://a.test/'))?.line.state).toBe('waiting');
  await beside.close();
  writer.add(seeds(link('http://c.test/', 1)));
  await writer.commit({}, Promise.resolve());
  await writer.close();
  const after = read(folder);
  expect(after.counts().discovered).toBe(3);
  await after.close();
});

test('one of an earlier version, which lacks a table, is opened all the same', async () => {
  const folder = await written();
  await withoutChecksums(folder);
  const root = openLmdb<unknown, string>({ path: folder, maxDbs: 7 });
  root.openDB({ name: 'revisits', keyEncoding: 'uint32' }).dropSync();
  await root.close();
  const frontier = read(folder);
  expect(frontier.counts().discovered).toBe(2);
  expect([...frontier.revisits()]).toEqual([]);
  await frontier.close();
});
