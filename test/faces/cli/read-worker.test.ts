/** The built reading thread, with a topic model. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SettledUrls } from '../../../src/base/core/settled-urls.ts';
import { ReadPool } from '../../../src/crawling/reader/read-pool.ts';
import type { ReadWorkerData } from '../../../src/crawling/reader/read-worker.ts';
import { loadModel } from '../../../src/reading/topic/files.ts';
import { pageOf } from '../../corpus/records/samples.ts';
import { urlOf } from '../../support/frontier-values.ts';
import { smallWeb, trainedOn } from './small-web.ts';

const small = smallWeb(60, 2);
let topic: string;
beforeAll(async () => {
  topic = await trainedOn(small);
});
afterAll(() => small.close());

/** Of a page with two links, those that are read; the one to /old is settled before, and after the first reading the one to /new. */
async function linksRead(settled: SettledUrls | null): Promise<(readonly string[])[]> {
  const { settings, tables } = await loadModel(topic);
  const workerData: ReadWorkerData = {
    models: [{ settings, tables }],
    method: 'block',
    productToken: 'forager',
    judgement: 'context',
    hashing: false,
    settled: settled?.memory ?? null,
    fieldRules: null,
    documents: [],
    alternates: false,
  };
  const worker = new URL('../../../dist/bin/read-worker.js', import.meta.url);
  const pool = new ReadPool({ worker, workerData, workers: 1, maxReadTime: 30_000, maxWorkerHeap: 512 * 2 ** 20 });
  const page = pageOf('http://a.test/', '<p><a href="/old">The one</a> and <a href="/new">the other</a> link of a page.</p>');
  const read = async () => {
    const outcome = await pool.read(page);
    return outcome.kind === 'read' ? outcome.links.map(({ url }) => url) : [outcome.kind];
  };
  try {
    settled?.add(urlOf('http://a.test/old'));
    const first = await read();
    settled?.add(urlOf('http://a.test/new'));
    return [first, await read()];
  } finally {
    await pool.close();
  }
}

test('links to what is settled are passed over as soon as it is; without that memory none are', async () => {
  expect(await linksRead(new SettledUrls())).toEqual([['http://a.test/new'], []]);
  const both = ['http://a.test/old', 'http://a.test/new'];
  expect(await linksRead(null)).toEqual([both, both]);
});
